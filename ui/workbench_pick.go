package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// A picker lists filters to choose from, and narrows the list while text is typed.
type picker struct {
	linesPane
	title string
	all   []pick
	shown []pick
	edit  *lineEdit
	at    int
}

// A pick is a filter that can be chosen.
type pick struct {
	mark   string // where it comes from
	title  string // empty for one without a name
	filter string
}

func newPicker(title string, all []pick) *picker {
	p := &picker{title: title, all: all, edit: newLineEdit()}
	p.narrow()
	return p
}

// narrow keeps what holds every word that was typed, in any case.
func (p *picker) narrow() {
	words := strings.Fields(strings.ToLower(p.edit.value()))
	p.shown = p.shown[:0]
	for _, k := range p.all {
		text := strings.ToLower(k.mark + " " + k.title + " " + k.filter)
		all := true
		for _, w := range words {
			all = all && strings.Contains(text, w)
		}
		if all {
			p.shown = append(p.shown, k)
		}
	}
	p.at = 0
	p.n = len(p.shown)
	p.scrollTo(0)
}

func (p *picker) move(by int) {
	p.at = max(min(p.at+by, len(p.shown)-1), 0)
	if p.at < p.top || p.at >= p.top+p.H {
		p.scrollTo(p.at - p.H/2)
	}
}

// view draws the list in r; its first line says what it is.
func (p *picker) view(r rect, t *theme) []string {
	p.rect = rect{W: r.W, H: max(r.H-1, 0)}
	p.move(0)
	title := 0
	for _, k := range p.shown {
		title = max(title, min(width(visible(k.title)), r.W/2))
	}
	p.lines(len(p.shown), func(i int) string {
		k := p.shown[i]
		line := pad(k.mark, 6) + " "
		if title > 0 {
			line += pad(visible(k.title), title) + "  "
		}
		line += visible(k.filter)
		if i == p.at {
			return t.pointer + t.selected.on(pad(line, r.W-1))
		}
		return " " + line
	})
	head := " " + p.title + ": " + grouped(int64(len(p.shown))) + " of " + grouped(int64(len(p.all)))
	out := []string{t.faint.on(pad(head, r.W))}
	return fill(append(out, p.linesPane.View()...), r)
}

// pick handles a key while filters are listed.
func (t *variableTab) pick(k tea.KeyMsg, a action, bound bool) tea.Cmd {
	p := t.picker
	if bound {
		switch a {
		case leave, searchHistory:
			t.picker = nil
			return nil
		case accept:
			t.picker = nil
			if len(p.shown) == 0 {
				return nil
			}
			filter := p.shown[p.at].filter
			t.edit.set(filter)
			if t.typing {
				return t.typed()
			}
			t.stale, t.kind, t.noting, t.form = true, engine.FilterStep, true, formJSON
			return tea.Batch(t.query(0), t.remember(filter))
		case up:
			p.move(-1)
			return nil
		case down:
			p.move(1)
			return nil
		case pageUp:
			p.move(-max(p.H-1, 1))
			return nil
		case pageDown:
			p.move(max(p.H-1, 1))
			return nil
		case complete, takePrefix:
			return nil
		}
	}
	if p.edit.key(k) {
		p.narrow()
	}
	return nil
}

// chooseFilter lists the filters that were run, and those with a name.
func (t *variableTab) chooseFilter() tea.Cmd {
	if t.sel.outcome == nil {
		return nil
	}
	return t.readHistory(func() tea.Cmd {
		own := variableKey(t.sel)
		var all []pick
		for _, q := range t.ordered() {
			mark := "other"
			if q.Of == own {
				mark = "here"
			}
			all = append(all, pick{mark: mark, filter: q.Filter})
		}
		for _, q := range t.past.named {
			all = append(all, pick{"named", q.Name, q.Filter})
		}
		if len(all) == 0 {
			t.deps.tell("no filter was run yet: " + keyOf(accept, t.theme.ascii, inPrompt) + " runs one")
			return nil
		}
		t.popup, t.open = popup{}, false
		t.picker = newPicker("filters that were run, and those with a name", all)
		return nil
	})
}

// chooseStarter lists filters to begin with.
func (t *variableTab) chooseStarter() tea.Cmd {
	if t.sel.outcome == nil || t.sel.outcome.Facts == nil {
		return nil
	}
	if !t.outlines.known {
		return t.afterOutline(t.chooseStarter)
	}
	if t.outlines.own == nil {
		t.deps.tell("not JSON: no filter to begin with")
		return nil
	}
	var all []pick
	if text := t.sel.outcome.Facts.Strings; text.JSONCount > 0 {
		filter := text.LargestJSON.Path + strings.Repeat(" | fromjson", text.Decodings)
		all = append(all, pick{"start", "the JSON in the string at " + text.LargestJSON.Path, filter})
	}
	for _, s := range t.outlines.own.Starters(t.sel.outcome.Facts.RecordsPath) {
		all = append(all, pick{"start", s.Title, s.Filter})
	}
	t.popup, t.open = popup{}, false
	t.picker = newPicker("filters to begin with", all)
	return nil
}
