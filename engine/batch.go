package engine

import (
	"context"
	"fmt"
	"io"

	"floodmark/history"
)

// A batch is the calls of one step: what they gave back enters the context together.
type batch struct {
	thread *history.Thread
	turn   *history.Turn
	step   *history.Step
}

func (r *Replayer) batches() []batch {
	var b []batch
	for _, t := range r.conv.Threads {
		for _, u := range t.Turns {
			for _, s := range u.Steps {
				b = append(b, batch{t, u, s})
			}
		}
	}
	return b
}

// noCall are the flags of a result that stands in a step and that no call of the step asked for.
const noCall = history.OrphanResult | history.RepeatedResult

// places gives each entry of the step its place among the calls the model made there, and how many
// those are. Results without a call of their own have the places behind them.
func (b batch) places() (places []int, calls int) {
	for _, c := range b.step.Calls {
		if c.Flags&noCall == 0 {
			calls++
		}
	}
	places = make([]int, len(b.step.Calls))
	call, other := 0, calls
	for i, c := range b.step.Calls {
		next := &call
		if c.Flags&noCall != 0 {
			next = &other
		}
		places[i] = *next
		*next++
	}
	return places, calls
}

// An item is a result on its way through the checks.
type item struct {
	*Outcome
	m        *measured // nil where rejected, or without a result
	limits   Limits
	tokens   float64 // of what the rules measure
	amount   float64 // the same in the unit of the combined limit
	now      float64 // what enters the context as things stand, in the same unit
	over     bool    // a limit for one result
	level    float64 // the most that the batch leaves for it, in the unit of the combined limit; 0 without
	replaced *built  // what enters in the payload's place; nil while it stays
	settled  bool    // the combined limit has had its turn, or has none here
	how      Verdict // the verdict of a replacement
	loss     string  // why the store can't take it, known beforehand; empty where it can
}

// batch runs the checks over one step's results. The order in which results arrived plays no part.
func (r *Replayer) batch(ctx context.Context, p *Policy, b batch, o RunOptions) ([]*Outcome, error) {
	items := make([]*item, len(b.step.Calls))
	places, calls := b.places()
	for i, c := range b.step.Calls {
		items[i] = &item{Outcome: &Outcome{Call: c, Thread: b.thread, Turn: b.turn.Number, Step: b.step.Number,
			Index: places[i], Batch: calls, Name: r.names[c]}, loss: knownLoss(p, o.Fault)}
		if err := r.single(ctx, p, items[i]); err != nil {
			return nil, err
		}
	}
	if err := r.combined(ctx, p, b.thread, items); err != nil {
		return nil, err
	}
	outcomes := make([]*Outcome, len(items))
	for i, it := range items {
		if err := r.settle(ctx, p, it, o); err != nil {
			return nil, err
		}
		if err := r.warn(ctx, p, it, items, o); err != nil {
			return nil, err
		}
		outcomes[i] = it.Outcome
	}
	return outcomes, nil
}

func (it *item) check(c Check) { it.Trace = append(it.Trace, c) }

// single runs the checks that look at one result alone.
func (r *Replayer) single(ctx context.Context, p *Policy, it *item) error {
	c := it.Call
	if c.Result == nil {
		it.settled = true
		return nil
	}
	it.limits = p.LimitsFor(role(it.Thread), it.Thread.Agent, c.Tool).shared(it.Batch)
	arrived := payloadOf(p, c.Result)
	it.Original.Bytes = arrived.Size().Bytes
	if p.Enabled && p.overHardLimit(it) {
		// Nothing of it is read: a real tokenizer's count stays 0 here.
		if !p.Estimator.Exact() {
			it.Original.Tokens = p.Estimator.OfSize(arrived.Size())
		}
		it.settled, it.how = true, Rejected
		return nil
	}
	var err error
	if it.Original.Tokens, err = r.cache.tokens(ctx, p.Estimator, arrived); err != nil {
		return err
	}
	if err = ctx.Err(); err != nil {
		return err // reading and measuring a large payload takes a while
	}
	if it.m, err = r.measured(p, c); err != nil {
		return err
	}
	it.Facts, it.Instructions = it.m.facts, it.m.instructions
	if it.tokens, err = r.restTokens(ctx, p.Estimator, it.m); err != nil {
		return err
	}
	if it.amount = it.tokens; it.limits.CombinedUnit != Tokens {
		if it.amount, err = r.sizeIn(ctx, p, it.m, it.limits.CombinedUnit); err != nil {
			return err
		}
	}
	it.now = it.amount
	if !p.Enabled {
		it.check(Check{Check: "enabled", Result: "off", Detail: "the policy is switched off: everything stays inline"})
		it.settled = true
		return nil
	}
	it.instructionsCheck(p)
	if why := p.Applies.leavesOut(c); why != "" {
		it.check(Check{Check: "applies", Observed: c.Tool, Result: "exempt", Detail: why})
		it.settled = true
		return nil
	}
	w := p.wayOf(c)
	if err := r.overPerResult(ctx, p, it, checkNames[w]); err != nil || !it.over {
		return err
	}
	return r.replaceBy(ctx, p, it, w)
}

// replaceBy replaces a result as its way says, where its structure lets it.
func (r *Replayer) replaceBy(ctx context.Context, p *Policy, it *item, w way) error {
	if w == anyResult && !it.structured(p) {
		return nil
	}
	return r.replace(ctx, p, it, p.verdict(w))
}

// A way is how the rules look at a result that may be replaced.
type way int

const (
	failedCall  way = iota // its text is cut
	sandboxTool            // nothing of it is kept
	anyResult
)

// wayOf tells which rules are for a call's result.
func (p *Policy) wayOf(c *history.Call) way {
	switch {
	case c.Result.Failed && p.Errors.TruncateChars != nil:
		return failedCall
	case p.sandboxTool(c.Tool):
		return sandboxTool
	}
	return anyResult
}

var checkNames = map[way]string{failedCall: "failed-call", sandboxTool: "sandbox-tool", anyResult: "size"}

// verdict is what becomes of a result that is replaced.
func (p *Policy) verdict(w way) Verdict {
	switch {
	case w == failedCall || w == anyResult && p.Strategy == Truncate:
		return Truncated
	case w == sandboxTool || p.Strategy == ShowPreview || p.Strategy == Reject:
		return PreviewOnly
	}
	return Offloaded
}

func (p *Policy) overHardLimit(it *item) bool {
	if it.limits.HardBytes == nil {
		return false
	}
	limit := *it.limits.HardBytes
	over := it.Original.Bytes > limit
	it.check(Check{Check: "hard-limit", Observed: it.Original.Bytes, Limit: limit, Unit: "bytes", Result: overUnder(over)})
	return over
}

func (it *item) instructionsCheck(p *Policy) {
	switch {
	case it.Instructions != nil:
		it.check(Check{Check: "instructions", Observed: it.Instructions.Bytes, Unit: "bytes", Result: "taken-out",
			Detail: p.Instructions.Key + " was passed on as a system-level instruction; it is not data"})
	case it.m.deeperKey != "":
		it.check(Check{Check: "instructions", Observed: it.m.deeperKey, Result: "stays-data",
			Detail: p.Instructions.Key + " counts at the top level only"})
	}
}

// over tells whether x is over a limit by the policy's boundary.
func (p *Policy) over(x, limit float64) bool {
	if p.Boundary == Reaches {
		return x >= limit
	}
	return x > limit
}

func overUnder(over bool) string {
	if over {
		return "over"
	}
	return "under"
}

// overPerResult compares a result with the limits for one. The trace begins with the one that it is
// over.
func (r *Replayer) overPerResult(ctx context.Context, p *Policy, it *item, check string) error {
	var checks []Check
	for _, l := range it.limits.each() {
		n := it.tokens
		if l.unit != Tokens || p.Limits.Scope == EachPart {
			var err error
			if n, err = r.limitedSize(ctx, p, it.m, l.unit); err != nil {
				return err
			}
		}
		c := Check{Check: check, Observed: n, Limit: l.limit, Unit: string(l.unit), Result: overUnder(p.over(n, l.limit))}
		if c.Result == "over" && !it.over {
			it.over = true
			checks = append([]Check{c}, checks...)
			continue
		}
		checks = append(checks, c)
	}
	if checks == nil {
		checks = []Check{{Check: check, Observed: it.tokens, Unit: string(Tokens), Result: "no-limit"}}
	}
	it.Trace = append(it.Trace, checks...)
	return nil
}

// structured tells whether the policy can offload this payload by its structure, and records why.
func (it *item) structured(p *Policy) bool {
	if !p.Structured.Only {
		return true
	}
	f := it.Facts
	c := Check{Check: "structured", Unit: "share", Limit: p.Structured.MaxStringShare}
	how := f.Structure(p.Structured.MaxStringShare)
	switch how {
	case NotJSON:
		c = Check{Check: "structured", Observed: string(f.Kind), Result: string(how)}
		if f.Kind == InvalidJSON {
			c.Detail = fmt.Sprintf("%s at line %d, column %d", f.Syntax.Reason, f.Syntax.Line, f.Syntax.Column)
		}
	case ScalarRoot:
		c = Check{Check: "structured", Observed: string(f.Kind), Result: string(how), Detail: "the root is neither an object nor an array"}
	case StringifiedJSON:
		c.Observed, c.Result = f.share(f.Strings.JSONBytes), string(how)
		c.Detail = "in strings that hold JSON; the largest is " + f.Strings.LargestJSON.Path
	case RenderedText:
		c.Observed, c.Result = f.share(f.Strings.Largest.Bytes), string(how)
		c.Detail = "in one string, " + f.Strings.Largest.Path
	case IsStructured:
		c.Observed, c.Result = f.share(max(f.Strings.JSONBytes, f.Strings.Largest.Bytes)), string(how)
	}
	it.check(c)
	return how == IsStructured
}

// Structure says whether a payload's data is in its structure.
type Structure string

// What Facts.Structure can say.
const (
	IsStructured    Structure = "structured"
	NotJSON         Structure = "not-json"
	ScalarRoot      Structure = "scalar-root"
	StringifiedJSON Structure = "stringified-json"
	RenderedText    Structure = "rendered-text"
)

// Structure tells whether the data is in the structure: valid JSON with an object or an array as
// root, of which less than maxShare is in strings that hold JSON, or else in one single string.
func (f *Facts) Structure(maxShare float64) Structure {
	switch {
	case !f.Valid:
		return NotJSON
	case f.Kind == Scalar:
		return ScalarRoot
	case f.Strings.JSONCount > 0 && f.share(f.Strings.JSONBytes) >= maxShare:
		return StringifiedJSON
	case f.Strings.Count > 0 && f.share(f.Strings.Largest.Bytes) >= maxShare:
		return RenderedText
	}
	return IsStructured
}

func (f *Facts) share(bytes int64) float64 { return float64(bytes) / float64(max(f.Size.Bytes, 1)) }

func role(t *history.Thread) string {
	if t.Subagent() {
		return "subagent"
	}
	return "root"
}

func (p *Policy) sandboxTool(tool string) bool {
	for _, t := range p.Sandbox.Tools {
		if t == tool {
			return true
		}
	}
	return false
}

// replace puts a package (or a part) in the payload's place, unless the policy refuses one that
// does not shrink it.
func (r *Replayer) replace(ctx context.Context, p *Policy, it *item, how Verdict) error {
	if how == Offloaded && it.loss != "" {
		if p.Package.OnLoss == KeepInline {
			it.settled = true
			it.check(Check{Check: "store", Result: "stays-inline", Detail: it.loss})
			return nil
		}
		how = p.lossVerdict()
	}
	built, err := r.build(ctx, p, it, how)
	if err != nil {
		return err
	}
	it.settled = true
	if built.whole {
		it.check(Check{Check: "package", Observed: it.tokens, Unit: "tokens", Result: "whole",
			Detail: fmt.Sprintf("a failed call's text of up to %d characters enters as it is", *p.Errors.TruncateChars)})
		return nil
	}
	if p.Package.MustShrink && built.tokens >= it.tokens {
		it.check(Check{Check: "package", Observed: built.tokens, Limit: it.tokens, Unit: "tokens", Result: "refused",
			Detail: "the package is not smaller than the payload"})
		return nil
	}
	if it.now = built.tokens; it.limits.CombinedUnit != Tokens {
		it.now = sizeOf(history.Measure(built.Text), it.limits.CombinedUnit)
	}
	it.replaced, it.how = built, how
	return nil
}

func (it *item) hasCheck(name string) bool {
	for _, c := range it.Trace {
		if c.Check == name {
			return true
		}
	}
	return false
}

// settle makes the outcome final: the variable is kept, or lost.
func (r *Replayer) settle(ctx context.Context, p *Policy, it *item, o RunOptions) error {
	if it.Call.Result == nil {
		return nil
	}
	var store *Check
	if it.replaced != nil {
		it.Verdict = it.how
		var err error
		if store, err = r.keep(ctx, p, it, o); err != nil {
			return err
		}
	}
	switch {
	case it.how == Rejected:
		it.Verdict = Rejected
	case it.replaced == nil:
		if err := r.stay(ctx, p, it); err != nil {
			return err
		}
	default:
		it.check(Check{Check: "package", Observed: it.replaced.tokens, Limit: it.tokens, Unit: "tokens",
			Result: map[bool]string{true: "larger", false: "smaller"}[it.replaced.tokens > it.tokens], Detail: it.replaced.parts})
		it.Package = &it.replaced.Package
		it.Inline = Measure{int64(len(it.Package.Text)), it.replaced.tokens}
	}
	if store != nil {
		it.check(*store)
	}
	it.check(Check{Check: "verdict", Result: string(it.Verdict)})
	return nil
}

// stay makes the outcome of a payload that enters as it is.
func (r *Replayer) stay(ctx context.Context, p *Policy, it *item) (err error) {
	it.Verdict = Inline
	it.Inline = Measure{it.m.inlineSize(p).Bytes, it.tokens}
	if it.m.inlineSize(p) != it.Facts.Size {
		it.Inline.Tokens, err = r.inlineTokens(ctx, p, it)
	}
	return err
}

func (r *Replayer) inlineTokens(ctx context.Context, p *Policy, it *item) (float64, error) {
	if !p.Estimator.Exact() {
		return p.Estimator.OfSize(it.m.inlineSize(p)), nil
	}
	b, err := it.m.inline(r, p)
	if err != nil {
		return 0, err
	}
	return p.Estimator.OfContext(ctx, b)
}

// lossVerdict is what becomes of a payload that the store can't take, where it does not stay.
func (p *Policy) lossVerdict() Verdict {
	if p.Package.OnLoss == TruncateIt {
		return Truncated
	}
	return Lost
}

// knownLoss is why nothing can be kept, known before anything is decided; empty where it can.
func knownLoss(p *Policy, f Fault) string {
	switch {
	case p.Sandbox.Required && !p.Sandbox.Enabled:
		return sandboxOff
	case f == SandboxDown:
		return "the sandbox is down"
	case f == WriteFails:
		return "writing failed"
	case f == DiskFull:
		return "the disk is full"
	}
	return ""
}

const sandboxOff = "the sandbox is switched off"

// keep hands an offloaded payload to the store, and says what became of it. What the store can't
// take is lost: only a preview enters.
func (r *Replayer) keep(ctx context.Context, p *Policy, it *item, o RunOptions) (*Check, error) {
	why := it.loss
	label := ""
	if it.how == Offloaded {
		var err error
		if label, err = p.labelOf(it.Call.Tool, it.Facts.Valid, func() ([]byte, error) { return it.m.bytes(r) }); err != nil {
			return nil, err
		}
	}
	switch {
	case it.how == Lost, it.how == Truncated && it.fellBack(p):
	case it.how != Offloaded:
		return nil, nil
	case o.Keep != nil:
		v := Variable{Conversation: r.conv, Policy: p.Name, Name: it.Name, Call: it.Call, Bytes: it.Facts.Size.Bytes, Label: label}
		if err := o.Keep.Keep(ctx, v, it.m.writer(r)); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			why = err.Error()
		}
	}
	switch {
	case why != "" && p.Package.OnLoss == KeepInline:
		it.replaced = nil
		return &Check{Check: "store", Result: "stays-inline", Detail: why}, nil
	case why != "":
		it.Verdict = p.lossVerdict()
		var err error
		it.replaced, err = r.build(ctx, p, it, it.Verdict)
		return &Check{Check: "store", Result: string(it.Verdict), Detail: why}, err
	}
	it.Label = label
	switch o.Fault {
	case ReadFails:
		return &Check{Check: "store", Result: "unreadable", Detail: "it was written, and reading it back fails"}, nil
	case Expired:
		return &Check{Check: "store", Result: "expired", Detail: "the retention time passed before it was used"}, nil
	}
	return &Check{Check: "store", Result: "kept"}, nil
}

// fellBack tells whether a part enters only since the store could not take the payload.
func (it *item) fellBack(p *Policy) bool {
	return it.loss != "" && p.Strategy != Truncate && p.wayOf(it.Call) == anyResult
}

// writer streams what the variable holds.
func (m *measured) writer(r *Replayer) func(io.Writer) error {
	return func(w io.Writer) error {
		b, err := m.bytes(r)
		if err != nil {
			return err
		}
		_, err = w.Write(b)
		return err
	}
}
