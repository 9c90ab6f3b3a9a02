package engine

import "slices"

// A Chain is the way of a payload that was kept outside and came back: from the variable over each later
// result that brings it back, whether that enters or is offloaded again, in call order.
type Chain struct {
	First *Outcome // whose variable it is; nothing before brought its payload
	Hops  []Reread // each with the variable that it brings most of, First's or one that a hop before it made
	// Tokens is what all hops together put into the context, by the policy's estimator. First's own package
	// is not in it.
	Tokens float64
}

// Chains lists the chains of a conversation in the order of their first hops. A result that brings back
// several variables is a hop of the one of which it brings the largest share; of equals, of the newest.
func (t *Tracking) Chains() []Chain {
	hops := map[*Outcome]Reread{}
	var order []*Outcome
	for _, r := range t.Rereads {
		best, ok := hops[r.To]
		if !ok {
			order = append(order, r.To)
		}
		if !ok || r.Share >= best.Share {
			hops[r.To] = r
		}
	}
	var chains []Chain
	at := map[*Outcome]int{} // the chain in which a variable stands
	for _, to := range order {
		r := hops[to]
		i, ok := at[r.From]
		if !ok {
			i = len(chains)
			at[r.From] = i
			chains = append(chains, Chain{First: r.From})
		}
		at[to] = i
		c := &chains[i]
		c.Hops = append(c.Hops, r)
		c.Tokens += r.Tokens
	}
	return chains
}

// ChainOf is the chain in which a call stands, first or as a hop; nil where it stands in none.
func (t *Tracking) ChainOf(o *Outcome) *Chain {
	for _, c := range t.Chains() {
		if c.First.Call == o.Call || slices.ContainsFunc(c.Hops, func(r Reread) bool { return r.To.Call == o.Call }) {
			return &c
		}
	}
	return nil
}

// Has tells whether the call with this ID stands in c, first or as a hop.
func (c *Chain) Has(id string) bool {
	return c.First.Call.ID == id || slices.ContainsFunc(c.Hops, func(r Reread) bool { return r.To.Call.ID == id })
}
