package engine

import (
	"errors"
	"strings"

	"github.com/itchyny/gojq"
)

// maxExpect is the most bytes of a filter before a place of which it is said what can stand there.
const maxExpect = 4096

// continuations are what can stand somewhere in a filter, each with what of it is tried: all that
// could follow is too much to read, so a value stands for every value.
var continuations = []struct{ words, text string }{
	{"a value", "null"}, {"|", "|"}, {",", ","}, {"as", "as"}, {"]", "]"}, {")", ")"}, {"}", "}"}, {":", ":"}, {";", ";"},
	{"then", "then"}, {"elif", "elif"}, {"else", "else"}, {"end", "end"}, {"a variable", "$x"},
}

// expected is what can stand behind the beginning of a filter, in words; empty where the parser can't
// tell. It tries: the library's parser does not say what it waits for.
func expected(before string) string {
	if len(before) > maxExpect {
		return ""
	}
	before = strings.TrimRight(before, " \t\r\n")
	var fit []string
	for _, c := range continuations {
		if follows(before, c.text) {
			fit = append(fit, c.words)
		}
	}
	// A variable is a value: it is named where nothing else can be one.
	if n := len(fit); n > 1 && fit[0] == "a value" && fit[n-1] == "a variable" {
		fit = fit[:n-1]
	}
	if fit == nil {
		return ""
	}
	return "here fits " + strings.Join(fit, "  ")
}

// follows tells whether the parser takes a token behind the beginning of a filter, in whatever way the
// filter then goes on.
func follows(before, token string) bool {
	_, err := gojq.Parse(before + " " + token)
	var wrong *gojq.ParseError
	return err == nil || errors.As(err, &wrong) && err.Error() == "unexpected EOF"
}
