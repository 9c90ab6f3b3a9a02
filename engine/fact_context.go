package engine

import (
	"context"

	"floodmark/history"
)

// context adds to each step of the conversation what enters the context beside results: ahead of it
// (system prompt, prompts, a summary) and by it (its text and calls). It takes the ways of
// Replayer.context.
func (a *adding) context(ctx context.Context) error {
	first := len(a.steps)
	for _, t := range a.r.conv.Threads {
		for _, u := range t.Turns {
			first -= len(u.Steps)
		}
	}
	for i := range a.columns {
		p := *a.settings[i].policy
		g := growth{ctx: ctx, a: a, e: p.Estimator, column: &a.columns[i], step: first}
		for _, t := range a.r.conv.Threads {
			g.thread(t)
		}
		if g.err != nil {
			return g.err
		}
	}
	return nil
}

// growth is how one column's context grows.
type growth struct {
	ctx    context.Context
	a      *adding
	e      Estimator
	column *column
	step   int
	ahead  int64 // tokens that wait for the next step
	reset  bool  // and the context starts anew with them
	err    error
}

func (g *growth) thread(t *history.Thread) {
	system := g.count(t.System)
	g.ahead, g.reset = system, true
	fresh := false // only prompts came since the history was replaced
	for _, turn := range t.Turns {
		if turn.Compacted {
			g.ahead, g.reset, fresh = system, true, true
		}
		g.ahead += g.count(turn.Prompt)
		for _, step := range turn.Steps {
			if step.Compacted {
				if !fresh {
					g.ahead, g.reset = system, true
				}
				g.ahead += g.count(step.Summary)
			}
			fresh = false
			after := g.count(step.Text)
			for _, c := range step.Calls {
				after += g.count(c.Arguments)
			}
			g.column.before, g.column.after = append(g.column.before, g.ahead), append(g.column.after, after)
			g.a.steps[g.step].reset = g.reset
			g.step++
			g.ahead, g.reset = 0, false
		}
	}
}

func (g *growth) count(p history.Payload) int64 {
	tokens, err := g.a.r.cache.tokens(g.ctx, g.e, p)
	if err != nil && g.err == nil {
		g.err = err
	}
	return quarters(tokens)
}
