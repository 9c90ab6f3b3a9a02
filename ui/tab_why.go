package ui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// whyTab is the answer for the ticket: a sentence, the trace as a table, the warnings with their
// evidence.
type whyTab struct {
	*deps
	lines linesPane
	rect
	sel   selection
	shown any
	// found is what a diagnosis says beyond the trace; nil until it is made.
	found *engine.Diagnosis
}

func newWhy(d *deps) *whyTab { return &whyTab{deps: d} }

func (t *whyTab) name() (string, string) { return "Why", "Why" }

func (t *whyTab) SetRect(r rect) {
	t.rect, t.lines.rect = r, r
	t.rebuild()
}

func (t *whyTab) show(s selection) tea.Cmd {
	now := s.shown()
	if now == t.shown {
		return nil
	}
	if before, _ := t.shown.(shownOutcome); before.id != now.id {
		t.lines.top = 0
	}
	t.shown, t.sel, t.found = now, s, nil
	t.rebuild()
	if s.waiting() != "" {
		t.jobs.stop("why")
		return nil
	}
	return t.jobs.start("why", func(ctx context.Context) answer {
		var d *engine.Diagnosis
		err := s.conv.read(ctx, func(r *engine.Replayer) (err error) {
			d, err = r.Diagnose(ctx, s.policy, s.outcome)
			return err
		})
		return func() tea.Cmd {
			if err == nil {
				t.found = d
				t.rebuild()
			}
			return nil
		}
	})
}

// where is the place in the payload that decided.
func (t *whyTab) where() (int, bool) {
	if t.found == nil || t.found.At == nil {
		return 0, false
	}
	return int(t.found.At.Offset), true
}

// repair is a filter that would help; empty where none is known.
func (t *whyTab) repair() string {
	if t.found == nil || t.found.Repair == nil {
		return ""
	}
	return t.found.Repair.Filter
}

func (t *whyTab) Key(a action) (tea.Cmd, bool) { return t.lines.Key(a) }
func (t *whyTab) View() []string               { return t.lines.View() }
func (t *whyTab) position() string             { return t.lines.position() }
func (t *whyTab) text() *pager                 { return nil }

func (t *whyTab) rebuild() {
	if t.W <= 0 {
		return
	}
	if m := t.sel.waiting(); m != "" {
		t.lines.set(indent(wrapWords(m, t.W-2)))
		return
	}
	o := t.sel.outcome
	var out []string
	sentence, _ := verdictSentence(o) // until the diagnosis is there
	if t.found != nil {
		sentence = visible(summary(t.found))
	}
	out = append(indent(wrapWords(upperFirst(sentence)+".", t.W-2)), "")
	out = append(out, t.table(o.Trace)...)
	for _, c := range o.Trace {
		if c.Detail != "" {
			out = append(out, indent(wrapWords(visible(c.Check)+": "+visible(c.Detail), t.W-2))...)
		}
	}
	if help := t.help(); len(help) > 0 {
		out = append(append(out, ""), help...)
	}
	if len(o.Warnings) > 0 {
		out = append(out, "")
	}
	for _, w := range o.Warnings {
		out = append(out, t.warning(w)...)
	}
	out = append(out, t.chain(o)...)
	if f := t.facts(o); len(f) > 0 {
		out = append(append(out, ""), f...)
	}
	t.lines.set(out)
}

func indent(lines []string) []string {
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// table draws the trace: check, observed, limit, so.
func (t *whyTab) table(trace []engine.Check) []string {
	rows := [][4]string{{"check", "observed", "limit", "so"}}
	for _, c := range trace {
		so := visible(c.Result)
		a, ok := engine.Number(c.Observed)
		b, ok2 := engine.Number(c.Limit)
		if ok && ok2 && c.Unit == "tokens" && a != b {
			so += "  " + signed(a-b)
		}
		rows = append(rows, [4]string{visible(c.Check), figure(c.Observed, c.Unit, true), figure(c.Limit, c.Unit, false), so})
	}
	if t.W < 60 {
		return t.stacked(trace, rows[1:])
	}
	var w [4]int
	for _, r := range rows {
		for i, s := range r {
			w[i] = max(w[i], width(s))
		}
	}
	w[1], w[2] = min(w[1], 28), min(w[2], 20)
	out := make([]string, 0, len(rows))
	for i, r := range rows {
		line := " " + pad(r[0], w[0]) + "  " + padLeft(r[1], w[1]) + "  " + padLeft(r[2], w[2]) + "  "
		so := clip(r[3], t.W-width(line))
		switch {
		case i == 0:
			line = t.theme.faint.on(line + so)
		case i > 0 && (trace[i-1].Result == "over" || trace[i-1].Check == "verdict"):
			line += t.emphasis(trace[i-1], so)
		default:
			line += so
		}
		out = append(out, line)
	}
	return out
}

// stacked is the table for a narrow pane: two lines for a check.
func (t *whyTab) stacked(trace []engine.Check, rows [][4]string) []string {
	out := make([]string, 0, 2*len(rows))
	for i, r := range rows {
		so := clip(r[3], t.W-14)
		if trace[i].Result == "over" || trace[i].Check == "verdict" {
			so = t.emphasis(trace[i], so)
		}
		out = append(out, " "+pad(r[0], 12)+" "+so)
		switch {
		case r[1] != "" && r[2] != "":
			line := blank(14) + r[1] + ", limit " + r[2]
			if width(line) <= t.W {
				out = append(out, line)
				continue
			}
			for _, part := range []string{r[1] + ",", "limit " + r[2]} { // a number that is cut reads as another
				out = append(out, clip(blank(14)+part, t.W))
			}
		case r[1] != "":
			out = append(out, clip(blank(14)+r[1], t.W))
		}
	}
	return out
}

func (t *whyTab) emphasis(c engine.Check, so string) string {
	if c.Check == "verdict" {
		return t.theme.strong.on(so)
	}
	return t.theme.over.on(so)
}

// help says where the cause lies, what is missing to another verdict, and what would repair it.
func (t *whyTab) help() []string {
	d := t.found
	if d == nil {
		return nil
	}
	var out []string
	add := func(word, text string) {
		for i, line := range wrapWords(visible(text), t.W-11) {
			if i > 0 {
				word = ""
			}
			out = append(out, " "+pad(word, 9)+line)
		}
	}
	for _, h := range help(d) {
		if h.word != "repair" {
			add(h.word, h.text)
		}
		if h.word == "where" && d.Repair == nil {
			add("", keyOf(editFilter, t.theme.ascii, inResult)+" shows it in the view Original")
		}
	}
	if r := d.Repair; r != nil {
		add("repair", r.Filter)
		add("", fmt.Sprintf("makes it %s: %s enter, not %s", r.Verdict, tokens(r.After), rounded(r.Before)))
		add("", keyOf(editFilter, t.theme.ascii, inResult)+" tries it in the view Variable")
	}
	return out
}

// figure writes what a check observed or compared with, in its unit.
func figure(v any, unit string, withUnit bool) string {
	n, ok := engine.Number(v)
	if !ok {
		if v == nil {
			return ""
		}
		return visible(fmt.Sprint(v))
	}
	if unit == "share" {
		return percent(n, 1)
	}
	if withUnit && unit != "" {
		return inUnits(rounded(n), unit)
	}
	return rounded(n)
}

func signed(n float64) string {
	if n > 0 {
		return "+" + rounded(n)
	}
	return "−" + rounded(-n)
}

// warning draws one: its code, what it says, and where.
func (t *whyTab) warning(w engine.Warning) []string {
	var at []string
	if w.Path != "" {
		at = append(at, visible(w.Path))
	}
	if w.Line > 0 {
		at = append(at, fmt.Sprintf("line %s, column %s", grouped(int64(w.Line)), grouped(int64(w.Column))))
	}
	if w.Offset != nil {
		at = append(at, "byte "+grouped(*w.Offset))
	}
	head := t.theme.warned + " " + visible(w.Code)
	out := []string{" " + t.theme.over.on(clip(head, t.W-2))}
	text := visible(w.Detail)
	if len(at) > 0 {
		text += " (" + strings.Join(at, " · ") + ")"
	}
	for _, line := range wrapWords(text, t.W-5) {
		out = append(out, "   "+line)
	}
	return out
}

// chain draws how the payload came back, where values were followed and it did.
func (t *whyTab) chain(o *engine.Outcome) []string {
	if t.sel.run == nil || t.sel.run.Tracking == nil {
		return nil
	}
	c := t.sel.run.Tracking.ChainOf(o)
	if c == nil {
		return nil
	}
	out := []string{"", t.theme.faint.on(" chain")}
	for _, text := range chainLines(c) {
		lines := wrapWords(visible(text), t.W-4)
		for i, line := range lines {
			if i > 0 {
				line = "  " + line
			}
			out = append(out, " "+line)
		}
	}
	return out
}

// facts are what the scan found, for whoever wants to check the trace by hand.
func (t *whyTab) facts(o *engine.Outcome) []string {
	f := o.Facts
	if f == nil {
		return nil
	}
	out := []string{t.theme.faint.on(" measured")}
	add := func(format string, a ...any) {
		out = append(out, indent(wrapWords(fmt.Sprintf(format, a...), t.W-2))...)
	}
	add("%s · %s bytes · %s characters · %s", shape(f), grouped(f.Size.Bytes), grouped(f.Size.Chars), tokens(o.Original.Tokens)+" by "+string(t.sel.policy.Estimator))
	if s := f.Strings; s.Count > 0 {
		add("strings: %s of all bytes; the largest %s, at %s", percent(float64(s.Bytes), float64(f.Size.Bytes)),
			percent(float64(s.Largest.Bytes), float64(f.Size.Bytes)), visible(s.Largest.Path))
		if s.JSONCount > 0 {
			add("JSON inside strings: %s, %s of all bytes; the largest at %s", count(s.JSONCount, "string"),
				percent(float64(s.JSONBytes), float64(f.Size.Bytes)), visible(s.LargestJSON.Path))
		}
	}
	if e := f.Syntax; e != nil && f.Kind != engine.PlainText {
		add("not JSON: %s, line %s, column %s", visible(e.Reason), grouped(int64(e.Line)), grouped(int64(e.Column)))
	}
	if f.Duplicates > 0 {
		add("duplicate keys: %s", grouped(int64(f.Duplicates)))
	}
	if f.BadUTF8 > 0 {
		add("bytes that are not UTF-8: %s, the first at byte %s", grouped(int64(f.BadUTF8)), grouped(f.FirstBadUTF8))
	}
	if f.DeeperKey != "" {
		add("an instruction key stays data, deeper down: %s", visible(f.DeeperKey))
	}
	if id := o.Call.ID; id != "" {
		add("call %s", visible(id))
	}
	if at := o.Call.At; at.File != "" {
		add("recorded in %s, line %s, byte %s", visible(at.File), grouped(int64(at.Line)), grouped(at.Offset))
	}
	return out
}
