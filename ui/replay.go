package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// Figures and the rules that made them change together: until a run by the session's rules is done,
// the screen shows the run before it under the rules that it was made by.

// lateAfter is how long a run may take until the screen says that it is under way.
const lateAfter = 150 * time.Millisecond

// replay runs the policy over the conversation; a run that is under way ends.
func (e *explorer) replay() tea.Cmd {
	if e.conv < 0 {
		return nil
	}
	e.behind = false
	d := e.deps
	late := e.jobs.start("late", func(ctx context.Context) answer {
		if !d.wait(ctx, lateAfter) {
			return nil
		}
		return func() tea.Cmd {
			e.late = e.jobs.running("run") && e.outOfDate()
			return nil
		}
	})
	return tea.Batch(e.pass(true), late)
}

// outOfDate tells whether the figures on the screen are not yet those of the session's rules.
func (e *explorer) outOfDate() bool {
	return e.list.run == nil || e.list.rules.revision != e.session.revision
}

// pass runs the policy. The first pass is quick: it leaves out the warnings for which a real tokenizer
// has to count, and a second one adds them.
func (e *explorer) pass(quick bool) tea.Cmd {
	c, by := e.session.convs[e.conv], e.session.rules
	o := engine.RunOptions{Fault: by.fault, SkipExact: quick, Track: !quick}
	return e.jobs.start("run", func(ctx context.Context) answer {
		run, err := c.run(ctx, by.policy, o)
		return func() tea.Cmd {
			e.late = false
			if err != nil {
				e.status = "replay failed: " + visible(err.Error())
				return nil
			}
			if e.list.conv == nil || e.list.conv.replays != c.replays || e.session.revision != by.revision {
				return nil
			}
			e.list.take(run, by)
			cmd := e.selected()
			switch {
			case e.behind:
				return tea.Batch(cmd, e.replay())
			case quick:
				return tea.Batch(cmd, e.pass(false))
			}
			e.totals[c] = run.Totals
			return cmd
		}
	})
}
