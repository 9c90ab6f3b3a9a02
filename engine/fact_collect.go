package engine

import (
	"context"
	"fmt"
	"math"
	"slices"

	"floodmark/history"
)

// NewCorpus makes an empty corpus that holds what deciding under these policies needs. The first is
// the main one; the others add settings of the preview, the schema or the estimator, so that a slider
// can step through them. Limits, boundary, share, sandbox and overrides can be set to anything without
// a policy of their own. Where facts are not enough for one of the policies (see Policy.ByReplays), Add
// replays each of them, and nothing but these can be decided. Error: *PolicyError.
func NewCorpus(policies ...*Policy) (*Corpus, error) {
	c := &Corpus{prepared: &preparation{}}
	replayed := slices.ContainsFunc(policies, func(p *Policy) bool { return p.ByReplays() != "" })
	for _, p := range policies {
		q := *p
		if !replayed {
			q.Enabled = true // what a policy that is off does follows from what it measures when it is on
		}
		s, err := settingOf(&q, replayed)
		if err != nil {
			return nil, err
		}
		if len(c.settings) > 0 {
			for _, name := range payloadFields {
				if s.fields[name] != c.settings[0].fields[name] {
					return nil, &PolicyError{Field: name, Reason: "has to be the same in all policies that facts are measured for"}
				}
			}
		}
		c.addSetting(s)
	}
	return c, nil
}

func (c *Corpus) addSetting(s setting) {
	for _, t := range c.settings {
		if s.differs(t, anyField) == "" {
			return
		}
	}
	c.settings, c.columns = append(c.settings, s), append(c.columns, column{byUnit: s.byUnit()})
	c.prepared.orders = make([]order, len(c.settings))
}

// A FactCache keeps what was measured of payloads from run to run, bytes by key. Any of it may be gone
// the next time.
type FactCache interface {
	Get(key []byte) []byte // nil where there is nothing
	Put(key, value []byte)
}

// Add collects the facts of r's conversation behind those that are there. cache may be nil. A payload
// over the first policy's hard limit is not read. An error, ctx's or that a payload can't be read,
// leaves c unusable.
func (c *Corpus) Add(ctx context.Context, r *Replayer, cache FactCache) error {
	defer r.cache.release()
	a := &adding{Corpus: c, r: r, cache: cache}
	thread, next := -1, (*history.Thread)(nil)
	for _, b := range r.batches() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.thread != next {
			next, thread = b.thread, len(c.threads)
			c.threads = append(c.threads, threadFact{r.conv.File, r.conv.ID, b.thread.Name, b.thread.Agent, role(b.thread)})
		}
		c.steps = append(c.steps, stepFact{thread: int32(thread), turn: int32(b.turn.Number), number: int32(b.step.Number), first: int32(len(c.facts)), copied: b.step.Copied})
		places, calls := b.places()
		for i, call := range b.step.Calls {
			if call.Result == nil {
				continue
			}
			if err := a.result(ctx, b.thread, call, places[i], calls); err != nil {
				return err
			}
		}
		s := &c.steps[len(c.steps)-1]
		s.count = int32(len(c.facts)) - s.first
	}
	if err := a.context(ctx); err != nil || !c.Replayed() {
		return err
	}
	return a.replay(ctx)
}

// adding is a conversation on its way into a corpus.
type adding struct {
	*Corpus
	r     *Replayer
	cache FactCache
}

// result adds one result.
func (a *adding) result(ctx context.Context, thread *history.Thread, call *history.Call, index, batch int) error {
	main := a.settings[0].policy
	arrived := payloadOf(main, call.Result)
	f := fact{tool: call.Tool, call: call.ID, step: int32(len(a.steps) - 1), index: int32(index), batch: int32(batch),
		order: int32(call.Order), failed: call.Result.Failed, original: arrived.Size(), size: arrived.Size(), jsonBytes: -1, textBytes: -1}
	if h := main.Limits.HardBytes; h != nil && arrived.Size().Bytes > *h {
		f.unread = true
		a.facts = append(a.facts, f)
		for i := range a.columns {
			n := unmeasured
			if p := a.settings[i].policy; !p.Estimator.Exact() {
				n.Original = quarters(p.Estimator.OfSize(arrived.Size()))
			}
			a.columns[i].add(n)
		}
		return nil
	}
	known, err := a.measure(ctx, &Outcome{Call: call, Thread: thread, Index: index, Batch: batch, Name: a.r.names[call]})
	if err != nil {
		return err
	}
	known.describe(&f)
	a.facts = append(a.facts, f)
	for i := range a.columns {
		a.columns[i].add(known.Counts[i])
	}
	return nil
}

func (c *column) add(n tokenCounts) {
	c.original, c.tokens, c.stay = append(c.original, n.Original), append(c.tokens, n.Tokens), append(c.stay, n.Stay)
	c.whole, c.taken = append(c.whole, n.Whole), append(c.taken, n.Taken)
	c.offloaded, c.lost = append(c.offloaded, n.Offloaded), append(c.lost, n.Lost)
	c.preview, c.cut, c.second = append(c.preview, n.Preview), append(c.cut, n.Cut), append(c.second, n.Second)
	if c.byUnit {
		c.amount = append(c.amount, n.Amount)
	}
}

// quarters is the whole number of quarters that tokens are. All estimators count in whole tokens or in
// quarters.
func quarters(tokens float64) int64 {
	q := tokens * quartersPerToken
	if q != math.Trunc(q) {
		panic(fmt.Sprintf("engine: %v tokens are not a whole number of quarters", tokens))
	}
	return int64(q)
}
