package history

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
)

// A proseCount tells a recording from a text that has JSON in it: source code, a manual, notes.
type proseCount struct {
	records int    // lines of records
	logged  int    // records behind the prefix of a log
	leading int    // lines before the first record that are no records
	others  int    // lines behind it that are no records
	before  []byte // the end of the latest line that is no record and not empty
	quoted  bool   // a record stands right behind the line of a program that opens a string
}

const (
	// leadingLines is how many lines a program may say before its first record.
	leadingLines = 16
	// linesALogged is how many lines without JSON a log may have for each with some.
	linesALogged = 10
	// codeTail is how much of a line's end is looked at for a string that opens there, in bytes.
	codeTail = 64
)

var (
	// logLine is what a line of a log begins with: a time, a level, or a bracketed name.
	logLine = regexp.MustCompile(`^[<\[(]?(\d{4}-\d\d-\d\d|\d{4}/\d\d/\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d+ \d\d:\d\d|\d{10}|(?i:trace|debug|info|notice|warn|warning|error|fatal)\b)`)
	// codeEnds is what source code has right before a value: a quote, an assignment, a call.
	codeEnds = []string{"`", "\"", "'", "(", "=", "\\"}
	// opensString is how a line of source code ends whose string goes on in the next one: with the quotes
	// of Go, JavaScript, Python, Rust or Java, or a shell's here-document, behind an assignment or in a call.
	opensString = regexp.MustCompile(`[=(,:\[{]\s*[A-Za-z@$]{0,8}(\x60|"""|\x27\x27\x27|r?#+")\\?$|<<[-~]?\s*["\x27]?[A-Z_]+["\x27]?$`)
	// inString is what stands before a record that a string of a line of code holds.
	inString = regexp.MustCompile(`(^|[\s(=,\[{])[A-Za-z]{0,2}(\x60[^\x60]*|"[^"]*|\x27[^\x27]*)$|^\s*(//|/\*)`)
)

// record counts a record: one inside a line of code is none.
func (c *proseCount) record(r record) {
	c.quoted = c.quoted || opensString.Match(c.before)
	c.before = nil
	switch {
	case len(r.prefix) == 0:
		c.records += 1 + len(r.d.breaks)
	case logLine.Match(r.prefix):
		c.logged++
	case endsLikeCode(r.prefix):
		c.others++
	default:
		c.records++
	}
}

// endsLikeCode tells whether a record behind prefix is in a line of source code. The field's name of an
// event stream may stand between.
func endsLikeCode(prefix []byte) bool {
	if inString.Match(prefix) {
		return true
	}
	for _, end := range codeEnds {
		if bytes.HasSuffix(prefix, []byte(end)) {
			return true
		}
	}
	return bytes.IndexByte(prefix, '`') >= 0
}

// line counts a line that is no record. What is damaged, an event's field or a log's is no prose.
func (c *proseCount) line(line []byte) {
	if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && !eventField(trimmed) {
		c.before = slices.Clone(trimmed[max(0, len(trimmed)-codeTail):])
	}
	line = bytes.Trim(line, " \t\r\n,]")
	switch {
	case len(line) == 0, eventField(line), line[0] == '{', line[0] == '[', line[0] == '}':
	case c.records+c.logged+c.others == 0:
		c.leading++
	case !logLine.Match(line):
		c.others++
	}
}

// reason says why the text is no recording; empty where it may be one.
func (c *proseCount) reason() string {
	if c.quoted {
		return "source code, or a script, with JSON in a string of it"
	}
	none := c.others + max(0, c.leading-leadingLines)
	if c.leading+c.others == 0 || none <= c.records+linesALogged*c.logged {
		return ""
	}
	none = c.others + c.leading
	return fmt.Sprintf("a text in which %d of %d lines are no records", none, none+c.records+c.logged)
}
