package ui

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
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
	behind bool // the conversation grew since the replay that is running began
	late   bool // the figures of a changed policy are so long in coming that the screen says so

	inResult bool // the result has the focus
	overlay  overlay
	tune     *tuneScreen // nil until it is opened for the first time
	tuning   bool        // the Tune screen is what is shown
	visiting *visit      // a result is looked at from the Tune screen; nil else
	marked   *marked     // waits for another result to be shown beside it; nil without one
	prompt   *prompt
	status   string // stands in the footer until the next key
	playing  bool

	title   string // what was asked for, for the screen before anything is open
	loading bool   // recordings are being opened
	far     string // how far that is, in words; empty where it is not known
	found   <-chan found
	cancel  func() // ends opening
	failed  []string
}

// A prompt is a line at the bottom that asks for something.
type prompt struct {
	label  string
	edit   *lineEdit
	accept func(string) tea.Cmd
}

func newExplorer(d *deps, title string, in <-chan found) *explorer {
	e := &explorer{deps: d, keys: newKeymap(bindings), conv: -1, title: title, found: in, loading: true, cancel: func() {}}
	e.list = &listPane{deps: d, focus: true}
	e.tabs = newTabs(d)
	e.gauge = &gauge{deps: d}
	e.totals = map[*conversation]engine.Totals{}
	d.tell = func(s string) { e.status = s }
	d.ask = func(label, initial string, accept func(string) tea.Cmd) {
		e.ask(label, accept)
		e.prompt.edit.set(initial)
	}
	d.jobs.broken = func(kind jobKind, reason any) {
		e.status = visible(fmt.Sprintf("a bug in floodmark stopped the job %q: %s", kind, engine.BugOf(reason).Words))
	}
	return e
}

// Init waits for the first recording.
func (e *explorer) Init() tea.Cmd { return e.listen() }

// Update routes one message.
func (e *explorer) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	defer passBug()
	switch m := m.(type) {
	case tea.WindowSizeMsg:
		e.resize(m.Width, m.Height)
		return e, tea.Batch(tea.ClearScreen, e.list.loadTitles())
	case jobMsg:
		cmd := e.jobs.finish(m)
		return e, tea.Batch(cmd, e.highlight())
	case finds:
		return e, e.take(m)
	case tea.KeyMsg:
		return e, e.typed(m)
	}
	return e, nil
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

// surveyed is how many conversations one job of a survey replays at most.
const surveyed = 100

// survey replays the other conversations for their totals, some at a time, while the list of them is
// open.
func (e *explorer) survey() tea.Cmd {
	o, ok := e.overlay.(*conversationsOverlay)
	if !ok || e.jobs.running("survey") {
		return nil
	}
	var next []*conversation
	for ; o.known < len(e.session.convs) && len(next) < surveyed; o.known++ {
		c := e.session.convs[o.known]
		if _, done := e.totals[c]; !done {
			next = append(next, c)
		}
	}
	if len(next) == 0 {
		return nil
	}
	p, fault := e.session.policy, e.session.fault
	return e.jobs.start("survey", func(ctx context.Context) answer {
		sums := make([]engine.Totals, len(next))
		for i, c := range next {
			var err error
			if sums[i], err = c.sum(ctx, p, fault); err != nil && ctx.Err() != nil {
				return nil
			}
		}
		return func() tea.Cmd {
			for i, c := range next {
				if !c.outdated {
					e.totals[c] = sums[i]
				}
			}
			o.update()
			return e.survey()
		}
	})
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
	if e.tune != nil {
		e.tune.SetRect(e.tuneRect())
	}
	if e.overlay != nil {
		e.overlay.SetRect(e.overlayRect())
	}
}

func (e *explorer) overlayRect() rect {
	if e.tuning {
		return e.tuneRect()
	}
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
