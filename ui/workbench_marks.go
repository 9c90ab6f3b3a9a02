package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// mark looks for what is sensitive in an answer that is on the screen: it takes a second for each MB, so the
// answer does not wait for it.
func (t *variableTab) mark(a *queryAnswer) tea.Cmd {
	return t.jobs.start("marks", func(ctx context.Context) answer {
		var marks sensitiveMarks
		if a.step == engine.PrefixStep { // may end inside a value
			marks.addText(a.text)
		} else {
			for _, line := range a.lines {
				if ctx.Err() != nil {
					return nil
				}
				marks.add(line)
			}
		}
		return func() tea.Cmd {
			a.marks = ""
			if places := marks.places("at"); places != "" {
				a.marks = "looks sensitive: " + visible(places)
			}
			t.resize()
			return nil
		}
	})
}
