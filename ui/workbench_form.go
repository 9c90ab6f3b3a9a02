package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// An answerForm is how an answer is shown.
type answerForm int

const (
	formJSON  answerForm = iota // indented, with folding
	formTable                   // rows and columns, of objects
	formRaw                     // one line a result, strings as text
)

// nextForm shows the answer in another form; raw goes between raw and JSON only.
func (t *variableTab) nextForm(raw bool) tea.Cmd {
	if t.answer == nil || t.open {
		return nil
	}
	switch {
	case raw && t.form == formRaw:
		t.form = formJSON
	case raw:
		t.form = formRaw
	case t.form == formJSON:
		return t.makeTable(func() tea.Cmd { t.form = formTable; t.showForm(); return nil })
	case t.form == formTable:
		t.form = formRaw
	default:
		t.form = formJSON
	}
	t.showForm()
	return nil
}

// makeTable lays the answer out as a table, unless it is, and goes on with then. An answer that is no table
// goes on to the raw form.
func (t *variableTab) makeTable(then func() tea.Cmd) tea.Cmd {
	if t.table != nil {
		return then()
	}
	a := t.answer
	return t.jobs.start("table", func(ctx context.Context) answer {
		table, err := newAnswerTable(ctx, a.lines, t.theme)
		return func() tea.Cmd {
			if t.answer != a {
				return nil
			}
			if err != nil {
				t.deps.tell("no table: " + err.Error())
				if t.form == formJSON {
					t.form = formRaw
					t.showForm()
				}
				return nil
			}
			t.table = table
			return then()
		}
	})
}

// showForm puts the answer in its form into the result's place.
func (t *variableTab) showForm() {
	a := t.answer
	t.fold = nil
	if a == nil {
		t.pager.setDoc(nil)
		t.resize()
		return
	}
	doc := a.doc
	switch t.form {
	case formRaw:
		doc = newDocument(a.text)
	case formTable:
		if t.table == nil {
			t.form = formJSON
		}
	}
	if t.form == formJSON && a.step != engine.PrefixStep {
		t.fold = newFolding(a.doc)
	}
	t.pager.setDoc(doc)
	t.resize()
	if len(doc.data) == 0 {
		t.message = "The filter gives nothing."
		if a.stopped != "" {
			t.message = "Nothing fits the limits: " + a.ended + ". Narrow it down."
		}
		t.pager.setDoc(nil)
	}
}

// foldKey folds or unfolds where the pointer stands, or everywhere.
func (t *variableTab) foldKey(a action) {
	if t.open || t.form != formJSON || t.fold == nil || t.pager.doc == nil {
		t.deps.tell("only a result that is shown as JSON can be folded")
		return
	}
	t.fold.toggle(&t.pager, a == foldAll)
}

func (t *variableTab) tableKey(a action) tea.Cmd {
	if t.form != formTable || t.table == nil || t.open {
		t.deps.tell("the result is no table: " + keyOf(nextAnswer, t.theme.ascii, inVariable) + " shows it as one")
		return nil
	}
	switch a {
	case prevColumn:
		t.table.column(-1)
	case nextColumn:
		t.table.column(1)
	case sortColumn:
		table, by, order := t.table, t.table.at, t.table.nextOrder()
		return t.jobs.start("table", func(ctx context.Context) answer {
			rows := table.sorted(by, order)
			return func() tea.Cmd {
				table.take(rows, by, order)
				return nil
			}
		})
	}
	return nil
}
