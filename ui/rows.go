package ui

import "floodmark/history"

// A row is one line of the list.
type row struct {
	kind   rowKind
	thread *history.Thread
	turn   *history.Turn
	step   *history.Step // nil for threads and turns
	call   *history.Call // nil but for calls
	at     int           // the step's number in the conversation, from 0; for turns that of their first step
	tree   treePart
}

type rowKind int

const (
	threadRow rowKind = iota // a subagent's thread begins
	turnRow                  // what a person wrote
	callRow                  // a call and its result
	wordsRow                 // a step without calls: what the model wrote
)

// A treePart is how a row hangs in the tree: steps along a turn, calls along a batch.
type treePart struct {
	lastStep bool
	batch    int // calls in the step; 0 for a step without any
	index    int // of the call in its step
}

// A stepPlace names a step.
type stepPlace struct {
	thread     *history.Thread
	turn, step int
}

// same tells whether r stands for what q stands for, in another state of the conversation.
func (r row) same(q row) bool {
	if r.kind != q.kind || r.thread.Name != q.thread.Name {
		return false
	}
	switch r.kind {
	case callRow:
		return r.call == q.call || r.call.Order == q.call.Order && r.call.ID == q.call.ID
	case turnRow:
		return r.turn.Number == q.turn.Number
	case wordsRow:
		return r.turn.Number == q.turn.Number && r.step.Number == q.step.Number
	}
	return true
}

// buildRows lists a conversation, and its steps by number.
func buildRows(c *history.Conversation) (rows []row, steps []stepPlace) {
	for _, t := range c.Threads {
		if t.Subagent() || len(c.Threads) > 1 {
			rows = append(rows, row{kind: threadRow, thread: t, at: len(steps)})
		}
		for _, u := range t.Turns {
			if u.Number > 0 || len(u.Steps) > 0 {
				rows = append(rows, row{kind: turnRow, thread: t, turn: u, at: len(steps)})
			}
			for i, s := range u.Steps {
				r := row{kind: wordsRow, thread: t, turn: u, step: s, at: len(steps)}
				r.tree = treePart{lastStep: i == len(u.Steps)-1, batch: len(s.Calls)}
				steps = append(steps, stepPlace{t, u.Number, s.Number})
				if len(s.Calls) == 0 {
					rows = append(rows, r)
				}
				for k, call := range s.Calls {
					r.kind, r.call, r.tree.index = callRow, call, k
					rows = append(rows, r)
				}
			}
		}
	}
	// A turn at the very end may have no step: it stands at the last one there is.
	for i := range rows {
		rows[i].at = min(rows[i].at, max(len(steps)-1, 0))
	}
	return rows, steps
}

// branch draws the tree before a row of a step: ├─ a, or ├┬ a, │├ b, │└ c for a batch.
func (t treePart) branch(g *glyphs) string {
	first, rest := g.branch, g.leg
	if t.lastStep {
		first, rest = g.last, " "
	}
	switch {
	case t.batch <= 1:
		return first + g.rule
	case t.index == 0:
		return first + g.fork
	case t.index == t.batch-1:
		return rest + g.last
	}
	return rest + g.mid
}
