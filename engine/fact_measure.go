package engine

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"floodmark/history"
)

// payloadFact is what is measured of one payload. It is what a FactCache keeps, and a part of a line of a
// facts file.
type payloadFact struct {
	Bytes  int64         `json:"bytes"`
	Chars  int64         `json:"chars"`
	UTF16  int64         `json:"utf16"`
	Lines  int           `json:"lines"`
	Kind   Kind          `json:"kind"`
	Valid  bool          `json:"valid,omitempty"`
	JSON   int64         `json:"json_bytes"` // in strings that hold JSON, -1 without any
	Text   int64         `json:"text_bytes"` // in the largest string, -1 without any
	Counts []tokenCounts `json:"counts"`     // one a setting
}

// tokenCounts are a result's figures in a column, in quarters of a token or of another unit.
type tokenCounts struct {
	Original  int64 `json:"original"`
	Tokens    int64 `json:"tokens"`
	Stay      int64 `json:"stay"`
	Whole     int64 `json:"whole"`
	Taken     int64 `json:"taken"`
	Offloaded int64 `json:"offloaded"`
	Lost      int64 `json:"lost"`
	Preview   int64 `json:"preview"`
	Cut       int64 `json:"cut"`
	Second    int64 `json:"second,omitempty"` // in limits.second_unit
	Amount    int64 `json:"amount,omitempty"` // in limits.unit, where that is not tokens
}

var unmeasured = tokenCounts{Offloaded: notMeasured, Lost: notMeasured, Preview: notMeasured, Cut: notMeasured}

// describe fills in what f says of the payload.
func (k *payloadFact) describe(f *fact) {
	f.size = history.Size{Bytes: k.Bytes, Chars: k.Chars, UTF16: k.UTF16}
	f.lines, f.kind, f.valid, f.jsonBytes, f.textBytes = k.Lines, k.Kind, k.Valid, k.JSON, k.Text
}

// measure finds what facts say of a call's payload, in the cache or by measuring it.
func (a *adding) measure(ctx context.Context, o *Outcome) (*payloadFact, error) {
	if a.cache == nil {
		return a.measureAll(ctx, o)
	}
	key, err := a.key(o.Call)
	if err != nil {
		return nil, err
	}
	k := new(payloadFact)
	if b := a.cache.Get(key); b != nil && json.Unmarshal(b, k) == nil && len(k.Counts) == len(a.settings) {
		return k, nil
	}
	if k, err = a.measureAll(ctx, o); err != nil {
		return nil, err
	}
	b, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	a.cache.Put(key, b)
	return k, nil
}

// factsVersion changes when the same payload is measured differently.
const factsVersion = 2

// key names a payload and all else that what is measured of it depends on: the settings, and the
// variable's name, which a package carries.
func (a *adding) key(call *history.Call) ([]byte, error) {
	arrived := payloadOf(a.settings[0].policy, call.Result)
	b, err := a.r.cache.read(arrived)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	var parts []int64
	for _, p := range arrived.Parts() {
		if p.Kind == history.Text {
			parts = append(parts, p.Size.Bytes)
		}
	}
	var settings []map[string]string
	var sandbox, structured []bool
	for _, s := range a.settings {
		settings = append(settings, s.fields)
		sandbox = append(sandbox, s.policy.sandboxTool(call.Tool))
		structured = append(structured, s.policy.Structured.Only)
	}
	text, err := json.Marshal([]any{factsVersion, sum, parts, a.r.names[call], call.Result.Failed, sandbox, structured, settings})
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(text)
	return key[:], nil
}

// measureAll measures the payload of o's call.
func (a *adding) measureAll(ctx context.Context, o *Outcome) (*payloadFact, error) {
	k := &payloadFact{JSON: -1, Text: -1}
	for i, s := range a.settings {
		p := *s.policy
		if !s.replayed {
			p.Enabled = true
		}
		m, err := a.r.measured(&p, o.Call)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			f := m.facts
			k.Bytes, k.Chars, k.UTF16 = f.Size.Bytes, f.Size.Chars, f.Size.UTF16
			k.Lines, k.Kind, k.Valid = f.Lines, f.Kind, f.Valid
			if f.Strings.JSONCount > 0 {
				k.JSON = f.Strings.JSONBytes
			}
			if f.Strings.Count > 0 {
				k.Text = f.Strings.Largest.Bytes
			}
		}
		n, err := a.counts(ctx, &p, o, m)
		if err != nil {
			return nil, err
		}
		k.Counts = append(k.Counts, n)
	}
	return k, nil
}

// counts counts a payload's tokens, and those of all that could enter in its place.
func (a *adding) counts(ctx context.Context, p *Policy, o *Outcome, m *measured) (tokenCounts, error) {
	n := unmeasured
	own := *o
	own.Facts, own.Instructions = m.facts, m.instructions
	it := &item{Outcome: &own, m: m, limits: p.LimitsFor(role(o.Thread), o.Thread.Agent, o.Call.Tool)}
	original, err := a.r.cache.tokens(ctx, p.Estimator, m.payload)
	if err != nil {
		return n, err
	}
	if it.tokens, err = a.r.restTokens(ctx, p.Estimator, m); err != nil {
		return n, err
	}
	stay, err := a.stays(ctx, p, it)
	if err != nil {
		return n, err
	}
	n.Original, n.Tokens, n.Stay, n.Whole = quarters(original), quarters(it.tokens), quarters(stay), quarters(stay)
	if m.instructions != nil {
		if err := a.countTaken(ctx, p, o.Call, &n, m.instructions.Text); err != nil {
			return n, err
		}
	}
	if err := a.countAmounts(ctx, p, m, &n); err != nil {
		return n, err
	}
	switch {
	case a.Replayed(): // what enters in its place is what replays say
		return n, nil
	case p.Applies.leavesOut(o.Call) != "":
		n.Offloaded, n.Lost, n.Preview, n.Cut = entersWhole, entersWhole, entersWhole, entersWhole
		return n, nil
	}
	return n, a.countPackages(ctx, p, it, &n)
}

// countAmounts counts what the limits for one result are compared with.
func (a *adding) countAmounts(ctx context.Context, p *Policy, m *measured, n *tokenCounts) error {
	amount, err := a.r.limitedSize(ctx, p, m, p.Limits.Unit)
	if err != nil {
		return err
	}
	second, err := a.r.limitedSize(ctx, p, m, p.Limits.SecondUnit)
	if n.Second = quarters(second); p.Limits.Unit != Tokens && p.Limits.Unit != "" || p.Limits.Scope == EachPart {
		n.Amount = quarters(amount)
	}
	return err
}

// stays counts what enters where the payload stays.
func (a *adding) stays(ctx context.Context, p *Policy, it *item) (float64, error) {
	if it.m.inlineSize(p) == it.m.facts.Size {
		return it.tokens, nil
	}
	return a.r.inlineTokens(ctx, p, it)
}

// countTaken counts instructions, and what would enter were they left in.
func (a *adding) countTaken(ctx context.Context, p *Policy, call *history.Call, n *tokenCounts, text string) error {
	taken, err := p.Estimator.OfContext(ctx, []byte(text))
	if err != nil {
		return err
	}
	off := *p
	off.Enabled = false
	it := &item{Outcome: &Outcome{Call: call}, tokens: inTokens(n.Original)}
	if it.m, err = a.r.measured(&off, call); err != nil {
		return err
	}
	whole, err := a.stays(ctx, &off, it)
	n.Taken, n.Whole = quarters(taken), quarters(whole)
	return err
}

// countPackages counts what could enter in the payload's place. The preview is made once.
func (a *adding) countPackages(ctx context.Context, p *Policy, it *item, n *tokenCounts) error {
	f := it.Facts
	if it.Call.Result.Failed && p.Errors.TruncateChars != nil {
		b, err := a.r.build(ctx, p, it, Truncated)
		if err != nil {
			return err
		}
		if n.Cut = quarters(b.tokens); b.whole {
			n.Cut = entersWhole
		}
	}
	if p.Structured.Only && (!f.Valid || f.Kind == Scalar) && !p.sandboxTool(it.Call.Tool) {
		return nil // nothing of it can ever be replaced, whatever the share
	}
	b, err := a.r.build(ctx, p, it, p.verdict(anyResult))
	if err != nil {
		return err
	}
	n.Offloaded = quarters(b.tokens)
	size := Measure{f.Size.Bytes, it.tokens}
	for how, to := range map[Verdict]*int64{p.lossVerdict(): &n.Lost, PreviewOnly: &n.Preview} {
		text := packageText(how, p, it.Name, "", size, f.Records, b.Preview, nil)
		tokens, err := p.Estimator.OfContext(ctx, []byte(text))
		if err != nil {
			return err
		}
		*to = quarters(tokens)
	}
	return nil
}
