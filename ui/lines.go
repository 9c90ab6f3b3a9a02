package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

// A linesPane scrolls lines that are made for its width. Lines are drawn (and styled) only when they
// are in sight; what may be long gives the number of lines and a function that draws one.
type linesPane struct {
	rect
	top  int
	n    int
	draw func(i int) string // any width; the pane cuts or pads
}

func (p *linesPane) set(lines []string) {
	p.lines(len(lines), func(i int) string { return lines[i] })
}

func (p *linesPane) lines(n int, draw func(int) string) {
	p.n, p.draw = n, draw
	p.scrollTo(p.top)
}

func (p *linesPane) scrollTo(top int) { p.top = max(min(top, p.n-p.H), 0) }

func (p *linesPane) reveal(i int) {
	if i < p.top || i >= p.top+p.H {
		p.scrollTo(i - p.H/2)
	}
}

func (p *linesPane) Key(a action) (tea.Cmd, bool) {
	switch a {
	case up:
		p.scrollTo(p.top - 1)
	case down:
		p.scrollTo(p.top + 1)
	case pageUp:
		p.scrollTo(p.top - max(p.H-1, 1))
	case pageDown:
		p.scrollTo(p.top + max(p.H-1, 1))
	case toTop:
		p.scrollTo(0)
	case toEnd:
		p.scrollTo(p.n)
	default:
		return nil, false
	}
	return nil, true
}

func (p *linesPane) View() []string {
	out := make([]string, 0, p.H)
	for i := p.top; i < p.n && len(out) < p.H; i++ {
		out = append(out, pad(p.draw(i), p.W))
	}
	return fill(out, p.rect)
}

func (p *linesPane) position() string {
	if p.n <= p.H || p.n == 0 {
		return ""
	}
	return fmt.Sprintf("%d–%d of %s", p.top+1, min(p.top+p.H, p.n), grouped(int64(p.n)))
}
