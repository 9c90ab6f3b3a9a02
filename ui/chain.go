package ui

import (
	"fmt"

	"floodmark/engine"
)

// chainLines draw the way of a payload that was kept outside and came back: the variable, a line for each
// result that brings it back with what that cost, and what it cost in all. Texts are raw.
func chainLines(c *engine.Chain) []string {
	first := c.First
	lines := []string{fmt.Sprintf("$%s, turn %d, step %d: %s kept out, %s entered instead", engine.JQName(first.Name), first.Turn, first.Step,
		tokens(first.Original.Tokens), rounded(first.Inline.Tokens))}
	for i := range c.Hops {
		lines = append(lines, "→ "+hopText(&c.Hops[i]))
	}
	return append(lines, fmt.Sprintf("in all %s entered in %s", tokens(c.Tokens), count(len(c.Hops), "hop")))
}

// hopText is one result of a chain: what of which variable it brings, and what of that entered.
func hopText(r *engine.Reread) string {
	text := fmt.Sprintf("%s, turn %d, step %d: %s of $%s back, ", r.To.Call.Tool, r.To.Turn, r.To.Step, percent(r.Share, 1), engine.JQName(r.From.Name))
	if r.Total > r.Share+0.005 {
		text += fmt.Sprintf("%s with what came before, ", percent(r.Total, 1))
	}
	text += tokens(r.Tokens) + " entered"
	if r.To.Verdict == engine.Offloaded {
		text += ", kept out again as $" + engine.JQName(r.To.Name)
	}
	return text
}

type chainJSON struct {
	Variable string    `json:"variable"`
	Call     string    `json:"call"`
	Tokens   float64   `json:"tokens"` // of all hops
	Hops     []hopJSON `json:"hops"`
}

type hopJSON struct {
	Call    string         `json:"call"`
	Tool    string         `json:"tool"`
	Turn    int            `json:"turn"`
	Step    int            `json:"step"`
	From    string         `json:"from"` // the variable that it brings back
	Share   float64        `json:"share"`
	Total   float64        `json:"total"`
	Tokens  float64        `json:"tokens"`
	Verdict engine.Verdict `json:"verdict"`
	// Variable is what it became, where it was offloaded again.
	Variable string `json:"variable,omitempty"`
}

func chainObject(c *engine.Chain) *chainJSON {
	if c == nil {
		return nil
	}
	v := &chainJSON{Variable: c.First.Name, Call: c.First.Call.ID, Tokens: c.Tokens}
	for i := range c.Hops {
		r := &c.Hops[i]
		h := hopJSON{Call: r.To.Call.ID, Tool: r.To.Call.Tool, Turn: r.To.Turn, Step: r.To.Step, From: r.From.Name, Share: r.Share, Total: r.Total, Tokens: r.Tokens, Verdict: r.To.Verdict}
		if r.To.Verdict == engine.Offloaded {
			h.Variable = r.To.Name
		}
		v.Hops = append(v.Hops, h)
	}
	return v
}
