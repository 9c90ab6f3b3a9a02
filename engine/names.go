package engine

import (
	"slices"
	"strconv"
	"strings"

	"floodmark/history"
)

// toolNameChars is the most characters that a variable's name takes over from its tool's.
const toolNameChars = 40

// VariableNames gives every call of a conversation the name that its payload has as a variable,
// TOOL_N, offloaded or not. N counts from 1 the calls whose tools come to the same name, in call
// order, those of the main thread first. So a name depends on the conversation only.
//
// No two calls share a name: N has no "_", so that the last one parts a name into its tool and N.
func VariableNames(c *history.Conversation) map[*history.Call]string {
	var main, others []*history.Call
	subagent := map[*history.Call]bool{}
	for _, t := range c.Threads {
		if !t.Subagent() {
			continue
		}
		for _, u := range t.Turns {
			for _, s := range u.Steps {
				for _, call := range s.Calls {
					subagent[call] = true
				}
			}
		}
	}
	for _, call := range c.Calls() {
		if subagent[call] {
			others = append(others, call)
		} else {
			main = append(main, call)
		}
	}
	names := make(map[*history.Call]string, len(main)+len(others))
	cleaned, counts := map[string]string{}, map[string]int{}
	for _, call := range slices.Concat(main, others) {
		tool, known := cleaned[call.Tool]
		if !known {
			tool = cleanToolName(call.Tool)
			cleaned[call.Tool] = tool
		}
		counts[tool]++
		names[call] = tool + "_" + strconv.Itoa(counts[tool])
	}
	return names
}

// cleanToolName makes a tool's name fit for a variable and a file: everything outside A-Za-z0-9_-
// becomes "_", an empty name "result", and a leading digit gets "_" before it.
func cleanToolName(tool string) string {
	var b strings.Builder
	if tool != "" && '0' <= tool[0] && tool[0] <= '9' {
		b.WriteByte('_')
	}
	for _, r := range tool {
		if b.Len() == toolNameChars {
			break
		}
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			b.WriteByte(byte(r))
		default:
			b.WriteByte('_')
		}
	}
	if b.Len() == 0 {
		return "result"
	}
	return b.String()
}

// JQName is what a variable is called in a jq filter, after the "$": jq has no "-" in names. Names
// that differ in nothing else ("list-a_1" and "list_a_1") come to the same one.
func JQName(name string) string { return strings.ReplaceAll(name, "-", "_") }
