package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// A marked result waits for another to be shown beside it, as it was under the policy of that time.
type marked struct {
	finding
	policy string
}

// markOf is the selected result as it stands; false where none is.
func (e *explorer) markOf() (marked, bool) {
	s := e.list.selected()
	if s.outcome == nil || s.policy == nil {
		return marked{}, false
	}
	d := &engine.Diagnosis{Outcome: s.outcome}
	for _, t := range e.tabs {
		if w, ok := t.(*whyTab); ok && w.found != nil && w.found.Outcome == s.outcome {
			d = w.found
		}
	}
	return marked{finding{Diagnosis: d}, policyTitle(s.policy)}, true
}

// markResult remembers the selected result.
func (e *explorer) markResult() tea.Cmd {
	m, ok := e.markOf()
	if !ok {
		e.status = "no result is selected"
		return nil
	}
	e.marked = &m
	e.status = fmt.Sprintf("marked %s; %s shows another beside it", visible(m.Outcome.Call.ID), keyOf(showBeside, e.theme.ascii))
	return nil
}

// besideMarked shows the marked result and the selected one side by side.
func (e *explorer) besideMarked() tea.Cmd {
	m, ok := e.markOf()
	switch {
	case e.marked == nil:
		e.status = keyOf(markResult, e.theme.ascii) + " marks a result to be shown beside another"
	case !ok:
		e.status = "no result is selected"
	default:
		e.cover(&besideOverlay{theme: e.theme, a: *e.marked, b: m})
	}
	return nil
}

// besideOverlay shows two results side by side: what they are, what became of them, and what each
// makes reachable.
type besideOverlay struct {
	linesPane
	theme *theme
	a, b  marked
}

func (o *besideOverlay) SetRect(r rect) {
	o.rect = r
	const name = 11 // cells of the first column
	w := max((r.W-name-3)/2, 1)
	var out []string
	rows := append([][]string{{"call", o.a.Outcome.Call.ID, o.b.Outcome.Call.ID}, {"policy", o.a.policy, o.b.policy}},
		besideRows(o.a.finding, o.b.finding)...)
	for _, row := range rows {
		if row[1] == "" && row[2] == "" {
			continue
		}
		left, right := wrapWords(visible(row[1]), w), wrapWords(visible(row[2]), w)
		for i := range max(len(left), len(right)) {
			head, a, b := "", "", ""
			if i == 0 {
				head = row[0]
			}
			if i < len(left) {
				a = left[i]
			}
			if i < len(right) {
				b = right[i]
			}
			out = append(out, " "+o.theme.faint.on(pad(head, name))+pad(a, w)+" "+pad(b, w))
		}
	}
	o.set(out)
}

func (o *besideOverlay) Key(a action) (bool, int) {
	if a == leave || a == accept {
		return true, -1
	}
	o.linesPane.Key(a)
	return false, -1
}
