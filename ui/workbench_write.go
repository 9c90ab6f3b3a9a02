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

// copyKey copies the result in the form in which it is shown, or the filter as a command.
func (t *variableTab) copyKey(a action) {
	text, what := "", ""
	switch {
	case a == copyCommand && t.sel.outcome != nil:
		text = t.command()
		what = visible(text)
	case a == copyResult && t.open:
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

// command is the filter as a line for a shell: what it reads comes from the store, or from a file where
// the payload is no variable.
func (t *variableTab) command() string {
	s, o := t.sel, t.sel.outcome
	filter := t.filter()
	export := func(name string) string {
		return "floodmark vars export " + shellQuoted(s.conv.ID+"/"+name)
	}
	var files, names []string
	if s.run != nil {
		for _, other := range s.run.Outcomes {
			name := engine.JQName(other.Name)
			if other.Verdict == engine.Offloaded && namesIn(filter, name) {
				files = append(files, "--slurpfile "+name+" <("+export(other.Name)+")")
				names = append(names, "$"+name+"[0] as $"+name+" | ")
			}
		}
	}
	line := "jq "
	if len(files) > 0 {
		line += strings.Join(files, " ") + " "
		filter = strings.Join(names, "") + filter
	}
	line += shellQuoted(filter)
	if o.Verdict == engine.Offloaded {
		return export(o.Name) + " | " + line
	}
	return line + " " + shellQuoted(o.Name+".json")
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
	t.deps.ask("write to: ", name, func(path string) tea.Cmd {
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
				t.deps.tell(visible(path) + " exists already: choose another name")
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
