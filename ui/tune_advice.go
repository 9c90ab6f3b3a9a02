package ui

import (
	"strings"

	"floodmark/engine"
)

// The recommendation in words. Little of it is as important as how far to trust it, so that this stays whole
// where there is no room for all.

// adviceLines are the recommendation and what the settings cost, in at most rows lines of w cells.
func (t *tuneScreen) adviceLines(w, rows int) []string {
	switch {
	case t.adviceProblem != "":
		return wrapWords("no recommendation: "+t.adviceProblem, w)
	case t.advice == nil:
		return []string{"…"}
	}
	head, figures := t.adviceHead()
	full := []string{head + ": " + figures}
	shape := []string{}
	if t.advice.WhatIf {
		shape = append(shape, t.shapeWords())
	}
	caution := t.cautions(false)
	flow := func(parts ...[]string) []string {
		var all []string
		for _, p := range parts {
			all = append(all, p...)
		}
		// A figure stays with its percent sign.
		lines := wrapWords(strings.ReplaceAll(strings.Join(all, " · "), " %", "\u00a0%"), w)
		for i := range lines {
			lines[i] = strings.ReplaceAll(lines[i], "\u00a0", " ")
		}
		return lines
	}
	short := []string{head + ": " + strings.Split(figures, ", ")[0]}
	var paid []string
	for _, parts := range []struct {
		advice [][]string
		costs  bool
	}{
		{[][]string{full, caution, shape}, true},
		{[][]string{full, caution}, true},
		{[][]string{short, caution}, true},
		{[][]string{full, caution, shape}, false},
		{[][]string{full, caution}, false},
		{[][]string{short, caution}, false},
		{[][]string{short, t.cautions(true)}, false},
	} {
		lines := flow(parts.advice...)
		if parts.costs {
			if paid == nil {
				paid = flow(t.costWords())
			}
			lines = append(lines, paid...)
		}
		if len(lines) <= rows {
			return lines
		}
	}
	return firstLines(flow(t.cautions(true), short), rows, w)
}

// adviceHead is the recommended value, and what it comes to.
func (t *tuneScreen) adviceHead() (head, figures string) {
	a, name := t.advice, t.sweptKnob().name
	head = name + " " + rounded(a.Best.Value)
	if a.WhatIf {
		head = "what if: " + head
	}
	if !a.Met {
		head = "no value of " + name + " keeps to it; the nearest is " + rounded(a.Best.Value)
	}
	if a.Knee.Value < 0 && a.Best.InlineTokens == a.Now.InlineTokens {
		// No value replaces anything else than another.
		head = "no value of " + name + " makes a difference here"
		if !a.Met {
			head += ", and none keeps to it"
		}
	}
	return head, short(a.Best.InlineTokens) + " entered (" + difference(a.Now.InlineTokens, a.Best.InlineTokens) + "), peak step " + short(a.Best.PeakStepTokens) +
		", " + grouped(int64(a.Best.Verdicts.NotInline())) + " not whole (was " + grouped(int64(a.Now.Verdicts.NotInline())) + ")"
}

// cautions say how far to trust the recommendation, the gravest first; brief in few words.
func (t *tuneScreen) cautions(brief bool) []string {
	a := t.advice
	var parts []string
	switch {
	case a.Thin != "" && brief:
		words, _, _ := strings.Cut(a.Thin, ":")
		parts = append(parts, "thin: "+visible(words))
	case a.Thin != "":
		parts = append(parts, "thin: "+visible(a.Thin))
	}
	near := ""
	if a.Key != engine.HistoryKey { // no result's size is compared with that
		near = count(a.Near, "result") + " within 5 %"
	}
	if a.Knee.Value > 0 {
		if near != "" {
			near += ", "
		}
		near += "knee at " + rounded(a.Knee.Value)
	}
	if near != "" {
		parts = append(parts, near)
	}
	return parts
}
