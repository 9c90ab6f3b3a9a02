package engine

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"floodmark/history"
)

// A state is what the scanner was reading when it failed.
type state int

const (
	inRoot        state = iota // before the root value
	inElement                  // before an array's first element
	inNextElement              // before an element, after a comma
	inMember                   // before a member's value
	inKey                      // before an object's first key
	inNextKey                  // before a key, after a comma
	afterKey                   // before the colon
	afterValue                 // before a comma or closing bracket
	afterRoot
	inString
	inEscape
	inNumber
)

// A failure is the first byte that no JSON text could have there; of a word, its first letter.
type failure struct {
	offset int
	in     state
}

func (s *scanner) fail(i int, in state) bool {
	s.failure = failure{i, in}
	return false
}

// failWord fails at i, where a word begins like want: at the end where that is cut off.
func (s *scanner) failWord(i int, want string, in state) bool {
	if rest := s.p[i:]; len(rest) < len(want) && string(rest) == want[:len(rest)] {
		i = len(s.p)
	}
	return s.fail(i, in)
}

// describeInvalid fills f for a payload that is not JSON.
func (s *scanner) describeInvalid(f *Facts) {
	p := s.p
	f.Size = history.Measure(p)
	f.Lines = bytes.Count(p, []byte("\n"))
	if p[len(p)-1] != '\n' {
		f.Lines++
	}
	f.BadUTF8, f.FirstBadUTF8 = badUTF8(p)
	start := bytes.TrimLeft(bytes.TrimPrefix(bytes.TrimLeft(p, " \t\r\n"), bom), " \t\r\n")
	likeJSON := startsLikeJSON(start)
	nul := bytes.Count(p, []byte{0})
	switch {
	case nul > 0 && !likeJSON, 10*(nul+f.BadUTF8) > len(p):
		f.Kind = Binary
	case likeJSON:
		f.Kind = InvalidJSON
	default:
		f.Kind = PlainText
	}
	fault, reason := s.diagnose()
	if f.Kind != InvalidJSON {
		fault, reason = plainFault(p, start, fault, reason)
	}
	at := s.failure.offset
	lineStart := bytes.LastIndexByte(p[:at], '\n') + 1
	f.Syntax = &SyntaxError{
		Offset: int64(at),
		Line:   bytes.Count(p[:at], []byte("\n")) + 1,
		Column: at - lineStart + 1,
		Fault:  fault,
		Reason: reason,
		Around: string(p[max(0, at-20):min(len(p), at+20)]),
	}
}

var bom = []byte("\ufeff")

// badUTF8 counts the bytes that belong to no character; first is -1 without any.
func badUTF8(p []byte) (count int, first int64) {
	first = -1
	for i := 0; i < len(p); {
		if p[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(p[i:])
		if r == utf8.RuneError && n == 1 {
			if count == 0 {
				first = int64(i)
			}
			count++
		}
		i += n
	}
	return count, first
}

// plainFault is the fault of a text that does not start like JSON: mostly that it doesn't.
func plainFault(p, start []byte, fault, reason string) (string, string) {
	text := bytes.TrimSpace(start)
	switch {
	case len(text) == 0:
		return "not-json", "nothing but white space"
	case bytes.HasPrefix(text, []byte("```")):
		return "code-fence", "a code fence around the text"
	case text[0] == '"' && fault != "trailing-data", fault == "bom" && valid(text), fault == "nan" && wordAt(text) == string(text):
		return fault, reason
	case fault == "single-quotes" && len(text) > 1 && text[len(text)-1] == '\'':
		return fault, reason
	}
	return "not-json", "the text does not start like JSON"
}

// diagnose names the fault at s.failure and says in a few words what is wrong.
func (s *scanner) diagnose() (fault, reason string) {
	p, i, in := s.p, s.failure.offset, s.failure.in
	if i >= len(p) {
		return "cut-off", "the text ends " + map[state]string{
			inRoot: "before a value", inElement: "inside an array", inNextElement: "after a comma", inMember: "before a member's value",
			inKey: "inside an object", inNextKey: "after a comma", afterKey: "after a key", afterValue: "before the closing bracket",
			inString: "inside a string", inEscape: "inside an escape", inNumber: "inside a number",
		}[in]
	}
	c, rest := p[i], p[i:]
	switch in {
	case inEscape:
		if p[i-1] == '\\' {
			return "bad-escape", "a backslash before a character that has no escape"
		}
		return "bad-escape", "\\u without four hexadecimal digits"
	case inNumber:
		if word := wordAt(rest); notANumber[word] {
			return "nan", word + " is not JSON"
		}
		return "bad-number", "a digit is missing in a number"
	case inString:
		switch {
		case c == '\n' || c == '\r':
			return "raw-control", "a raw line break inside a string"
		case c < 0x20:
			return "raw-control", fmt.Sprintf("a raw control character (U+%04X) inside a string", c)
		}
		return "bad-utf8", "bytes that are not UTF-8 inside a string"
	case afterRoot:
		return afterTheRoot(rest, p[i-1])
	}
	// Between the values.
	switch {
	case bytes.HasPrefix(rest, bom):
		return "bom", "a byte order mark"
	case c == '/' && len(rest) > 1 && (rest[1] == '/' || rest[1] == '*'), c == '#':
		return "comment", "a comment"
	case bytes.HasPrefix(rest, []byte("...")), bytes.HasPrefix(rest, []byte("…")):
		return "cut-off", "dots where something was left out"
	case c == '\'':
		return "single-quotes", "single quotes where JSON has double quotes"
	case c == '\\':
		return "escaped", "a backslash outside a string: the text may be escaped once more"
	case c < 0x20:
		return "raw-control", fmt.Sprintf("a raw control character (U+%04X)", c)
	case (c == ']' || c == '}') && (in == inNextElement || in == inNextKey):
		return "trailing-comma", "a comma before the closing bracket"
	}
	if r, n := utf8.DecodeRune(rest); r == utf8.RuneError && n == 1 {
		return "bad-utf8", "bytes that are not UTF-8"
	}
	switch in {
	case inKey, inNextKey:
		if word := wordAt(rest); word != "" || c >= utf8.RuneSelf || c == '$' || c == '-' {
			return "unquoted-key", "a key without quotes"
		}
		return "other", "a key was expected"
	case afterKey:
		return "other", "a colon was expected after the key"
	case afterValue:
		switch before := p[i-1]; {
		case isDigit(before) && numberGoesOn(c):
			return "bad-number", badNumber(before, c)
		case c == ']' || c == '}':
			return "other", "a closing bracket that does not match"
		case c == '"':
			return "other", "a comma is missing between two values"
		case before == '"':
			return "other", "a quote inside a string without a backslash, or a comma is missing"
		}
		return "other", "a comma or the closing bracket was expected"
	}
	word := wordAt(rest)
	switch {
	case notANumber[word]:
		return "nan", word + " is not JSON"
	case c == '+' || c == '.' && len(rest) > 1 && isDigit(rest[1]):
		return "bad-number", "a number cannot start like this"
	case word != "":
		return "other", "a word without quotes"
	}
	return "other", "a value was expected"
}

// afterTheRoot names what follows a complete value.
func afterTheRoot(rest []byte, before byte) (fault, reason string) {
	next := bytes.TrimLeft(rest, ", \t\r\n\x1e")
	s := scanner{p: next, bare: true, any: anyNode()}
	switch {
	case len(next) > 0 && (next[0] == '{' || next[0] == '['), s.run(s.any):
		return "several-values", "another value follows the first"
	case isDigit(before) && numberGoesOn(rest[0]):
		return "bad-number", badNumber(before, rest[0])
	case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")), rest[0] == '#':
		return "comment", "a comment after the value"
	case bytes.HasPrefix(rest, bom):
		return "bom", "a byte order mark after the value"
	}
	if r, n := utf8.DecodeRune(rest); r == utf8.RuneError && n == 1 {
		return "bad-utf8", "bytes that are not UTF-8 after the value"
	}
	return "trailing-data", "text after the end of the value"
}

// notANumber are the words that other languages write where JSON has null, true, false or nothing.
var notANumber = map[string]bool{
	"nan": true, "NaN": true, "NAN": true, "Infinity": true, "inf": true, "Inf": true,
	"None": true, "True": true, "False": true, "undefined": true, "NULL": true, "Null": true, "TRUE": true, "FALSE": true,
}

// wordAt is the word at the start of p.
func wordAt(p []byte) string {
	n := 0
	for n < len(p) && n < 64 && (p[n] == '_' || isDigit(p[n]) || p[n]|0x20-'a' < 26) {
		n++
	}
	return string(p[:n])
}

func isDigit(c byte) bool { return c-'0' < 10 }

// numberGoesOn tells whether c right after a digit shows that a number was meant to go on.
func numberGoesOn(c byte) bool {
	return isDigit(c) || c == '.' || c == '_' || c == '-' || c == '+' || c|0x20-'a' < 26
}

func badNumber(before, c byte) string {
	if before == '0' && isDigit(c) {
		return "a number with a leading zero"
	}
	return "a number is followed by something else"
}
