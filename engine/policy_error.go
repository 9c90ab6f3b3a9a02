package engine

import (
	"fmt"
	"strings"
)

// A PolicyError says what is wrong with a policy document, or with a change to one. Reason goes on
// where Field ends: "limits.per_result" "takes a number or null, not a string".
type PolicyError struct {
	File   string // empty where the document is no file; Parse leaves it to its caller
	Line   int    // from 1; 0 where it is not known
	Field  string // dotted, empty for the document as a whole; the policy itself where there is none
	Reason string // lower case, without a full stop
	Hint   string // what to do about it, empty where there is nothing to say
}

func (e *PolicyError) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File + ": ")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	field := e.Field
	if field == "" {
		field = "the policy document"
	}
	b.WriteString(field + " " + e.Reason)
	return b.String()
}

// nearestName returns the name with the fewest edits from s, the first of equals.
func nearestName(s string, names []string) string {
	best, least := "", -1
	for _, n := range names {
		if d := editDistance(s, n); least < 0 || d < least {
			best, least = n, d
		}
	}
	return best
}

// editDistance counts the bytes to insert, drop or replace to make b of a, two neighbours that changed
// places counting as one.
func editDistance(a, b string) int {
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		old[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(old[j]+cost, old[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}
