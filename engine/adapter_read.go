package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// An Adapted is a harness's own settings as a policy.
type Adapted struct {
	Harness string // "TrueForge"
	Policy  *Policy
	Changes []SettingChange // in the order of the harness's settings; none where the file says what holds without it
	// Ignored are settings that stand in the file and change nothing here, each with the reason:
	// one clause.
	Ignored []string
}

// A SettingChange is what one setting of a harness changed of the policy it started from, which is
// the built-in one of Policy.Name.
type SettingChange struct {
	Setting string   // as the harness calls it, dotted
	Value   string   // as it stands there
	Fields  []string // "limits.per_result=4000"
}

// ParseSettings reads the settings file of a harness as a policy. It knows the harness by what stands
// in the file, not by its name: nil, without an error, where it is none's. Errors: *PolicyError, its
// Field in the harness's words.
func ParseSettings(doc []byte) (*Adapted, error) {
	for _, x := range []settingsSyntax{jsonSettings, tomlSettings, envSettings} {
		tree, err := x.read(doc)
		if err != nil {
			return nil, err
		}
		if tree == nil {
			continue
		}
		for i := range harnesses {
			if h := &harnesses[i]; h.syntax == x && h.owns(tree) {
				return h.adapt(tree)
			}
		}
	}
	return nil, nil
}

// read reads a file of this syntax: nil where it is of another. An error says that it is of this one,
// and damaged.
func (x settingsSyntax) read(doc []byte) (map[string]any, error) {
	doc = bytes.TrimPrefix(doc, []byte("\ufeff"))
	tree := map[string]any{}
	switch x {
	case jsonSettings:
		standard, err := hujson.Standardize(bytes.Clone(doc))
		if err != nil {
			return nil, nil // the reader of policy documents says what is wrong with it
		}
		d := json.NewDecoder(bytes.NewReader(standard))
		d.UseNumber()
		if d.Decode(&tree) != nil {
			return nil, nil
		}
	case tomlSettings:
		if looksLikeJSONSettings(doc) {
			return nil, nil
		}
		if err := toml.Unmarshal(doc, &tree); err != nil {
			return nil, brokenTOML(doc, err)
		}
	case envSettings:
		return readEnvironment(doc), nil
	}
	return tree, nil
}

func looksLikeJSONSettings(doc []byte) bool {
	doc = bytes.TrimSpace(doc)
	return len(doc) == 0 || doc[0] == '{' || bytes.HasPrefix(doc, []byte("//")) || bytes.HasPrefix(doc, []byte("/*"))
}

// brokenTOML is the error of a file that names a setting of a TOML harness, and is no TOML. Any other
// file may be something else altogether: nil.
func brokenTOML(doc []byte, err error) error {
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return nil
	}
	for _, h := range harnesses {
		for _, s := range h.settings {
			if h.syntax == tomlSettings && bytes.Contains(doc, []byte(lastKey(s.path))) {
				line, _ := at.Position()
				return &PolicyError{Line: line, Field: "the " + h.title + " settings", Reason: "are not TOML: " + strings.TrimPrefix(at.Error(), "toml: ")}
			}
		}
	}
	return nil
}

// readEnvironment reads lines of KEY=VALUE as a shell or an env file has them; nil where any other
// line is among them.
func readEnvironment(doc []byte) map[string]any {
	tree := map[string]any{}
	for _, line := range strings.Split(string(doc), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if key = strings.TrimSpace(key); !ok || key == "" || strings.ContainsAny(key, " \t{}[]\"'") {
			return nil
		}
		tree[key] = unquoted(strings.TrimSpace(value))
	}
	return tree
}

func unquoted(s string) string {
	if n := len(s); n > 1 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}

// owns tells whether tree holds anything that is this harness's alone.
func (h *harness) owns(tree map[string]any) bool {
	for _, m := range h.marks {
		if _, ok := settingAt(tree, m); ok {
			return true
		}
	}
	for _, s := range h.settings {
		if _, ok := settingAt(tree, s.path); ok {
			return true
		}
	}
	return slices.ContainsFunc(h.silent, func(s silentSetting) bool { _, ok := settingAt(tree, s.path); return ok })
}

// settingAt finds the value at a dotted path, a key of which may have dots in it as VS Code writes its settings.
func settingAt(tree map[string]any, path string) (any, bool) {
	if v, ok := tree[path]; ok {
		return v, true
	}
	for i := range len(path) {
		if path[i] != '.' {
			continue
		}
		if below, ok := tree[path[:i]].(map[string]any); ok {
			if v, ok := settingAt(below, path[i+1:]); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// adapt makes the policy of h with what tree says.
func (h *harness) adapt(tree map[string]any) (*Adapted, error) {
	base, err := Load(h.base)
	if err != nil {
		return nil, err
	}
	a := &Adapted{Harness: h.title}
	var given []givenSetting
	for _, s := range h.settings {
		v, ok := settingAt(tree, s.path)
		if !ok || v == nil {
			continue
		}
		value, err := h.value(base, s, v)
		if err != nil {
			return nil, err
		}
		g := givenSetting{s, value}
		given = append(given, g)
		a.Changes = append(a.Changes, SettingChange{Setting: s.path, Value: fmt.Sprint(value), Fields: g.changes()})
	}
	for _, s := range h.silent {
		if _, ok := settingAt(tree, s.path); ok {
			a.Ignored = append(a.Ignored, s.path+" "+s.why)
		}
	}
	a.Ignored = append(a.Ignored, h.unknown(tree)...)
	a.Policy, err = h.apply(base, given)
	return a, err
}

// unknown are the settings that stand beside known ones and are not known here.
func (h *harness) unknown(tree map[string]any) []string {
	known := map[string][]string{}
	for _, s := range h.settings {
		if i := strings.LastIndexByte(s.path, '.'); i > 0 {
			known[s.path[:i]] = append(known[s.path[:i]], s.path[i+1:])
		}
	}
	var list []string
	for _, parent := range slices.Sorted(maps.Keys(known)) {
		v, _ := settingAt(tree, parent)
		below, ok := v.(map[string]any)
		if !ok || !h.whole(parent) {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(below)) {
			if !slices.Contains(known[parent], key) {
				list = append(list, parent+"."+key+" is not known here; the nearest is "+nearestName(key, known[parent]))
			}
		}
	}
	return list
}

// whole tells whether all that can stand below parent is known: it lies below one of h's marks.
func (h *harness) whole(parent string) bool {
	return slices.ContainsFunc(h.marks, func(m string) bool { return strings.HasPrefix(parent, m) })
}

// value reads a setting's value as what its first field takes.
func (h *harness) value(base *Policy, s harnessSetting, v any) (any, error) {
	values, err := base.values()
	if err != nil {
		return nil, err
	}
	wrong := func(takes string) error {
		return &PolicyError{Field: s.path, Reason: fmt.Sprintf("takes %s, not %s", takes, settingText(v)), Hint: "these are " + h.title + "'s settings"}
	}
	text := fmt.Sprint(v)
	if _, isString := v.(string); isString && h.syntax != envSettings && !strings.HasPrefix(s.path, "env.") {
		text = ""
	}
	if _, isSwitch := valueAt(values, s.fields[0]).(bool); isSwitch {
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, wrong("true or false")
		}
		return b, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 && !s.off {
		return nil, wrong("a whole number")
	}
	return n, nil
}

func settingText(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	}
	return fmt.Sprint(v)
}

// changes are the fields that a setting gives, as Set takes them.
func (g givenSetting) changes() []string {
	n, isNumber := g.value.(int64)
	if isNumber && n <= 0 && g.setting.off {
		return []string{"enabled=false"}
	}
	var list []string
	for _, f := range g.setting.fields {
		list = append(list, fmt.Sprintf("%s=%v", f, g.value))
	}
	return list
}

// apply changes base by settings. Error: *PolicyError, which names the settings too.
func (h *harness) apply(base *Policy, given []givenSetting) (*Policy, error) {
	if len(given) == 0 {
		return base, nil
	}
	var changes, paths []string
	for _, g := range given {
		changes, paths = append(changes, g.changes()...), append(paths, g.setting.path)
	}
	p, err := base.Set(changes...)
	var wrong *PolicyError
	if errors.As(err, &wrong) {
		wrong.Hint = "it comes from " + h.title + "'s " + strings.Join(paths, ", ")
	}
	return p, err
}
