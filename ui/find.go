package ui

import (
	"bytes"
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/history"
)

// Searching all results: names, ids, arguments, payloads, and what people and the model wrote.

// findInResults looks for query in every row of the list.
func (e *explorer) findInResults(query string) tea.Cmd {
	l := e.list
	l.query, l.hits = query, nil
	if query == "" {
		e.jobs.stop("find results")
		return nil
	}
	e.status = "searching in " + count(len(l.rows), "row") + "…"
	rows := l.rows
	return e.jobs.start("find results", func(ctx context.Context) answer {
		hits := map[int]bool{}
		for i, r := range rows {
			if ctx.Err() != nil {
				return nil
			}
			if holds(ctx, r, query) {
				hits[i] = true
			}
		}
		return func() tea.Cmd {
			if l.query != query {
				return nil
			}
			l.hits = hits
			if len(hits) == 0 {
				e.status = "not found in any result: " + visible(query)
				return nil
			}
			e.status = "found in " + count(len(hits), "row")
			if !hits[l.cursor] {
				l.seek(1, func(i int) bool { return hits[i] })
			}
			return e.selected()
		}
	})
}

// holds tells whether a row's texts hold query.
func holds(ctx context.Context, r row, query string) bool {
	in := func(p history.Payload) bool {
		if p.Size().Bytes == 0 {
			return false
		}
		b, err := head(ctx, p, int(min(p.Size().Bytes, loadBytes)))
		return err == nil && found1(b, query)
	}
	switch r.kind {
	case callRow:
		if found1([]byte(r.call.Tool), query) || found1([]byte(r.call.ID), query) || in(r.call.Arguments) {
			return true
		}
		return r.call.Result != nil && in(r.call.Result.Payload)
	case turnRow:
		return in(r.turn.Prompt)
	case wordsRow:
		return in(r.step.Text)
	}
	return false
}

// found1 tells whether data holds query, by the rule of findAll.
func found1(data []byte, query string) bool {
	if lower := appendLower(nil, []byte(query)); string(lower) != query {
		return bytes.Contains(data, []byte(query))
	}
	return bytes.Contains(appendLower(make([]byte, 0, len(data)), data), []byte(query))
}

// highlight marks the matches of a search in the list also in the text of the result in front.
func (e *explorer) highlight() tea.Cmd {
	if e.list.query == "" || !e.list.hits[e.list.cursor] || e.conv < 0 {
		return nil
	}
	p := e.tabs[e.tab].text()
	if p == nil || p.doc == nil || p.find.query != "" || e.jobs.running("find") {
		return nil
	}
	return e.findInText(e.list.query, true)
}

// askSearch asks for text: in the result for its text, in the list for all results.
func (e *explorer) askSearch() {
	if e.inResult && e.tabs[e.tab].text() != nil {
		e.ask("search in this text: ", func(s string) tea.Cmd {
			e.status = "searching…"
			return e.findInText(s, false)
		})
		return
	}
	e.ask("search in all results: ", e.findInResults)
}

// findInText finds all matches in the text in front, and goes to the first from where the text
// stands. quiet leaves the footer alone.
func (e *explorer) findInText(query string, quiet bool) tea.Cmd {
	p := e.tabs[e.tab].text()
	if p == nil || p.doc == nil {
		return nil
	}
	doc, top := p.doc, p.top
	return e.jobs.start("find", func(ctx context.Context) answer {
		f := findAll(ctx, doc.data, query)
		return func() tea.Cmd {
			if p.doc != doc {
				return nil
			}
			p.find = f
			off, ok := p.find.from(top)
			if ok {
				p.reveal(off)
			}
			if !quiet {
				e.status = p.find.summary()
			}
			return nil
		}
	})
}

// summary counts the matches in words.
func (f *finder) summary() string {
	switch {
	case f.query == "":
		return ""
	case len(f.offsets) == 0:
		return "not found: " + visible(f.query)
	}
	more := ""
	if f.more {
		more = " and more"
	}
	return fmt.Sprintf("match %s of %s%s", grouped(int64(f.at+1)), grouped(int64(len(f.offsets))), more)
}

// match goes to the next match, in the text or in the list.
func (e *explorer) match(a action) tea.Cmd {
	by := 1
	if a == prevMatch {
		by = -1
	}
	if p := e.tabs[e.tab].text(); e.inResult && p != nil && p.find.query != "" {
		if off, ok := p.find.move(by); ok {
			p.reveal(off)
		}
		e.status = p.find.summary()
		return nil
	}
	if len(e.list.hits) == 0 {
		e.status = "nothing was found yet: " + keyOf(search, e.theme.ascii) + " searches"
		return nil
	}
	e.list.Key(a)
	return e.selected()
}
