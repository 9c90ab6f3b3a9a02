package ui

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// The threshold and the rest of the policy, changed by keys.

// changed applies a change of policy: the verdicts follow at once.
func (e *explorer) changed() tea.Cmd {
	clear(e.totals)
	e.jobs.stop("survey")
	if o, ok := e.overlay.(*conversationsOverlay); ok {
		o.known = 0
	}
	return tea.Batch(e.replay(), e.survey())
}

// nudge moves the threshold to the next round figure, about a twentieth away.
func nudge(limit float64, by int) float64 { return nudgePart(limit, by, 20) }

// nudgePart moves a limit to the next round figure, about the part-th part of it away.
func nudgePart(limit float64, by int, part float64) float64 {
	step := 1.0
	for step*part < limit {
		step *= 10
	}
	for _, f := range []float64{2, 2.5, 2} { // 1, 2, 5, 10 of a power of ten
		if step/f*part < limit || step/f < 1 {
			break
		}
		step /= f
	}
	if by > 0 {
		return (floor(limit/step) + 1) * step
	}
	n := ceil(limit/step) - 1
	return max(n*step, 1)
}

func floor(f float64) float64 { return float64(int64(f)) }

func ceil(f float64) float64 {
	if n := float64(int64(f)); n < f {
		return n + 1
	}
	return float64(int64(f))
}

// setLimit changes the threshold per result.
func (e *explorer) setLimit(limit float64) tea.Cmd {
	to := e.session.tuned
	to.perResult = unlessOwn(limit, e.session.base(to).Limits.PerResult)
	return e.retune(to)
}

// unlessOwn is limit, or nil where the policy has it anyway.
func unlessOwn(limit float64, own *float64) *float64 {
	if own != nil && *own == limit {
		return nil
	}
	return &limit
}

func (e *explorer) retune(to tuned) tea.Cmd {
	if err := e.session.change(to); err != nil {
		e.status = visible(err.Error()) + "; t and T set the two"
		return nil
	}
	return e.changed()
}

// ask opens a prompt at the bottom.
func (e *explorer) ask(label string, accept func(string) tea.Cmd) {
	e.prompt = &prompt{label: label, edit: newLineEdit(), accept: accept}
}

func (e *explorer) askLimit() {
	unit := string(e.session.policy.Limits.Unit)
	label := "threshold per result, in " + unit + ": "
	if limit, ok := e.session.threshold(); ok {
		label = "threshold per result, in " + unit + " (now " + rounded(limit) + "): "
	}
	e.askTokens(label, e.setLimit)
}

func (e *explorer) askCombined() {
	combined := e.session.policy.Limits.Combined
	if combined == nil {
		e.status = "policy " + visible(e.session.policy.Name) + " has no combined threshold"
		return
	}
	e.askTokens("combined threshold of a batch, in "+string(e.session.policy.Limits.CombinedUnit)+" (now "+rounded(*combined)+"): ", func(n float64) tea.Cmd {
		to := e.session.tuned
		to.combined = unlessOwn(n, e.session.base(to).Limits.Combined)
		return e.retune(to)
	})
}

func (e *explorer) askTokens(label string, accept func(float64) tea.Cmd) {
	e.ask(label, func(s string) tea.Cmd {
		if strings.TrimSpace(s) == "" {
			return nil
		}
		n, err := parseCount(s)
		if err != nil || n < 0 {
			e.status = "not a number of tokens: " + visible(s)
			return nil
		}
		return accept(n)
	})
}

// parseCount reads 7000, 7,000, 7k and 1.5M.
func parseCount(s string) (float64, error) {
	s = strings.ToLower(strings.NewReplacer(",", "", " ", "", "_", "").Replace(s))
	factor := 1.0
	switch {
	case strings.HasSuffix(s, "k"):
		factor, s = 1e3, strings.TrimSuffix(s, "k")
	case strings.HasSuffix(s, "m"):
		factor, s = 1e6, strings.TrimSuffix(s, "m")
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n != n || n > 1e15 {
		return 0, fmt.Errorf("not a number")
	}
	return n * factor, nil
}

func (e *explorer) moveLimit(a action) tea.Cmd {
	limit, ok := e.session.threshold()
	if !ok {
		e.status = "policy " + visible(e.session.policy.Name) + " has no threshold per result"
		return nil
	}
	by := 1
	if a == lowerLimit {
		by = -1
	}
	return e.setLimit(nudge(limit, by))
}

func (e *explorer) cycleEstimator() tea.Cmd {
	now := 0
	for i, n := range engine.Estimators {
		if n == e.session.policy.Estimator {
			now = i
		}
	}
	next := engine.Estimators[(now+1)%len(engine.Estimators)]
	if next == e.session.base(e.session.tuned).Estimator {
		next = ""
	}
	to := e.session.tuned
	to.estimator = next
	return e.retune(to)
}
