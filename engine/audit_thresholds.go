package engine

import (
	"strings"

	"floodmark/history"
)

// Checklist lines 2 and 3: both thresholds on, and the fault path tested.

// thresholdEvidence counts what the thresholds met.
type thresholdEvidence struct {
	over     int // results over a limit for one
	batches  int // of two results or more
	combined int // batches that the combined limit made smaller
	// unguarded are batches whose results bring more than checklistCombined tokens, under a policy that
	// has no combined limit.
	unguarded int
}

func (a *Audit) addSteps(c *history.Conversation, run *Run) {
	e := &a.thresholds
	for i := range run.Steps {
		s := &run.Steps[i]
		results, combined := 0, false
		for _, o := range s.Calls {
			if o.Verdict == "" || o.Call.Flags.Has(history.CountedElsewhere) {
				continue
			}
			results++
			for _, check := range o.Trace {
				if isLimitCheck(check.Check) && check.Result == "over" {
					e.over++
					break
				}
			}
			for _, check := range o.Trace {
				combined = combined || check.Check == "combined" && check.Result == "over"
			}
		}
		if results < 2 {
			continue
		}
		e.batches++
		if combined {
			e.combined++
		}
		if a.policy.Limits.Combined == nil && s.Inline > checklistCombined {
			e.unguarded++
			a.evidence["thresholds"].add(at(c, s.Calls[0].Call, s.Inline, "%s of one step entered together: %s", plural(results, "result", "results"), amount(s.Inline, "token")))
		}
	}
}

func (a *Audit) thresholdLine() AuditLine {
	p, e := a.policy, a.thresholds
	l := AuditLine{Asks: "keep both thresholds on, for one result and for a step's results together", Answer: Fails}
	on := limitText(p.Limits.PerResult, p.Limits.Unit) + " for one result and " + limitText(p.Limits.Combined, p.Limits.CombinedUnit) + " for a step's results together"
	var met []string
	if p.Limits.PerResult != nil {
		met = append(met, plural(e.over, "result was", "results were")+" over the first")
	}
	if p.Limits.Combined != nil {
		met = append(met, figure(float64(e.combined))+" of "+plural(e.batches, "step", "steps")+" with several results over the second")
	} else {
		met = append(met, figure(float64(e.unguarded))+" of "+plural(e.batches, "step", "steps")+" with several results brought more than "+figure(checklistCombined)+" tokens together")
	}
	has := "has " + on + ": " + strings.Join(met, ", ") + "."
	switch {
	case !p.Enabled:
		l.Summary = "The policy is switched off."
	case p.Limits.PerResult == nil || p.Limits.Combined == nil:
		l.Summary = "The policy " + has
	case p.Sandbox.Required && !p.Sandbox.Enabled:
		l.Summary = "The policy's sandbox is off: without it nothing is kept. It " + has
	default:
		l.Answer = Holds
		l.Summary = "The policy " + has
	}
	l.Unknown = []string{"Whether the harness that made the recordings had these settings."}
	l.Figures = AuditCounts{"results_over": float64(e.over), "batches": float64(e.batches), "batches_over": float64(e.combined),
		"batches_unguarded": float64(e.unguarded), "peak_step_tokens": a.totals.PeakStep}
	return l
}

func limitText(limit *float64, u Unit) string {
	if limit == nil {
		return "no limit"
	}
	return amount(*limit, unitWord(u))
}

// addUnreachable names the largest payloads that a sandbox that is down would take.
func (a *Audit) addUnreachable(c *history.Conversation, f *FaultRun) {
	for i := range f.Effects {
		e := &f.Effects[i]
		if n := e.Unreachable(); n > 0 {
			a.evidence["faults"].add(at(c, e.Healthy.Call, float64(n), "%s: %s, %s would be out of reach", e.Healthy.Name, amount(float64(n), "byte"), amount(e.UnreachableTokens(), "token")))
		}
	}
}

func (a *Audit) faultLine() AuditLine {
	l := AuditLine{Asks: "test the fault path, and what becomes of kept payloads", Figures: AuditCounts{}}
	kept, unwarned, most := 0, 0, FaultSums{}
	for i, f := range Faults {
		s := a.faults[i]
		kept = max(kept, s.Variables)
		unwarned += s.Unwarned
		if s.Bytes > most.Bytes {
			most = *s
		}
		l.Figures[string(f)+"_variables"] = float64(s.Lost)
		l.Figures[string(f)+"_bytes"] = float64(s.Bytes)
		l.Figures[string(f)+"_tokens"] = s.Tokens
	}
	l.Figures["variables"], l.Figures["unwarned"] = float64(kept), float64(unwarned)
	ran := "All " + figure(float64(len(Faults))) + " faults were run: "
	switch {
	case kept == 0 && most.Lost == 0:
		l.Answer, l.Summary = CannotTell, ran+"nothing is kept, so nothing can be lost."
	case unwarned > 0:
		l.Answer, l.Summary = Fails, ran+plural(unwarned, "loss goes", "losses go")+" without a warning, for the policy puts a cut or a cleared result in a lost payload's place."
	case most.Lost == 0:
		l.Answer, l.Summary = Holds, ran+"the policy keeps a payload inline where it can't be stored, and none of "+figure(float64(kept))+" is lost."
	default:
		l.Answer, l.Summary = Holds, ran+"at worst "+plural(most.Lost, "payload is", "payloads are")+" out of reach, "+amount(float64(most.Bytes), "byte")+" ("+amount(most.Tokens, "token")+"), each with a warning."
	}
	l.Unknown = []string{"Whether the real harness behaves as its policy says: run its own sandbox failures, too."}
	return l
}
