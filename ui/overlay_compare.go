package ui

import (
	"context"
	"fmt"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// The Compare screen: the conversation under all policies, one a line, with what each leaves of the
// selected result; below it what the explorer's policy and the chosen one show of that result.

// compareOverlay covers the panes.
type compareOverlay struct {
	*deps
	rect
	conv     *conversation
	policies []*engine.Policy // by strategy
	current  int              // the explorer's policy among them
	fault    engine.Fault

	mu       sync.Mutex // holds the replayer, which jobs share
	replayer *engine.Replayer
	compared *engine.Comparison // nil while it is being made
	message  string             // stands in the table's place

	rows   []compareRow
	cursor int // policy
	result int // index in compared.Results
	top    int // first row of the table that is drawn
	left   textPane
	right  textPane
}

// A compareRow is a line of the table: a policy, or the heading of a strategy.
type compareRow struct {
	policy   int // -1 for a heading
	strategy engine.Strategy
}

// compare opens the Compare screen on the conversation and the selected result.
func (e *explorer) compare() tea.Cmd {
	s := e.session
	list := make([]*engine.Policy, len(s.policies))
	copy(list, s.policies)
	list[s.chosen] = s.policy
	list = engine.ByStrategy(list)
	o := &compareOverlay{deps: e.deps, conv: e.session.convs[e.conv], policies: list, fault: s.fault,
		message: "comparing " + policyCount(len(list)) + "…", left: newTextPane(e.deps), right: newTextPane(e.deps)}
	last := engine.Strategy("")
	for i, p := range list {
		if p == s.policy {
			o.current, o.cursor = i, i
		}
		if p.InEffect() != last {
			last = p.InEffect()
			o.rows = append(o.rows, compareRow{-1, last})
		}
		o.rows = append(o.rows, compareRow{i, last})
	}
	o.replayer = engine.NewReplayer(o.conv.Conversation)
	e.cover(o)
	call := e.list.selected().row.call
	return e.jobs.start("compare", func(ctx context.Context) answer {
		o.mu.Lock()
		defer o.mu.Unlock()
		c, err := o.replayer.Compare(ctx, o.policies, engine.RunOptions{Fault: o.fault})
		return func() tea.Cmd {
			if err != nil {
				o.message = "comparing failed: " + visible(err.Error())
				return nil
			}
			o.compared = c
			for i := range c.Results {
				if c.Results[i].Call == call {
					o.result = i
				}
			}
			o.SetRect(o.rect)
			return o.texts()
		}
	})
}

// keyInCompare is a key while the Compare screen is open. Accepting makes the chosen policy the
// explorer's and selects the result.
func (e *explorer) keyInCompare(o *compareOverlay, a action) tea.Cmd {
	cmd, closes := o.key(a)
	if !closes && a != accept {
		return cmd
	}
	e.overlay = nil
	for _, kind := range []jobKind{"compare", "compare left", "compare right"} {
		e.jobs.stop(kind)
	}
	if a != accept {
		return nil
	}
	if o.compared != nil && len(o.compared.Results) > 0 {
		call := o.compared.Results[o.result].Call
		e.list.seek(1, func(i int) bool { return e.list.rows[i].call == call })
	}
	if o.cursor == o.current {
		return e.selected()
	}
	for i, p := range e.session.policies {
		if p == o.policies[o.cursor] {
			e.session.choose(i)
		}
	}
	return tea.Batch(e.changed(), e.selected())
}

// key is what a key does in the Compare screen. closes tells that it is over.
func (o *compareOverlay) key(a action) (cmd tea.Cmd, closes bool) {
	switch a {
	case leave:
		return nil, true
	case pageUp, pageDown:
		o.left.Key(a)
		o.right.Key(a)
		return nil, false
	case up:
		o.cursor--
	case down:
		o.cursor++
	case toTop:
		o.cursor = 0
	case toEnd:
		o.cursor = len(o.policies) - 1
	}
	o.cursor = max(min(o.cursor, len(o.policies)-1), 0)
	if o.compared == nil || len(o.compared.Results) == 0 {
		return nil, false
	}
	n := len(o.compared.Results)
	switch a {
	case prevTab:
		o.result = (o.result + n - 1) % n
	case nextTab:
		o.result = (o.result + 1) % n
	case nextMatch:
		o.seek(1)
	case prevMatch:
		o.seek(n - 1)
	}
	o.SetRect(o.rect)
	return o.texts(), false
}

// seek goes to the next result, by steps of by, on which the policies differ; it stays where there is
// none.
func (o *compareOverlay) seek(by int) {
	n := len(o.compared.Results)
	for k := 1; k <= n; k++ {
		if i := (o.result + k*by) % n; o.compared.Results[i].Differs() {
			o.result = i
			return
		}
	}
}

// largestShown is the most bytes of a text that the screen takes in.
const largestShown = 16 << 20

// texts loads what the models get of the result under the explorer's policy and the chosen one.
func (o *compareOverlay) texts() tea.Cmd {
	if o.compared == nil || len(o.compared.Results) == 0 {
		return nil
	}
	r := &o.compared.Results[o.result]
	return tea.Batch(o.load(&o.left, "compare left", r, o.current), o.load(&o.right, "compare right", r, o.cursor))
}

// A shownSight is a result under a policy: what has to be loaded anew.
type shownSight struct{ result, policy int }

func (o *compareOverlay) load(pane *textPane, kind jobKind, r *engine.ComparedResult, policy int) tea.Cmd {
	now := shownSight{o.result, policy}
	if pane.shown == now {
		return nil
	}
	pane.shown = now
	s := r.Sights[policy]
	figures := []string{sightTitle(visible(o.policies[policy].Name), s), sightLoss(s)}
	switch {
	case s.Inline.Bytes == 0:
		pane.say("Nothing entered the context.", figures...)
		return nil
	case s.Inline.Bytes > largestShown:
		pane.say(bytesText(s.Inline.Bytes)+" entered: too much to be shown here.", figures...)
		return nil
	}
	pane.say("", figures...)
	p := o.policies[policy]
	return o.jobs.start(kind, func(ctx context.Context) answer {
		o.mu.Lock()
		defer o.mu.Unlock()
		text, err := inlineText(ctx, o.replayer, p, r, o.fault)
		doc := newDocument(text)
		return func() tea.Cmd {
			switch {
			case pane.shown != now:
			case err != nil:
				pane.say("can't be read: "+visible(err.Error()), figures...)
			default:
				pane.put(doc, false, figures...)
			}
			return nil
		}
	})
}

// inlineText is exactly what the model gets of a result under p.
func inlineText(ctx context.Context, r *engine.Replayer, p *engine.Policy, of *engine.ComparedResult, f engine.Fault) ([]byte, error) {
	o, err := r.Outcome(ctx, p, of.Call, engine.RunOptions{Fault: f})
	if err != nil {
		return nil, err
	}
	return r.InlineText(p, o)
}

// position names the result, and where it is among all.
func (o *compareOverlay) position() string {
	if o.compared == nil || len(o.compared.Results) == 0 {
		return ""
	}
	r := &o.compared.Results[o.result]
	differ := "all agree"
	if r.Differs() {
		differ = "verdicts differ"
	}
	return fmt.Sprintf("result %d of %d · %s · %s · %s · %s", o.result+1, len(o.compared.Results), differ,
		visible(r.Call.Tool), bytesText(r.Sights[o.current].Original.Bytes), visible(r.Call.ID))
}

// Key is for overlays that need no answer; this one has key.
func (o *compareOverlay) Key(a action) (closes bool, chosen int) {
	_, closes = o.key(a)
	return closes, -1
}
