package engine

import (
	"cmp"
	"slices"
)

// RoleTotals are what the results of one role came to, in tokens of the policy's estimator; what counts in
// another conversation is left out.
type RoleTotals struct {
	Role           string // RootRole or SubagentRole
	Agent          string // the subagents' type, empty for main threads and where it is not recorded
	Results        int
	NotInline      int     // of these, that did not enter whole
	InlineTokens   float64 // what entered the context
	OriginalTokens float64 // what the tools gave back
}

// ByRole adds up what was decided by role and agent, main threads first, the others by what entered.
func (c *Corpus) ByRole(d *Decisions) ([]RoleTotals, error) {
	n, err := c.setting(d.Policy)
	if err != nil {
		return nil, err
	}
	type sums struct{ results, notInline, inline, original int64 }
	byThread := make([]sums, len(c.threads))
	for i := range c.steps {
		s := &c.steps[i]
		if s.copied {
			continue
		}
		t := &byThread[s.thread]
		t.results += int64(s.count)
		t.inline += d.stepInline[i]
		for f := s.first; f < s.first+s.count; f++ {
			t.original += c.columns[n].original[f]
			if d.verdicts[f] != inlineAt {
				t.notInline++
			}
		}
	}
	var list []RoleTotals
	for i, s := range byThread {
		t := &c.threads[i]
		if s.results == 0 {
			continue
		}
		at := slices.IndexFunc(list, func(r RoleTotals) bool { return r.Role == t.role && r.Agent == t.agent })
		if at < 0 {
			at = len(list)
			list = append(list, RoleTotals{Role: t.role, Agent: t.agent})
		}
		r := &list[at]
		r.Results += int(s.results)
		r.NotInline += int(s.notInline)
		r.InlineTokens += inTokens(s.inline)
		r.OriginalTokens += inTokens(s.original)
	}
	slices.SortFunc(list, func(a, b RoleTotals) int {
		main := func(r RoleTotals) int {
			if r.Role == RootRole {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(main(a), main(b)), cmp.Compare(b.InlineTokens, a.InlineTokens), cmp.Compare(a.Agent, b.Agent))
	})
	return list, nil
}
