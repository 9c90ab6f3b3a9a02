package engine

import (
	"strings"

	"floodmark/history"
)

// Applies says which results the limits apply to; any other enters as it is.
type Applies struct {
	Tools        []string `json:"tools"`  // only these, empty for all; * stands for any characters
	Exempt       []string `json:"exempt"` // not these
	Errors       bool     `json:"errors"` // also what the recording marks as an error
	Images       bool     `json:"images"` // also results with a part that is not text
	SeveralParts bool     `json:"several_parts"`
}

// leavesOut says why the limits are not for a call's result; empty where they are.
func (a Applies) leavesOut(c *history.Call) string {
	texts, others := 0, 0
	for _, part := range c.Result.Payload.Parts() {
		if part.Kind == history.Text {
			texts++
		} else {
			others++
		}
	}
	switch {
	case len(a.Tools) > 0 && !toolMatches(a.Tools, c.Tool):
		return "the limits are for other tools"
	case toolMatches(a.Exempt, c.Tool):
		return "the limits are not for this tool"
	case !a.Errors && (c.Result.Error || c.Result.Failed):
		return "the limits are not for errors"
	case !a.Images && others > 0:
		return "the limits are not for results with a part that is not text"
	case !a.SeveralParts && texts+others > 1:
		return "the limits are not for results of several parts"
	}
	return ""
}

// toolMatches tells whether a tool's name is one of the patterns, in either case of letters.
func toolMatches(patterns []string, tool string) bool {
	tool = strings.ToLower(tool)
	for _, p := range patterns {
		if starMatches(strings.ToLower(p), tool) {
			return true
		}
	}
	return false
}

// starMatches tells whether s is what pattern says, each * being any characters or none.
func starMatches(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	first, last := parts[0], parts[len(parts)-1]
	if len(parts) == 1 {
		return s == pattern
	}
	if len(s) < len(first)+len(last) || !strings.HasPrefix(s, first) || !strings.HasSuffix(s, last) {
		return false
	}
	s = s[len(first) : len(s)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(s, part)
		if !found {
			return false
		}
		s = after
	}
	return true
}
