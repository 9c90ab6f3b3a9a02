package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// What the settings cost, apart from what enters: when offloading stops paying, who brings the tokens, and money
// and waiting where prices and a latency are given. It comes a moment after the figures; until then the screen
// says that it is being counted.

// tuneCosts are the costs of what is shown.
type tuneCosts struct {
	of            *engine.Decisions // after
	breakEven     *engine.BreakEven
	before, after []engine.RoleTotals
}

// countCosts counts the costs of what is shown, unless that is done or under way.
func (e *explorer) countCosts() tea.Cmd {
	t := e.tune
	if t == nil || t.after == nil || t.missing != nil || t.source == nil || t.costs != nil && t.costs.of == t.after {
		return nil
	}
	before, after, own, source := t.before, t.after, t.facts.corpus, t.source.corpus.Under(t.fault)
	if t.ownSource != nil {
		own = t.ownSource.corpus
	}
	return e.jobs.start("costs", func(context.Context) answer {
		c := &tuneCosts{of: after}
		var err error
		if c.breakEven, err = source.BreakEven(after); err == nil {
			c.after, err = source.ByRole(after)
		}
		if err == nil {
			c.before, err = own.Under(t.fault).ByRole(before)
		}
		return func() tea.Cmd {
			switch {
			case err != nil:
				e.status = "costs can't be counted: " + visible(err.Error())
			case t.after == after:
				t.costs = c
			}
			return nil
		}
	})
}

// typicalInspection is the size in tokens of the inspection result that the one line on the screen tells of;
// inspectionSizes are all.
const typicalInspection = 500

// breakEvenWords say in one clause when offloading stops paying.
func (c *tuneCosts) breakEvenWords(latency float64) string {
	b := c.breakEven
	switch {
	case b.Offloads == 0:
		return "nothing is offloaded, so that there is no break-even"
	case b.Saved <= 0:
		return "break-even: none, no later step reads less for it"
	}
	n := b.Inspections(typicalInspection)
	s := "break-even: an offload pays up to " + decimal(n) + " inspections of " + rounded(typicalInspection) + " tokens"
	if latency > 0 {
		s += " (" + decimal(n*latency) + " s of waiting)"
	}
	return s
}

// costWords are the costs in a few clauses.
func (t *tuneScreen) costWords() []string {
	if t.after == nil {
		return nil
	}
	if t.costs == nil || t.costs.of != t.after {
		return []string{"costs are being counted…"}
	}
	parts := []string{t.costs.breakEvenWords(t.latency)}
	if t.prices != nil {
		parts = append(parts, "model reads for "+visible(t.prices.text(t.before.Point.ModelTokens))+" "+arrow+" "+visible(t.prices.text(t.after.Point.ModelTokens)))
	}
	if len(t.costs.after) > 1 {
		main, sub := 0.0, 0.0
		for _, r := range t.costs.after {
			if r.Role == engine.RootRole {
				main += r.InlineTokens
			} else {
				sub += r.InlineTokens
			}
		}
		parts = append(parts, "entered in main threads "+short(main)+", in subagents "+short(sub))
	}
	return append(parts, keyOf(showCosts, t.theme.ascii, inTune)+" all costs")
}

// showCosts covers the screen with all costs.
func (e *explorer) showCosts() {
	t := e.tune
	if t.after == nil || t.costs == nil || t.costs.of != t.after {
		e.status = "costs are being counted…"
		return
	}
	o := &wordsOverlay{}
	o.set(t.costLines(e.lay.W - 2))
	e.cover(o)
}

// costLines are all costs, at most w cells wide.
func (t *tuneScreen) costLines(w int) []string {
	var out []string
	heading := func(s string) { out = append(out, "", " "+t.theme.strong.on(s), "") }
	row := func(format string, args ...any) { out = append(out, clip(fmt.Sprintf("   "+format, args...), w)) }
	say := func(s string) {
		for _, line := range wrapWords(s, w-4) {
			out = append(out, "   "+line)
		}
	}
	a, b := t.before.Point, t.after.Point
	heading("What the model reads, in tokens by " + string(t.policy.Estimator))
	row("%-20s%11s   %11s", "", "before", "after")
	row("%-20s%11s %s %11s  %s", "entered", rounded(a.InlineTokens), arrow, rounded(b.InlineTokens), difference(a.InlineTokens, b.InlineTokens))
	row("%-20s%11s %s %11s  %s", "model reads", rounded(a.ModelTokens), arrow, rounded(b.ModelTokens), difference(a.ModelTokens, b.ModelTokens))
	if t.prices != nil {
		row("%-20s%11s %s %11s", "that costs", visible(t.prices.text(a.ModelTokens)), arrow, visible(t.prices.text(b.ModelTokens)))
	}
	row("%-20s%11s %s %11s", "were all inline", "", " ", rounded(t.after.ModelOriginal))
	heading("Who brings it, entered in tokens")
	for _, r := range t.costs.after {
		name := "main threads"
		if r.Role != engine.RootRole {
			name = "subagents"
			if r.Agent != "" {
				name = "agent " + visible(r.Agent)
			}
		}
		before := 0.0
		for _, q := range t.costs.before {
			if q.Role == r.Role && q.Agent == r.Agent {
				before = q.InlineTokens
			}
		}
		row("%s%11s %s %11s  %s, %s not whole", pad(clip(name, 19), 20), rounded(before), arrow, rounded(r.InlineTokens), count(r.Results, "result"), grouped(int64(r.NotInline)))
	}
	heading("When offloading stops paying")
	e := t.costs.breakEven
	switch {
	case t.policy.History.Active():
		say("What is cleared later is not followed: no break-even is worked out.")
	case e.Offloads == 0:
		say("Nothing is offloaded, so that there is no break-even.")
	case e.Saved <= 0:
		say("There is none: no step of the recordings reads less since " + count(e.Offloads, "result") + " left the context.")
	default:
		say(rounded(e.Saved) + " model tokens are saved by " + count(e.Offloads, "offload") + ". Each inspection adds a step that reads about " + rounded(e.Step) +
			" tokens, and brings a result that " + decimal(e.Later) + " later steps read again, on the average. More inspections of each offload than these cost more than offloading saves; how many there would be, a recording does not say.")
		out = append(out, "")
		for _, size := range inspectionSizes {
			n := e.Inspections(size)
			waiting := ""
			if t.latency > 0 {
				waiting = ", " + decimal(n*t.latency) + " s of waiting"
			}
			row("results of %6s tokens %8s inspections%s", rounded(size), decimal(n), waiting)
		}
	}
	return out
}
