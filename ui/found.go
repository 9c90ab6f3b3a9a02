package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/history"
)

// Recordings arrive while the explorer runs, and a long one several times while it is read.

// found is one thing that opening recordings brings.
type found struct {
	recording *history.Recording
	progress  string
	err       error
	done      bool
}

// finds are what was found since the last time.
type finds []found

// gathered is how long what is found is gathered for one change of the screen: a folder of ten
// thousand files is not ten thousand screens.
const gathered = 100 * time.Millisecond

// listen brings what opening recordings found. What is found first comes at once.
func (e *explorer) listen() tea.Cmd {
	in, first := e.found, e.conv < 0
	if in == nil {
		return nil
	}
	return func() tea.Msg {
		f, ok := <-in
		if !ok {
			return finds{{done: true}}
		}
		all := finds{f}
		if first && f.recording != nil {
			return all
		}
		over := make(chan struct{})
		ctx, cancel := context.WithCancel(e.jobs.ctx)
		defer cancel()
		go func() {
			e.wait(ctx, gathered)
			close(over)
		}()
		for {
			select {
			case f, ok := <-in:
				if !ok {
					return append(all, found{done: true})
				}
				all = append(all, f)
			case <-over:
				return all
			}
		}
	}
}

// take takes in what was found.
func (e *explorer) take(all finds) tea.Cmd {
	var cmds []tea.Cmd
	added := false
	for _, f := range all {
		switch {
		case f.done:
			e.loading, e.found = false, nil
			cmds = append(cmds, e.collect())
		case f.err != nil:
			e.failed = append(e.failed, visible(f.err.Error()))
			if e.conv >= 0 {
				e.status = "not opened: " + e.failed[len(e.failed)-1]
			}
		case f.recording != nil:
			for _, c := range e.session.add(f.recording) {
				delete(e.totals, c)
			}
			added = true
		default:
			e.far = f.progress
		}
	}
	if added {
		cmds = append(cmds, e.added(), e.collect())
	}
	return tea.Batch(append(cmds, e.listen())...)
}

// added shows conversations that were added, and the one in front as it is now.
func (e *explorer) added() tea.Cmd {
	var cmd tea.Cmd
	shown := e.list.conv
	e.find()
	switch {
	case e.conv < 0:
	case shown == nil || e.session.convs[e.conv].replays != shown.replays:
		cmd = e.open(e.conv)
	case shown.outdated:
		e.list.grow(e.session.convs[e.conv])
		e.behind = true
		if !e.jobs.running("run") {
			cmd = e.replay()
		}
		cmd = tea.Batch(e.selected(), cmd)
	}
	if o, ok := e.overlay.(*conversationsOverlay); ok {
		o.known = 0
		o.update()
		cmd = tea.Batch(cmd, e.survey())
	}
	return cmd
}

// find says which conversation is in front: the one that was, and else the first with results.
func (e *explorer) find() {
	convs, shown := e.session.convs, e.list.conv
	for i := max(e.conv, 0); shown != nil && i < len(convs); i++ {
		if convs[i].replays == shown.replays {
			e.conv = i
			break
		}
	}
	if e.conv >= 0 && convs[e.conv].results > 0 {
		return
	}
	for i, c := range convs {
		if c.results > 0 || e.conv < 0 {
			e.conv = i
		}
		if c.results > 0 {
			return
		}
	}
}

// stopLoading ends opening; what was read stays.
func (e *explorer) stopLoading() {
	if e.loading {
		e.cancel()
		e.status = "loading stopped: what was read stays"
	}
}
