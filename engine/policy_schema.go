package engine

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed policy.schema.json
var documentSchema []byte

// DocumentSchema is the JSON Schema (2020-12) of policy documents, with a description, a default
// and, in "$comment", the unit of every field. Parse goes by it: what it refuses, Parse refuses.
func DocumentSchema() []byte { return slices.Clone(documentSchema) }

// A policyField is the schema of one field, as far as policy.schema.json uses JSON Schema.
type policyField struct {
	Type             policyFieldTypes        `json:"type"`
	Default          any                     `json:"default"`
	Enum             []string                `json:"enum"`
	Minimum          *float64                `json:"minimum"`
	ExclusiveMinimum *float64                `json:"exclusiveMinimum"`
	Maximum          *float64                `json:"maximum"`
	MinLength        int                     `json:"minLength"`
	MaxItems         *int                    `json:"maxItems"`
	Pattern          string                  `json:"pattern"`
	Items            *policyField            `json:"items"`
	Properties       map[string]*policyField `json:"properties"`
	Required         []string                `json:"required"`
}

// policyFieldTypes are one type name or a list of them.
type policyFieldTypes []string

func (t *policyFieldTypes) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = policyFieldTypes{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// documentField is the schema of a whole document.
var documentField = sync.OnceValue(func() *policyField {
	var f policyField
	if err := json.Unmarshal(documentSchema, &f); err != nil {
		panic("engine: policy.schema.json: " + err.Error())
	}
	return &f
})

// defaults returns the value of a field that is left out.
func (f *policyField) defaults() any {
	if f.Properties == nil {
		return f.Default
	}
	object := make(map[string]any, len(f.Properties))
	for name, p := range f.Properties {
		object[name] = p.defaults()
	}
	return object
}

// names lists the dotted names of f's fields below path, sorted; objects only where they are asked
// for, and nothing inside lists.
func (f *policyField) names(path string, objects bool) []string {
	var names []string
	for _, key := range slices.Sorted(maps.Keys(f.Properties)) {
		p, name := f.Properties[key], dotted(path, key)
		if p.Properties == nil || objects {
			names = append(names, name)
		}
		names = append(names, p.names(name, objects)...)
	}
	return names
}

func dotted(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// overlay returns base with n put over it: objects member by member, anything else as a whole.
// Error: *PolicyError, the first in document order.
func (f *policyField) overlay(base any, n *docNode, path string) (any, error) {
	if err := f.check(n); err != "" {
		return nil, &PolicyError{Line: n.line, Field: path, Reason: err}
	}
	switch {
	case n.kind == '{':
		return f.overlayObject(base, n, path)
	case n.kind == '[':
		list := make([]any, len(n.items))
		for i, item := range n.items {
			v, err := f.Items.overlay(nil, item, fmt.Sprintf("%s[%d]", path, i))
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return list, nil
	case slices.Contains(f.Type, "integer") && n.scalar != nil:
		whole, _ := n.whole()
		return whole, nil
	}
	return n.scalar, nil
}

func (f *policyField) overlayObject(base any, n *docNode, path string) (any, error) {
	object := map[string]any{}
	if b, ok := base.(map[string]any); ok {
		maps.Copy(object, b)
	}
	seen := map[string]bool{}
	for _, m := range n.members {
		name := dotted(path, m.key)
		p := f.Properties[m.key]
		switch {
		case p == nil:
			return nil, f.unknown(path, m)
		case seen[m.key]:
			return nil, &PolicyError{Line: m.value.line, Field: name, Reason: "is given twice"}
		}
		seen[m.key] = true
		v, err := p.overlay(object[m.key], m.value, name)
		if err != nil {
			return nil, err
		}
		object[m.key] = v
	}
	for _, key := range f.Required {
		if !seen[key] {
			return nil, &PolicyError{Line: n.line, Field: path, Reason: "lacks " + key}
		}
	}
	return object, nil
}

// unknown is the error for a member that no field has.
func (f *policyField) unknown(path string, m docMember) error {
	names := f.names(path, true)
	if !strings.Contains(path, "[") { // a list's fields have no names outside of it
		names = documentField().names("", true)
	}
	name := dotted(path, m.key)
	best := nearestName(m.key, lastKeys(names))
	// Of the fields that share the nearest last part, the one whose whole name is nearest.
	names = slices.DeleteFunc(names, func(n string) bool { return lastKey(n) != best })
	return &PolicyError{Line: m.value.line, Field: name,
		Reason: "is not a field of a policy; the nearest is " + nearestName(name, names),
		Hint:   "floodmark policy schema lists all fields"}
}

func lastKeys(names []string) []string {
	var list []string
	for _, n := range names {
		list = append(list, lastKey(n))
	}
	return list
}

func lastKey(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// check says what is wrong with n itself, not with what it holds; empty where nothing is.
func (f *policyField) check(n *docNode) string {
	wrong := "takes " + f.takes() + ", not " + n.is()
	if !f.accepts(n) {
		return wrong
	}
	switch v := n.scalar.(type) {
	case json.Number:
		x, err := v.Float64()
		if err != nil || f.Minimum != nil && x < *f.Minimum || f.ExclusiveMinimum != nil && x <= *f.ExclusiveMinimum ||
			f.Maximum != nil && x > *f.Maximum {
			return wrong
		}
	case string:
		switch {
		case f.Enum != nil && !slices.Contains(f.Enum, v):
			return fmt.Sprintf("takes %s, not %q", f.takes(), v)
		case utf8.RuneCountInString(v) < f.MinLength:
			return "is empty"
		case f.Pattern != "" && !regexp.MustCompile(f.Pattern).MatchString(v):
			return "does not look like " + f.Pattern
		}
	}
	if f.MaxItems != nil && len(n.items) > *f.MaxItems {
		return fmt.Sprintf("has %d entries, over the limit of %d", len(n.items), *f.MaxItems)
	}
	return ""
}

// accepts tells whether n is of a type that f takes.
func (f *policyField) accepts(n *docNode) bool {
	for _, t := range f.Type {
		ok := false
		switch v := n.scalar.(type) {
		case json.Number:
			_, whole := n.whole()
			ok = t == "number" || t == "integer" && whole
		case string:
			ok = t == "string"
		case bool:
			ok = t == "boolean"
		default:
			ok = t == map[byte]string{'{': "object", '[': "array", 0: "null"}[n.kind] && v == nil
		}
		if ok {
			return true
		}
	}
	return false
}

// whole returns a number without fraction as Go reads integers (1e3 is 1000).
func (n *docNode) whole() (json.Number, bool) {
	number, _ := n.scalar.(json.Number)
	x, err := number.Float64()
	if err != nil || x != float64(int64(x)) {
		return "", false
	}
	return json.Number(strconv.FormatInt(int64(x), 10)), true
}

// takes says in words what f takes.
func (f *policyField) takes() string {
	if f.Enum != nil {
		return "one of " + strings.Join(f.Enum, ", ")
	}
	words := make([]string, len(f.Type))
	for i, t := range f.Type {
		words[i] = map[string]string{"number": "a number", "integer": "a whole number", "string": "a string", "boolean": "true or false",
			"array": "a list", "object": "an object", "null": "null"}[t]
		if t == "number" || t == "integer" {
			words[i] += f.span()
		}
	}
	return strings.Join(words, " or ")
}

// mostWhole is the largest whole number up to which float64 has them all: no limit of its own.
const mostWhole = 1<<53 - 1

func (f *policyField) span() string {
	switch {
	case f.ExclusiveMinimum != nil:
		return " over " + plainNumber(*f.ExclusiveMinimum) + " and up to " + plainNumber(*f.Maximum)
	case f.Minimum != nil && f.Maximum != nil && *f.Maximum < mostWhole:
		return " from " + plainNumber(*f.Minimum) + " to " + plainNumber(*f.Maximum)
	case f.Minimum != nil:
		return " from " + plainNumber(*f.Minimum)
	}
	return ""
}
