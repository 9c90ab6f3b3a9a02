package ui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// inlineTab shows exactly what the model got for the result: the payload, the package, or nothing.
type inlineTab struct{ textPane }

func newInline(d *deps) *inlineTab { return &inlineTab{newTextPane(d)} }

func (t *inlineTab) name() (string, string) { return "Inline", "Inline" }

// A shownOutcome is a result under a policy at some revision: what has to be made anew.
type shownOutcome struct {
	id       any
	revision int
	outcome  *engine.Outcome
}

func (s selection) shown() shownOutcome {
	return shownOutcome{s.row.identity(), s.revision, s.outcome}
}

// waiting says why there is no outcome to show; empty where there is one.
func (s selection) waiting() string {
	switch {
	case s.row.kind == turnRow && s.row.turn.Number == 0:
		return "What precedes the first message. Choose a result to see what became of it."
	case s.row.kind == turnRow:
		return "A turn. Choose one of its results to see what became of it."
	case s.row.kind == wordsRow:
		return "A step without calls: it is in the context as the model wrote it. The first view shows it."
	case s.row.kind == threadRow:
		return "A thread. Its turns stand below it."
	case s.row.call == nil:
		return "No result."
	case s.row.call.Result == nil:
		return "The call has no result in this recording."
	case s.outcome == nil:
		return "replaying…"
	}
	return ""
}

func (t *inlineTab) show(s selection) tea.Cmd {
	now := s.shown()
	if t.shown == now {
		return nil
	}
	before, _ := t.shown.(shownOutcome)
	same := before.id == now.id
	t.shown = now
	if s.row.kind == turnRow && s.row.turn.Number > 0 || s.row.kind == wordsRow {
		return t.written(s, same)
	}
	if m := s.waiting(); m != "" {
		t.jobs.stop("inline")
		if !(same && t.pager.doc != nil) {
			t.say(m)
		}
		return nil
	}
	if s.outcome.Verdict == engine.Rejected {
		t.jobs.stop("inline")
		_, entered := verdictSentence(s.outcome)
		t.say("Nothing: the result was rejected. "+upperFirst(entered)+"; the error is shown to the user, not to the model.", "0 tokens · 0 bytes entered")
		return nil
	}
	if !same || t.pager.doc == nil {
		t.say("making what the model got…")
	}
	return t.jobs.start("inline", func(ctx context.Context) answer {
		var doc *document
		err := s.conv.read(ctx, func(r *engine.Replayer) error {
			b, err := r.InlineText(s.policy, s.outcome)
			doc = newDocument(b)
			return err
		})
		return func() tea.Cmd {
			switch {
			case err != nil:
				t.say("It can't be made: " + visible(err.Error()))
			case len(doc.data) == 0:
				t.say("Nothing: an empty text entered.", inlineFigures(s.outcome)...)
			default:
				t.put(doc, same, inlineFigures(s.outcome)...)
			}
			return nil
		}
	})
}

// written shows what a person or the model wrote: it is in the context as it was written.
func (t *inlineTab) written(s selection, same bool) tea.Cmd {
	if same && t.pager.doc != nil {
		return nil
	}
	p, what := s.row.source()
	figures := grouped(p.Size().Bytes) + " bytes in the context as they were written"
	if e := s.policy.Estimator; !e.Exact() {
		figures = tokens(e.OfSize(p.Size())) + " · " + figures
	}
	if p.Size().Bytes == 0 {
		t.jobs.stop("inline")
		t.say("The " + what + " has no text.")
		return nil
	}
	t.say("reading " + grouped(p.Size().Bytes) + " bytes…")
	return t.jobs.start("inline", func(ctx context.Context) answer {
		d, err := loadDocuments(ctx, p)
		return func() tea.Cmd {
			if err != nil {
				t.say("It can't be read: " + visible(err.Error()))
				return nil
			}
			t.put(d.plain, false, figures)
			return nil
		}
	})
}

// inlineFigures say how much entered, and what is not in it.
func inlineFigures(o *engine.Outcome) []string {
	first := fmt.Sprintf("%s · %s bytes entered", tokens(o.Inline.Tokens), grouped(o.Inline.Bytes))
	if o.Verdict != engine.Inline {
		first += fmt.Sprintf(" · of %s · %s", tokens(o.Original.Tokens), bytesText(o.Original.Bytes))
	}
	lines := []string{first}
	if p := o.Package; p != nil {
		if v := p.Preview; v != nil {
			s := "preview whole"
			if !v.Whole {
				s = "preview cut"
			}
			if v.Records >= 0 {
				s = fmt.Sprintf("preview %s of %s records", grouped(int64(v.Records)), grouped(int64(v.Of)))
			}
			if p.Schema != nil {
				s += " · schema " + tokens(p.Schema.Tokens)
			}
			if n := len(v.LeftOut); n > 0 {
				s += " · left out: " + leftOut(v.LeftOut)
			}
			lines = append(lines, s)
		}
	}
	if o.Instructions != nil {
		lines = append(lines, fmt.Sprintf("%s bytes passed on as a system-level instruction, not as data", grouped(o.Instructions.Bytes)))
	}
	return lines
}

func leftOut(list []engine.Omission) string {
	var s []string
	for _, o := range list {
		s = append(s, fmt.Sprintf("%s %s of %s", grouped(o.N), o.Unit, visible(o.Path)))
	}
	return strings.Join(s, ", ")
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
