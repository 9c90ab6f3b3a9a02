package engine

import (
	"fmt"
	"strings"
)

// A Severity says how bad a finding is.
type Severity string

// Severities.
const (
	LintError   Severity = "error"   // the policy can't do what it is for
	LintWarning Severity = "warning" // it is allowed, and seldom meant
)

// A Finding is something in a policy that is allowed by its schema, and not meant as a rule.
type Finding struct {
	Code     string   `json:"code"` // one of LintCodes
	Severity Severity `json:"severity"`
	Field    string   `json:"field"`  // dotted
	Reason   string   `json:"reason"` // one sentence without a full stop, with the numbers
}

// What the linter can find.
const (
	LintNoStore       = "no-store"            // what is offloaded can't be kept
	LintThresholdZero = "threshold-zero"      // everything is replaced
	LintNoLimit       = "no-limit"            // nothing is ever replaced
	LintCombinedOnly  = "combined-only"       // one large result alone is never replaced
	LintPreviewLarge  = "preview-not-smaller" // a preview can be as large as its payload
	LintPackageLarge  = "package-not-smaller" // preview and schema together can
	LintPreviewFree   = "preview-unbounded"   // a preview has no limit
	LintLongLine      = "long-line"           // one long line leaves no preview, or a whole one
	LintCapBelow      = "cap-below-threshold" // another limit acts before the threshold can
	LintErrorsWhole   = "errors-over-threshold"
	LintShortStore    = "store-overwritten" // what was offloaded is soon gone
	LintLabelIdle     = "label-idle"        // a rule for labels never gives one
)

// LintCodes lists all codes of findings, in the order in which they are looked for.
var LintCodes = []string{LintNoStore, LintThresholdZero, LintNoLimit, LintCombinedOnly, LintCapBelow, LintPreviewLarge,
	LintPackageLarge, LintPreviewFree, LintLongLine, LintErrorsWhole, LintShortStore, LintLabelIdle}

// A linter collects what it finds in one policy.
type linter struct {
	p        *Policy
	findings []Finding
}

func (l *linter) say(code string, s Severity, field, reason string) {
	l.findings = append(l.findings, Finding{code, s, field, reason})
}

// Lint lists what is seldom meant, in the order of LintCodes. A policy that is switched off has
// nothing to find.
func (p *Policy) Lint() []Finding {
	if !p.Enabled {
		return nil
	}
	l := &linter{p: p}
	l.store()
	l.limits()
	l.caps()
	l.preview()
	l.errors()
	l.retention()
	l.labels()
	return l.findings
}

func (l *linter) store() {
	p := l.p
	if p.Sandbox.Required && !p.Sandbox.Enabled {
		l.say(LintNoStore, LintError, "sandbox.enabled", "the policy requires a sandbox and there is none: whatever it would offload is lost")
	}
}

func (l *linter) limits() {
	p := l.p
	zero := func(limit *float64, field string) {
		if limit != nil && *limit <= 0 {
			l.say(LintThresholdZero, LintError, field, "a threshold of "+plainNumber(*limit)+" replaces every result that is not empty; null takes it away")
		}
	}
	zero(p.Limits.PerResult, "limits.per_result")
	zero(p.Limits.Second, "limits.second")
	zero(p.Limits.Combined, "limits.combined")
	for i, o := range p.Overrides {
		zero(o.PerResult.Limit, fmt.Sprintf("overrides[%d].per_result", i))
		zero(o.Second.Limit, fmt.Sprintf("overrides[%d].second", i))
		zero(o.Combined.Limit, fmt.Sprintf("overrides[%d].combined", i))
	}
	alone := p.Limits.PerResult != nil || p.Limits.Second != nil
	switch {
	case alone || p.History.Active() || p.Strategy == KeepAll:
	case len(p.Overrides) > 0:
	case p.Limits.Combined == nil:
		l.say(LintNoLimit, LintWarning, "limits.per_result", "there is no limit: nothing is ever replaced, whatever the strategy "+string(p.Strategy)+" says")
	default:
		l.say(LintCombinedOnly, LintWarning, "limits.combined",
			"there is no limits.per_result: a large result alone is replaced only where its batch is over the combined limit")
	}
}

// threshold is the limit of one result in tokens, as it is compared with other sizes, and in words.
func (l *linter) threshold() (tokens float64, words string, ok bool) {
	limits := l.p.Limits
	t := limits.PerResultTokens()
	if t == nil {
		return 0, "", false
	}
	field, n, unit := "limits.per_result", limits.PerResult, limits.Unit
	if n == nil || unit == Lines || unit == SplitLines {
		field, n, unit = "limits.second", limits.Second, limits.SecondUnit
	}
	words = " against " + field + " " + plainNumber(*n)
	if unit != Tokens && unit != "" {
		words += " " + string(unit)
	}
	return *t, words, true
}

func (l *linter) caps() {
	threshold, words, ok := l.threshold()
	h := l.p.Limits.HardBytes
	if !ok || h == nil {
		return
	}
	most := float64(*h) // tokens that a result under the hard limit can have
	if !l.p.Estimator.Exact() {
		most /= unitsPerToken
	}
	if most <= threshold {
		l.say(LintCapBelow, LintWarning, "limits.hard_bytes",
			"a result that is not rejected has up to "+plainNumber(most)+" tokens"+words+": none is ever offloaded for its size")
	}
}

// preview finds previews that can be as large as what they stand for. A truncation that keeps what its
// own limit allows is what truncation is.
func (l *linter) preview() {
	p, v := l.p, l.p.Preview
	l.longLine()
	threshold, words, ok := l.threshold()
	if !ok || p.Package.MustShrink || p.InEffect() == KeepAll || p.InEffect() == ClearOld {
		return
	}
	tokensOf := func(n int) float64 { return float64(n) / unitsPerToken }
	switch v.Kind {
	case HeadTailKind:
		if ends := tokensOf(v.HeadChars + v.TailChars); ends >= threshold {
			l.say(LintPreviewLarge, LintWarning, "preview.head_chars", "both ends are "+plainNumber(ends)+" tokens"+words+": a preview can be as large as its payload")
		}
	case RecordsKind:
		both := v.Budget + p.Schema.Budget
		switch {
		case v.Budget == 0:
			l.say(LintPreviewFree, LintWarning, "preview.budget", "a budget of 0 is without limit: a preview can be as large as its payload")
		case v.Budget >= threshold:
			l.say(LintPreviewLarge, LintWarning, "preview.budget", "a preview is up to "+plainNumber(v.Budget)+" tokens"+words+": it can be as large as its payload")
		case both >= threshold:
			l.say(LintPackageLarge, LintWarning, "schema.budget", "preview and schema are up to "+plainNumber(both)+" tokens"+words+": a package can be as large as its payload")
		}
	case CutKind, WholeLinesKind:
		switch {
		case v.Size == nil && p.Strategy == Offload:
			l.say(LintPreviewLarge, LintWarning, "preview.size", "a preview is as large as"+strings.TrimPrefix(words, " against")+" allows: with its notice, what enters can be larger than its payload")
		case v.Size != nil && (tokensOf(*v.Size) > threshold || tokensOf(*v.Size) == threshold && p.Strategy == Offload):
			l.say(LintPreviewLarge, LintWarning, "preview.size", "a preview is up to "+plainNumber(tokensOf(*v.Size))+" tokens"+words+": it can be as large as its payload")
		}
	}
}

// longLine finds previews by lines that fail on a payload of one line, as JSON is as a rule.
func (l *linter) longLine() {
	v := l.p.Preview
	switch {
	case l.p.InEffect() == KeepAll || l.p.InEffect() == ClearOld:
	case v.Kind == WholeLinesKind && v.LongLine == LeaveLine && v.LineChars == 0:
		l.say(LintLongLine, LintWarning, "preview.long_line", "whole lines are kept: of a payload that is one long line, as JSON is as a rule, the preview is empty")
	case v.Kind == EndLinesKind && v.LineChars == 0 && v.Size == nil:
		l.say(LintLongLine, LintWarning, "preview.line_chars", "lines are kept however long: of a payload that is one long line the preview is the payload")
	}
}

func (l *linter) errors() {
	threshold, words, ok := l.threshold()
	c := l.p.Errors.TruncateChars
	if !ok || c == nil {
		return
	}
	if kept := float64(*c) / unitsPerToken; kept > threshold {
		l.say(LintErrorsWhole, LintWarning, "errors.truncate_chars", "a failed call keeps "+plainNumber(kept)+" tokens"+words+": some that are over it stay whole")
	}
}

// fewKept is the number of kept results under which a conversation of some length overwrites them.
const fewKept = 20

func (l *linter) retention() {
	if n := l.p.Retention.Count; n > 0 && n < fewKept && l.p.InEffect() == Offload {
		l.say(LintShortStore, LintWarning, "retention.count", fmt.Sprintf("%s kept at a time: the next one overwrites the first, which the history still names", plural(n, "result is", "results are")))
	}
}

// labels finds rules that another one always goes before, and all of them where nothing is ever kept.
func (l *linter) labels() {
	rules := l.p.Labels
	if len(rules) > 0 && l.p.InEffect() != Offload {
		l.say(LintLabelIdle, LintWarning, "labels", "the strategy "+string(l.p.InEffect())+" keeps no variables: nothing gets a label")
		return
	}
	for i, r := range rules {
		for k, later := range rules[i+1:] {
			if later.Tool == r.Tool && later.Path == r.Path {
				l.say(LintLabelIdle, LintWarning, fmt.Sprintf("labels[%d]", i), fmt.Sprintf("labels[%d] is for the same tool and path, and comes later: this one never counts", i+1+k))
				break
			}
		}
	}
}
