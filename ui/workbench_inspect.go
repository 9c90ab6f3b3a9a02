package ui

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// The steps of the recovery pattern: prefix or schema, count and shape, search, filter, keep.

// prefixBytes is how much of a payload its prefix is.
const prefixBytes = 500

// inspect takes the step of a key.
func (t *variableTab) inspect(a action) tea.Cmd {
	o := t.sel.outcome
	if o == nil || t.sel.waiting() != "" || o.Verdict == engine.Rejected {
		return nil
	}
	records := ""
	if o.Facts != nil {
		records = o.Facts.RecordsPath
	}
	switch a {
	case inspectPrefix:
		return t.look(engine.PrefixStep)
	case inspectSchema:
		if o.Facts == nil || !o.Facts.Valid {
			t.deps.tell("no schema: the payload is not JSON")
			return nil
		}
		return t.look(engine.SchemaStep)
	case inspectShape:
		return t.propose(engine.Shaping(records), engine.ShapeStep, true)
	case inspectText:
		t.deps.ask("find records that hold: ", "", func(text string) tea.Cmd {
			if text == "" {
				return nil
			}
			find := func() tea.Cmd { return t.propose(t.outlines.own.Searching(records, text), engine.SearchStep, true) }
			if t.outlines.known {
				return find()
			}
			return t.afterOutline(find)
		})
	case keepResult:
		t.askKeep()
	}
	return nil
}

// look shows what is no filter's answer, and makes it a step.
func (t *variableTab) look(kind engine.InspectionKind) tea.Cmd {
	s, d, src := t.sel, t.deps, t.sources
	t.noteStopped()
	return t.jobs.start("query", func(ctx context.Context) answer {
		a, err := lookAt(ctx, d, src, s, kind)
		return func() tea.Cmd {
			if err != nil {
				t.deps.tell(visible(err.Error()))
				return nil
			}
			t.open, t.form, t.kind = false, formJSON, kind
			t.edit.set("")
			marks := t.showAnswer(a)
			return tea.Batch(t.note(), t.loadHistory(), marks)
		}
	})
}

// lookAt reads a payload's prefix or schema.
func lookAt(ctx context.Context, d *deps, src *sources, s selection, kind engine.InspectionKind) (*queryAnswer, error) {
	payload, err := src.load(ctx, d, s, s.outcome)
	if err != nil {
		return nil, err
	}
	text, what := prefixOf(payload), "prefix"
	a := &queryAnswer{step: kind, read: int64(len(text)), compact: src.facts(sourceKey(s, s.outcome)).compact}
	if kind == engine.SchemaStep {
		what, a.read = "schema", int64(len(payload))
		var schema *engine.Schema
		err := s.conv.read(ctx, func(r *engine.Replayer) (err error) {
			schema, err = r.Schema(s.policy, s.outcome)
			return err
		})
		if err != nil {
			return nil, err
		}
		if schema == nil {
			return nil, fmt.Errorf("no schema: the payload is not JSON")
		}
		text = schema.JSON
	}
	a.lines, a.text, a.found = [][]byte{text}, text, len(text) > 0
	if doc, _ := indentedDocument(text); doc != nil {
		a.doc = doc
	} else {
		a.doc = newDocument(text)
	}
	a.measure = engine.Measure{Bytes: int64(len(text)), Tokens: s.policy.Estimator.Of(text)}
	a.figures = what + " · " + tokens(a.measure.Tokens) + " · " + bytesText(a.measure.Bytes)
	return a, nil
}

// prefixOf is the beginning of a payload, whole characters only.
func prefixOf(p []byte) []byte {
	if len(p) <= prefixBytes {
		return p
	}
	n := prefixBytes
	for n > prefixBytes-utf8.UTFMax && !utf8.RuneStart(p[n]) {
		n--
	}
	return p[:n]
}

// lastWords is the beginning of a filter for a name: its last word of letters.
func lastWords(filter string) string {
	name := ""
	for _, w := range jqFieldName.FindAllString(filter, -1) {
		name = w
	}
	return strings.ToLower(name)
}
