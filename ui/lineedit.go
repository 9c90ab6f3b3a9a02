package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// A lineEdit is one line being typed. Editing is the text input's; drawing is ours, because its
// cursor is only a colour and blinks, and it measures text in its own way.
type lineEdit struct {
	in          textinput.Model
	placeholder string // what an empty line stands for
}

func newLineEdit() *lineEdit {
	in := textinput.New()
	in.Cursor.SetMode(cursor.CursorStatic)
	// Ctrl-V would run a clipboard program; pasting works without it. The other three are ours.
	off := key.NewBinding(key.WithDisabled())
	in.KeyMap.Paste, in.KeyMap.AcceptSuggestion, in.KeyMap.NextSuggestion, in.KeyMap.PrevSuggestion = off, off, off, off
	in.Focus()
	return &lineEdit{in: in}
}

// key edits the line, and tells whether its text changed.
func (l *lineEdit) key(k tea.KeyMsg) bool {
	before := l.in.Value()
	l.in, _ = l.in.Update(k)
	return l.in.Value() != before
}

func (l *lineEdit) value() string { return l.in.Value() }

func (l *lineEdit) set(s string) { l.in.SetValue(s); l.in.CursorEnd() }

// before is the text before the cursor.
func (l *lineEdit) before() string { return string([]rune(l.in.Value())[:l.in.Position()]) }

// insert replaces the last n bytes before the cursor.
func (l *lineEdit) insert(n int, s string) {
	head := l.before()
	tail := strings.TrimPrefix(l.in.Value(), head)
	head = head[:len(head)-n] + s
	l.in.SetValue(head + tail)
	l.in.SetCursor(len([]rune(head)))
}

// column is the cell of the byte at off in view's line of w cells, and whether it is in sight.
func (l *lineEdit) column(off, w int, typing bool) (int, bool) {
	v := l.in.Value()
	if off < 0 || off > len(v) {
		return 0, false
	}
	head := l.before()
	start := 0
	if typing {
		start = max(0, width(visible(head))+1-w)
	}
	col := width(visible(v[:off])) - start
	if typing && off > len(head) {
		col++
	}
	return col, col >= 0 && col < w
}

// view draws the line in w cells; the part around the cursor stays in sight.
func (l *lineEdit) view(w int, typing bool, t *theme) string {
	v := l.in.Value()
	switch {
	case v == "" && typing:
		return pad(t.cursor+t.faint.on(l.placeholder), w)
	case v == "":
		return pad(t.faint.on(l.placeholder), w)
	}
	if !typing {
		return pad(visible(v), w)
	}
	head := l.before()
	left := visible(head)
	if n := width(left) + 1; n > w {
		left = clipStart(left, w-1)
	}
	return pad(left+t.cursor+visible(v[len(head):]), w)
}
