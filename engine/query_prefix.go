package engine

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// LongestValidPrefix is the longest beginning of a filter that jq could run, without white space at
// its end; empty where there is none. variables are those that the filter can name ("$x").
func LongestValidPrefix(filter string, variables ...string) string {
	// A filter is cut at the end of a token, of which there are few; the first that compiles wins.
	end := min(len(filter), maxPrefix)
	for tried := 0; end > 0 && tried < maxPrefixTries; end-- {
		if end < len(filter) && (!utf8.RuneStart(filter[end]) || inWord(filter[end-1]) && inWord(filter[end])) {
			continue
		}
		cut := filter[:end]
		if strings.TrimSpace(cut) != strings.TrimLeft(cut, " \t\r\n") {
			continue // white space at its end
		}
		tried++
		if _, err := compile(cut, variables); err == nil && strings.TrimSpace(cut) != "" {
			return cut
		}
	}
	return ""
}

const (
	maxPrefix      = 4096 // bytes of a filter that are looked at
	maxPrefixTries = 400  // places at which it is cut
)

func inWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// Builtins are the functions that a filter can call, as name/arity, sorted.
func Builtins() []string {
	v, _ := fromLibrary("builtins")(nil).([]any)
	var names []string
	for _, name := range append(v, "debug/0", "stderr/0", "input_filename/0") {
		switch name, _ := name.(string); name {
		case "input/0", "inputs/0", "modulemeta/0": // there is no other input, and no module
		default:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
