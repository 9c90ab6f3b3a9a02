package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
	"floodmark/store"
)

var (
	jqFieldName  = regexp.MustCompile(`[A-Za-z_]+`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,59}$`)
)

// askKeep keeps the result as a variable, under a name that is asked for.
func (t *variableTab) askKeep() {
	a := t.answer
	switch {
	case a == nil || t.stale || a.step != engine.FilterStep:
		t.deps.tell("there is no result of a filter to keep")
		return
	case a.stopped != "":
		t.deps.tell("the result is not whole (" + a.ended + "): it can't be kept")
		return
	case len(a.lines) == 0:
		t.deps.tell("the filter gives nothing to keep")
		return
	}
	t.askKeepName(a, "keep as: $", engine.JQName(t.sel.outcome.Name)+"_"+lastWords(a.filter))
}

// askKeepName asks for the name, and asks again with what was typed where that is none.
func (t *variableTab) askKeepName(a *queryAnswer, label, name string) {
	t.deps.ask(label, name, func(name string) tea.Cmd {
		if name == "" {
			return nil
		}
		if !variableName.MatchString(name) {
			t.askKeepName(a, "letters, digits and _ only, at most 60, no digit first: $", name)
			return nil
		}
		if name == "ENV" || strings.HasPrefix(name, "__") { // jq's own
			t.askKeepName(a, "jq has this name itself, choose another: $", name)
			return nil
		}
		if t.sel.run != nil {
			for _, o := range t.sel.run.Outcomes {
				if engine.JQName(o.Name) == name {
					t.askKeepName(a, "that is a result's own name, choose another: $", name)
					return nil
				}
			}
		}
		return t.keep(a, name)
	})
}

// keep writes a result to the store.
func (t *variableTab) keep(a *queryAnswer, name string) tea.Cmd {
	s, d := t.sel, t.deps
	return t.jobs.start("keep", func(ctx context.Context) answer {
		v, err := d.session.keepResult(ctx, s, a, name)
		return func() tea.Cmd {
			if err != nil {
				t.deps.tell("not kept: " + visible(err.Error()))
				return nil
			}
			t.add(engine.InspectionStep{Kind: engine.KeepStep, Filter: a.filter, Read: v.Bytes, Kept: name, Results: len(a.lines), Found: true}, a.compact)
			t.deps.tell(fmt.Sprintf("kept as $%s, %s: later filters can name it", name, bytesText(v.Bytes)))
			return nil
		}
	})
}

// keepResult stores a filter's results as a variable: one as it is, several as an array.
func (s *session) keepResult(ctx context.Context, sel selection, a *queryAnswer, name string) (store.Variable, error) {
	st, _, err := s.variables()
	if err == nil && st == nil {
		err = errors.New("there is no store")
	}
	if err != nil {
		return store.Variable{}, err
	}
	c := sel.outcome.Call
	v := store.Variable{Key: store.Key{Conversation: sel.conv.ID, Policy: sel.policy.Name, Name: name}, Tool: c.Tool, Call: c.ID,
		Recording: sel.conv.File, Format: sel.conv.Format, Label: sel.outcome.Label, Source: sel.outcome.Name, Query: a.filter}
	return st.Put(ctx, v, func(w io.Writer) error { return writeArray(w, a.lines) })
}

// writeArray writes results as one JSON text: one as it is, several as an array.
func writeArray(w io.Writer, results [][]byte) error {
	if len(results) == 1 {
		_, err := w.Write(results[0])
		return err
	}
	begin := "["
	for _, r := range results {
		if _, err := io.WriteString(w, begin); err != nil {
			return err
		}
		if _, err := w.Write(r); err != nil {
			return err
		}
		begin = ","
	}
	if len(results) == 0 {
		_, err := io.WriteString(w, "[]")
		return err
	}
	_, err := io.WriteString(w, "]")
	return err
}
