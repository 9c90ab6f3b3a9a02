package engine

import (
	"encoding/json"
	"strings"
)

// Roles that an override can name.
const (
	RootRole     = "root"     // the main thread
	SubagentRole = "subagent" // any other thread
)

// An Override changes thresholds for the results that all of its selectors match. The narrowest
// wins, for each threshold on its own: tool before agent before role, and of equals the later.
type Override struct {
	Tool      string    `json:"tool,omitempty"` // * stands for any characters
	Agent     string    `json:"agent,omitempty"`
	Role      string    `json:"role,omitempty"`      // RootRole or SubagentRole
	PerResult Threshold `json:"per_result,omitzero"` // in limits.unit
	Second    Threshold `json:"second,omitzero"`     // in limits.second_unit
	Combined  Threshold `json:"combined,omitzero"`   // in limits.combined_unit; not together with Tool
	Preview   Threshold `json:"preview_size,omitzero"`
	HeadShare Threshold `json:"preview_head_share,omitzero"` // from 0 to 1, never null
}

// A Threshold of an override. The zero value leaves the policy's own as it is; null in a document
// takes it away.
type Threshold struct {
	Given bool
	Limit *float64 // in the unit of what it takes the place of; nil is none
}

// MarshalJSON writes the limit; a threshold that is not given is left out by its omitzero tag.
func (t Threshold) MarshalJSON() ([]byte, error) { return json.Marshal(t.Limit) }

// UnmarshalJSON reads a number, or null for no threshold.
func (t *Threshold) UnmarshalJSON(b []byte) error {
	t.Given, t.Limit = true, nil
	return json.Unmarshal(b, &t.Limit)
}

// matches tells whether all that o selects by is so.
func (o *Override) matches(role, agent, tool string) bool {
	return (o.Tool == "" || o.Tool == tool || strings.Contains(o.Tool, "*") && starMatches(o.Tool, tool)) && (o.Agent == "" || o.Agent == agent) && (o.Role == "" || o.Role == role)
}

// narrowness orders overrides: a tool outweighs an agent, and that a role.
func (o *Override) narrowness() int {
	n := 0
	for i, selector := range []string{o.Role, o.Agent, o.Tool} {
		if selector != "" {
			n |= 1 << i
		}
	}
	return n
}

// LimitsFor returns the limits for a tool's result in the thread of an agent of this type (empty
// for the main thread) and role. With an empty tool they are those of a batch.
func (p *Policy) LimitsFor(role, agent, tool string) Limits {
	l := p.Limits
	perResult, second, combined := 0, 0, 0
	for i := range p.Overrides {
		o := &p.Overrides[i]
		if !o.matches(role, agent, tool) {
			continue
		}
		n := o.narrowness()
		if o.PerResult.Given && n >= perResult {
			l.PerResult, perResult = o.PerResult.Limit, n
		}
		if o.Second.Given && n >= second {
			l.Second, second = o.Second.Limit, n
		}
		if o.Combined.Given && n >= combined {
			l.Combined, combined = o.Combined.Limit, n
		}
	}
	return l
}

// previewSize is preview.size for a tool's result, or what an override has in its place.
func (p *Policy) previewSize(role, agent, tool string) *int {
	size, narrowest := p.Preview.Size, 0
	for i := range p.Overrides {
		o := &p.Overrides[i]
		if n := o.narrowness(); o.Preview.Given && n >= narrowest && o.matches(role, agent, tool) {
			narrowest, size = n, nil
			if o.Preview.Limit != nil {
				whole := int(*o.Preview.Limit)
				size = &whole
			}
		}
	}
	return size
}

// previewHeadShare is preview.head_share for a tool's result, or what an override has in its place.
func (p *Policy) previewHeadShare(role, agent, tool string) float64 {
	share, narrowest := p.Preview.HeadShare, 0
	for i := range p.Overrides {
		o := &p.Overrides[i]
		if n := o.narrowness(); o.HeadShare.Limit != nil && n >= narrowest && o.matches(role, agent, tool) {
			narrowest, share = n, *o.HeadShare.Limit
		}
	}
	return share
}
