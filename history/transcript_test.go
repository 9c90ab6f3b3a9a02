package history

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// readString opens a recording written in a test.
func readString(t *testing.T, name, text string) *Recording {
	t.Helper()
	rec, err := Read(context.Background(), name, strings.NewReader(text), Options{})
	if err != nil {
		t.Fatalf("%s does not open: %v", name, err)
	}
	return rec
}

// lines joins the lines of a recording, the last one ended too.
func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }

// transcript renders each call of rec as one line, in call order:
//
//	main 1.2 Bash(t1) = "text" error [flags]
//
// that is thread, turn.step, tool, id and payload. The parts that are not text follow as <kind media>.
func transcript(t *testing.T, rec *Recording) string {
	t.Helper()
	var b strings.Builder
	for _, c := range rec.Conversations {
		place := map[*Call]string{}
		for _, th := range c.Threads {
			for _, u := range th.Turns {
				for _, s := range u.Steps {
					for _, k := range s.Calls {
						place[k] = fmt.Sprintf("%s %d.%d", th.Name, u.Number, s.Number)
					}
				}
			}
		}
		for _, k := range c.Calls() {
			id := k.ID
			if k.Flags.Has(SyntheticID) {
				id = "-"
			}
			fmt.Fprintf(&b, "%s %s(%s)%s\n", place[k], k.Tool, id, outcome(t, k))
		}
	}
	return b.String()
}

func outcome(t *testing.T, k *Call) string {
	t.Helper()
	var b strings.Builder
	flags := k.Flags
	if r := k.Result; r != nil {
		b.WriteString(" = ")
		for i, p := range r.Payload.Parts() {
			if i > 0 {
				b.WriteString(" + ")
			}
			if p.Kind != Text {
				fmt.Fprintf(&b, "<%s>", strings.TrimSpace(string(p.Kind)+" "+p.Media))
				continue
			}
			text, err := p.Text()
			if err != nil {
				t.Fatalf("%s: %v", k.ID, err)
			}
			fmt.Fprintf(&b, "%q", text)
		}
		if r.Error {
			b.WriteString(" error")
		}
		if r.Failed {
			b.WriteString(" failed")
		}
		flags |= r.Flags
	}
	if n := (flags &^ SyntheticID).Names(); n != nil {
		fmt.Fprintf(&b, " [%s]", strings.Join(n, " "))
	}
	return b.String()
}
