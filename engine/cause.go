package engine

import (
	"bytes"
	"cmp"
	"context"
	"slices"
)

// A Cause names, in one word, what decided about a result.
type Cause string

// Causes.
const (
	CauseUnderThreshold    Cause = "under-threshold"
	CauseHardLimit         Cause = "over-hard-limit"
	CausePlaintext         Cause = "plaintext"    // over the threshold, and not JSON
	CauseInvalidJSON       Cause = "invalid-json" // over the threshold, starts like JSON, and is not
	CauseScalarRoot        Cause = "scalar-root"  // over the threshold, JSON, neither object nor array
	CauseRenderedText      Cause = "rendered-text"
	CauseStringifiedJSON   Cause = "stringified-json"
	CauseEnvelope          Cause = "envelope" // over the threshold, in a protocol's or client's wrapping, as one string
	CauseOffloaded         Cause = "offloaded"
	CauseOffloadedCombined Cause = "offloaded-combined"
	CauseFailedCall        Cause = "failed-call"
	CauseSandboxTool       Cause = "sandbox-tool"
	CauseEmpty             Cause = "empty"
	CauseStoreFailed       Cause = "store-failed"        // it could not be written, or not be read back
	CauseExpired           Cause = "expired"             // offloaded, and gone before it was used
	CauseSuperseded        Cause = "superseded"          // offloaded, and again by the same call later
	CauseNotSmaller        Cause = "package-not-smaller" // the package would not have been smaller than the payload
	CauseTruncated         Cause = "truncated"           // over a limit of a policy that keeps a part only
	CauseNotKept           Cause = "not-kept"            // over a limit of a policy that keeps nothing, or shows a preview only
	CauseExempt            Cause = "exempt"              // the limits are not for this tool, or this kind of result
	CauseCleared           Cause = "cleared"             // entered whole, and gone from the context later
	CauseDisabled          Cause = "disabled"
	CauseNoResult          Cause = "no-result"
)

// suspicion orders causes by how likely they are what somebody is looking for, the likeliest first.
var suspicion = []Cause{CauseStoreFailed, CauseExpired, CauseHardLimit, CauseStringifiedJSON, CauseEnvelope, CauseRenderedText, CauseInvalidJSON, CauseScalarRoot, CausePlaintext,
	CauseFailedCall, CauseNoResult, CauseTruncated, CauseNotKept, CauseCleared, CauseSuperseded, CauseOffloadedCombined, CauseNotSmaller, CauseSandboxTool, CauseOffloaded, CauseExempt, CauseEmpty, CauseUnderThreshold, CauseDisabled}

// Causes lists all of them, the most suspicious first.
func Causes() []Cause { return slices.Clone(suspicion) }

// A Diagnosis says why a result got its verdict, and what would change it.
type Diagnosis struct {
	Outcome *Outcome
	Cause   Cause
	At      *Spot   // where in the payload the cause lies; nil where it is not in one place
	Share   float64 // of the payload's bytes that are inside strings; -1 where strings did not decide
	// LooksLike says what a payload that is not JSON is instead, or the one string that holds its
	// data; empty where that is JSON.
	LooksLike string
	Syntax    *SyntaxError // the first place at which a payload is not JSON; nil without
	// Limit is the limit in tokens that decided, nil without one: of a result, or of a batch where
	// the combined limit decided. Observed is what was compared with it.
	Limit    *float64
	Observed float64
	Distance *Distance // what is missing to another verdict; nil where nothing short of other data helps
	Further  *Distance // the same in the other direction; nil where there is nothing
	Exact    *Exact    // what a real tokenizer counts; nil where the limit is far away
	Newer    string    // the variable that took the place of a superseded one
	Repair   *Repair   // a filter that was tried, and after which the verdict is another; nil without one
}

// An Exact is what a real tokenizer says of a payload near a limit.
type Exact struct {
	Estimator Estimator
	Tokens    float64
	Over      bool // the limit that decided
}

// A Spot is a place in a payload.
type Spot struct {
	Path         string // jq path; empty where the payload has no structure
	Offset       int64  // byte
	Line, Column int    // from 1; Column in bytes
}

// A Repair is a filter over the payload (over its text where it is not JSON), and what the policy made
// of its result.
type Repair struct {
	Filter        string
	Verdict       Verdict
	Before, After float64 // tokens in the context
	// Mapper sketches an output mapper that returns the same records, key names only; empty where
	// there are no records with keys.
	Mapper string
}

// Diagnose finds out why o got its verdict under p. A repair is tried by running its filter and the
// policy over what it gives; it writes nothing.
func (r *Replayer) Diagnose(ctx context.Context, p *Policy, o *Outcome) (*Diagnosis, error) {
	d := &Diagnosis{Outcome: o, Share: -1, Cause: causeOf(p, o)}
	decisive := o.traced("size")
	if d.Cause == CauseOffloadedCombined || (d.Cause == CauseTruncated || d.Cause == CauseNotKept) && decisive.Result != "over" {
		decisive = o.traced("combined")
	}
	if limit, ok := decisive.inTokens(decisive.Limit); ok {
		d.Limit = &limit
	}
	d.Observed, _ = decisive.inTokens(decisive.Observed)
	if f := o.Facts; f != nil {
		d.explain(f)
	}
	d.measure(p)
	if d.Cause == CauseOffloaded {
		if newer := r.newer(ctx, p, o); newer != nil {
			d.Cause, d.Newer = CauseSuperseded, r.names[newer]
		}
	}
	if !d.needsPayload() {
		return d, nil
	}
	payload, err := r.Payload(p, o)
	if err != nil {
		return nil, err
	}
	if d.At != nil {
		d.At.Line, d.At.Column = lineOf(payload, d.At.Offset)
	}
	d.count(p, payload)
	if !d.flooded() {
		return d, nil
	}
	if err := d.look(ctx, payload); err != nil {
		return nil, err
	}
	if d.Repair, err = r.repair(ctx, p, o, payload); err != nil {
		return nil, err
	}
	d.unfenced(payload)
	if d.Repair == nil && d.Distance != nil && d.Distance.By == ByParsing {
		err = r.checkParsing(ctx, p, d, payload)
	}
	return d, err
}

// MoreSuspicious compares two diagnoses for sorting: what somebody is probably looking for comes
// first, and of the same cause the larger payload.
func MoreSuspicious(a, b *Diagnosis) int {
	if d := cmp.Compare(slices.Index(suspicion, a.Cause), slices.Index(suspicion, b.Cause)); d != 0 {
		return d
	}
	return cmp.Compare(b.Outcome.Original.Tokens, a.Outcome.Original.Tokens)
}

// causeOf reads the cause from the verdict, the trace and the facts.
func causeOf(p *Policy, o *Outcome) Cause {
	over := o.traced("size").Result == "over"
	taken := o.traced("combined").Result == "over" // by the combined limit
	switch o.Verdict {
	case "":
		return CauseNoResult
	case Rejected:
		return CauseHardLimit
	case Lost:
		return CauseStoreFailed
	case Truncated:
		switch {
		case p.wayOf(o.Call) == failedCall:
			return CauseFailedCall
		case o.traced("store").Check != "":
			return CauseStoreFailed
		}
		return CauseTruncated
	case PreviewOnly:
		if p.sandboxTool(o.Call.Tool) {
			return CauseSandboxTool
		}
		return CauseNotKept
	case Offloaded:
		switch stored := o.traced("store").Result; {
		case stored == "expired":
			return CauseExpired
		case stored == "unreadable":
			return CauseStoreFailed
		case !over:
			return CauseOffloadedCombined
		}
		return CauseOffloaded
	}
	switch {
	case o.Facts != nil && o.Facts.Kind == Empty:
		return CauseEmpty
	case !p.Enabled:
		return CauseDisabled
	case o.traced("history").Result == "cleared":
		return CauseCleared
	case o.traced("store").Result == "stays-inline":
		return CauseStoreFailed
	case o.traced("applies").Result == "exempt":
		return CauseExempt
	case o.traced("package").Result == "refused":
		return CauseNotSmaller
	case o.traced("structured").Check != "":
		return unstructured(o.Facts, p.Structured.MaxStringShare)
	case taken && o.Call.Result.Failed:
		return CauseFailedCall
	}
	return CauseUnderThreshold
}

// unstructured says why a payload with these facts could not be offloaded.
func unstructured(f *Facts, maxShare float64) Cause {
	switch f.Structure(maxShare) {
	case StringifiedJSON:
		return CauseStringifiedJSON
	case RenderedText:
		return CauseRenderedText
	case ScalarRoot:
		if f.Strings.JSONCount > 0 && f.share(f.Strings.JSONBytes) >= maxShare {
			return CauseStringifiedJSON // the cause that leads to the repair
		}
		return CauseScalarRoot
	}
	if f.Kind == InvalidJSON {
		return CauseInvalidJSON
	}
	return CausePlaintext
}

// explain adds to d what the facts say about its cause.
func (d *Diagnosis) explain(f *Facts) {
	switch d.Cause {
	case CauseStringifiedJSON:
		d.Share = f.share(f.Strings.JSONBytes)
		d.At = &Spot{Path: f.Strings.LargestJSON.Path, Offset: f.Strings.LargestJSON.Offset}
	case CauseRenderedText, CauseScalarRoot:
		if f.Strings.Count > 0 {
			d.Share = f.share(f.Strings.Largest.Bytes)
			d.At = &Spot{Path: f.Strings.Largest.Path, Offset: f.Strings.Largest.Offset}
		}
	case CauseInvalidJSON:
		if d.Syntax = f.Syntax; f.Syntax != nil {
			d.At = &Spot{Offset: f.Syntax.Offset}
		}
	}
}

// unfenced makes a text in a code fence one that was meant as JSON, where taking the fence off leaves JSON.
func (d *Diagnosis) unfenced(payload []byte) {
	f := d.Outcome.Facts
	if d.Cause != CausePlaintext || f == nil || f.Syntax == nil || f.Syntax.Fault != "code-fence" || !jsonInFence(payload) {
		return
	}
	d.Cause = CauseInvalidJSON
	d.explain(f)
	d.At.Line, d.At.Column = lineOf(payload, d.At.Offset)
	d.Distance = &Distance{To: Offloaded, By: ByFixingSyntax}
}

// traced returns the first line of the trace with this name; the zero Check without one.
func (o *Outcome) traced(name string) Check {
	for _, c := range o.Trace {
		if c.Check == name {
			return c
		}
	}
	return Check{}
}

// Number reads what a check observed, or its limit, as a number.
func Number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int64:
		return float64(n), true
	case int:
		return float64(n), true
	}
	return 0, false
}

// inTokens is what c observed, or its limit, as an estimate in tokens where its unit has one.
func (c Check) inTokens(v any) (float64, bool) {
	n, ok := Number(v)
	if !ok {
		return 0, false
	}
	return Unit(c.Unit).InTokens(n)
}

// lineOf is the line and the column, in bytes and from 1, of an offset.
func lineOf(p []byte, offset int64) (line, column int) {
	before := p[:min(offset, int64(len(p)))]
	return 1 + bytes.Count(before, []byte{'\n'}), len(before) - bytes.LastIndexByte(before, '\n')
}

// Harmless tells whether the cause is the policy at its work: nothing was lost, and nothing large
// entered.
func (c Cause) Harmless() bool {
	switch c {
	case CauseUnderThreshold, CauseOffloaded, CauseOffloadedCombined, CauseSandboxTool, CauseNotSmaller, CauseExempt, CauseEmpty, CauseDisabled:
		return true
	}
	return false
}
