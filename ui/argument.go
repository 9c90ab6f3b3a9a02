package ui

import (
	"regexp"
	"strings"
)

// What tells calls of the same tool apart is their argument: the file read, the command run. The list
// shows the first one that is text, or the arguments as they are.

var (
	firstText   = regexp.MustCompile(`:\s*"((?:[^"\\]|\\.)+)"?`)
	jsonEscapes = strings.NewReplacer(`\n`, " ", `\t`, " ", `\"`, `"`, `\/`, `/`, `\\`, `\`)
)

// argument finds the telling part in the beginning of a call's arguments.
func argument(p []byte) string {
	if m := firstText.FindSubmatch(p); m != nil {
		return jsonEscapes.Replace(string(m[1]))
	}
	s := strings.TrimSpace(string(p))
	if s == "{}" || s == "null" {
		return ""
	}
	return s
}

// clipArgument cuts an argument: of a path the end is kept, of anything else the beginning.
func clipArgument(s string, w int) string {
	if strings.Contains(s, "/") && !strings.Contains(s, " ") {
		return clipStart(s, w)
	}
	return clip(s, w)
}
