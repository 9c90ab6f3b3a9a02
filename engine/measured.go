package engine

import (
	"context"
	"fmt"

	"floodmark/history"
)

// A measured is a result's payload as a policy sees it, with its facts.
type measured struct {
	payload      history.Payload // as it arrived in the harness, by the policy's unwrap
	facts        *Facts          // of what is left after instructions
	instructions *Instructions
	members      []Member // of the instructions, in payload
	deeperKey    string
}

// bytes reads what the policy's rules measure: the payload less its instructions.
func (m *measured) bytes(r *Replayer) ([]byte, error) {
	b, err := r.cache.read(m.payload)
	if err != nil || m.instructions == nil {
		return b, err
	}
	rest, _ := takeOut(b, m.members)
	return rest, nil
}

// inline reads what enters the context where the payload stays: as bytes, with the policy's joiner
// between several text parts.
func (m *measured) inline(r *Replayer, p *Policy) ([]byte, error) {
	if m.instructions != nil || m.texts() < 2 {
		return m.bytes(r)
	}
	var out []byte
	for _, part := range m.payload.Parts() {
		if part.Kind != history.Text {
			continue
		}
		b, err := part.Text()
		if err != nil {
			return nil, err
		}
		if out != nil {
			out = append(out, p.Unwrap.Join...)
		}
		out = append(out, b...)
		if out == nil {
			out = []byte{}
		}
	}
	return out, nil
}

// inlineSize is the size of inline.
func (m *measured) inlineSize(p *Policy) history.Size {
	s := m.facts.Size
	if n := int64(m.texts()); m.instructions == nil && n > 1 {
		j := history.Measure(p.Unwrap.Join)
		s = s.Add(history.Size{Bytes: j.Bytes * (n - 1), Chars: j.Chars * (n - 1), UTF16: j.UTF16 * (n - 1)})
	}
	return s
}

func (m *measured) texts() int {
	n := 0
	for _, part := range m.payload.Parts() {
		if part.Kind == history.Text {
			n++
		}
	}
	return n
}

// payloadOf is what of a result the policy's harness takes for the payload.
func payloadOf(p *Policy, res *history.Result) history.Payload {
	if p.Unwrap.MCP == "structured" && res.Structured != nil {
		return *res.Structured
	}
	return res.Payload
}

// measured scans the payload of a call's result, once for each way of looking at it.
func (r *Replayer) measured(p *Policy, c *history.Call) (*measured, error) {
	k := factsKey{c, p.Unwrap.MCP == "structured" && c.Result.Structured != nil, p.instructionsKey(), p.Schema.MapKeys}
	if m, ok := r.cache.facts[k]; ok {
		return m, nil
	}
	m := &measured{payload: payloadOf(p, c.Result)}
	b, err := r.cache.read(m.payload)
	if err != nil {
		return nil, fmt.Errorf("the result of %s, line %d: %w", c.Tool, c.Result.At.Line, err)
	}
	o := ScanOptions{Key: p.instructionsKey(), MapKeys: p.Schema.MapKeys}
	m.facts = Scan(b, o)
	m.deeperKey = m.facts.DeeperKey
	if m.facts.Valid && len(m.facts.Members) > 0 {
		m.members = m.facts.Members
		rest, in := takeOut(b, m.members)
		m.instructions = in
		o.Key = ""
		m.facts = Scan(rest, o)
	}
	r.cache.facts[k] = m
	if m.instructions == nil && k.key != "" {
		// Nothing was taken out: a policy that looks for no instructions sees the same.
		without := *m
		without.deeperKey = ""
		k.key = ""
		r.cache.facts[k] = &without
	}
	return m, nil
}

// instructionsKey is the key whose value is taken out; a policy that is off takes out nothing.
func (p *Policy) instructionsKey() string {
	if !p.Enabled {
		return ""
	}
	return p.Instructions.Key
}

type factsKey struct {
	call       *history.Call
	structured bool
	key        string
	mapKeys    int
}

// A cache keeps what a replayer measured: facts, packages and token counts, and of payloads only
// the one that was read last.
type cache struct {
	facts    map[factsKey]*measured
	packages map[packageKey]*built
	counts   map[countKey]float64
	sides    map[sideKey]bool
	last     history.Payload // the one in bytes
	bytes    []byte
}

type countKey struct {
	payload history.Payload
	e       Estimator
}

func newCache() cache {
	return cache{facts: map[factsKey]*measured{}, packages: map[packageKey]*built{}, counts: map[countKey]float64{}, sides: map[sideKey]bool{}}
}

func (c *cache) release() { c.last, c.bytes = history.Payload{}, nil }

// read reads a payload, or returns the one that was read last.
func (c *cache) read(p history.Payload) ([]byte, error) {
	if p == (history.Payload{}) {
		return []byte{}, nil
	}
	if c.last == p {
		return c.bytes, nil
	}
	c.release() // before reading: never two payloads at once
	b, err := p.Bytes()
	if err != nil {
		return nil, err
	}
	c.last, c.bytes = p, b
	return b, nil
}

// tokens estimates a text; what a real tokenizer counted is kept. Counting ends with ctx.
func (c *cache) tokens(ctx context.Context, e Estimator, p history.Payload) (float64, error) {
	if !e.Exact() {
		return e.OfSize(p.Size()), nil
	}
	if p.Size().Bytes == 0 {
		return 0, nil
	}
	k := countKey{p, e}
	if t, ok := c.counts[k]; ok {
		return t, nil
	}
	b, err := c.read(p)
	if err != nil {
		return 0, err
	}
	t, err := e.OfContext(ctx, b)
	if err != nil {
		return 0, err
	}
	c.counts[k] = t
	return t, nil
}

// restTokens estimates what m's rules measure. Counting ends with ctx.
func (r *Replayer) restTokens(ctx context.Context, e Estimator, m *measured) (float64, error) {
	if m.instructions == nil {
		return r.cache.tokens(ctx, e, m.payload)
	}
	if !e.Exact() {
		return e.OfSize(m.facts.Size), nil
	}
	b, err := m.bytes(r)
	if err != nil {
		return 0, err
	}
	return e.OfContext(ctx, b)
}
