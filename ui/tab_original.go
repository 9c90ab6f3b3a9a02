package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/history"
)

// originalTab shows the payload as it arrived, byte for byte; for a turn what the person wrote, for
// a step without calls what the model wrote. JSON is indented unless asked for as it is.
type originalTab struct {
	textPane
	raw      bool
	plain    *document
	indented *document
	note     string // why it can't be indented
	pointed  int    // a byte to show once the payload is there; -1 for none
	sel      selection
}

func newOriginal(d *deps) *originalTab { return &originalTab{textPane: newTextPane(d), pointed: -1} }

func (t *originalTab) name() (string, string) { return "Original", "Orig" }

// source is the payload that a row stands for, and a word for it.
func (r row) source() (p history.Payload, what string) {
	switch {
	case r.call != nil && r.call.Result != nil:
		return r.call.Result.Payload, "payload"
	case r.kind == turnRow:
		return r.turn.Prompt, "message"
	case r.kind == wordsRow:
		return r.step.Text, "answer"
	}
	return history.Payload{}, ""
}

// identity is what a row shows, to tell whether it is loaded.
func (r row) identity() any {
	switch r.kind {
	case callRow:
		return r.call
	case turnRow:
		return r.turn
	case wordsRow:
		return r.step
	}
	return r.thread
}

func (t *originalTab) show(s selection) tea.Cmd {
	t.sel = s
	if t.shown == s.row.identity() {
		t.draw(true)
		return nil
	}
	t.shown = s.row.identity()
	t.plain, t.indented, t.note, t.pointed = nil, nil, "", -1
	p, what := s.row.source()
	if what == "" {
		t.jobs.stop("original")
		if s.row.kind == callRow {
			t.say("The call has no result in this recording.", oddities(s.row.call))
		} else {
			t.say("A thread. Its turns stand below it.")
		}
		return nil
	}
	t.say("reading " + grouped(p.Size().Bytes) + " bytes…")
	return t.jobs.start("original", func(ctx context.Context) answer {
		d, err := loadDocuments(ctx, p)
		return func() tea.Cmd {
			if err != nil {
				t.say("The payload can't be read: " + visible(err.Error()))
				return nil
			}
			t.plain, t.indented, t.note = d.plain, d.indented, d.note
			t.draw(false)
			if t.pointed >= 0 {
				t.point(t.pointed)
			}
			return nil
		}
	})
}

// point shows the byte at off of the payload as it is, marked.
func (t *originalTab) point(off int) {
	t.pointed = off
	if t.plain == nil {
		return
	}
	t.pointed, t.raw = -1, true
	t.draw(false)
	if p := t.text(); p != nil {
		p.find = finder{query: " ", offsets: []int{min(off, max(len(p.doc.data)-1, 0))}}
		p.reveal(p.find.offsets[0])
	}
}

func (t *originalTab) draw(keep bool) {
	doc := t.plain
	if doc == nil {
		return
	}
	if t.indented != nil && !t.raw {
		doc = t.indented
	}
	figures := []string{t.headline()}
	p, what := t.sel.row.source()
	if other := describe(p); other != "" {
		figures = append(figures, "not text, not counted: "+other)
	}
	if c := t.sel.row.call; c != nil {
		if odd := oddities(c); odd != "" {
			figures = append(figures, odd)
		}
		if r := c.Result; r != nil && r.Recorded != nil {
			figures = append(figures, fmt.Sprintf("the message holds %s bytes; the whole came from a side file", grouped(r.Recorded.Bytes)))
		}
	}
	if len(t.plain.data) == 0 {
		t.say("The "+what+" is empty.", figures...)
		return
	}
	if doc == t.pager.doc {
		t.figures = figures
		t.resize()
		return
	}
	t.put(doc, keep, figures...)
}

// headline gives the figures of what is shown, and how.
func (t *originalTab) headline() string {
	p, _ := t.sel.row.source()
	s := bytesText(p.Size().Bytes)
	if o := t.sel.outcome; o != nil && o.Verdict != "" {
		s = tokens(o.Original.Tokens) + " · " + s
		if f := shape(o.Facts); f != "" {
			s += " · " + f
		}
	}
	switch {
	case t.note != "":
		s += " · " + t.note
	case t.indented != nil && t.raw:
		s += " · as it is (" + keyOf(rawPretty, t.theme.ascii, inResult) + ": indented)"
	case t.indented != nil:
		s += " · indented (" + keyOf(rawPretty, t.theme.ascii, inResult) + ": as it is)"
	}
	return s
}

func (t *originalTab) Key(a action) (tea.Cmd, bool) {
	if a == rawPretty {
		if t.indented == nil {
			return nil, true
		}
		t.raw = !t.raw
		t.draw(false)
		return nil, true
	}
	return t.textPane.Key(a)
}

// documents are a payload as it is and, where it is JSON of up to indentBytes, indented.
type documents struct {
	plain, indented *document
	note            string
}

// loadDocuments reads a payload for the pager.
func loadDocuments(ctx context.Context, p history.Payload) (d documents, err error) {
	var data []byte
	if n := p.Size().Bytes; n > loadBytes {
		if data, err = head(ctx, p, largePreviewBytes); err != nil {
			return d, err
		}
		d.note = fmt.Sprintf("only its first %s bytes are shown", grouped(int64(len(data))))
	} else if data, err = p.Bytes(); err != nil {
		return d, err
	}
	if ctx.Err() != nil {
		return d, ctx.Err()
	}
	d.plain = newDocument(data)
	if d.note == "" {
		d.indented, d.note = indentedDocument(data)
	}
	return d, nil
}
