package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// write says p by h's settings. Only what differs from what h does without settings is written; where
// nothing does, every setting with its number stands there. What is written is read back: whatever
// then still differs from p is refused.
func (h *harness) write(p *Policy) (Setting, error) {
	base, err := Load(h.base)
	if err != nil {
		return Setting{}, err
	}
	want, err := p.values()
	if err != nil {
		return Setting{}, err
	}
	have, err := base.values()
	if err != nil {
		return Setting{}, err
	}
	given := h.given(func(s harnessSetting) bool {
		return slices.ContainsFunc(s.fields, func(f string) bool {
			return !reflect.DeepEqual(valueAt(want, f), valueAt(have, f))
		})
	}, want)
	back, err := h.apply(base, given)
	if err != nil {
		return Setting{}, err
	}
	got, err := back.values()
	if err != nil {
		return Setting{}, err
	}
	s := Setting{Harness: h.title, Base: h.base, File: h.file}
	for _, name := range decidingFields() {
		if !reflect.DeepEqual(valueAt(want, name), valueAt(got, name)) {
			s.Refused = append(s.Refused, name)
		}
	}
	if len(given) == 0 && len(s.Refused) == 0 {
		given = h.given(func(harnessSetting) bool { return true }, want)
	}
	if len(given) > 0 {
		s.Text, err = h.text(given)
	}
	return s, err
}

// A givenSetting is a setting with its value: bool or int64.
type givenSetting struct {
	setting harnessSetting
	value   any
}

// given are the settings that are wanted, each with the value that its first field has in values;
// those whose field has none that a setting could hold are left out.
func (h *harness) given(wanted func(harnessSetting) bool, values map[string]any) []givenSetting {
	var list []givenSetting
	for _, s := range h.settings {
		if !wanted(s) {
			continue
		}
		switch v := valueAt(values, s.fields[0]).(type) {
		case bool:
			list = append(list, givenSetting{s, v})
		case float64:
			if v == float64(int64(v)) {
				list = append(list, givenSetting{s, int64(v)})
			}
		}
	}
	return list
}

// values is p as its document's JSON values.
func (p *Policy) values() (map[string]any, error) {
	var v map[string]any
	err := json.Unmarshal(p.Document(), &v)
	return v, err
}

// decidingFields are the dotted names of all fields that can change what a policy does.
func decidingFields() []string {
	return slices.DeleteFunc(documentField().names("", false), func(name string) bool { return describing[name] })
}

// describing are the fields that only say what a policy is.
var describing = map[string]bool{"name": true, "title": true, "notes": true, "sources": true, "fixed": true}

// text writes settings as they stand in the harness's file.
func (h *harness) text(given []givenSetting) (string, error) {
	if h.syntax == envSettings {
		var b strings.Builder
		for _, g := range given {
			fmt.Fprintf(&b, "%s=%v\n", g.setting.path, g.value)
		}
		return b.String(), nil
	}
	tree := map[string]any{}
	for _, g := range given {
		path := strings.Split(g.setting.path, ".")
		if h.flat {
			path = []string{g.setting.path}
		}
		put(tree, path, g.value)
	}
	var b bytes.Buffer
	if h.syntax == tomlSettings {
		err := toml.NewEncoder(&b).Encode(tree)
		return b.String(), err
	}
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	err := e.Encode(tree)
	return b.String(), err
}

// put sets the value at a path of keys, with the objects on the way.
func put(tree map[string]any, path []string, value any) {
	for _, key := range path[:len(path)-1] {
		below, ok := tree[key].(map[string]any)
		if !ok {
			below = map[string]any{}
			tree[key] = below
		}
		tree = below
	}
	tree[path[len(path)-1]] = value
}
