package history

import "time"

// How often a recording that is being read is shown: for the first time once there is a screenful,
// then a few times a second, and never so often that showing it takes more than a tenth of the time.
const (
	firstShown = 4 << 20 // bytes
	firstAfter = 200 * time.Millisecond
	showEvery  = 250 * time.Millisecond
	showShare  = 10
)

// A publisher hands over a recording while it is being read. What it hands over never changes
// afterwards. Whatever is the same as the time before is the same pointer as the time before:
// conversations, threads, turns, steps, calls and results.
type publisher struct {
	b     *builder
	found func(*Recording)
	pace  func(read int64) bool // nil: by the clock
	last  []*Conversation       // what was handed over of each of b's conversations

	start, next time.Time
	shown       bool
}

func newPublisher(b *builder, o Options) *publisher {
	if !o.Loading || o.Generated != nil { // what generated payloads are is known at the end
		o.Found = nil
	}
	return &publisher{b: b, found: o.Found, pace: o.pace, start: time.Now()}
}

// offer hands over what there is, where it is time for it. read is how much was read, in bytes.
func (p *publisher) offer(read int64) {
	switch {
	case p.found == nil:
		return
	case p.pace != nil:
		if p.pace(read) {
			p.publish()
		}
		return
	}
	now := time.Now()
	if !p.shown && read < firstShown && now.Sub(p.start) < firstAfter || now.Before(p.next) {
		return
	}
	p.publish()
	end := time.Now()
	p.next = end.Add(max(showEvery, showShare*end.Sub(now)))
}

func (p *publisher) publish() {
	rec := *p.b.rec
	rec.Loading = true
	rec.Problems = rec.Problems[:len(rec.Problems):len(rec.Problems)]
	if rec.Conversations = p.conversations(); len(rec.Conversations) > 0 {
		p.shown = true
		p.found(&rec)
	}
}

// finish makes the recording go on from what was handed over of it.
func (p *publisher) finish() {
	if p.shown {
		p.b.rec.Conversations = p.conversations()
	}
}

// conversations lists what there is of each conversation in which something was said.
func (p *publisher) conversations() []*Conversation {
	list := make([]*Conversation, 0, len(p.b.list))
	for i, c := range p.b.list {
		if i == len(p.last) {
			p.last = append(p.last, nil)
		}
		if c.handed {
			p.last[i] = c.Conv
		} else {
			p.last[i] = copyConversation(p.last[i], c.Conv)
		}
		if len(p.last[i].Threads) > 0 {
			list = append(list, p.last[i])
		}
	}
	return list
}

// copyConversation copies c, but for what is the same in before, an earlier copy of it.
func copyConversation(before, c *Conversation) *Conversation {
	if before == nil {
		before = &Conversation{}
	}
	now := *c
	now.Usage = copyUsage(before.Usage, c.Usage)
	var same bool
	now.Threads, same = copyAll(before.Threads, c.Threads, copyThread)
	if same && now.ID == before.ID && now.File == before.File && now.Format == before.Format && now.Title == before.Title &&
		now.Model == before.Model && now.Usage == before.Usage {
		return before
	}
	return &now
}

func copyThread(before, t *Thread) *Thread {
	if len(t.Turns) == 0 || len(t.Turns) == 1 && t.Turns[0].Number == 0 && len(t.Turns[0].Steps) == 0 {
		return nil
	}
	if before == nil {
		before = &Thread{}
	}
	now := *t
	var same bool
	now.Turns, same = copyAll(before.Turns, t.Turns, copyTurn)
	if same && now.Name == before.Name && now.Agent == before.Agent && now.System.is(before.System) {
		return before
	}
	return &now
}

func copyTurn(before, u *Turn) *Turn {
	if u.Number == 0 && len(u.Steps) == 0 {
		return nil
	}
	if before == nil {
		before = &Turn{}
	}
	now := *u
	var same bool
	now.Steps, same = copyAll(before.Steps, u.Steps, copyStep)
	for i, s := range now.Steps {
		if s.Number != i+1 { // one before it was left out
			s := *s
			s.Number = i + 1
			now.Steps[i], same = &s, false
		}
	}
	if same && now.Number == before.Number && now.Prompt.is(before.Prompt) && now.At == before.At && now.Compacted == before.Compacted {
		return before
	}
	return &now
}

func copyStep(before, s *Step) *Step {
	if before == nil {
		before = &Step{}
	}
	now := *s
	now.Usage = copyUsage(before.Usage, s.Usage)
	var same bool
	now.Calls, same = copyAll(before.Calls, s.Calls, copyCall)
	if same && now.Number == before.Number && now.ID == before.ID && now.Text.is(before.Text) && now.Time.Equal(before.Time) &&
		now.Usage == before.Usage && now.Compacted == before.Compacted && now.Summary.is(before.Summary) && now.Copied == before.Copied {
		return before
	}
	sortCalls(now.Calls)
	return &now
}

func copyCall(before, c *Call) *Call {
	if before == nil {
		before = &Call{}
	}
	now := *c
	now.Result = copyResult(before.Result, c.Result)
	if now.Result == before.Result && now.ID == before.ID && now.Tool == before.Tool && now.Arguments.is(before.Arguments) &&
		now.Order == before.Order && now.At == before.At && now.Flags == before.Flags {
		return before
	}
	return &now
}

func copyResult(before, r *Result) *Result {
	if r == nil {
		return nil
	}
	if before == nil {
		before = &Result{}
	}
	now := *r
	if now.Payload.is(before.Payload) && now.Structured == before.Structured && now.Error == before.Error && now.Failed == before.Failed &&
		now.At == before.At && now.Time.Equal(before.Time) && now.Arrival == before.Arrival && now.Recorded == before.Recorded && now.Flags == before.Flags {
		return before
	}
	return &now
}

func copyUsage(before, u *Usage) *Usage {
	if u == nil || before != nil && *before == *u {
		if u == nil {
			return nil
		}
		return before
	}
	now := *u
	return &now
}

// copyAll copies a list, each entry by copy, and tells whether it came out as it was before. Entries
// of which copy makes nothing are left out.
func copyAll[T any](before, list []*T, copy func(before, now *T) *T) ([]*T, bool) {
	if len(list) == 0 {
		return nil, len(before) == 0
	}
	all := make([]*T, 0, len(list))
	same := true
	for _, x := range list {
		var was *T
		if len(all) < len(before) {
			was = before[len(all)]
		}
		c := copy(was, x)
		if c == nil {
			continue
		}
		same = same && c == was
		all = append(all, c)
	}
	if same && len(all) == len(before) {
		return before, true
	}
	return all, false
}
