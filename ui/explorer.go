package ui

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
	"floodmark/history"
)

// explorer is the one model. It routes: keys to the pane that has them, answers of jobs to whoever
// asked, the selection to everything that shows it. It draws nothing itself but the frame.
type explorer struct {
	*deps
	keys   keymap
	lay    layout
	list   *listPane
	tabs   []tab
	tab    int
	gauge  *gauge
	conv   int // index in session.convs; -1 while there is none
	totals map[*conversation]engine.Totals

	inResult bool // the result has the focus
	overlay  overlay
	prompt   *prompt
	status   string // stands in the footer until the next key
	playing  bool

	title   string // what was asked for, for the screen before anything is open
	loading string // what is being opened; empty when all is
	found   <-chan found
	failed  []string
}

// found is what opening recordings brings, one after another.
type found struct {
	recording *history.Recording
	progress  string
	err       error
	done      bool
}

// A prompt is a line at the bottom that asks for something.
type prompt struct {
	label  string
	edit   *lineEdit
	accept func(string) tea.Cmd
}

func newExplorer(d *deps, title string, in <-chan found) *explorer {
	e := &explorer{deps: d, keys: newKeymap(bindings), conv: -1, title: title, found: in, loading: title}
	e.list = &listPane{deps: d, focus: true}
	e.tabs = newTabs(d)
	e.gauge = &gauge{deps: d}
	e.totals = map[*conversation]engine.Totals{}
	d.jobs.broken = func(kind jobKind, reason any) {
		e.status = visible(fmt.Sprintf("a bug in floodmark stopped the job %q: %v", kind, reason))
	}
	return e
}

// Init waits for the first recording.
func (e *explorer) Init() tea.Cmd { return e.listen() }

// listen brings the next thing that opening recordings found.
func (e *explorer) listen() tea.Cmd {
	in := e.found
	if in == nil {
		return nil
	}
	return func() tea.Msg {
		f, ok := <-in
		if !ok {
			return found{done: true}
		}
		return f
	}
}

// Update routes one message.
func (e *explorer) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m := m.(type) {
	case tea.WindowSizeMsg:
		e.resize(m.Width, m.Height)
		return e, tea.Batch(tea.ClearScreen, e.list.loadTitles())
	case jobMsg:
		cmd := e.jobs.finish(m)
		return e, tea.Batch(cmd, e.highlight())
	case found:
		return e, e.take(m)
	case tea.KeyMsg:
		return e, e.typed(m)
	}
	return e, nil
}

// take takes in a recording as soon as it is read.
func (e *explorer) take(f found) tea.Cmd {
	switch {
	case f.done:
		e.loading, e.found = "", nil
		return nil
	case f.err != nil:
		e.failed = append(e.failed, visible(f.err.Error()))
		if e.conv >= 0 {
			e.status = "not opened: " + e.failed[len(e.failed)-1]
		}
	case f.recording != nil:
		before := len(e.session.convs)
		e.session.add(f.recording)
		// The first conversation with results is the first to be seen.
		if e.conv < 0 || e.session.convs[e.conv].results == 0 {
			for i := before; i < len(e.session.convs); i++ {
				if e.session.convs[i].results > 0 || e.conv < 0 {
					e.conv = i
				}
				if e.session.convs[i].results > 0 {
					break
				}
			}
			if e.conv >= before {
				return tea.Batch(e.open(e.conv), e.listen())
			}
		}
		if o, ok := e.overlay.(*conversationsOverlay); ok {
			o.update()
		}
	default:
		e.loading = f.progress
	}
	return e.listen()
}

// open shows conversation i.
func (e *explorer) open(i int) tea.Cmd {
	e.conv = i
	e.stop()
	e.list.open(e.session.convs[i])
	if p := e.session.convs[i].recording.Problems; len(p) > 0 {
		e.status = fmt.Sprintf("%s of the recording passed over; line %s: %s", count(len(p), "part"), grouped(int64(p[0].At.Line)), visible(p[0].Reason))
	}
	return tea.Batch(e.replay(), e.selected())
}

// replay runs the policy over the conversation; what was there stays on the screen until it is done.
func (e *explorer) replay() tea.Cmd {
	if e.conv < 0 {
		return nil
	}
	c, p, fault, revision := e.session.convs[e.conv], e.session.policy, e.session.fault, e.session.revision
	return e.jobs.start("run", func(ctx context.Context) answer {
		run, err := c.run(ctx, p, fault)
		return func() tea.Cmd {
			if err != nil {
				e.status = "replay failed: " + visible(err.Error())
				return nil
			}
			if e.list.conv != c || e.session.revision != revision {
				return nil
			}
			e.list.take(run)
			e.totals[c] = run.Totals
			return e.selected()
		}
	})
}

// survey replays the other conversations, one after another, while the list of them is open.
func (e *explorer) survey() tea.Cmd {
	o, ok := e.overlay.(*conversationsOverlay)
	if !ok {
		return nil
	}
	for _, c := range e.session.convs {
		if _, done := e.totals[c]; done {
			continue
		}
		p, fault := e.session.policy, e.session.fault
		return e.jobs.start("survey", func(ctx context.Context) answer {
			run, err := c.run(ctx, p, fault)
			return func() tea.Cmd {
				if err == nil {
					e.totals[c] = run.Totals
				} else {
					e.totals[c] = engine.Totals{}
				}
				o.update()
				return e.survey()
			}
		})
	}
	return nil
}

// selected tells everything that shows the selection what it is.
func (e *explorer) selected() tea.Cmd {
	s := e.list.selected()
	e.gauge.sel = s
	return tea.Batch(e.tabs[e.tab].show(s), e.list.loadTitles())
}

func (e *explorer) resize(w, h int) {
	e.lay = layOut(w, h)
	if e.lay.small {
		return
	}
	e.list.SetRect(e.lay.list)
	body := e.lay.body
	body.Y += resultRows(body)
	body.H = max(body.H-resultRows(body), 0)
	for _, t := range e.tabs {
		t.SetRect(body)
	}
	e.gauge.SetRect(e.lay.gauge)
	if e.overlay != nil {
		e.overlay.SetRect(e.overlayRect())
	}
}

func (e *explorer) overlayRect() rect {
	return rect{0, 2, e.lay.W, e.lay.list.H}
}

// stop ends playing.
func (e *explorer) stop() {
	e.playing, e.list.playing, e.gauge.playing = false, false, false
	e.jobs.stop("play")
}

// playPause is how long a step stays on the screen.
const stepPause = 700 * time.Millisecond

// play goes on by one step after a while.
func (e *explorer) play() tea.Cmd {
	d := e.deps
	return e.jobs.start("play", func(ctx context.Context) answer {
		if !d.wait(ctx, stepPause) {
			return nil
		}
		return func() tea.Cmd {
			if !e.list.step(1) {
				e.stop()
				return nil
			}
			return tea.Batch(e.selected(), e.play())
		}
	})
}
