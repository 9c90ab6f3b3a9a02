package engine

import (
	"context"

	"floodmark/history"
)

// A FaultEffect is one result on which a run with a fault differs from the healthy one.
type FaultEffect struct {
	Healthy, Faulty       *Outcome
	HealthySight, InFault Sight  // what each of the two leaves of the payload
	Why                   string // the store's part in the faulty run's trace; empty where it had none
}

// Unreachable is how many bytes of the payload the model could read back, or saw, in the healthy run
// and in the faulty one can't; 0 where the fault only lets more enter, as a policy that keeps a payload
// inline does.
func (e *FaultEffect) Unreachable() int64 { return max(e.InFault.Gone-e.HealthySight.Gone, 0) }

// A FaultRun is a conversation without and with a fault.
type FaultRun struct {
	Policy          *Policy
	Fault           Fault
	Effects         []FaultEffect // in call order
	Healthy, Faulty Totals
	FaultSums
}

// FaultSums count what the model would no longer reach. They can be added up over conversations.
type FaultSums struct {
	Variables int   // that were kept in the healthy run
	Lost      int   // of them (and of what a history rule kept) those that can't be reached
	Bytes     int64 // that can't be reached
	// Tokens are those of the unreachable bytes: the payload's share of its own estimate.
	Tokens   float64
	Unwarned int // lost without one of the warnings lost, unreadable and expired
}

// Add adds what the same fault did to another conversation.
func (s *FaultSums) Add(u FaultSums) {
	s.Variables += u.Variables
	s.Lost += u.Lost
	s.Bytes += u.Bytes
	s.Tokens += u.Tokens
	s.Unwarned += u.Unwarned
}

// UnreachableTokens are the tokens of Unreachable, by the policy's estimator: the share of the payload's
// own tokens that its bytes are of all.
func (e *FaultEffect) UnreachableTokens() float64 {
	if e.Healthy.Original.Bytes == 0 {
		return 0
	}
	return e.Healthy.Original.Tokens * float64(e.Unreachable()) / float64(e.Healthy.Original.Bytes)
}

// FaultRuns runs p over the conversation without a fault, and with each of the faults. Payloads are
// measured once for all runs. Of o, Progress is used, over all runs, and Track
// and SkipExact for the healthy one. An error is as of Run.
func (r *Replayer) FaultRuns(ctx context.Context, p *Policy, faults []Fault, o RunOptions) (healthy *Run, all []*FaultRun, err error) {
	defer r.cache.release()
	part := 0
	run := func(f Fault) (*Run, error) {
		own := RunOptions{Fault: f, SkipExact: o.SkipExact || f != NoFault, Track: o.Track && f == NoFault}
		if o.Progress != nil {
			done := part
			own.Progress = func(step, steps int) { o.Progress(done*steps+step, (1+len(faults))*steps) }
		}
		part++
		return r.Run(ctx, p, own)
	}
	if healthy, err = run(NoFault); err != nil {
		return nil, nil, err
	}
	sights := make([]Sight, len(healthy.Outcomes))
	for i, outcome := range healthy.Outcomes {
		if outcome.Verdict == "" {
			continue
		}
		if sights[i], err = r.sight(p, outcome, NoFault); err != nil {
			return nil, nil, err
		}
	}
	for _, f := range faults {
		faulty, err := run(f)
		if err != nil {
			return nil, nil, err
		}
		one := &FaultRun{Policy: p, Fault: f, Healthy: healthy.Totals, Faulty: faulty.Totals}
		if err := one.take(r, healthy.Outcomes, faulty.Outcomes, sights); err != nil {
			return nil, nil, err
		}
		all = append(all, one)
	}
	return healthy, all, nil
}

// take finds the results on which both runs differ. Copies that another conversation counts are left
// to it.
func (f *FaultRun) take(r *Replayer, healthy, faulty []*Outcome, sights []Sight) error {
	for i, h := range healthy {
		if h.Verdict == "" || h.Call.Flags.Has(history.CountedElsewhere) {
			continue
		}
		if h.Verdict == Offloaded {
			f.Variables++
		}
		bad := faulty[i]
		if h.Verdict == Inline && bad.Verdict == Inline && h.Cleared == nil && bad.Cleared == nil {
			continue // nothing was kept
		}
		s, err := r.sight(f.Policy, bad, f.Fault)
		if err != nil {
			return err
		}
		e := FaultEffect{Healthy: h, Faulty: bad, HealthySight: sights[i], InFault: s}
		if h.Verdict == bad.Verdict && e.Unreachable() == 0 {
			continue
		}
		warned := false
		for _, c := range bad.Trace {
			if c.Check == "store" {
				e.Why = c.Detail
			}
		}
		for _, w := range bad.Warnings {
			warned = warned || w.Code == WarnLost || w.Code == WarnUnreadable || w.Code == WarnExpired
		}
		if n := e.Unreachable(); n > 0 {
			f.Lost++
			f.Bytes += n
			f.Tokens += e.UnreachableTokens()
			if !warned {
				f.Unwarned++
			}
		}
		f.Effects = append(f.Effects, e)
	}
	return nil
}
