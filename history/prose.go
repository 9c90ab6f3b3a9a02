package history

import (
	"bytes"
	"fmt"
	"regexp"
)

// A proseCount tells a recording from a text that has JSON in it: source code, a manual, notes.
type proseCount struct {
	records int // lines of records
	logged  int // records behind the prefix of a log
	leading int // lines before the first record that are no records
	others  int // lines behind it that are no records
}

const (
	// leadingLines is how many lines a program may say before its first record.
	leadingLines = 16
	// linesALogged is how many lines without JSON a log may have for each with some.
	linesALogged = 10
)

var (
	// logLine is what a line of a log begins with: a time, a level, or a bracketed name.
	logLine = regexp.MustCompile(`^[<\[(]?(\d{4}-\d\d-\d\d|\d{4}/\d\d/\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d+ \d\d:\d\d|\d{10}|(?i:trace|debug|info|notice|warn|warning|error|fatal)\b)`)
	// codeEnds is what source code has right before a value: a quote, an assignment, a call.
	codeEnds = []string{"`", "\"", "'", "(", "=", "\\"}
)

// record counts a record: one inside a line of code is none.
func (c *proseCount) record(r record) {
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

func endsLikeCode(prefix []byte) bool {
	for _, end := range codeEnds {
		if bytes.HasSuffix(prefix, []byte(end)) {
			return true
		}
	}
	return bytes.IndexByte(prefix, '`') >= 0
}

// line counts a line that is no record. What is damaged, an event's field or a log's is no prose.
func (c *proseCount) line(line []byte) {
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
	none := c.others + max(0, c.leading-leadingLines)
	if c.leading+c.others == 0 || none <= c.records+linesALogged*c.logged {
		return ""
	}
	none = c.others + c.leading
	return fmt.Sprintf("a text in which %d of %d lines are no records", none, none+c.records+c.logged)
}
