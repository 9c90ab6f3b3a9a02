package ui

import "floodmark/engine"

// rules are what results are measured by: as they are wanted in a session, as they were used where
// figures of a run are shown.
type rules struct {
	policy   *engine.Policy // the chosen one with what is tuned
	own      *engine.Policy // the chosen one as it is
	tuned    tuned
	fault    engine.Fault // what goes wrong on purpose
	revision int          // grows with every change
}

// threshold is the policy's limit per result, in its own unit; ok is false where it has none.
func (r rules) threshold() (float64, bool) {
	if r.policy == nil || r.policy.Limits.PerResult == nil {
		return 0, false
	}
	return *r.policy.Limits.PerResult, true
}

// thresholdTokens is the same as an estimate in tokens, for scales; 0 where there is none.
func (r rules) thresholdTokens() float64 {
	if r.policy == nil {
		return 0
	}
	if limit := r.policy.Limits.PerResultTokens(); limit != nil {
		return *limit
	}
	return 0
}

// unitSuffix names the unit of a limit; tokens are not said.
func unitSuffix(u engine.Unit) string {
	if u == engine.Tokens {
		return ""
	}
	return " " + string(u)
}

// tuned is what was changed of the chosen policy by keys. A nil limit and an empty estimator are
// the policy's own, or base's where the Tune screen made one of it.
type tuned struct {
	base                *engine.Policy
	perResult, combined *float64
	estimator           engine.Estimator
}

// next is what is different in the rules that come after r, in a word or two.
func (r rules) next(to rules) string {
	limit, ok := to.threshold()
	switch {
	case to.fault != r.fault && to.fault == engine.NoFault:
		return "no fault"
	case to.fault != r.fault:
		return string(to.fault)
	case to.policy.Name != r.policy.Name:
		return visible(to.policy.Name)
	case to.policy.Estimator != r.policy.Estimator:
		return string(to.policy.Estimator)
	case ok:
		return rounded(limit)
	}
	return "no threshold"
}

// describe names policy, estimator and thresholds, the combined one where there is room; changed tells
// that they are not the policy's own, or that something goes wrong on purpose.
func (r rules) describe(roomy bool) (s string, changed bool) {
	p := r.policy
	if p == nil {
		return "", false
	}
	changed = len(p.Changed) > 0 || r.tuned != tuned{}
	s = visible(p.Name)
	switch {
	case changed && p.Fixed: // nobody can set this at the vendor's
		s = "what if: " + s
	case changed:
		s = "changed: " + s
	}
	if r.fault != engine.NoFault {
		s = "fault " + string(r.fault) + ": " + s
	}
	s += " · " + string(p.Estimator)
	if !p.Enabled {
		return s + " · off", changed || r.fault != engine.NoFault
	}
	if limit, ok := r.threshold(); ok {
		s += " · per result " + rounded(limit) + unitSuffix(p.Limits.Unit)
		if own := r.own.Limits.PerResult; own != nil && *own != limit {
			s += " (was " + rounded(*own) + ")"
		}
	} else {
		s += " · no threshold"
	}
	if p.Limits.Combined != nil && roomy {
		s += " · combined " + rounded(*p.Limits.Combined) + unitSuffix(p.Limits.CombinedUnit)
		if own := r.own.Limits.Combined; own == nil {
			s += " (was none)"
		} else if *own != *p.Limits.Combined {
			s += " (was " + rounded(*own) + ")"
		}
	}
	return s, changed || r.fault != engine.NoFault
}
