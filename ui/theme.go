package ui

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"floodmark/engine"
)

// Colour means three things only: the threshold and what is over it, the selected line, and matched
// text. Bold and faint only order what a glyph or a word already says, so a screen without any
// attribute reads the same.

// A paint is a style whose escape codes are made once; drawing with it is joining three strings.
type paint struct{ open, close string }

// on draws s, which holds no styles, with p.
func (p paint) on(s string) string {
	if s == "" || p.open == "" {
		return s
	}
	return p.open + s + p.close
}

// A theme is everything that decides how the explorer looks: styles and glyphs.
type theme struct {
	over     paint // the threshold, and what is over it
	bad      paint // lost data and rejected results: over, and loud
	selected paint // the selected line
	match    paint // matched text
	strong   paint
	faint    paint
	glyphs
}

// glyphs are the characters that the explorer draws with.
type glyphs struct {
	pointer, resting             string // before the selected line, with the keys and without
	bar, half, left              string // a bar's cell, its half end, and what was kept out
	line, cross                  string // the threshold beside and on a bar
	rule, wall, teeDown, teeUp   string
	branch, last, fork, mid, leg string // the tree of turns, steps and batches
	tabOpen, tabClose            string
	cursor, caret                string
	spark                        []string // from empty to full
	future                       string   // a step that the replay has not reached
	offScale                     string   // a step far above the scale
	play, pause                  string
	knob, lower, raise           string // a setting's place on its range, and that it can be moved
	past                         string // where the threshold was
	cross4                       string // rules that cross
	ascii                        bool   // the terminal shows ASCII only
	verdicts                     map[engine.Verdict]string
	flood                        string
	warned, hit                  string // a row with a warning, and one that a search found
}

var unicodeGlyphs = glyphs{
	pointer: "▸", resting: "▹", bar: "━", half: "╸", left: "╌", line: "┆", cross: "┿",
	rule: "─", wall: "│", teeDown: "┬", teeUp: "┴",
	branch: "├", last: "└", fork: "┬", mid: "├", leg: "│",
	tabOpen: "▌", tabClose: "▐", cursor: "▏", caret: "▴",
	spark: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, future: "·", offScale: "▲",
	play: "▶", pause: "‖", knob: "●", lower: "◂", raise: "▸", past: "╎", cross4: "┼",
	verdicts: map[engine.Verdict]string{engine.Inline: "=", engine.Offloaded: "↑", engine.Rejected: "✗",
		engine.Truncated: "%", engine.PreviewOnly: "¶", engine.Lost: "!"},
	flood: "≈", warned: "•", hit: "»",
}

var asciiGlyphs = glyphs{
	pointer: ">", resting: ")", bar: "=", half: "-", left: ".", line: ":", cross: "#",
	rule: "-", wall: "|", teeDown: "+", teeUp: "+",
	branch: "|", last: "`", fork: "+", mid: "|", leg: "|",
	tabOpen: "[", tabClose: "]", cursor: "_", caret: "^",
	spark: []string{"_", ".", ",", "-", "=", "+", "*", "#"}, future: ".", offScale: "^",
	play: ">", pause: "=", knob: "O", lower: "<", raise: ">", past: "'", cross4: "+",
	verdicts: map[engine.Verdict]string{engine.Inline: "=", engine.Offloaded: "^", engine.Rejected: "x",
		engine.Truncated: "%", engine.PreviewOnly: "p", engine.Lost: "!"},
	flood: "~", warned: "*", hit: "&", ascii: true,
}

// newTheme makes the theme for a terminal with these colours and this background.
func newTheme(profile termenv.Profile, dark, utf8 bool) *theme {
	r := lipgloss.NewRenderer(nil, termenv.WithProfile(profile))
	r.SetColorProfile(profile)
	r.SetHasDarkBackground(dark)
	colour := func(light, dark string) lipgloss.TerminalColor {
		return lipgloss.AdaptiveColor{Light: light, Dark: dark}
	}
	t := &theme{
		over:     newPaint(r.NewStyle().Foreground(colour("#a34700", "#ffaf5f"))),
		bad:      newPaint(r.NewStyle().Foreground(colour("#b00020", "#ff6b6b")).Bold(true)),
		selected: newPaint(r.NewStyle().Background(colour("#d5e3f5", "#2d4159")).Foreground(colour("#000000", "#ffffff")).Bold(true)),
		match:    newPaint(r.NewStyle().Background(colour("#ffe08a", "#ffd75f")).Foreground(colour("#000000", "#000000"))),
		strong:   newPaint(r.NewStyle().Bold(true)),
		faint:    newPaint(r.NewStyle().Faint(true)),
		glyphs:   unicodeGlyphs,
	}
	if !utf8 {
		t.glyphs = asciiGlyphs
	}
	return t
}

func newPaint(s lipgloss.Style) paint {
	open, end, _ := strings.Cut(s.Render("x"), "x")
	return paint{open, end}
}

// plainASCII replaces what an ASCII terminal can't show, cell for cell: our own glyphs by their like,
// anything else by "?".
func plainASCII(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		n := 1
		if s[0] >= 0x80 || len(s) > 1 && s[1] >= 0x80 {
			n = clusterLen([]byte(s[:min(len(s), 128)]))
		}
		switch c := s[:n]; {
		case n == 1:
			b.WriteString(c)
		case asciiLike[c] != "":
			b.WriteString(asciiLike[c])
		default:
			b.WriteString(strings.Repeat("?", width(c)))
		}
		s = s[n:]
	}
	return b.String()
}

// asciiLike are the characters of our own words.
var asciiLike = map[string]string{"…": "~", "·": "-", "–": "-", "−": "-", "→": ">", "×": "x", "↑": "^", "↓": "v", "“": `"`, "”": `"`, "‹": "<", "›": ">"}

// mark is the glyph of a verdict; large data that went inline for want of structure has its own.
func (t *theme) mark(o *engine.Outcome) string {
	switch {
	case o == nil || o.Verdict == "":
		return " "
	case flood(o):
		return t.flood
	}
	return t.verdicts[o.Verdict]
}

// flood tells whether o is large, inline and not structured.
func flood(o *engine.Outcome) bool {
	return o != nil && o.Verdict == engine.Inline && warned(o, "large-plaintext")
}

func warned(o *engine.Outcome, code string) bool {
	for _, w := range o.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}
