package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"floodmark/engine"
)

// The screen from top to bottom: the settings beside what they come to; the sizes beside the curve;
// the recommendation; the results that flip.

// A tuneLayout is how many rows each part has.
type tuneLayout struct {
	left, right          int // cells of the two columns
	top, plots, advice   int // rows
	flips                int
	wall                 string
	wideTracks, wideDiff bool
}

// layout divides the rows; lines are the recommendation's, which stays whole where the plots can give way.
func (t *tuneScreen) layout() (l tuneLayout, lines []string) {
	var rest int
	l, rest = t.upper()
	least, most := 1, 3
	if rest >= 16 {
		least, most = 3, 4
	}
	if rest >= 28 {
		least, most = 4, 6
	}
	lines = t.adviceRows(min(most, max(rest-l.top-1, 1)))
	l.advice = max(least, len(lines))
	l.plots = min(max(rest/3, 3), 16, rest-l.top-l.advice-1)
	if l.plots < 3 { // no plot can be read in less; its title goes, too
		l.plots = 0
		rest++
	}
	l.flips = max(rest-l.top-l.plots-l.advice, 0)
	return l, lines
}

// upper divides what stands at the top, and tells how many rows there are in all, without rules.
func (t *tuneScreen) upper() (l tuneLayout, rest int) {
	l = tuneLayout{left: (t.W - 1) / 2, wall: t.theme.wall}
	l.right = t.W - 1 - l.left
	rest = max(t.H-3, 4)
	l.top = min(max((rest+2)/3, 4), max(len(t.knobs), 9))
	l.wideTracks = l.left >= 52
	l.wideDiff = l.right >= 39
	return l, rest
}

func (t *tuneScreen) SetRect(r rect) { t.rect = r }

// header says what is tuned, and by which rules.
func (t *tuneScreen) header(w int, loading bool) string {
	right, warned := t.rules().describe(w >= 100)
	left := " Tune"
	if t.facts != nil {
		c := t.facts.corpus
		results, steps := c.Counted()
		facts := fmt.Sprintf("%s, %s", count(results, "result"), count(steps, "step"))
		more := t.progress()
		if more == "" && loading {
			more = "opening…"
		}
		if more != "" && width(left+dotted(more))+width(right)+3 > w {
			right, _, _ = strings.Cut(right, " · ") // how far it is matters more now
		}
		for _, s := range []string{" · " + count(len(t.facts.convs), "conversation") + ", " + facts + dotted(more), " · " + facts + dotted(more), " · " + count(results, "result") + dotted(more), dotted(more)} {
			if width(left+s)+width(right)+3 <= w {
				left += s
				break
			}
		}
	}
	room := w - width(right) - 1
	left = pad(clip(left, max(room-1, 0)), max(room, 0))
	if warned {
		right = t.theme.over.on(clip(right, w-width(left)-1))
	}
	return pad(left+right, w)
}

// dotted sets words off from those before.
func dotted(s string) string {
	if s == "" {
		return ""
	}
	return " · " + s
}

// progress says how far collecting is; empty when it is done.
func (t *tuneScreen) progress() string {
	if t.facts == nil || t.facts.tried >= t.total {
		return t.waiting()
	}
	return t.facts.progress(t.total)
}

// titled is a rule with words at its beginning and figures at its end.
func (t *tuneScreen) titled(w int, title, end string) string {
	title = clip(title, max(w-4, 0))
	s := t.theme.rule + " " + t.theme.strong.on(title) + " "
	if title == "" {
		s = ""
	}
	if end != "" && width(s)+width(end)+4 <= w {
		return s + strings.Repeat(t.theme.rule, w-width(s)-width(end)-3) + " " + end + " " + t.theme.rule
	}
	return s + strings.Repeat(t.theme.rule, max(w-width(s), 0))
}

func (t *tuneScreen) ruleTop(w int) string {
	l, _ := t.upper()
	end := ""
	if len(t.knobs) > l.top {
		end = fmt.Sprintf("%d of %d", t.chosen+1, len(t.knobs))
	}
	title := "settings"
	if t.own.Fixed && t.changed() {
		title = "settings, what if"
	}
	after := "before " + arrow + " after"
	if s := t.waiting(); s != "" {
		after = s
		if t.after != nil {
			after += " until then as it was"
		}
	}
	return t.titled(l.left, title, end) + t.theme.teeDown + t.titled(w-l.left-1, after, "")
}

const arrow = "→"

// View draws the rectangle.
func (t *tuneScreen) View() []string {
	l, lines := t.layout()
	out := make([]string, 0, t.H)
	beside := func(a, b []string, rows int) {
		for i := range rows {
			left, right := "", ""
			if i < len(a) {
				left = a[i]
			}
			if i < len(b) {
				right = b[i]
			}
			out = append(out, pad(left, l.left)+l.wall+pad(right, l.right))
		}
	}
	figures := t.figureRows(l.right, l.top)
	if t.missing != nil {
		figures = t.dimmed(figures)
	}
	beside(t.knobRows(l), figures, l.top)
	if l.plots > 0 {
		out = append(out, t.titled(l.left, "results by size, "+t.scope.words(), t.sizesCount())+t.theme.cross4+t.titled(l.right, t.sweepTitle(), t.sweeping()))
	}
	if t.table {
		beside(t.sizeTable(l.left, l.plots), t.sweepTable(l.right, l.plots), l.plots)
	} else {
		beside(t.sizePlot(l.left, l.plots), t.sweepPlot(l.right, l.plots), l.plots)
	}
	again := ""
	if t.outdated() {
		again = "to be worked out again…"
		lines = t.dimmed(lines)
	}
	out = append(out, t.titled(t.W, "recommended for: "+t.goalWords(), again))
	for i := range l.advice {
		line := ""
		if i < len(lines) {
			line = " " + lines[i]
		}
		out = append(out, pad(line, t.W))
	}
	rows := t.flips.rows(t.W, l.flips, t.inList, t.theme)
	if t.missing != nil {
		rows = t.dimmed(rows)
	}
	out = append(out, t.titled(t.W, t.flipsTitle(), t.flips.position()))
	if len(rows) == 0 && l.flips > 0 {
		rows = []string{" " + clip(t.noFlips(), t.W-1)}
	}
	for _, row := range rows {
		out = append(out, pad(row, t.W))
	}
	return fill(out, t.rect)[:max(t.H, 0)]
}

// sweepTitle says what the curve is over.
func (t *tuneScreen) sweepTitle() string {
	k := t.sweptKnob()
	return "by " + k.name + unitOf(t.own, k.field)
}

// dimmed are lines of what is not the last word, in one faint colour.
func (t *tuneScreen) dimmed(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = t.theme.faint.on(ansi.Strip(line))
	}
	return out
}

// adviceRows are the recommendation, in at most so many lines, or why there is none.
func (t *tuneScreen) adviceRows(rows int) []string {
	switch {
	case t.facts == nil || t.facts.corpus.Len() == 0:
		return []string{"…"}
	case t.problem != "":
		return firstLines(wrapWords("can't be decided: "+t.problem, t.W-2), rows, t.W-2)
	}
	return firstLines(t.adviceLines(t.W-2, rows), rows, t.W-2)
}

func (t *tuneScreen) flipsTitle() string {
	n := len(t.flips.list)
	s := count(n, "result") + " flip"
	if n == 1 {
		s += "s"
	}
	if !t.scope.all() {
		s += ", " + t.scope.words()
	}
	return s
}

func (t *tuneScreen) noFlips() string {
	switch {
	case t.facts == nil || t.facts.corpus.Len() == 0:
		return "nothing is measured yet"
	case t.flips.others > 0:
		return "no verdict of these changes; " + count(t.flips.others, "result") + " elsewhere"
	case t.missing != nil:
		return t.waiting()
	case t.changed():
		return "no verdict changes"
	}
	return "nothing is tuned: move a setting, and what would change stands here"
}

func (t *tuneScreen) sizesCount() string {
	return count(t.sizes.len(), "result")
}

// knobRows draws the settings that there is room for.
func (t *tuneScreen) knobRows(l tuneLayout) []string {
	t.top = max(min(t.top, t.chosen), t.chosen+1-l.top)
	t.top = max(min(t.top, len(t.knobs)-l.top), 0)
	const name = 13
	var out []string
	for i := t.top; i < min(t.top+l.top, len(t.knobs)); i++ {
		k := t.knobs[i]
		v, some := k.value(t.policy)
		pointer, before, after := " ", "  ", "  "
		if i == t.chosen {
			pointer = t.theme.resting
			if !t.inList {
				pointer = t.theme.pointer
				before, after = t.theme.lower+" ", " "+t.theme.raise
			}
		}
		line := pointer + pad(clip(k.name, name), name) + " "
		if l.wideTracks {
			line += t.track(k, v, some, 14) + " "
		}
		line += before + padLeft(k.write(v, some), 9) + after
		was := t.was(k, l.left >= 62)
		plain := pad(line+" "+was, l.left)
		switch {
		case i == t.chosen && !t.inList:
			line = t.theme.selected.on(clip(plain, l.left))
		case was != "":
			line = clip(line, l.left) + t.theme.over.on(clip(" "+was, max(l.left-width(line), 0)))
		}
		out = append(out, line)
	}
	return out
}

// was says what a tuned setting was before.
func (t *tuneScreen) was(k knob, roomy bool) string {
	v, some := k.value(t.policy)
	own, had := k.value(t.own)
	s := ""
	switch {
	case k.override >= 0 && k.override >= len(t.own.Overrides):
		s = "override"
	case v != own || some != had:
		s = "was " + k.write(own, had)
	default:
		return ""
	}
	if t.own.Fixed && roomy {
		s = "what if, " + s
	}
	return s
}

// track draws where a value lies in the range that its knob has.
func (t *tuneScreen) track(k knob, v float64, some bool, cells int) string {
	if !some {
		return strings.Repeat(t.theme.left, cells)
	}
	share := v
	if k.unit != shareUnit {
		from, to := 1.0, 100_000.0
		switch k.unit {
		case byteUnit:
			from, to = 1e6, 1e9
		case itemUnit:
			to = 100
		case charUnit:
			to = 10_000
		}
		share = newLogAxis(cells, from, to).share(v)
	}
	at := min(int(share*float64(cells)), cells-1)
	return strings.Repeat(t.theme.bar, at) + t.theme.knob + strings.Repeat(t.theme.left, cells-at-1)
}

// A figureRow is one figure before and after.
type figureRow struct {
	name          string
	before, after string
	change        string
	over          bool // what it says is over a limit
}

// figureRows are what the settings come to, as many rows as there is room for.
func (t *tuneScreen) figureRows(w, rows int) []string {
	if t.before == nil || t.after == nil {
		if t.problem != "" {
			return wrapWords(" "+t.problem, w-1)
		}
		if s := t.waiting(); s != "" {
			return []string{" " + s}
		}
		return []string{" measuring…"}
	}
	a, b := t.before.Point, t.after.Point
	sizes := []figureRow{
		tokenRow("entered", a.InlineTokens, b.InlineTokens, w),
		tokenRow("peak step", a.PeakStepTokens, b.PeakStepTokens, w),
		tokenRow("peak context", a.PeakContextTokens, b.PeakContextTokens, w),
	}
	if limit := t.stepLimit(); limit > 0 {
		r := countRow("steps > "+strings.Replace(brief(limit), ".0 ", " ", 1), t.over[0], t.over[1])
		r.over = t.over[1] > 0
		sizes = append(sizes, r)
	}
	if t.window > 0 {
		sizes = append(sizes, figureRow{name: "of window", before: percent(a.PeakContextTokens, t.window), after: percent(b.PeakContextTokens, t.window), over: b.PeakContextTokens > t.window})
	}
	sizes = append(sizes, tokenRow("model reads", a.ModelTokens, b.ModelTokens, w))
	var verdicts []figureRow
	for _, v := range engine.Verdicts {
		n, m := a.Verdicts.Of(v), b.Verdicts.Of(v)
		if n > 0 || m > 0 || v == engine.Inline || v == engine.Offloaded {
			r := countRow(t.theme.verdicts[v]+" "+string(v), n, m)
			r.over = v == engine.Lost || v == engine.Rejected
			verdicts = append(verdicts, r)
		}
	}
	var out []string
	if len(verdicts)+len(sizes) <= rows {
		for _, r := range append(verdicts, sizes...) {
			out = append(out, t.figureRow(r, w))
		}
		return out
	}
	// Too few rows: the verdicts share one or two.
	words := ""
	for i, r := range verdicts {
		if i > 0 {
			words += "  "
		}
		if w < 39 {
			r.name, _, _ = strings.Cut(r.name, " ") // the mark alone
		}
		words += strings.ReplaceAll(r.name+" "+r.before+arrow+r.after, " ", "\u00a0")
	}
	lines := wrapWords(words, w-2)
	for _, line := range firstLines(lines, max(rows-4, 1), w-2) {
		out = append(out, " "+strings.ReplaceAll(line, "\u00a0", " "))
	}
	for _, r := range sizes {
		if len(out) < rows {
			out = append(out, t.figureRow(r, w))
		}
	}
	return out
}

func tokenRow(name string, a, b float64, w int) figureRow {
	r := figureRow{name: name, before: sized(a, figureRoom(w)), after: sized(b, figureRoom(w))}
	switch {
	case a == b:
		r.change = ""
	case a > 0:
		r.change = difference(a, b)
	}
	return r
}

func countRow(name string, a, b int) figureRow {
	r := figureRow{name: name, before: grouped(int64(a)), after: grouped(int64(b))}
	if a != b {
		r.change = withSign(grouped(int64(b - a)))
	}
	return r
}

// withSign writes a plus before what has no minus, and the minus as a minus.
func withSign(s string) string {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return "−" + rest
	}
	return "+" + s
}

// figureRoom is the room for a figure beside another one and what changed.
func figureRoom(w int) int {
	if w < 44 {
		return 8
	}
	return 10
}

func (t *tuneScreen) figureRow(r figureRow, w int) string {
	figure := figureRoom(w)
	line := " " + pad(r.name, 13)
	if w >= 39 {
		line += padLeft(r.before, figure) + " " + arrow + " "
	}
	line += padLeft(r.after, figure)
	if width(line)+1+width(r.change) <= w {
		line += padLeft(r.change, min(8, w-width(line)))
	}
	line = clip(line, w)
	if r.over {
		return t.theme.over.on(line)
	}
	return line
}
