package engine

import (
	"slices"
	"strings"
)

// A harness is a product whose own settings say part of what a policy says. What it has of settings
// is data: adapter_harnesses.go.
type harness struct {
	name     string // as HarnessNames lists it
	title    string // as people write it
	file     string // where its users put the settings
	syntax   settingsSyntax
	flat     bool   // keys are written with their dots, not as objects in objects
	base     string // the built-in policy that its settings start from
	settings []harnessSetting
	// marks are places in a file that only this harness has; any of them, or of a setting, makes
	// the file this harness's.
	marks []string
	// silent are settings that people set in the hope of changing what a policy does, with what
	// they do instead: one clause.
	silent []silentSetting
}

// settingsSyntax is how a harness's settings are written.
type settingsSyntax string

const (
	jsonSettings settingsSyntax = "json" // with comments and trailing commas
	tomlSettings settingsSyntax = "toml"
	envSettings  settingsSyntax = "environment" // KEY=VALUE lines, of a shell or an env file
)

// A harnessSetting is one of its settings: a switch or a whole number.
type harnessSetting struct {
	path   string   // dotted, in the file; the name of an environment variable
	fields []string // of the policy, dotted; each takes the value as it is
	// off: a number of 0 or less switches the whole policy off.
	off bool
}

type silentSetting struct{ path, why string }

// HarnessNames lists the harnesses whose settings can be read and written, sorted.
func HarnessNames() []string {
	var names []string
	for _, h := range harnesses {
		names = append(names, h.name)
	}
	slices.Sort(names)
	return names
}

func harnessNamed(name string) (*harness, error) {
	for i := range harnesses {
		if harnesses[i].name == name {
			return &harnesses[i], nil
		}
	}
	return nil, &PolicyError{Field: "harness " + strings.ToLower(name), Reason: "has no settings that are known here; there are " + strings.Join(HarnessNames(), ", ")}
}

// A Setting is a policy in a harness's own words.
type Setting struct {
	Harness string // "TrueForge"
	Base    string // the built-in policy that its settings start from
	File    string // where it belongs, "agent.json"; "environment" for variables
	Text    string // what stands there, ended by a line break; empty where nothing can be said
	// Refused are the fields, dotted, in which the policy differs from what its harness does and
	// that the harness has no setting for. With any of them Text is not the whole policy.
	Refused []string
}

// HarnessSettings writes p in the words of the harnesses that it is a policy of: those that start
// from a built-in policy of p's name. It is empty for a policy whose vendor has no settings, and for
// one under a name of its own; SettingsAs writes that.
func (p *Policy) HarnessSettings() []Setting {
	var list []Setting
	for i := range harnesses {
		if h := &harnesses[i]; h.base == p.Name {
			if s, err := h.write(p); err == nil {
				list = append(list, s)
			}
		}
	}
	return list
}

// SettingsAs writes p in the words of one harness, by its name of HarnessNames. Error: *PolicyError
// where there is no such harness; what the harness cannot say is in Setting.Refused.
func (p *Policy) SettingsAs(name string) (Setting, error) {
	h, err := harnessNamed(name)
	if err != nil {
		return Setting{}, err
	}
	return h.write(p)
}
