package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Validate checks what the fields must keep to among themselves. Parse and Set have done it; it is
// for policies made or changed in Go. Error: *PolicyError.
func (p *Policy) Validate() error {
	for _, check := range []func() error{p.validatePreview, p.validatePackage, p.validateSources, p.validateLimits} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// validatePreview refuses a switch that this version does not honour: a promise of secrecy is never
// ignored in silence.
func (p *Policy) validatePreview() error {
	if p.Preview.Redact {
		return &PolicyError{Field: "preview.redact", Reason: "can't be true: not supported yet, nothing would be masked", Hint: "leave it out"}
	}
	return nil
}

// validatePackage holds the rules of a file's path. It must never be cut to fit a notice.
func (p *Policy) validatePackage() error {
	r := p.Package
	switch {
	case r.Reference != FileReference:
	case !strings.Contains(r.Path, "NAME"):
		return &PolicyError{Field: "package.path", Reason: "lacks NAME, so that all files would have one path", Hint: "for example tool-results/NAME.txt"}
	case r.NoticeChars > 0 && r.NoticeChars < r.leastNotice():
		return &PolicyError{Field: "package.notice_chars",
			Reason: fmt.Sprintf("%d has no room for the path, which with the longest name needs %d", r.NoticeChars, r.leastNotice()),
			Hint:   "0 is without limit"}
	}
	return nil
}

func (p *Policy) validateSources() error {
	known := documentField().names("", true)
	for i, s := range p.Sources {
		for _, f := range s.Fields {
			if !slices.Contains(known, f) {
				return &PolicyError{Field: fmt.Sprintf("sources[%d].fields", i),
					Reason: fmt.Sprintf("names %q, which is not a field of a policy; the nearest is %s", f, nearestName(f, known))}
			}
		}
	}
	return nil
}

// validateLimits refuses a threshold for one result over the combined one: it could never be what
// decides.
func (p *Policy) validateLimits() error {
	const hint = "lower the first or raise the second; null takes a threshold away"
	if err := overCombined(p.Limits); err != "" {
		return &PolicyError{Field: "limits.per_result", Reason: err, Hint: hint}
	}
	agents, tools := []string{""}, []string{""}
	for i, o := range p.Overrides {
		place := fmt.Sprintf("overrides[%d]", i)
		switch {
		case o.Tool == "" && o.Agent == "" && o.Role == "":
			return &PolicyError{Field: place, Reason: "selects nothing", Hint: "name a tool, an agent or a role"}
		case !o.PerResult.Given && !o.Combined.Given:
			return &PolicyError{Field: place, Reason: "changes nothing", Hint: "give per_result or combined"}
		case o.Tool != "" && o.Combined.Given:
			return &PolicyError{Field: place + ".combined", Reason: "can't be given for a tool: a batch has results of several", Hint: "give it for an agent or a role"}
		}
		agents, tools = append(agents, o.Agent), append(tools, o.Tool)
	}
	if len(p.Overrides) == 0 {
		return nil
	}
	for _, role := range []string{RootRole, SubagentRole} {
		for _, agent := range distinctNames(agents) {
			for _, tool := range distinctNames(tools) {
				if err := overCombined(p.LimitsFor(role, agent, tool)); err != "" {
					return &PolicyError{Field: "overrides", Reason: "lead to a per_result that can't decide: for " + describeResult(role, agent, tool) + " " + err, Hint: hint}
				}
			}
		}
	}
	return nil
}

// overCombined says that a threshold for one result is over the combined one; empty where it is not.
func overCombined(l Limits) string {
	if l.PerResult == nil || l.Combined == nil || *l.PerResult <= *l.Combined {
		return ""
	}
	return plainNumber(*l.PerResult) + " is over limits.combined " + plainNumber(*l.Combined)
}

func distinctNames(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

func describeResult(role, agent, tool string) string {
	s := "role " + role
	if agent != "" {
		s += ", agent " + agent
	}
	if tool != "" {
		s += ", tool " + tool
	}
	return s
}

// A Finding is something in a policy that is allowed, and seldom meant.
type Finding struct {
	Field  string `json:"field"`  // dotted
	Reason string `json:"reason"` // one sentence without a full stop, with the numbers
}

// Lint lists what is seldom meant, in a fixed order.
func (p *Policy) Lint() []Finding {
	var list []Finding
	say := func(when bool, field, reason string) {
		if when {
			list = append(list, Finding{field, reason})
		}
	}
	l, v := p.Limits, p.Preview
	say(p.Sandbox.Required && !p.Sandbox.Enabled, "sandbox.enabled",
		"the policy requires a sandbox and there is none: whatever it would offload is lost")
	say(l.PerResult == nil && l.Combined != nil, "limits.combined",
		"there is no limits.per_result: a large result alone is replaced only where its batch is over the combined limit")
	if l.PerResult == nil {
		return list
	}
	threshold := *l.PerResult
	under := " against limits.per_result " + plainNumber(threshold)
	ends := float64(v.HeadChars+v.TailChars) / unitsPerToken
	say(v.Kind == HeadTailKind && ends >= threshold, "preview.head_chars",
		"both ends are "+plainNumber(ends)+" tokens"+under+": a preview can be as large as its payload")
	both := v.Budget + p.Schema.Budget
	say(v.Kind == RecordsKind && v.Budget >= threshold, "preview.budget",
		"a preview is up to "+plainNumber(v.Budget)+" tokens"+under+": it can be as large as its payload")
	say(v.Kind == RecordsKind && v.Budget < threshold && both >= threshold, "schema.budget",
		"preview and schema are up to "+plainNumber(both)+" tokens"+under+": a package can be as large as its payload")
	if c := p.Errors.TruncateChars; c != nil {
		kept := float64(*c) / unitsPerToken
		say(kept > threshold, "errors.truncate_chars",
			"a failed call keeps "+plainNumber(kept)+" tokens"+under+": some that are over it stay whole")
	}
	if h := l.HardBytes; h != nil {
		most := float64(*h) // tokens that a result under the hard limit can have
		if !p.Estimator.Exact() {
			most /= unitsPerToken
		}
		say(most <= threshold, "limits.hard_bytes",
			"a result that is not rejected has up to "+plainNumber(most)+" tokens"+under+": none is ever offloaded for its size")
	}
	return list
}

// plainNumber writes a number without exponent.
func plainNumber(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
