package engine

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
)

//go:embed policies/*.json
var policyFiles embed.FS

// firstPolicies are what the project is about, and the measure for all others.
var firstPolicies = []string{"moveworks", "trueforge", "none"}

// Builtin lists the names of the built-in policies: moveworks, trueforge and "none", which does
// nothing, then the others by name.
func Builtin() []string {
	files, err := policyFiles.ReadDir("policies")
	if err != nil {
		panic("engine: " + err.Error())
	}
	names := slices.Clone(firstPolicies)
	for _, f := range files {
		if name := strings.TrimSuffix(f.Name(), ".json"); !slices.Contains(firstPolicies, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[len(firstPolicies):])
	return names
}

// Load returns the built-in policy of this name. Error: *PolicyError.
func Load(name string) (*Policy, error) {
	if !slices.Contains(Builtin(), name) {
		return nil, &PolicyError{Field: fmt.Sprintf("policy %q", name),
			Reason: "is not built in; there are " + strings.Join(Builtin(), ", "),
			Hint:   "the nearest is " + nearestName(name, Builtin()) + "; a file of your own is given by its path"}
	}
	doc, err := policyFiles.ReadFile(path.Join("policies", name+".json"))
	if err != nil {
		return nil, err
	}
	n, err := readDocument(doc)
	if err != nil {
		return nil, err
	}
	return buildPolicy(documentField().defaults(), n)
}

// Parse reads a policy document. Every field has a default; an unknown field is an error that
// names the nearest known one. Error: *PolicyError, its Line set where it can be told.
func Parse(doc []byte) (*Policy, error) {
	n, err := readDocument(doc)
	if err != nil {
		return nil, err
	}
	p, err := buildPolicy(documentField().defaults(), n)
	if err != nil {
		return nil, err
	}
	return p, p.compare()
}

// Set returns a copy of p with fields changed, each "key=value" with a dotted key; all of them are
// applied together in the order given, then the policy is checked once. A value is JSON; a string
// may come without its quotes. Error: *PolicyError.
func (p *Policy) Set(changes ...string) (*Policy, error) {
	n := &docNode{kind: '{'}
	for _, c := range changes {
		key, value, ok := strings.Cut(c, "=")
		if !ok || key == "" {
			return nil, &PolicyError{Reason: fmt.Sprintf("is changed by key=value, not by %q", c), Hint: "for example limits.per_result=4000"}
		}
		n.set(strings.Split(key, "."), changeValue(key, value))
	}
	var base any
	d := json.NewDecoder(strings.NewReader(string(p.Document())))
	d.UseNumber()
	if err := d.Decode(&base); err != nil {
		return nil, err
	}
	q, err := buildPolicy(base, n)
	if err != nil {
		return nil, err
	}
	return q, q.compare()
}

// set puts v at a dotted key below n, in the place of what is there.
func (n *docNode) set(key []string, v *docNode) {
	i := slices.IndexFunc(n.members, func(m docMember) bool { return m.key == key[0] })
	if len(key) > 1 {
		below := &docNode{kind: '{'}
		if i >= 0 && n.members[i].value.kind == '{' {
			below = n.members[i].value
		}
		below.set(key[1:], v)
		v = below
	}
	if i >= 0 {
		n.members[i].value = v
		return
	}
	n.members = append(n.members, docMember{key[0], v})
}

// changeValue reads the value of a change: as JSON where it is JSON that the field may take, else
// as a string without quotes.
func changeValue(key, value string) *docNode {
	f := documentField()
	for _, k := range strings.Split(key, ".") {
		if f != nil {
			f = f.Properties[k]
		}
	}
	n, err := readDocument([]byte(value))
	if err != nil || f != nil && slices.Equal(f.Type, policyFieldTypes{"string"}) && !f.accepts(n) {
		return &docNode{scalar: value}
	}
	n.forgetLines()
	return n
}

// forgetLines drops the lines of a value that comes from no document.
func (n *docNode) forgetLines() {
	n.line = 0
	for _, m := range n.members {
		m.value.forgetLines()
	}
	for _, i := range n.items {
		i.forgetLines()
	}
}

// buildPolicy makes the policy of base with n put over it, and checks it.
func buildPolicy(base any, n *docNode) (*Policy, error) {
	merged, err := documentField().overlay(base, n, "")
	if err != nil {
		return nil, err
	}
	doc, err := json.Marshal(merged)
	if err != nil {
		return nil, err
	}
	p := new(Policy)
	if err := json.Unmarshal(doc, p); err != nil {
		return nil, &PolicyError{Reason: "can't be read: " + err.Error()}
	}
	return p, p.Validate()
}

// compare sets Changed and WhatIf.
func (p *Policy) compare() error {
	if !slices.Contains(Builtin(), p.Name) {
		return nil
	}
	builtin, err := Load(p.Name)
	if err != nil {
		return err
	}
	var a, b map[string]any
	if err := json.Unmarshal(p.Document(), &a); err != nil {
		return err
	}
	if err := json.Unmarshal(builtin.Document(), &b); err != nil {
		return err
	}
	for _, name := range documentField().names("", false) {
		if name != "title" && name != "sources" && !reflect.DeepEqual(valueAt(a, name), valueAt(b, name)) {
			p.Changed = append(p.Changed, name)
		}
	}
	if builtin.Fixed {
		p.WhatIf = p.Changed
	}
	return nil
}

// valueAt returns the value at a dotted name that is known to be there.
func valueAt(object map[string]any, name string) any {
	key, rest, deeper := strings.Cut(name, ".")
	if !deeper {
		return object[key]
	}
	return valueAt(object[key].(map[string]any), rest)
}
