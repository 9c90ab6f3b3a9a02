package engine

import (
	"bytes"
	"context"

	"floodmark/history"
)

// flooded tells whether the payload entered whole because its data is not in a structure.
func (d *Diagnosis) flooded() bool {
	switch d.Cause {
	case CauseStringifiedJSON, CauseEnvelope, CauseRenderedText, CauseInvalidJSON, CauseScalarRoot, CausePlaintext:
		return true
	}
	return false
}

// needsPayload tells whether the payload says more than its facts.
func (d *Diagnosis) needsPayload() bool { return d.flooded() || d.near() }

// nearExact is how far from a limit, as a factor, a real tokenizer could still see it differently.
const nearExact = 2

// near tells whether a real tokenizer might put the payload on the other side of the limit.
func (d *Diagnosis) near() bool {
	return (d.Cause == CauseUnderThreshold || d.Cause == CauseOffloaded) && d.Limit != nil && d.Outcome.Facts != nil &&
		d.Outcome.Facts.Size.Bytes <= maxRepairBytes && d.Observed*nearExact >= *d.Limit && d.Observed <= *d.Limit*nearExact
}

// count asks a real tokenizer where the estimate is near the limit.
func (d *Diagnosis) count(p *Policy, payload []byte) {
	if d.near() && !p.Estimator.Exact() {
		n := O200kBase.Of(payload)
		d.Exact = &Exact{O200kBase, n, p.over(n, *d.Limit)}
	}
}

// look finds out what the text is that holds the data, and whether it is in an envelope.
func (d *Diagnosis) look(ctx context.Context, payload []byte) error {
	f := d.Outcome.Facts
	if !f.Valid {
		d.LooksLike = looksLike(payload, f)
		return nil
	}
	if d.At == nil || len(payload) > maxRepairBytes {
		return nil
	}
	value, err := Decode(payload)
	if err != nil {
		return nil //nolint:nilerr // nested deeper than jq's values can be
	}
	if d.Cause != CauseScalarRoot && enveloped(value, d.At.Path) {
		d.Cause = CauseEnvelope
	}
	text, ok, err := runOnce(ctx, d.At.Path, value)
	if s, is := text.(string); ok && is {
		d.LooksLike = looksLike([]byte(s), Scan([]byte(s), ScanOptions{}))
	}
	return err
}

// checkParsing takes back that parsing strings would change the verdict, where it would not.
func (r *Replayer) checkParsing(ctx context.Context, p *Policy, d *Diagnosis, payload []byte) error {
	after, err := r.again(ctx, p, d.Outcome, ParseStrings(payload))
	if err != nil {
		return err
	}
	if after.Verdict == d.Outcome.Verdict {
		d.Distance = nil
	}
	return nil
}

// newer is a later call in the thread with the same tool and arguments whose result is offloaded
// too; nil without one.
func (r *Replayer) newer(ctx context.Context, p *Policy, o *Outcome) *history.Call {
	for _, turn := range o.Thread.Turns {
		for _, step := range turn.Steps {
			for _, c := range step.Calls {
				if c.Order > o.Call.Order && c.Tool == o.Call.Tool && c.Result != nil && !c.Result.Failed &&
					c.Arguments.Size() == o.Call.Arguments.Size() && sameText(c.Arguments, o.Call.Arguments) && r.wouldOffload(ctx, p, o.Thread, c) {
					return c
				}
			}
		}
	}
	return nil
}

func sameText(a, b history.Payload) bool {
	x, err := a.Bytes()
	if err != nil {
		return false
	}
	y, err := b.Bytes()
	return err == nil && bytes.Equal(x, y)
}

// wouldOffload tells whether a result is over the limit of a result, and may be offloaded.
func (r *Replayer) wouldOffload(ctx context.Context, p *Policy, t *history.Thread, c *history.Call) bool {
	limits := p.LimitsFor(role(t), t.Agent, c.Tool)
	m, err := r.measured(p, c)
	if err != nil || p.wayOf(c) != anyResult || p.verdict(anyResult) != Offloaded || p.Applies.leavesOut(c) != "" {
		return false
	}
	for _, l := range limits.each() {
		n, err := r.limitedSize(ctx, p, m, l.unit)
		if err == nil && p.over(n, l.limit) {
			return !p.Structured.Only || m.facts.Structure(p.Structured.MaxStringShare) == IsStructured
		}
	}
	return false
}
