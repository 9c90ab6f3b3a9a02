package engine

import (
	"regexp"
	"strings"
)

var elementIndex = regexp.MustCompile(`\[\d+\]`)

// stringRepairs parse the strings that hold JSON: the largest; where there are several, all at its
// path with the elements of arrays taken together; where they stand at several paths, all that start
// like JSON.
func stringRepairs(s *StringFacts) []string {
	parse := strings.Repeat(" | fromjson", max(1, s.Decodings))[len(" | "):]
	path := s.LargestJSON.Path
	if path == "." || path == "" {
		return []string{parse}
	}
	together := parse
	if s.Decodings > 1 {
		together = "(" + parse + ")"
	}
	if s.JSONCount == 1 {
		return []string{path + " |= " + together}
	}
	everywhere := `(.. | strings | select(test("^\\s*[\\[{]"))) |= (fromjson? // .)`
	all := elementIndex.ReplaceAllString(path, "[]")
	if all == path && s.JSONCount > maxRepairSteps/2 {
		return []string{everywhere} // one by one takes too many steps
	}
	list := []string{all + " |= " + together}
	if all != path {
		// Records without the field, or with other text in it, keep what they have.
		list = append(list, "("+all+" | strings) |= "+together, "("+all+" | strings) |= (fromjson? // .)")
	}
	return append(list, everywhere)
}

// replaced is the filter that puts one text in another's place throughout.
func replaced(old, new string) string {
	return "split(" + string(appendQuoted(nil, old)) + ") | join(" + string(appendQuoted(nil, new)) + ")"
}
