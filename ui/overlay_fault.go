package ui

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// The menu of faults: what goes wrong on purpose, and beside the healthy run what the model would no
// longer reach of the conversation.

// faultOverlay covers the panes.
type faultOverlay struct {
	*deps
	rect
	conv    *conversation
	policy  *engine.Policy
	now     engine.Fault
	healthy *engine.Run        // nil while the runs are made
	runs    []*engine.FaultRun // by engine.Faults
	message string             // stands in the list's place
	cursor  int                // 0 is the healthy run, then engine.Faults
	list    linesPane          // what is out of reach under the chosen fault
}

// faultWords say what happens.
var faultWords = map[engine.Fault]string{
	engine.NoFault:     "everything works",
	engine.SandboxDown: "the sandbox is down",
	engine.WriteFails:  "writing a payload fails",
	engine.ReadFails:   "a payload is written, and reading it back fails",
	engine.Expired:     "the retention passes before a payload is used",
	engine.DiskFull:    "the disk is full",
}

// faultName is what the menu calls a fault.
func faultName(f engine.Fault) string {
	if f == engine.NoFault {
		return "none"
	}
	return string(f)
}

// chooseFault opens the menu, and runs all faults.
func (e *explorer) chooseFault() tea.Cmd {
	s := e.session
	o := &faultOverlay{deps: e.deps, conv: s.convs[e.conv], policy: s.policy, now: s.fault, message: "running every fault…"}
	for i, f := range engine.Faults {
		if f == s.fault {
			o.cursor = i + 1
		}
	}
	e.cover(o)
	return e.jobs.start("faults", func(ctx context.Context) answer {
		healthy, runs, err := o.conv.faultRuns(ctx, o.policy)
		return func() tea.Cmd {
			if err != nil {
				o.message = "running the faults failed: " + visible(err.Error())
				return nil
			}
			o.healthy, o.runs = healthy, runs
			o.SetRect(o.rect)
			return nil
		}
	})
}

// faultRuns replays c without and with each fault. It keeps nothing.
func (c *conversation) faultRuns(ctx context.Context, p *engine.Policy) (*engine.Run, []*engine.FaultRun, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	c.replayer = c.replayedBy(c.replayer)
	return c.replayer.FaultRuns(ctx, p, engine.Faults, engine.RunOptions{SkipExact: true})
}

// keyInFaults is a key while the menu is open. Accepting lets the chosen fault happen in the explorer.
func (e *explorer) keyInFaults(o *faultOverlay, a action) tea.Cmd {
	closes, _ := o.Key(a)
	if !closes {
		return nil
	}
	e.overlay = nil
	e.jobs.stop("faults")
	if f := o.fault(); a == accept && f != e.session.fault {
		e.session.suffer(f)
		return e.changed()
	}
	return nil
}

// fault is the one that the cursor is on.
func (o *faultOverlay) fault() engine.Fault {
	if o.cursor == 0 {
		return engine.NoFault
	}
	return engine.Faults[o.cursor-1]
}

// Key moves the cursor, or scrolls what is out of reach.
func (o *faultOverlay) Key(a action) (closes bool, chosen int) {
	at := o.cursor
	switch a {
	case leave, accept:
		return true, -1
	case up:
		o.cursor--
	case down:
		o.cursor++
	case toTop:
		o.cursor = 0
	case toEnd:
		o.cursor = len(engine.Faults)
	default:
		o.list.Key(a)
	}
	o.cursor = max(min(o.cursor, len(engine.Faults)), 0)
	if o.cursor != at {
		o.list.top = 0
		o.SetRect(o.rect)
	}
	return false, -1
}

func (o *faultOverlay) position() string {
	return "under " + visible(o.policy.Name) + ", in this conversation"
}

// menuRows is the heading, the faults, a rule, and the sentence below it with the heading of the list.
func (o *faultOverlay) menuRows() int { return 1 + 1 + len(engine.Faults) + 1 + 2 }

func (o *faultOverlay) SetRect(r rect) {
	o.rect = r
	o.list.rect = rect{r.X, r.Y + o.menuRows(), r.W, max(r.H-o.menuRows(), 0)}
	if run := o.run(); run != nil {
		o.list.lines(len(run.Effects), func(i int) string { return o.effect(&run.Effects[i]) })
	} else {
		o.list.set(nil)
	}
}

// run is the run with the fault that the cursor is on; nil for the healthy one, and while there is none.
func (o *faultOverlay) run() *engine.FaultRun {
	if o.cursor == 0 || o.runs == nil {
		return nil
	}
	return o.runs[o.cursor-1]
}

// faultCells are the widths of the figures: variables, bytes, tokens, and what enters the context.
var faultCells = []int{13, 12, 10, 11}

func (o *faultOverlay) figures(cells ...string) string {
	line := ""
	for i, c := range cells {
		line += padLeft(c, faultCells[i])
	}
	return line
}

func (o *faultOverlay) View() []string {
	title := o.figures("out of reach", "bytes", "tokens", "entered")
	room := max(o.W-width(title)-1, 0)
	out := []string{o.theme.faint.on(pad("  fault", room) + title + " ")}
	for i := range len(engine.Faults) + 1 {
		out = append(out, o.row(i, room))
	}
	out = append(out, strings.Repeat(o.theme.rule, o.W))
	for _, line := range o.sentence() {
		out = append(out, pad(line, o.W))
	}
	return append(out, o.list.View()...)
}

func (o *faultOverlay) row(i, room int) string {
	f, pointer := engine.NoFault, " "
	if i > 0 {
		f = engine.Faults[i-1]
	}
	if i == o.cursor {
		pointer = o.theme.pointer
	}
	name := faultName(f)
	if f == o.now {
		name += " (now)"
	}
	figures := o.figures("…", "…", "…", "…")
	switch {
	case o.runs == nil:
	case i == 0:
		figures = o.figures("–", "–", "–", short(o.healthy.Totals.Inline.Tokens))
	default:
		r := o.runs[i-1]
		figures = o.figures(grouped(int64(r.Lost))+" of "+grouped(int64(r.Variables)), short(float64(r.Bytes)), short(r.Tokens), short(r.Faulty.Inline.Tokens))
	}
	if o.W >= 100 {
		name = pad(name, 19) + " " + faultWords[f]
	}
	line := pad(clip(pointer+" "+name, room-1), room) + figures + " "
	if i == o.cursor {
		return o.theme.selected.on(pad(line, o.W))
	}
	return line
}

// sentence says what the list below it is, with the list's heading.
func (o *faultOverlay) sentence() []string {
	r := o.run()
	happens := " " + upperFirst(faultWords[o.fault()]) + ". "
	switch {
	case o.runs == nil:
		return []string{" " + o.message, ""}
	case r == nil:
		return []string{happens + "Kept: " + count(o.healthy.Totals.Verdicts[engine.Offloaded], "payload") + " outside the context, all within reach.", ""}
	case len(r.Effects) == 0:
		return []string{happens + "Nothing changes: this policy keeps nothing here.", ""}
	case r.Lost == 0:
		return []string{happens + "Everything stays within reach; what changes:", o.heads()}
	}
	return []string{happens + "What the model would no longer reach:", o.heads()}
}

// effectCells is the room for a verdict on either side.
const effectCells = 14

func (o *faultOverlay) heads() string {
	figures := padLeft("bytes", faultCells[1]) + padLeft("tokens", faultCells[2]) + " "
	name := max(o.W-width(figures)-2*effectCells-2, 8)
	return o.theme.faint.on("  " + pad("variable", name) + pad("healthy", effectCells) + pad("with the fault", effectCells) + figures)
}

// afterFault is what became of a result: its verdict, or that what was offloaded can't be read back.
func afterFault(t *theme, o *engine.Outcome) string {
	for _, w := range o.Warnings {
		if w.Code == engine.WarnUnreadable || w.Code == engine.WarnExpired {
			return t.verdicts[engine.Lost] + " " + w.Code
		}
	}
	return t.verdicts[o.Verdict] + " " + string(o.Verdict)
}

// effect draws one payload in both runs.
func (o *faultOverlay) effect(e *engine.FaultEffect) string {
	figures := padLeft(short(float64(e.Unreachable())), faultCells[1]) + padLeft(short(e.UnreachableTokens()), faultCells[2]) + " "
	name := max(o.W-width(figures)-2*effectCells-2, 8)
	after := pad(afterFault(o.theme, e.Faulty), effectCells)
	if e.Unreachable() > 0 {
		after = o.theme.bad.on(after)
	}
	return "  " + pad(clip(visible(e.Healthy.Name), name-1), name) + pad(o.theme.verdicts[e.Healthy.Verdict]+" "+string(e.Healthy.Verdict), effectCells) + after + figures
}
