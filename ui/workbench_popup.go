package ui

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// What a filter can go on with stands in a popup under it. It comes from a job, and nothing waits for it.

// popupRows is how many offers are in sight.
const popupRows = 8

// A popup shows offers for the filter as it was when it was asked for.
type popup struct {
	offers []engine.Offer
	at     int
	top    int
	before string // the text before the cursor
}

func (p *popup) open() bool { return len(p.offers) > 0 }

// move goes to another offer; false where there are none.
func (p *popup) move(by int) bool {
	n := len(p.offers)
	if n == 0 {
		return false
	}
	p.at = (p.at + by + n) % n
	p.top = min(max(p.top, p.at-popupRows+1), p.at)
	return true
}

// outlines are what is known of the structure of payloads, for offers. Jobs make them; one that is made is
// not changed.
type outlines struct {
	own    *engine.Outline
	known  bool // own was made; nil where the payload is not JSON
	others map[string]*engine.Outline
}

// outline reads the structure of the selected payload, unless it is known.
func (t *variableTab) outline() tea.Cmd {
	if t.outlines.known || t.jobs.running("outline") || t.sel.outcome == nil {
		return nil
	}
	return t.afterOutline(func() tea.Cmd {
		if t.typing && t.edit.value() != "" {
			return t.offer(false)
		}
		return nil
	})
}

// afterOutline reads the structure and goes on with then.
func (t *variableTab) afterOutline(then func() tea.Cmd) tea.Cmd {
	s := t.sel
	return t.jobs.start("outline", func(ctx context.Context) answer {
		o, err := readOutline(ctx, s, s.outcome)
		return func() tea.Cmd {
			if err != nil {
				t.deps.tell("the structure can't be read: " + visible(err.Error()))
				return nil
			}
			t.outlines.own, t.outlines.known = o, true
			return then()
		}
	})
}

// readOutline reads the structure of a payload, and keeps nothing.
func readOutline(ctx context.Context, s selection, o *engine.Outcome) (*engine.Outline, error) {
	var payload []byte
	err := s.conv.read(ctx, func(r *engine.Replayer) (err error) {
		payload, err = r.Payload(s.policy, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return engine.OutlineOf(ctx, payload, s.policy.Schema.MapKeys)
}

// offer asks for offers at the cursor. asked tells that a person wants them also where no word is begun.
func (t *variableTab) offer(asked bool) tea.Cmd {
	t.popup = popup{}
	if !t.outlines.known {
		return t.outline()
	}
	before, o, s, d, filter := t.edit.before(), t.outlines, t.sel, t.deps, t.edit.value()
	return t.jobs.start("offers", func(ctx context.Context) answer {
		named := map[string]*engine.Outline{}
		learnt := map[string]*engine.Outline{}
		if s.run != nil && strings.Contains(before, "$") {
			for _, other := range s.run.Outcomes {
				if other.Verdict == "" || other.Verdict == engine.Rejected {
					continue
				}
				name := engine.JQName(other.Name)
				named[name] = o.others[name]
				if named[name] == nil && strings.Contains(filter, "$"+name) {
					named[name], _ = readOutline(ctx, s, other) // without one there are no offers
					learnt[name] = named[name]
				}
			}
			for _, v := range d.session.keptOf(s) {
				if _, ok := named[v.Name]; !ok {
					named[v.Name] = nil
				}
			}
		}
		offers, typed := engine.Complete(before, o.own, named)
		return func() tea.Cmd {
			if !t.typing || t.edit.before() != before {
				return nil
			}
			for name, l := range learnt {
				if t.outlines.others == nil {
					t.outlines.others = map[string]*engine.Outline{}
				}
				t.outlines.others[name] = l
			}
			if typed || asked {
				t.popup = popup{offers: offers, before: before}
			}
			if asked && len(offers) == 0 {
				t.deps.tell("nothing to offer here")
			}
			return nil
		}
	})
}

// complete takes the chosen offer, or asks for offers.
func (t *variableTab) complete() tea.Cmd {
	if !t.popup.open() || t.popup.before != t.edit.before() {
		return t.offer(true)
	}
	o := t.popup.offers[t.popup.at]
	t.edit.insert(o.Replace, o.Text)
	return t.typed()
}

// takePrefix cuts the filter to the longest beginning that runs.
func (t *variableTab) takePrefix() tea.Cmd {
	if t.problem.prefix == "" {
		t.deps.tell("no shorter beginning of the filter runs")
		return nil
	}
	t.edit.set(t.problem.prefix)
	return t.typed()
}

// drawPopup draws the offers in w cells, under the cell of the word that they finish.
func (t *variableTab) drawPopup(w, col, rows int) []string {
	p := &t.popup
	rows = min(rows, popupRows, len(p.offers))
	if rows <= 0 {
		return nil
	}
	top := min(max(p.top, p.at-rows+1), p.at)
	sight := p.offers[top : top+min(rows, len(p.offers)-top)]
	label, detail, help := 0, 0, 0
	for _, o := range sight {
		name, kind := offerWords(o)
		label, detail, help = max(label, width(name)), max(detail, width(kind)), max(help, width(visible(o.Help)))
	}
	label, detail = min(label, w/2), min(detail, 40)
	// The list moves left to have the room it needs.
	col = max(min(col, w-label-detail-help-8), 0)
	out := make([]string, 0, rows)
	for i := top; i < min(top+rows, len(p.offers)); i++ {
		o := p.offers[i]
		name, kind := offerWords(o)
		line := pad(name, label)
		if kind != "" {
			line += "  " + kind
		}
		if o.Help != "" {
			if detail > 0 {
				line = pad(line, label+2+detail)
			}
			line += "  " + visible(o.Help)
		}
		room := w - col - 2
		if i == p.at {
			out = append(out, blank(col)+t.theme.pointer+t.theme.selected.on(" "+pad(line, room)))
			continue
		}
		out = append(out, blank(col)+t.theme.leg+" "+pad(line, room))
	}
	return out
}

// offerWords are what a line says of an offer: a function's form stands for its name.
func offerWords(o engine.Offer) (name, kind string) {
	if o.Kind == engine.FunctionOffer {
		return visible(o.Detail), ""
	}
	return visible(o.Label), visible(o.Detail)
}
