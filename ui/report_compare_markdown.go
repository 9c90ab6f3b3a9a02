package ui

import (
	"fmt"
	"io"
	"strings"

	"floodmark/engine"
	"floodmark/history"
)

// compareMarkdown reports a comparison as Markdown: a table of the results on which the policies
// disagree, and one of the totals.
type compareMarkdown struct {
	out    io.Writer
	labels []string
	begun  bool
}

func (m *compareMarkdown) line(format string, args ...any) error {
	_, err := fmt.Fprintf(m.out, format+"\n", args...)
	return err
}

func (m *compareMarkdown) row(cells ...string) error {
	return m.line("| %s |", strings.Join(cells, " | "))
}

func (m *compareMarkdown) result(c *history.Conversation, r *engine.ComparedResult, _ func(int) (string, error)) error {
	if !r.Differs() {
		return nil
	}
	if !m.begun {
		m.begun = true
		if err := m.line("## Results on which the policies disagree\n"); err != nil {
			return err
		}
		if err := m.line("| result | bytes | tokens that entered |\n|---|--:|---|"); err != nil {
			return err
		}
	}
	var groups []string
	for _, g := range sameVerdicts(r.Sights, m.labels) {
		groups = append(groups, "**"+g.word()+"** "+prose(g.text()))
	}
	return m.row(prose(fmt.Sprintf("%s · %s · %s · %s", c.File, stepNumber(r.Turn, r.Step), r.Call.Tool, r.Call.ID)),
		grouped(r.Sights[0].Original.Bytes), strings.Join(groups, "<br>"))
}

func (m *compareMarkdown) totals(sum *comparedTotals) error {
	if m.begun {
		if err := m.line(""); err != nil {
			return err
		}
	}
	heads, rule := []string{"strategy", "policy"}, "|---|---|"
	columns := append(append([]compareColumn{}, tokenColumns...), byteColumns...)
	for _, c := range columns {
		heads = append(heads, c.title)
		if c.left {
			rule += "---|"
		} else {
			rule += "--:|"
		}
	}
	if err := m.line("## Totals\n\n%s.\n", differing(sum)); err != nil {
		return err
	}
	if err := m.row(heads...); err != nil {
		return err
	}
	if err := m.line("%s", rule); err != nil {
		return err
	}
	for i, p := range sum.policies {
		cells := []string{string(p.Policy.InEffect()), prose(m.labels[i])}
		for _, c := range columns {
			cells = append(cells, c.figure(p))
		}
		if err := m.row(cells...); err != nil {
			return err
		}
	}
	return m.line("\n%s", strings.Join(compareNotes(sum), "\n\n"))
}
