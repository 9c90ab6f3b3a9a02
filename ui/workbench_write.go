package ui

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// clipboardBytes is the most that is copied: terminals take no more, many much less.
const clipboardBytes = 256 << 10

// copyShown copies the result in the form in which it is shown.
func (t *variableTab) copyShown() {
	text, what := "", ""
	switch {
	case t.open:
		if n := t.ledgers.shown(t.sel); n != nil {
			text, what = n.Markdown(), "the ledger as Markdown"
		}
	case t.answer == nil:
	case t.form == formTable && t.table != nil:
		var b bytes.Buffer
		if err := t.table.writeCSV(&b); err != nil {
			return
		}
		text, what = b.String(), "the table as CSV"
	case t.form == formRaw:
		text, what = string(t.answer.text), "the result"
	default:
		text, what = string(t.answer.doc.data), "the result"
	}
	t.copyText(text, what)
}

// copyText gives text to the terminal's clipboard, and tells what it is.
func (t *variableTab) copyText(text, what string) {
	switch {
	case text == "":
		t.deps.tell("there is nothing to copy")
	case len(text) > clipboardBytes:
		t.deps.tell(fmt.Sprintf("%s are too many for a clipboard: %s writes a file", bytesText(int64(len(text))), keyOf(writeResult, t.theme.ascii, inVariable)))
	case t.deps.copy == nil:
		t.deps.tell("no clipboard here: " + what)
	default:
		t.deps.copy(text)
		t.deps.tell("copied, where the terminal allows it: " + what)
	}
}

// askWrite writes the result, or the ledger that covers it, to a file whose name is asked for.
func (t *variableTab) askWrite() {
	o := t.sel.outcome
	if o == nil || t.answer == nil && !t.open {
		t.deps.tell("there is nothing to write")
		return
	}
	name := o.Name + ".json"
	if t.form == formTable {
		name = o.Name + ".csv"
	} else if t.form == formRaw {
		name = o.Name + ".txt"
	}
	if t.open {
		name = o.Name + "-ledger.md"
	}
	t.askPath("write to: ", name)
}

// askPath asks for the file's name, and asks again with what was typed where that exists.
func (t *variableTab) askPath(label, name string) {
	t.deps.ask(label, name, func(path string) tea.Cmd {
		path = strings.TrimSpace(path)
		if path == "" {
			return nil
		}
		if t.open {
			n := t.ledgers.shown(t.sel)
			return t.write(path, func(w io.Writer) error { return writeLedger(w, n, strings.EqualFold(filepath.Ext(path), ".json")) })
		}
		a := t.answer
		if strings.EqualFold(filepath.Ext(path), ".csv") {
			return t.makeTable(func() tea.Cmd { return t.write(path, t.table.writeCSV) })
		}
		return t.write(path, func(w io.Writer) error { return writeAnswer(w, a, strings.ToLower(filepath.Ext(path))) })
	})
}

// writeAnswer writes an answer in the form that a file's name asks for.
func writeAnswer(w io.Writer, a *queryAnswer, ext string) error {
	switch ext {
	case ".json":
		if len(a.lines) == 1 {
			_, err := w.Write(append(slices.Clone(a.doc.data), '\n'))
			return err
		}
		if err := writeArray(w, a.lines); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\n")
		return err
	case ".jsonl", ".ndjson":
		for _, l := range a.lines {
			if _, err := w.Write(append(slices.Clone(l), '\n')); err != nil {
				return err
			}
		}
		return nil
	}
	_, err := w.Write(append(slices.Clone(a.text), '\n'))
	return err
}

// writeLedger writes a ledger as Markdown or JSON, harmless to look at either way.
func writeLedger(w io.Writer, n *engine.Inspection, asJSON bool) error {
	if n == nil {
		return errors.New("there is no ledger")
	}
	if !asJSON {
		_, err := io.WriteString(w, visibleLines(n.Markdown()))
		return err
	}
	text, err := json.MarshalIndent(struct {
		*engine.Inspection
		Totals engine.InspectionTotals `json:"totals"`
	}{n, n.Totals(len(n.Steps))}, "", "  ")
	if err != nil {
		return err
	}
	_, err = (&escapingWriter{w: w}).Write(append(text, '\n'))
	return err
}

// write makes a new file in a job. One that exists stays as it is.
func (t *variableTab) write(path string, content func(io.Writer) error) tea.Cmd {
	return t.jobs.start("write", func(context.Context) answer {
		n, err := writeNew(path, content)
		return func() tea.Cmd {
			switch {
			case errors.Is(err, fs.ErrExist):
				t.askPath("exists already, choose another name: ", path)
			case err != nil:
				t.deps.tell("not written: " + visible(err.Error()))
			default:
				t.deps.tell("written: " + visible(path) + ", " + bytesText(n))
			}
			return nil
		}
	})
}

// writeNew makes a file that only its owner may read: a payload can hold anything.
func writeNew(path string, content func(io.Writer) error) (n int64, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(f)
	err = errors.Join(content(w), w.Flush())
	if info, e := f.Stat(); e == nil {
		n = info.Size()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path) // what is not whole is nothing
	}
	return n, err
}

// askLedger runs the steps of a ledger in a file over what is selected.
func (t *variableTab) askLedger() {
	if t.sel.outcome == nil {
		return
	}
	t.deps.ask("run the ledger in: ", "", func(path string) tea.Cmd {
		if path = strings.TrimSpace(path); path == "" {
			return nil
		}
		return t.jobs.start("open ledger", func(context.Context) answer {
			n, err := readLedger(path)
			return func() tea.Cmd {
				if err != nil {
					t.deps.tell(visible(err.Error()))
					return nil
				}
				return t.replay(n)
			}
		})
	})
}

func readLedger(path string) (*engine.Inspection, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	return engine.ReadInspection(f)
}
