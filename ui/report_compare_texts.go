package ui

import (
	"fmt"
	"io"
	"strings"

	"floodmark/engine"
	"floodmark/history"
)

// Rows of a text that are shown where it is not asked for in full.
const (
	textHeadRows = 30
	textTailRows = 10
	// leastTextCells is how narrow a column of text may be; as many policies stand side by side as have
	// room for that.
	leastTextCells = 38
)

// compareTexts shows what each model would have got of a call, side by side.
type compareTexts struct {
	out      io.Writer
	labels   []string
	theme    *theme
	width    int
	full     bool
	markdown bool
	begun    bool
}

func (t *compareTexts) result(c *history.Conversation, r *engine.ComparedResult, text func(int) (string, error)) error {
	head := visible(strings.Join([]string{c.File, "conversation " + c.ID, "turn " + stepNumber(r.Turn, r.Step), r.Call.Tool, r.Call.ID,
		bytesText(r.Sights[0].Original.Bytes)}, " · "))
	texts := make([]string, len(r.Sights))
	for i := range r.Sights {
		var err error
		if texts[i], err = text(i); err != nil {
			return err
		}
	}
	if t.begun {
		head = "\n" + head
	}
	t.begun = true
	if t.markdown {
		return t.inMarkdown(head, r.Sights, texts)
	}
	if err := t.theme.write(t.out, t.theme.strong.on(head)); err != nil {
		return err
	}
	across := min(max(1, (t.width+3)/(leastTextCells+3)), len(texts))
	for from := 0; from < len(texts); from += across {
		to := min(from+across, len(texts))
		if err := t.beside((t.width+3)/across-3, r.Sights[from:to], t.labels[from:to], texts[from:to]); err != nil {
			return err
		}
	}
	return nil
}

// beside writes texts in columns of w cells.
func (t *compareTexts) beside(w int, sights []engine.Sight, labels, texts []string) error {
	columns := make([][]string, len(texts))
	rows := 0
	for i, s := range texts {
		columns[i] = append(sightHeading(labels[i], sights[i], w), strings.Repeat(t.theme.rule, w))
		columns[i] = append(columns[i], t.shortened(textRows(s, w))...)
		rows = max(rows, len(columns[i]))
	}
	lines := []string{""}
	for k := range rows {
		var row []string
		for _, c := range columns {
			text := ""
			if k < len(c) {
				text = c[k]
			}
			row = append(row, pad(text, w))
		}
		lines = append(lines, strings.TrimRight(strings.Join(row, " "+t.theme.wall+" "), " "))
	}
	return t.theme.write(t.out, lines...)
}

// sightHeading says in two rows what a policy leaves of a result.
func sightHeading(label string, s engine.Sight, w int) []string {
	return []string{clip(sightTitle(label, s), w), clip(sightLoss(s), w)}
}

// textRows breaks a text into rows of at most w cells, safe to draw.
func textRows(s string, w int) []string {
	if s == "" {
		return []string{"(nothing)"}
	}
	var rows []string
	for _, line := range strings.Split(s, "\n") {
		line = visible(line)
		for width(line) > w {
			n := len(clipRaw(line, w))
			rows = append(rows, line[:n])
			line = line[n:]
		}
		rows = append(rows, line)
	}
	return rows
}

// shortened leaves the middle of many rows out, and says so.
func (t *compareTexts) shortened(rows []string) []string {
	left := len(rows) - textHeadRows - textTailRows
	if t.full || left <= 1 {
		return rows
	}
	short := append([]string{}, rows[:textHeadRows]...)
	short = append(short, fmt.Sprintf("… %s left out: --full", count(left, "row")))
	return append(short, rows[len(rows)-textTailRows:]...)
}

func (t *compareTexts) inMarkdown(head string, sights []engine.Sight, texts []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n", prose(strings.TrimPrefix(head, "\n")))
	for i, s := range texts {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n", prose(t.labels[i]), strings.Join(sightHeading(string(sights[i].Verdict), sights[i], reportCells), "; "))
		fmt.Fprintf(&b, "\n%s\n", fenced("text", strings.Join(t.shortened(strings.Split(visibleLines(s), "\n")), "\n")))
	}
	_, err := io.WriteString(t.out, b.String())
	return err
}

func (t *compareTexts) totals(*comparedTotals) error { return nil }
