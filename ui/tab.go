package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

// A tab is one view of the selected result. One more is one file, and one line in newTabs.
type tab interface {
	name() (long, narrow string)
	SetRect(rect)
	// show is told what is selected, when the tab comes to the front or the selection changes.
	show(selection) tea.Cmd
	Key(action) (tea.Cmd, bool)
	// View draws exactly the rectangle's H lines of W cells.
	View() []string
	// position says how much of the view is in sight; it stands at the end of the row of tabs.
	position() string
	// text is what a search in the tab looks through; nil where it is not text.
	text() *pager
}

// newTabs lists the views in the order of their numbers.
func newTabs(d *deps) []tab {
	return []tab{newOriginal(d), newInline(d), newSchema(d), newVariable(d), newWhy(d), newContext(d), newValues(d)}
}

// A textPane is the common part of the tabs that show text: lines of figures, then a pager.
type textPane struct {
	*deps
	rect
	pager   pager
	figures []string // lines above the text, made visible already
	message string   // stands in the text's place: loading, nothing, an error
	shown   any      // what is loaded; compared with what is selected
}

func newTextPane(d *deps) textPane { return textPane{deps: d, pager: pager{theme: d.theme}} }

func (p *textPane) SetRect(r rect) { p.rect = r; p.resize() }

// resize gives the pager what the figures leave, and a cell's margin.
func (p *textPane) resize() { p.pager.setSize(p.W-1, p.H-p.above()) }

// above is the room that the figures take, with a blank row after them where there is room.
func (p *textPane) above() int {
	n := min(len(p.figureLines()), max(p.H/3, 1))
	if n > 0 && p.H >= 10 {
		n++
	}
	return min(n, max(p.H-1, 0))
}

// figureLines are the figures, wrapped.
func (p *textPane) figureLines() []string {
	var lines []string
	for _, f := range p.figures {
		lines = append(lines, wrapWords(f, p.W-2)...)
	}
	return lines
}

// say shows a message in the text's place.
func (p *textPane) say(message string, figures ...string) {
	p.message, p.figures = message, figures
	p.pager.setDoc(nil)
	p.resize()
}

// put shows a document. Where it is the same selection under another policy, the place is kept.
func (p *textPane) put(doc *document, keep bool, figures ...string) {
	top := p.pager.top
	p.message, p.figures = "", figures
	p.pager.setDoc(doc)
	p.resize()
	if keep {
		p.pager.goTo(top)
	}
}

func (p *textPane) Key(a action) (tea.Cmd, bool) {
	page := max(p.pager.h-1, 1)
	switch a {
	case up:
		p.pager.scroll(-1)
	case down:
		p.pager.scroll(1)
	case pageUp:
		p.pager.scroll(-page)
	case pageDown:
		p.pager.scroll(page)
	case toTop:
		p.pager.goTo(0)
	case toEnd:
		p.pager.toPercent(100)
	default:
		return nil, false
	}
	return nil, true
}

func (p *textPane) text() *pager {
	if p.pager.doc == nil {
		return nil
	}
	return &p.pager
}

func (p *textPane) position() string { return p.pager.position() }

func (p *textPane) View() []string {
	out := make([]string, 0, p.H)
	above := p.above()
	room := above
	if p.H >= 10 {
		room--
	}
	for _, f := range firstLines(p.figureLines(), room, p.W-2) {
		out = append(out, pad(" "+f, p.W))
	}
	for len(out) < above {
		out = append(out, blank(p.W))
	}
	if p.pager.doc == nil {
		for _, line := range wrapWords(p.message, p.W-2) {
			if len(out) < p.H {
				out = append(out, pad(" "+line, p.W))
			}
		}
	} else {
		for _, line := range p.pager.view() {
			out = append(out, " "+line)
		}
	}
	return fill(out, p.rect)
}

// fill makes lines exactly as many as r is high.
func fill(lines []string, r rect) []string {
	for len(lines) < r.H {
		lines = append(lines, blank(r.W))
	}
	return lines[:max(r.H, 0)]
}

// position says where the visible part lies: line, lines, percent, bytes.
func (p *pager) position() string {
	if p.doc == nil || len(p.doc.data) == 0 {
		return ""
	}
	return fmt.Sprintf("line %s of %s · byte %s · %d %%",
		grouped(int64(p.doc.line(p.top))), grouped(int64(p.doc.total)), grouped(int64(p.top)), p.percent())
}
