package ui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// schemaTab shows the schema of the complete payload, also where it did not enter the context.
type schemaTab struct{ textPane }

func newSchema(d *deps) *schemaTab { return &schemaTab{newTextPane(d)} }

func (t *schemaTab) name() (string, string) { return "Schema", "Sch" }

func (t *schemaTab) show(s selection) tea.Cmd {
	now := s.shown()
	if t.shown == now {
		return nil
	}
	before, _ := t.shown.(shownOutcome)
	same := before.id == now.id
	t.shown = now
	if m := s.waiting(); m != "" {
		t.jobs.stop("schema")
		if !(same && t.pager.doc != nil) {
			t.say(m)
		}
		return nil
	}
	if f := s.outcome.Facts; f != nil && !f.Valid {
		t.jobs.stop("schema")
		m := "No schema: the payload is not JSON."
		if f.Syntax != nil {
			m += fmt.Sprintf("\n%s: line %s, column %s, byte %s.", upperFirst(visible(f.Syntax.Reason)),
				grouped(int64(f.Syntax.Line)), grouped(int64(f.Syntax.Column)), grouped(f.Syntax.Offset))
		}
		t.say(m)
		return nil
	}
	if s.outcome.Verdict == engine.Rejected {
		t.jobs.stop("schema")
		t.say("No schema: the result was rejected.")
		return nil
	}
	if !same || t.pager.doc == nil {
		t.say("reading the structure of " + grouped(s.outcome.Original.Bytes) + " bytes…")
	}
	return t.jobs.start("schema", func(ctx context.Context) answer {
		var schema *engine.Schema
		err := s.conv.read(ctx, func(r *engine.Replayer) (err error) {
			schema, err = r.Schema(s.policy, s.outcome)
			return err
		})
		var doc *document
		if schema != nil {
			if doc, _ = indentedDocument(schema.JSON); doc == nil {
				doc = newDocument(schema.JSON)
			}
		}
		return func() tea.Cmd {
			switch {
			case err != nil:
				t.say("The schema can't be made: " + visible(err.Error()))
			case schema == nil:
				t.say("No schema: the payload is not JSON.")
			default:
				t.put(doc, same, schemaFigures(s, schema)...)
			}
			return nil
		}
	})
}

// schemaFigures say how large the schema is, whether the model got it, and what is folded.
func schemaFigures(s selection, schema *engine.Schema) []string {
	first := tokens(schema.Tokens)
	if b := s.policy.Schema.Budget; b > 0 {
		first += " of a budget of " + rounded(b)
	}
	if p := s.outcome.Package; p != nil && p.Schema != nil {
		first += " · the model got it, on one line"
	} else {
		first += " · the model did not get it"
	}
	lines := []string{first}
	if n := len(schema.Maps); n > 0 {
		lines = append(lines, count(n, "object")+" used as a map: "+visible(strings.Join(schema.Maps, ", ")))
	}
	if n := len(schema.Folded); n > 0 {
		lines = append(lines, "folded to meet the budget: "+visible(strings.Join(schema.Folded, ", ")))
	}
	return lines
}
