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
	policy   *Policy // nil where the facts were read from a file
	fields   map[string]string
	replayed bool // what was decided is kept, since facts are not enough; fields has all that decides
}

// faultField is the fault under which a setting was replayed, beside the policy's fields.
const faultField = "fault"

// How deciding from facts takes a field of the policy.
type fieldUse int

const (
	ignoredField  fieldUse = iota // it changes no decision
	decidedField                  // it can be anything: the facts hold what it is compared with
	measuredField                 // it shapes what was measured, and has to be as it was then
	replayedField                 // anywhere but at its default it takes a replay
)

// useOf says how a field is used. What is not named here takes a replay: a field that the policy language
// gains is never passed over.
func useOf(field string) fieldUse {
	switch field {
	case "name", "title", "notes", "sources", "fixed", "retention.seconds", "retention.count", "retention.bytes", "labels":
		return ignoredField
	case "enabled", "boundary", "limits.per_result", "limits.second", "limits.combined", "limits.combined_unit", "limits.combined_rule",
		"limits.combined_least", "limits.hard_bytes", "structured.only", "structured.max_string_share", "sandbox.enabled", "sandbox.tools",
		"package.must_shrink", "overrides":
		return decidedField // unless byReplays says otherwise
	case "strategy", "estimator", "limits.unit", "limits.second_unit", "limits.scope", "errors.truncate_chars", "instructions.key", "sandbox.required",
		"package.reference", "package.path", "package.notice_chars", "package.on_loss", "unwrap.mcp", "unwrap.join", "schema.budget", "schema.map_keys":
		return measuredField
	}
	switch group, _, _ := strings.Cut(field, "."); group {
	case "preview", "applies":
		return measuredField
	case "history":
		return ignoredField // a rule that is on takes a replay
	}
	return replayedField
}

// payloadFields are those that say what of a result is the payload: facts have them once, whatever
// else they are measured for.
var payloadFields = []string{"unwrap.mcp", "instructions.key"}

// settingOf reads p's setting: what shapes facts, or all that a replay goes by. Error: *PolicyError.
func settingOf(p *Policy, replayed bool) (setting, error) {
	s := setting{policy: p, fields: map[string]string{}, replayed: replayed}
	var doc map[string]any
	if err := json.Unmarshal(p.Document(), &doc); err != nil {
		return s, err
	}
	for _, name := range documentField().names("", false) {
		use := useOf(name)
		if use == ignoredField && (!s.replayed || !strings.HasPrefix(name, "history.")) || use != measuredField && !s.replayed {
			continue
		}
		value, err := json.Marshal(valueAt(doc, name))
		if err != nil {
			return s, err
		}
		s.fields[name] = string(value)
	}
	return s, nil
}

// ByReplays names the field of p that can't be decided from what is measured of a result alone, and why, as
// one sentence without a full stop: each value of such a policy takes a replay. It is empty where facts are
// enough.
func (p *Policy) ByReplays() string {
	if h := p.History; h.Active() {
		return "history.over lets results go later"
	}
	if !p.Enabled {
		return ""
	}
	perResult, combined := p.Limits.PerResult != nil || p.Limits.Second != nil, p.Limits.Combined != nil
	for i, o := range p.Overrides {
		if o.Preview.Given {
			return fmt.Sprintf("overrides[%d].preview_size shapes what enters by tool or agent", i)
		}
		if o.HeadShare.Given {
			return fmt.Sprintf("overrides[%d].preview_head_share shapes what enters by tool or agent", i)
		}
		perResult = perResult || o.PerResult.Limit != nil || o.Second.Limit != nil
		combined = combined || o.Combined.Limit != nil
	}
	inTokens := func(u Unit) bool { return u == Tokens || u == "" }
	if combined {
		switch l := p.Limits; {
		case l.CombinedRule != LargestFirst && l.CombinedRule != "":
			return "limits.combined_rule " + string(l.CombinedRule) + " looks at whole batches"
		case !inTokens(l.CombinedUnit):
			return "limits.combined_unit " + string(l.CombinedUnit) + " is not tokens"
		case !inTokens(l.Unit) || l.Scope == EachPart || p.Limits.Second != nil:
			return "limits.combined goes with a limit for one result that measures something else"
		}
	}
	if !perResult && !combined {
		return ""
	}
	if p.Limits.Scope == EachPart {
		return "limits.scope part replaces only the parts of a result that are over"
	}
	v := p.Preview
	switch {
	case v.Kind == CutKind && v.Size == nil, v.Kind == WholeLinesKind && (v.Size == nil || v.Lines == nil):
		return "preview.kind " + v.Kind + " keeps what the limits allow"
	}
	if field := p.unthoughtOf(); field != "" {
		return field + " is new to the facts"
	}
	return ""
}

// unthoughtOf is a field that useOf does not know, and that is not at its default; empty without.
func (p *Policy) unthoughtOf() string {
	unknown := slices.DeleteFunc(documentField().names("", false), func(name string) bool { return useOf(name) != replayedField })
	if len(unknown) == 0 {
		return ""
	}
	var doc map[string]any
	if json.Unmarshal(p.Document(), &doc) != nil {
		return "the policy"
	}
	defaults := documentField().defaults().(map[string]any)
	for _, name := range unknown {
		value, err := json.Marshal(valueAt(doc, name))
		if usual, other := json.Marshal(valueAt(defaults, name)); err != nil || other != nil || string(usual) != string(value) {
			return name
		}
	}
	return ""
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

// byUnit tells whether the limits for one result are compared with something else than its tokens.
func (s setting) byUnit() bool {
	return s.fields["limits.unit"] != `""` && s.fields["limits.unit"] != `"tokens"` || s.fields["limits.scope"] == `"part"`
}

func anyField(string) bool { return true }

// setting finds the one that p can be decided with. Error: *PolicyError naming the field in which p
// differs from the nearest.
func (c *Corpus) setting(p *Policy) (int, error) {
	s, err := settingOf(p, c.Replayed() || p.ByReplays() != "")
	if err != nil {
		return 0, err
	}
	if s.replayed {
		s.fields[faultField] = string(c.fault)
	}
	stays := !p.Enabled && !p.History.Active()
	matters := func(name string) bool {
		switch {
		case stays: // everything, as it is
			return name == "estimator" || name == "unwrap.mcp" || name == "unwrap.join"
		case s.replayed:
			return true
		case name == "errors.truncate_chars":
			return p.Errors.TruncateChars != nil // without, failed calls are like any other
		case name == "limits.second_unit":
			return p.Limits.Second != nil || slices.ContainsFunc(p.Overrides, func(o Override) bool { return o.Second.Limit != nil })
		case name == "sandbox.required": // a notice names the sandbox's file
			return p.Package.Reference == FileReference && knownLoss(p, c.fault) == ""
		case strings.HasPrefix(name, "schema.") && p.Schema.Budget == 0:
			return name == "schema.budget" || p.Preview.Kind == RecordsKind
		}
		return useOf(name) == measuredField
	}
	nearest, field, fewest := 0, "", -1
	for i, t := range c.settings {
		if !stays && s.replayed != t.replayed {
			continue
		}
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
	if fewest < 0 {
		return 0, &PolicyError{Reason: p.ByReplays() + ": that takes a replay, and facts are all there is", Hint: "floodmark tune does it with the recordings"}
	}
	e := &PolicyError{Field: field, Reason: fmt.Sprintf("%s is not what the facts were measured with, which is %s", s.fields[field], c.settings[nearest].fields[field]),
		Hint: "collect them again with this policy"}
	if c.Replayed() && s.policy.ByReplays() != "" {
		e.Reason = fmt.Sprintf("%s takes a replay: %s; floodmark tune sweeps it", s.fields[field], s.policy.ByReplays())
	}
	if l := c.Ladder(field); len(l) > 1 {
		e.Hint = "they were measured with " + strings.Join(l, ", ")
	}
	return 0, e
}

// Ladder lists the values of a field, as JSON, that c is measured for, in the order in which they were
// asked for; nil for a field that can be set to anything, and for one that facts know nothing of.
func (c *Corpus) Ladder(key string) []string {
	var values []string
	if useOf(key) != measuredField && !c.Replayed() {
		return nil
	}
	for _, s := range c.settings {
		if v, ok := s.fields[key]; ok && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// Replayed tells whether c holds what replays decided, for the settings only that it was made for: facts are
// not enough for one of its policies (see Policy.ByReplays).
func (c *Corpus) Replayed() bool { return len(c.settings) > 0 && c.settings[0].replayed }

// ShapesFacts tells whether a field shapes what is measured, so that facts hold the values only that they
// were measured for; see NewCorpus and Ladder.
func ShapesFacts(key string) bool { return useOf(key) == measuredField }
