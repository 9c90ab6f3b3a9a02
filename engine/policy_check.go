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
	for _, check := range []func() error{p.validatePackage, p.validateSources, p.validateLimits, p.validateLabels} {
		if err := check(); err != nil {
			return err
		}
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
	if p.Limits.CombinedRule == EqualShare && p.Limits.Combined != nil && p.Limits.Unit != p.Limits.CombinedUnit {
		return &PolicyError{Field: "limits.combined_unit", Reason: fmt.Sprintf("%s is not limits.unit %s, as equal shares need", p.Limits.CombinedUnit, p.Limits.Unit)}
	}
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
		case !o.PerResult.Given && !o.Second.Given && !o.Combined.Given && !o.Preview.Given && !o.HeadShare.Given:
			return &PolicyError{Field: place, Reason: "changes nothing", Hint: "give per_result, second, combined, preview_size or preview_head_share"}
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

// overCombined says that a threshold for one result is over the combined one; empty where it is not,
// where they are not in one unit, and where a batch is shared out fairly: there a single result can
// be cut to the combined limit.
func overCombined(l Limits) string {
	if l.PerResult == nil || l.Combined == nil || l.Unit != l.CombinedUnit || l.CombinedRule == FairShare || *l.PerResult <= *l.Combined {
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

// plainNumber writes a number without exponent.
func plainNumber(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
