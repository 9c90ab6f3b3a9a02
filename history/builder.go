package history

import (
	"fmt"
	"slices"
)

// A builder puts a reader's findings into conversations: it numbers turns and steps, pairs results
// with calls by the rules below, and flags what is unusual. Readers only say what they see, in file
// order.
//
// An id opens when a call is seen and closes when it gets its result; a later call with the same
// id opens a new pair. A result whose id nobody has opened waits for a call of the same thread,
// else it is an orphan. A second result for a closed id is dropped where its bytes are the same,
// and shown as a call of its own where they differ.
type builder struct {
	rec      *Recording
	identity string // what conversations without an id of their own are named by
	list     []*convBuilder
	byID     map[string]*convBuilder
	taken    map[string]bool // ids of conversations
	words    map[string]string
	calls    int // seen so far, for Call.Order
	results  int // seen so far, for Result.Arrival
}

func newBuilder(rec *Recording, identity string) *builder {
	return &builder{rec: rec, identity: identity, byID: map[string]*convBuilder{}, taken: map[string]bool{}, words: map[string]string{}}
}

// conversation starts (or goes on with) the conversation of this id; "" is the recording's only one.
func (b *builder) conversation(id string) *convBuilder {
	if c := b.byID[id]; c != nil {
		return c
	}
	c := b.newConversation(id)
	b.byID[id] = c
	return c
}

// newConversation starts a conversation in any case. An empty id, or one that is taken, is replaced
// or made unique by the conversation's ordinal.
func (b *builder) newConversation(id string) *convBuilder {
	n := len(b.list)
	switch {
	case id == "":
		id = fmt.Sprintf("%.16s-%d", b.identity, n)
	case b.taken[id]:
		id = fmt.Sprintf("%s-%d", id, n)
	}
	b.taken[id] = true
	c := &convBuilder{b: b, Conv: &Conversation{ID: id, File: b.rec.Name, Format: b.rec.Format, Ordinal: n}, used: map[string]bool{}}
	b.list = append(b.list, c)
	return c
}

// problem reports something that was passed over.
func (b *builder) problem(at Location, reason string) {
	b.rec.Problems = append(b.rec.Problems, Problem{at, reason})
}

// finish hands the conversations over: those in which something was said.
func (b *builder) finish() {
	for _, c := range b.list {
		c.finish()
	}
	for _, c := range b.said() {
		b.rec.Conversations = append(b.rec.Conversations, c.Conv)
	}
}

// said lists the conversations in which something was said, once they are finished.
func (b *builder) said() []*convBuilder {
	return slices.DeleteFunc(slices.Clone(b.list), func(c *convBuilder) bool { return len(c.Conv.Threads) == 0 })
}

// intern returns one string for all that are the same: names of tools and models, not ids.
func (b *builder) intern(s string) string {
	if known, ok := b.words[s]; ok {
		return known
	}
	if len(b.words) < maxWords {
		b.words[s] = s
	}
	return s
}

// maxWords is how many names are kept once only.
const maxWords = 4096

// A convBuilder collects one conversation.
type convBuilder struct {
	Conv    *Conversation
	b       *builder
	threads []*threadBuilder
	used    map[string]bool // ids that calls had
	handed  bool            // Conv may be somebody else's already: it is not to change
}

func (c *convBuilder) finish() {
	if c.handed {
		return
	}
	for _, t := range c.threads {
		t.finish()
	}
	c.Conv.Threads = slices.DeleteFunc(c.Conv.Threads, func(t *Thread) bool { return len(t.Turns) == 0 })
}

// thread returns the thread of this name, made where it is new.
func (c *convBuilder) thread(name string) *threadBuilder {
	for _, t := range c.threads {
		if t.Thread.Name == name {
			return t
		}
	}
	t := newThreadBuilder(c, &Thread{Name: name})
	c.threads = append(c.threads, t)
	c.Conv.Threads = append(c.Conv.Threads, t.Thread)
	return t
}

func newThreadBuilder(c *convBuilder, t *Thread) *threadBuilder {
	return &threadBuilder{Thread: t, c: c,
		pairs: map[string]*pairing{}, waiting: map[string][]*Call{}, steps: map[string]*Step{}, home: map[*Call]*Step{}}
}

// A threadBuilder collects one thread.
type threadBuilder struct {
	Thread  *Thread
	c       *convBuilder
	steps   map[string]*Step    // of the current turn, by id
	latest  *Step               // the one that was touched last
	pairs   map[string]*pairing // by call id
	waiting map[string][]*Call  // orphans so far, by the id of their result
	home    map[*Call]*Step
	made    []*Step // for orphans, where there was no response to put them in
	// replaced is by what the history was replaced, until a response follows: nil where it was not.
	replaced *compaction
}

// A compaction is the replacement of a thread's history by a summary.
type compaction struct {
	summary Payload
	asked   bool // a turn began since
}

// compact notes that a summary took the place of what came before. The next turn says so, if one
// begins before the next response, and that response.
func (t *threadBuilder) compact(summary Payload) {
	if r := t.replaced; r != nil && !r.asked && summary.empty() {
		return
	}
	t.replaced = &compaction{summary: summary}
}

// system adds to the thread's system prompt.
func (t *threadBuilder) system(p Payload) { t.Thread.System = t.Thread.System.join(p) }

// prompt starts a turn at a message that a person or the parent agent wrote.
func (t *threadBuilder) prompt(p Payload, at Location) *Turn {
	number := 1
	if n := len(t.Thread.Turns); n > 0 {
		number = t.Thread.Turns[n-1].Number + 1
	}
	u := t.turn(&Turn{Number: number, Prompt: p, At: at})
	if r := t.replaced; r != nil && !r.asked {
		u.Compacted, r.asked = true, true
	}
	return u
}

func (t *threadBuilder) turn(u *Turn) *Turn {
	t.Thread.Turns = append(t.Thread.Turns, u)
	clear(t.steps)
	t.latest = nil
	return u
}

// dropTurn takes the last turn back, which has no steps and is not the first.
func (t *threadBuilder) dropTurn() {
	n := len(t.Thread.Turns) - 1
	if r := t.replaced; r != nil && t.Thread.Turns[n].Compacted {
		r.asked = false
	}
	t.Thread.Turns = t.Thread.Turns[:n:n]
	if steps := t.Thread.Turns[n-1].Steps; len(steps) > 0 {
		t.latest = steps[len(steps)-1]
	}
}

// current is the turn that goes on; turn 0 where none has started.
func (t *threadBuilder) current() *Turn {
	if n := len(t.Thread.Turns); n > 0 {
		return t.Thread.Turns[n-1]
	}
	return t.turn(&Turn{})
}

// step returns the step of the model response with this id, which starts where it is new in the
// turn; an empty id always starts one.
func (t *threadBuilder) step(id string) *Step {
	u := t.current()
	if s := t.steps[id]; s != nil && id != "" {
		t.latest = s
		return s
	}
	s := &Step{Number: len(u.Steps) + 1, ID: id}
	u.Steps = append(u.Steps, s)
	if r := t.replaced; r != nil {
		s.Compacted, s.Summary, t.replaced = true, r.summary, nil
	}
	if id != "" {
		t.steps[id] = s
	}
	t.latest = s
	return s
}

// lastStep is the step that goes on; one is made where the turn has none.
func (t *threadBuilder) lastStep() *Step {
	if t.latest == nil {
		replaced := t.replaced
		t.replaced = nil // it is no response
		t.made = append(t.made, t.step(""))
		t.replaced = replaced
	}
	return t.latest
}

// text adds to what the model wrote in s.
func (t *threadBuilder) text(s *Step, p Payload) { s.Text = s.Text.join(p) }

// call adds a call to s. An empty id is made up and paired by order and name.
func (t *threadBuilder) call(s *Step, id, tool string, arguments Payload, at Location) *Call {
	c := &Call{ID: id, Tool: t.c.b.intern(tool), Arguments: arguments, Order: t.c.b.calls, At: at}
	t.c.b.calls++
	if arguments.replaced() {
		c.Flags |= ReplacedSurrogates
	}
	if id == "" {
		c.ID = fmt.Sprintf("line%d-%d", at.Line, c.Order)
		c.Flags |= SyntheticID
	} else if t.c.used[id] {
		c.Flags |= IDReused
	}
	t.c.used[c.ID] = true
	t.place(s, c)
	p := t.pairing(c.ID)
	if w := t.waiting[id]; len(w) > 0 && id != "" {
		orphan := w[0]
		t.waiting[id] = w[1:]
		t.remove(orphan)
		p.closed, p.early, p.more = c, orphan, nil
		c.Result = orphan.Result
		c.Flags |= ResultBeforeCall
		return c
	}
	p.open = append(p.open, c)
	return c
}

// callWith adds a call whose arguments are recorded as the value v.
func (t *threadBuilder) callWith(s *Step, id, tool string, v value, at Location) *Call {
	p, isJSON := v.arguments()
	c := t.call(s, id, tool, p, at)
	if !isJSON {
		c.Flags |= InvalidArguments
	}
	return c
}

// finish drops steps that were made for orphans and lost them, numbers the steps again, puts calls
// in order, and flags calls without a result.
func (t *threadBuilder) finish() {
	for _, u := range t.Thread.Turns {
		u.Steps = slices.DeleteFunc(u.Steps, func(s *Step) bool {
			return len(s.Calls) == 0 && s.Text.empty() && slices.Contains(t.made, s)
		})
		for i, s := range u.Steps {
			s.Number = i + 1
			sortCalls(s.Calls)
			for _, c := range s.Calls {
				if c.Result == nil {
					c.Flags |= NoResult
				}
			}
		}
	}
	t.Thread.Turns = slices.DeleteFunc(t.Thread.Turns, func(u *Turn) bool { return u.Number == 0 && len(u.Steps) == 0 })
	clear(t.home)
}
