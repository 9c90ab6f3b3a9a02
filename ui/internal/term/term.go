// Package term keeps the terminal untouched until the explorer starts.
//
// The terminal library asks for the background colour while the program is being initialised, for
// every command, and waits up to five seconds for an answer. It does not ask where the answer is
// known already. Packages whose imports are ready are initialised in the order of their paths, so
// this one, which imports the style library only, comes before it: "floodmark/…" sorts before
// "github.com/…". Dark finds the background without asking.
package term

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

func init() { lipgloss.SetHasDarkBackground(true) }

// Dark tells whether the terminal's background is dark, from COLORFGBG ("15;0": the last number is
// the background's); dark where that says nothing.
func Dark(getenv func(string) string) bool {
	v := getenv("COLORFGBG")
	n, err := strconv.Atoi(v[strings.LastIndexByte(v, ';')+1:])
	return err != nil || n <= 6 || n == 8
}

// UTF8 tells whether the locale's text is UTF-8, so that box drawing and bars can be shown.
// No locale at all counts as UTF-8: containers often have none.
func UTF8(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return getenv("TERM") != "linux"
}
