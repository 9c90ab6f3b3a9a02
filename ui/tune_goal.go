package ui

import (
	"slices"
	"strings"

	"floodmark/engine"
)

// A tuneGoal is what a recommendation is for: an aim, and the number that it keeps to.
type tuneGoal struct {
	aim    engine.Aim
	what   string  // the sentence up to its number
	tokens float64 // the number
	limits func(tokens float64) engine.Goal
}

// newGoals are the goals in the order in which a key goes through them. Their numbers are starting
// points, to be typed over: a step of 20,000 tokens, a context of 200,000, a million in all.
func newGoals() []tuneGoal {
	return []tuneGoal{
		{engine.LowestTokens, "lowest tokens, no step over ", 20_000, func(n float64) engine.Goal {
			return engine.Goal{Aim: engine.LowestTokens, MaxStepTokens: n}
		}},
		{engine.FewestOffloads, "fewest offloads, peak context under ", 200_000, func(n float64) engine.Goal {
			return engine.Goal{Aim: engine.FewestOffloads, MaxContextTokens: n}
		}},
		{engine.MostVisible, "most bytes visible, in all at most ", 1_000_000, func(n float64) engine.Goal {
			return engine.Goal{Aim: engine.MostVisible, Budget: n}
		}},
	}
}

func (t *tuneScreen) currentGoal() tuneGoal { return t.goals[t.goal] }

// goal is the engine's.
func (g tuneGoal) goal() engine.Goal { return g.limits(g.tokens) }

// stepLimit is what a step's results may bring; the number of the goal about steps holds for the
// figures under every goal.
func (t *tuneScreen) stepLimit() float64 { return t.goals[0].tokens }

// goalWords say the goal, with its share of the window where that is known.
func (t *tuneScreen) goalWords() string {
	g := t.currentGoal()
	s := g.what + rounded(g.tokens)
	if g.tokens == 0 {
		return strings.TrimRight(strings.Split(g.what, ",")[0], " ") + ", without a limit"
	}
	if t.window > 0 && g.aim != engine.MostVisible {
		s += " (" + percent(g.tokens, t.window) + " of the window)"
	}
	return s
}

// goalKnob is the setting that is swept and recommended: the chosen one where it is a threshold of
// the policy, else the one per result.
func (t *tuneScreen) goalKnob() knob {
	if k := t.knob(); k.override < 0 && slices.Contains(sweepable, k.field) {
		return k
	}
	return t.knobs[t.settable()]
}

// sweepable are the fields that have a curve and a recommendation.
var sweepable = []string{engine.PerResultKey, engine.SecondKey, engine.CombinedKey, engine.HistoryKey}

// settable is the place of the knob that is worth tuning first.
func (t *tuneScreen) settable() int {
	key := t.own.SettableKey()
	return max(slices.IndexFunc(t.knobs, func(k knob) bool { return k.field == key && k.override < 0 }), 0)
}

// shapeWords say what can be done where the limits can't be changed: about the output.
func (t *tuneScreen) shapeWords() string {
	const fixed = "limits are fixed, output is not"
	if len(t.shapes) == 0 || t.shapes[0].Gain == 0 && t.shapes[0].Results == 0 {
		return fixed + ": no tool has results over the limit"
	}
	s := t.shapes[0]
	words := fixed + ": " + visible(s.Tool) + ", " + count(s.Results, "result") + " over the limit"
	if s.Whole > 0 {
		words += ", " + grouped(int64(s.Whole)) + " of them whole: " + short(s.Gain) + " tokens to gain"
	}
	return words + ": " + visible(s.Advice)
}

// difference is how b differs from a.
func difference(a, b float64) string {
	if a == b {
		return "as before"
	}
	if b < a {
		return "−" + percent(a-b, a) // by the rule of shares: only nothing is 100 % less
	}
	return "+" + percent(b-a, a)
}

// sweptKnob is the setting of the sweep that is shown, which can be the one before while the next is
// being made.
func (t *tuneScreen) sweptKnob() knob {
	if t.sweep != nil {
		for _, k := range t.knobs {
			if k.override < 0 && k.field == t.sweep.of.field {
				return k
			}
		}
	}
	return t.goalKnob()
}
