package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// A LabelRule classifies the variables that all of its selectors match. The narrowest gives the label: tool and
// path before path, path before tool, and of equals the later.
type LabelRule struct {
	Tool string `json:"tool,omitempty"` // the tool's name; * stands for any characters
	// Path is where the payload has to have a value other than null: .rows[].card, or a name alone for a key at
	// any depth. Only payloads that are JSON match it.
	Path  string `json:"path,omitempty"`
	Label string `json:"label"`
}

// labelOf is the label of a variable that holds payload, which a tool gave back; empty for none. valid says that
// the payload is JSON; read gives it, and is called only where a path has to be looked for.
func (p *Policy) labelOf(tool string, valid bool, read func() ([]byte, error)) (string, error) {
	label, narrowest := "", 0
	for _, r := range p.Labels {
		n := r.narrowness()
		if n < narrowest || r.Tool != "" && !starMatches(r.Tool, tool) {
			continue
		}
		if r.Path != "" {
			if !valid {
				continue
			}
			payload, err := read()
			if err != nil {
				return "", err
			}
			path, wrong := readLabelPath(r.Path)
			if wrong != "" || !path.in(payload) {
				continue
			}
		}
		label, narrowest = r.Label, n
	}
	return label, nil
}

// narrowness orders rules: a path says more of a payload than its tool.
func (r LabelRule) narrowness() int {
	n := 0
	if r.Tool != "" {
		n |= 1
	}
	if r.Path != "" {
		n |= 2
	}
	return n
}

// validateLabels refuses rules that select nothing, and paths that can't be read.
func (p *Policy) validateLabels() error {
	for i, r := range p.Labels {
		field := fmt.Sprintf("labels[%d]", i)
		if r.Tool == "" && r.Path == "" {
			return &PolicyError{Field: field, Reason: "selects nothing", Hint: "name a tool or a path"}
		}
		if r.Path == "" {
			continue
		}
		if _, wrong := readLabelPath(r.Path); wrong != "" {
			return &PolicyError{Field: field + ".path", Reason: wrong, Hint: "for example .rows[].card, or card alone for a key at any depth"}
		}
	}
	return nil
}

// A labelPath is a path of a rule: steps from the root, or a key at any depth.
type labelPath struct {
	steps []labelStep
	key   string // at any depth; where it is not empty there are no steps
}

// A labelStep goes to a key's value, to an element, or to all that is in an object or array.
type labelStep struct {
	key   string
	index int // from 0; anyChild for a key or all
	all   bool
}

const anyChild = -1

// readLabelPath reads a path; wrong says what is wrong with it, empty where nothing is.
func readLabelPath(text string) (path labelPath, wrong string) {
	if !strings.HasPrefix(text, ".") {
		if strings.ContainsAny(text, ".[]\"") {
			return path, "does not begin with a dot, and is no name alone"
		}
		return labelPath{key: text}, ""
	}
	for i := 0; i < len(text); {
		switch {
		case text[i] == '[':
			step, size := readBracket(text[i:])
			if size == 0 {
				return path, fmt.Sprintf("has at character %d a bracket that is none of [], [3] and [\"key\"]", i+1)
			}
			path.steps = append(path.steps, step)
			i += size
		case text[i] == '.' && i+1 < len(text) && text[i+1] == '[' && i == 0:
			i++
		case text[i] == '.':
			end := i + 1
			for end < len(text) && text[end] != '.' && text[end] != '[' {
				end++
			}
			if !isIdentifier(text[i+1 : end]) {
				return path, fmt.Sprintf("has at character %d no key that can stand without quotes", i+1)
			}
			path.steps = append(path.steps, labelStep{key: text[i+1 : end], index: anyChild})
			i = end
		default:
			return path, fmt.Sprintf("has at character %d neither a dot nor a bracket", i+1)
		}
	}
	return path, ""
}

// readBracket reads a step in brackets and its bytes; 0 where it is none.
func readBracket(text string) (step labelStep, size int) {
	if strings.HasPrefix(text, `["`) {
		end := 1 + skipString([]byte(text[1:]), 0)
		if end >= len(text) || text[end] != ']' || !valid([]byte(text[1:end])) {
			return step, 0
		}
		return labelStep{key: string(unquote(nil, []byte(text[1:end]), false)), index: anyChild}, end + 1
	}
	inside, _, closed := strings.Cut(text[1:], "]")
	if !closed {
		return step, 0
	}
	if inside == "" {
		return labelStep{index: anyChild, all: true}, 2
	}
	n, err := strconv.ParseUint(inside, 10, 31)
	if err != nil {
		return step, 0
	}
	return labelStep{index: int(n)}, len(inside) + 2
}

// in tells whether valid JSON has a value other than null at the path.
func (l labelPath) in(p []byte) bool {
	if l.key == "" {
		return stepsLead(p, skipSpace(p, 0), l.steps)
	}
	for i := 0; i < len(p); {
		end := tokenEnd(p, i)
		if p[i] == '"' {
			if next := skipSpace(p, end); next < len(p) && p[next] == ':' && keyIs(p[i:end], l.key) && p[skipSpace(p, next+1)] != 'n' {
				return true
			}
		}
		i = end
	}
	return false
}

func keyIs(quoted []byte, key string) bool { return string(unquote(nil, quoted, false)) == key }

// stepsLead tells whether the steps lead from the value at i to one that is not null. A level is gone through once
// for each step, so that the depth of the payload does not count.
func stepsLead(p []byte, i int, steps []labelStep) bool {
	if len(steps) == 0 {
		return p[i] != 'n'
	}
	object := p[i] == '{'
	if !object && p[i] != '[' {
		return false
	}
	s := steps[0]
	for n, at := 0, skipSpace(p, i+1); p[at] != '}' && p[at] != ']'; n++ {
		wanted := s.all || !object && n == s.index
		if object {
			end := skipString(p, at)
			wanted = s.all || s.index == anyChild && keyIs(p[at:end], s.key)
			at = skipSpace(p, skipSpace(p, end)+1)
		} else if s.index == anyChild {
			wanted = s.all
		}
		if wanted && stepsLead(p, at, steps[1:]) {
			return true
		}
		if at = skipSpace(p, skipValue(p, at)); p[at] == ',' {
			at = skipSpace(p, at+1)
		}
	}
	return false
}
