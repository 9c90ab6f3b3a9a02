package engine

import (
	"context"
	"io"

	"floodmark/history"
)

// A Replayer runs policies over one conversation. What it measures it measures once; payloads are
// read when needed, one at a time. It is safe for use by one goroutine at a time.
type Replayer struct {
	conv  *history.Conversation
	names map[*history.Call]string
	cache cache
}

// NewReplayer makes a replayer of c.
func NewReplayer(c *history.Conversation) *Replayer {
	return &Replayer{conv: c, names: VariableNames(c), cache: newCache()}
}

// Conversation is the one that r replays.
func (r *Replayer) Conversation() *history.Conversation { return r.conv }

// Grow goes on with a later state of the conversation, one that is still being read: what was measured
// of calls that are the same ones stays.
func (r *Replayer) Grow(c *history.Conversation) {
	names := VariableNames(c)
	for k := range r.cache.packages {
		if names[k.call] != r.names[k.call] { // a package names its variable
			delete(r.cache.packages, k)
		}
	}
	for k := range r.cache.facts {
		if _, ok := names[k.call]; !ok {
			delete(r.cache.facts, k)
		}
	}
	r.conv, r.names = c, names
}

// A Fault is something that goes wrong on purpose.
type Fault string

// Faults, as --fault names them.
const (
	NoFault     Fault = ""
	SandboxDown Fault = "sandbox-down"
	WriteFails  Fault = "write-fails"
	ReadFails   Fault = "read-fails"
	Expired     Fault = "expired"
	DiskFull    Fault = "disk-full"
)

// Faults lists what --fault takes.
var Faults = []Fault{SandboxDown, WriteFails, ReadFails, Expired, DiskFull}

// A Keeper takes variables. An error means that the payload is lost.
type Keeper interface {
	Keep(ctx context.Context, v Variable, write func(io.Writer) error) error
}

// A Variable is an offloaded payload on its way to a Keeper.
type Variable struct {
	Conversation *history.Conversation
	Policy       string
	Name         string
	Call         *history.Call
	Bytes        int64
	Label        string // by the policy's rules; empty for none
}

// RunOptions say how a policy is run.
type RunOptions struct {
	Fault Fault
	Keep  Keeper // nil: a store that works is assumed, and nothing is kept
	// SkipExact leaves out the warnings within-estimator-error, which counts real tokens, and
	// sensitive-boundary, which looks for secrets: what they need takes a tenth of a second to load,
	// and each result over a few KB milliseconds.
	SkipExact bool
	// Track adds the warnings that need more than one result (see Replayer.Track) and Run.Tracking. It
	// reads every payload once more. What Each gets, it gets at the end: a later step can add to it.
	Track bool
	// Progress, where set, is told after each step.
	Progress func(done, total int)
	// Each, where set, gets every outcome in call order as soon as it is final (its variable
	// committed). An error ends the run.
	Each func(*Outcome) error
}

// A Run is what a policy made of a conversation.
type Run struct {
	Policy   *Policy
	Outcomes []*Outcome // one for each call, in call order
	Steps    []StepSize // in recorded order, thread by thread
	Totals   Totals
	Tracking *Tracking // nil where RunOptions.Track was not set
}

// Run runs p over the conversation. An error is ctx's, o.Each's, or that a payload can't be read.
func (r *Replayer) Run(ctx context.Context, p *Policy, o RunOptions) (*Run, error) {
	defer r.cache.release()
	run := &Run{Policy: p}
	batches := r.batches()
	next := newInOrder(r.conv, o.Each)
	for i, b := range batches {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		outcomes, err := r.batch(ctx, p, b, o)
		if err != nil {
			return nil, err
		}
		run.Outcomes = append(run.Outcomes, outcomes...)
		run.Steps = append(run.Steps, StepSize{Thread: b.thread, Turn: b.turn.Number, Step: b.step.Number, Calls: outcomes})
		if !p.History.Active() && !o.Track { // else what goes later is known in the end
			if err := next.done(outcomes); err != nil {
				return nil, err
			}
		}
		if o.Progress != nil {
			o.Progress(i+1, len(batches))
		}
	}
	sortOutcomes(run.Outcomes)
	if err := r.context(ctx, p, run.Steps); err != nil {
		return nil, err
	}
	if o.Track {
		var err error
		if run.Tracking, err = r.Track(ctx, p, run); err != nil {
			return nil, err
		}
	}
	if p.History.Active() || o.Track {
		if err := next.done(run.Outcomes); err != nil {
			return nil, err
		}
	}
	run.Totals = total(r.conv, batches, run)
	return run, nil
}

// Payload is what o's rules measured and what its variable holds: the payload less what was taken
// out as instructions.
func (r *Replayer) Payload(p *Policy, o *Outcome) ([]byte, error) {
	m, err := r.measured(p, o.Call)
	if err != nil {
		return nil, err
	}
	return m.bytes(r)
}

// InlineText is exactly what the model got for o: the payload, the package, or nothing.
func (r *Replayer) InlineText(p *Policy, o *Outcome) ([]byte, error) {
	switch {
	case o.Package != nil:
		return []byte(o.Package.Text), nil
	case o.Verdict != Inline:
		return nil, nil
	}
	m, err := r.measured(p, o.Call)
	if err != nil {
		return nil, err
	}
	return m.inline(r, p)
}

// Schema makes the schema of o's payload by p's rules, also where it did not enter the context;
// nil where the payload is not JSON, or is rejected. A policy without a schema budget gets one of
// DefaultSchemaBudget here.
func (r *Replayer) Schema(p *Policy, o *Outcome) (*Schema, error) {
	if o.Package != nil && o.Package.Schema != nil {
		return o.Package.Schema, nil
	}
	if o.Facts == nil || !o.Facts.Valid {
		return nil, nil
	}
	b, err := r.Payload(p, o)
	if err != nil {
		return nil, err
	}
	budget := p.Schema.Budget
	if budget == 0 {
		budget = DefaultSchemaBudget
	}
	shape := Scan(b, ScanOptions{Shape: true, MapKeys: p.Schema.MapKeys}).Shape
	return shape.schema(p.Estimator, budget, p.Schema.MapKeys, p.Preview.Redact), nil
}

// DefaultSchemaBudget is the budget in tokens of a schema that a policy does not ask for.
const DefaultSchemaBudget = 1000

// Preview makes the preview that p would make of o's payload, also where it did not enter; nil
// where there is no payload, or it is rejected.
func (r *Replayer) Preview(p *Policy, o *Outcome) (*Preview, error) {
	if o.Package != nil && o.Package.Preview != nil {
		return o.Package.Preview, nil
	}
	if o.Facts == nil {
		return nil, nil
	}
	b, err := r.Payload(p, o)
	if err != nil {
		return nil, err
	}
	limits := p.LimitsFor(role(o.Thread), o.Thread.Agent, o.Call.Tool).shared(o.Batch)
	return p.previewOf(b, o.Facts, p.previewRoom(o.Thread, o.Call.Tool, limits, 0)), nil
}
