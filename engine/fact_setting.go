package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A setting is what facts were measured with: the fields of a policy that shape what is measured, by
// dotted name, each as its JSON text.
type setting struct {
	policy *Policy // nil where the facts were read from a file
	fields map[string]string
}

// How deciding from facts takes a field of the policy.
type fieldUse int

const (
	ignoredField  fieldUse = iota // it changes no decision
	decidedField                  // it can be anything: the facts hold what it is compared with
	measuredField                 // it shapes what was measured, and has to be as it was then
	unknownField                  // it has to be at its default
)

// useOf says how a field is used. What is not named here is unknown: a field that the policy language
// gains is refused until somebody has thought of it, never passed over.
func useOf(field string) fieldUse {
	switch field {
	case "name", "title", "notes", "sources", "fixed", "retention.seconds", "retention.count", "retention.bytes":
		return ignoredField
	case "enabled", "boundary", "limits.per_result", "limits.combined", "limits.hard_bytes", "structured.only",
		"structured.max_string_share", "sandbox.required", "sandbox.enabled", "sandbox.tools", "package.must_shrink", "overrides":
		return decidedField
	case "estimator", "errors.truncate_chars", "instructions.key",
		"package.reference", "package.path", "package.notice_chars", "unwrap.mcp", "unwrap.join", "schema.budget", "schema.map_keys",
		"preview.kind", "preview.records", "preview.string_chars", "preview.inner_items", "preview.budget",
		"preview.head_chars", "preview.tail_chars", "preview.redact":
		return measuredField
	}
	return unknownField
}

// payloadFields are those that say what of a result is the payload: facts have them once, whatever
// else they are measured for.
var payloadFields = []string{"unwrap.mcp", "instructions.key"}

// settingOf reads p's setting. Error: *PolicyError for a field that facts can't decide about.
func settingOf(p *Policy) (setting, error) {
	s := setting{policy: p, fields: map[string]string{}}
	var doc map[string]any
	if err := json.Unmarshal(p.Document(), &doc); err != nil {
		return s, err
	}
	defaults := documentField().defaults().(map[string]any)
	for _, name := range documentField().names("", false) {
		value, err := json.Marshal(valueAt(doc, name))
		if err != nil {
			return s, err
		}
		switch useOf(name) {
		case measuredField:
			s.fields[name] = string(value)
		case unknownField:
			if usual, err := json.Marshal(valueAt(defaults, name)); err != nil || string(usual) != string(value) {
				return s, &PolicyError{Field: name, Reason: "is not something that can be decided from facts yet", Hint: "replay shows what it does"}
			}
		}
	}
	return s, decidable(p)
}

// decidable refuses what known fields say that deciding from facts does not know.
func decidable(p *Policy) error {
	if p.Boundary != Exceeds && p.Boundary != Reaches {
		return &PolicyError{Field: "boundary", Reason: fmt.Sprintf("%q is not something that can be decided from facts yet", p.Boundary)}
	}
	if k := p.Preview.Kind; k != RecordsKind && k != HeadTailKind { // others may depend on the limits
		return &PolicyError{Field: "preview.kind", Reason: fmt.Sprintf("%q is not something that can be decided from facts yet", k)}
	}
	if !slices.Contains([]Estimator{Bytes4, Chars4, UTF164, O200kBase, CL100kBase}, p.Estimator) {
		return &PolicyError{Field: "estimator", Reason: fmt.Sprintf("%s does not count in whole tokens or quarters, as facts do", p.Estimator)}
	}
	overrides, err := json.Marshal(p.Overrides)
	if err != nil {
		return err
	}
	var list []map[string]any
	if err := json.Unmarshal(overrides, &list); err != nil {
		return err
	}
	for i, o := range list {
		for name := range o {
			if !slices.Contains([]string{"tool", "agent", "role", "per_result", "combined"}, name) {
				return &PolicyError{Field: fmt.Sprintf("overrides[%d].%s", i, name), Reason: "is not something that can be decided from facts yet"}
			}
		}
	}
	return nil
}

// differs names the first field, sorted, in which s differs from t; empty where none does.
func (s setting) differs(t setting, matters func(field string) bool) string {
	for _, name := range sortedKeys(s.fields) {
		if s.fields[name] != t.fields[name] && matters(name) {
			return name
		}
	}
	for _, name := range sortedKeys(t.fields) {
		if _, both := s.fields[name]; !both && matters(name) {
			return name
		}
	}
	return ""
}

func anyField(string) bool { return true }

// setting finds the one that p can be decided with. Error: *PolicyError naming the field in which p
// differs from the nearest.
func (c *Corpus) setting(p *Policy) (int, error) {
	s, err := settingOf(p)
	if err != nil {
		return 0, err
	}
	matters := func(name string) bool {
		switch {
		case !p.Enabled: // everything stays as it is
			return name == "estimator" || name == "unwrap.mcp" || name == "unwrap.join"
		case name == "errors.truncate_chars":
			return p.Errors.TruncateChars != nil // without, failed calls are like any other
		case strings.HasPrefix(name, "schema.") && p.Schema.Budget == 0:
			return name == "schema.budget" || p.Preview.Kind == RecordsKind
		}
		return true
	}
	nearest, field, fewest := 0, "", -1
	for i, t := range c.settings {
		first, n := s.differs(t, matters), 0
		if first == "" {
			return i, nil
		}
		for name := range s.fields {
			if s.fields[name] != t.fields[name] {
				n++
			}
		}
		if fewest < 0 || n < fewest {
			nearest, field, fewest = i, first, n
		}
	}
	if len(c.settings) == 0 {
		return 0, &PolicyError{Reason: "can't be decided: there are no facts"}
	}
	e := &PolicyError{Field: field, Reason: fmt.Sprintf("%s is not what the facts were measured with, which is %s", s.fields[field], c.settings[nearest].fields[field]),
		Hint: "collect them again with this policy"}
	if l := c.Ladder(field); len(l) > 1 {
		e.Hint = "they were measured with " + strings.Join(l, ", ")
	}
	return 0, e
}

// Ladder lists the values of a field, as JSON, that c is measured for, in the order in which they were
// asked for; nil for a field that can be set to anything, and for one that facts know nothing of.
func (c *Corpus) Ladder(key string) []string {
	if useOf(key) != measuredField {
		return nil
	}
	var values []string
	for _, s := range c.settings {
		if v, ok := s.fields[key]; ok && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// ShapesFacts tells whether a field shapes what is measured, so that facts hold the values only that they
// were measured for; see NewCorpus and Ladder.
func ShapesFacts(key string) bool { return useOf(key) == measuredField }
