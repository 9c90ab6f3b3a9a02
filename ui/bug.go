package ui

import (
	"runtime/debug"
	"strings"

	"floodmark/engine"
)

// tellBug turns a panic into an error that says where it was, without what it was about: that may quote a payload. The
// command ends as with any error, and puts away what it began.
func tellBug(err *error) {
	if r := recover(); r != nil {
		// A stack has names of functions and files, and arguments as numbers.
		*err = &failure{why: engine.BugOf(r).Error(), below: strings.Split(visibleLines(strings.TrimSpace(string(debug.Stack()))), "\n"), code: exitUsage}
	}
}

// passBug lets a panic go on without what it was about: the terminal library prints it when it has put the screen away.
func passBug() {
	if r := recover(); r != nil {
		panic(engine.BugOf(r))
	}
}
