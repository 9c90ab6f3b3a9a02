package ui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
	"floodmark/history"
)

// deps is what every pane is given.
type deps struct {
	theme   *theme
	jobs    *jobs
	session *session
	// wait sleeps inside a job and tells whether the job is still wanted.
	wait func(ctx context.Context, d time.Duration) bool
	now  func() time.Time
	// copy hands text to the terminal's clipboard; nil where there is none.
	copy func(string)
	// ask asks for a line at the bottom, begun with initial, and tell says something there. The explorer
	// sets both.
	ask  func(label, initial string, accept func(string) tea.Cmd)
	tell func(string)
}

// A selection is what the panes on the right show.
type selection struct {
	conv     *conversation
	row      row
	run      *engine.Run     // nil while it is being made
	outcome  *engine.Outcome // nil for rows that are no call, and while there is no run
	steps    []stepPlace
	policy   *engine.Policy
	revision int
}

// The list is the left pane: turns, steps and results with size bars and verdict marks.
type listPane struct {
	*deps
	rect
	conv     *conversation
	rows     []row
	steps    []stepPlace
	run      *engine.Run
	rules    rules // that run was made by
	outcomes map[*history.Call]*engine.Outcome
	largest  float64 // tokens of the largest result that was not rejected
	titles   map[any]string
	cursor   int
	top      int
	focus    bool
	playing  bool
	query    string
	hits     map[int]bool // rows that a search found
}

func (l *listPane) SetRect(r rect) { l.rect = r; l.follow() }

// open shows another conversation, its first result selected.
func (l *listPane) open(c *conversation) {
	l.conv, l.run, l.outcomes, l.largest = c, nil, nil, 0
	l.rows, l.steps = buildRows(c.Conversation)
	l.titles, l.hits, l.query = map[any]string{}, nil, ""
	l.cursor, l.top = 0, 0
	for i, r := range l.rows {
		if r.kind == callRow && r.call.Result != nil {
			l.cursor = i
			break
		}
	}
	l.follow()
}

// grow shows the same conversation in a later state. What is selected stays so.
func (l *listPane) grow(c *conversation) {
	before := l.rows
	l.conv = c
	l.rows, l.steps = buildRows(c.Conversation)
	if l.cursor < len(before) {
		was := before[l.cursor]
		for k := range l.rows { // from where it was on: rows are added behind it as a rule
			if i := (l.cursor + k) % len(l.rows); l.rows[i].same(was) {
				l.cursor = i
				break
			}
		}
	}
	l.move(l.cursor)
}

// take takes in what a policy made of the conversation. The selection stays. An outcome that came
// out as it was is the one that it was.
func (l *listPane) take(run *engine.Run, by rules) {
	before := l.outcomes
	if l.rules.revision != by.revision {
		before = nil
	}
	l.run, l.rules = run, by
	l.outcomes = make(map[*history.Call]*engine.Outcome, len(run.Outcomes))
	l.largest = 0
	for _, o := range run.Outcomes {
		l.outcomes[o.Call] = o
		if was := before[o.Call]; was != nil && sameOutcome(was, o) {
			l.outcomes[o.Call] = was
		}
		if o.Verdict != engine.Rejected { // one that is off the scale leaves the others their room
			l.largest = max(l.largest, o.Original.Tokens)
		}
	}
}

// sameOutcome tells whether a and b, of one call under one policy, say the same.
func sameOutcome(a, b *engine.Outcome) bool {
	return a.Name == b.Name && a.Verdict == b.Verdict && a.Inline == b.Inline && a.Step == b.Step && a.Batch == b.Batch &&
		len(a.Trace) == len(b.Trace) && slices.EqualFunc(a.Warnings, b.Warnings, func(v, w engine.Warning) bool { return v.Code == w.Code && v.Detail == w.Detail })
}

// measuredBy are the rules that the figures on the screen were made by; before there are any, the
// session's.
func (l *listPane) measuredBy() rules {
	if l.run == nil {
		return l.session.rules
	}
	return l.rules
}

// selected is the row under the cursor.
func (l *listPane) selected() selection {
	by := l.measuredBy()
	s := selection{conv: l.conv, run: l.run, steps: l.steps, policy: by.policy, revision: by.revision}
	if l.cursor < len(l.rows) {
		s.row = l.rows[l.cursor]
		s.outcome = l.outcomes[s.row.call]
	}
	return s
}

// at is the step that the selection stands at.
func (l *listPane) at() int {
	if l.cursor < len(l.rows) {
		return l.rows[l.cursor].at
	}
	return 0
}

// step selects the first row of the step by steps away; false at either end.
func (l *listPane) step(by int) bool {
	want := l.at() + by
	if want < 0 || want >= len(l.steps) {
		return false
	}
	for i, r := range l.rows {
		if r.at == want && r.step != nil {
			l.move(i)
			return true
		}
	}
	return false
}

// move puts the cursor on row i, or as near as there are rows.
func (l *listPane) move(i int) {
	l.cursor = max(min(i, len(l.rows)-1), 0)
	l.follow()
}

// follow keeps the cursor in sight, with a row around it where there is room.
func (l *listPane) follow() {
	h := l.visibleRows()
	margin := 0
	if h > 4 {
		margin = 1
	}
	l.top = max(min(l.top, l.cursor-margin), l.cursor+margin+1-h)
	l.top = max(min(l.top, len(l.rows)-h), 0)
}

// visibleRows is the room for rows, under the heading.
func (l *listPane) visibleRows() int { return max(l.H-1, 1) }

func (l *listPane) Key(a action) bool {
	switch a {
	case up:
		l.move(l.cursor - 1)
	case down:
		l.move(l.cursor + 1)
	case pageUp:
		l.move(l.cursor - l.visibleRows() + 1)
	case pageDown:
		l.move(l.cursor + l.visibleRows() - 1)
	case toTop:
		l.move(0)
	case toEnd:
		l.move(len(l.rows) - 1)
	case nextTurn:
		l.seek(1, func(i int) bool { return l.rows[i].kind == turnRow })
	case prevTurn:
		l.seek(-1, func(i int) bool { return l.rows[i].kind == turnRow })
	case nextWarning:
		l.seek(1, l.suspicious)
	case nextMatch:
		l.seek(1, func(i int) bool { return l.hits[i] })
	case prevMatch:
		l.seek(-1, func(i int) bool { return l.hits[i] })
	default:
		return false
	}
	return true
}

// seek moves to the next row for which want holds, round the ends.
func (l *listPane) seek(by int, want func(int) bool) bool {
	n := len(l.rows)
	for k := 1; k <= n; k++ {
		if i := ((l.cursor+by*k)%n + n) % n; want(i) {
			l.move(i)
			return true
		}
	}
	return false
}

func (l *listPane) suspicious(i int) bool {
	o := l.outcomes[l.rows[i].call]
	return o != nil && len(o.Warnings) > 0
}

// loadTitles reads the beginnings of the prompts and answers in sight; nil where all are there.
func (l *listPane) loadTitles() tea.Cmd {
	type want struct {
		key any
		p   history.Payload
	}
	var wants []want
	for i := l.top; i < min(l.top+l.visibleRows(), len(l.rows)); i++ {
		r := l.rows[i]
		key, p := any(r.turn), history.Payload{}
		switch r.kind {
		case turnRow:
			p = r.turn.Prompt
		case wordsRow:
			key, p = r.step, r.step.Text
		case callRow:
			key, p = r.call, r.call.Arguments
		default:
			continue
		}
		if _, ok := l.titles[key]; !ok {
			wants = append(wants, want{key, p})
		}
	}
	if len(wants) == 0 {
		return nil
	}
	titles := l.titles
	return l.jobs.start("titles", func(ctx context.Context) answer {
		found := map[any]string{}
		for _, w := range wants {
			b, err := head(ctx, w.p, titleBytes)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				b = []byte("(can't be read: " + err.Error() + ")")
			}
			if _, call := w.key.(*history.Call); call {
				b = []byte(argument(b))
			}
			found[w.key] = oneLine(b)
		}
		return func() tea.Cmd {
			for k, v := range found {
				titles[k] = v
			}
			return nil
		}
	})
}
