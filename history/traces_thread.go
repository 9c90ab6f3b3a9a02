package history

import "cmp"

// A traceConversation makes threads of the spans of one conversation, which come in the order in
// which they started.
type traceConversation struct {
	*traces
	c       *convBuilder
	main    *traceThread
	threads map[string]*traceThread // by the span of their agent
	order   []*traceThread
}

// A traceThread is a thread with what it holds already.
type traceThread struct {
	*threadBuilder
	agent string         // the name of the agent that speaks in it, as far as it is known
	seen  map[uint64]int // how often pieces were read
	open  bool           // the model's response goes on
	calls []*traceCall
	byID  map[string][]*traceCall // by the id that was recorded
}

// A traceCall is a call with what told of it: messages, a tool's span, or both.
type traceCall struct {
	*Call
	id                string // as recorded, "" without one
	args              uint64
	inMessage, inSpan bool // who told of the call
	output            bool // the response itself told of it
	repeated          bool // a later history tells of it again
	answered, ran     bool // who told of the result: a message, a span
	failed            bool // the span says so
	failure           Payload
	span              *span
}

// thread finds the thread that a span belongs to.
func (c *traceConversation) thread(s *span) *traceThread {
	home := s.home()
	name := ""
	if home != nil {
		name = cmp.Or(home.agent, home.tool, home.name)
	}
	if c.main == nil {
		c.main = c.newThread(Main, "")
		c.main.agent = name
		if home != nil {
			c.threads[home.trace+" "+home.id] = c.main
		}
		return c.main
	}
	if home == nil {
		return c.main
	}
	key := home.trace + " " + home.id
	if t := c.threads[key]; t != nil {
		return t
	}
	if !home.inTool() && home.kind == agentSpan && (name == c.main.agent || c.holds(home, c.main)) {
		c.threads[key] = c.main
		c.main.agent = cmp.Or(c.main.agent, name)
		return c.main
	}
	t := c.newThread(home.id, name)
	c.threads[key] = t
	return t
}

// holds tells whether the main thread's agent runs inside this one: an agent that only runs others.
func (c *traceConversation) holds(home *span, main *traceThread) bool {
	for _, s := range c.spans {
		if s.kind != agentSpan || c.threads[s.trace+" "+s.id] != main {
			continue
		}
		for up, n := s.up, 0; up != nil && n < spanDepth; up, n = up.up, n+1 {
			if up == home {
				return true
			}
		}
	}
	return false
}

// newTraceThread starts a thread of a conversation.
func newTraceThread(c *convBuilder, name string) *traceThread {
	return &traceThread{threadBuilder: c.thread(name), seen: map[uint64]int{}, byID: map[string][]*traceCall{}}
}

func (c *traceConversation) newThread(name, agent string) *traceThread {
	t := newTraceThread(c.c, name)
	t.agent, t.Thread.Agent = agent, agent
	c.order = append(c.order, t)
	return t
}

// span reads one span.
func (c *traceConversation) span(s *span) {
	if s.kind == toolSpan {
		c.tool(s)
		return
	}
	reports := s.usage != nil && !s.billed && s.kind != otherSpan
	if reports {
		c.c.Conv.Usage = c.c.Conv.Usage.Add(s.usage)
	}
	if speaks := s.speaks() && !s.covered; !speaks && !(reports && s.kind == modelSpan && !s.covered) {
		return
	}
	t := c.thread(s)
	t.history(s.in)
	step := t.output(s)
	if step != nil {
		step.Time = s.start
		if reports {
			step.Usage = step.Usage.Add(s.usage)
		}
	}
}

// history reads what a model was given: what is new of it.
func (t *traceThread) history(pieces []piece) {
	for _, p := range t.fresh(pieces) {
		if p.kind == callPiece && t.renamed(p) {
			continue
		}
		t.take(p)
	}
}

// take reads the next piece of a conversation.
func (t *traceThread) take(p piece) {
	t.open = t.open && !p.another
	switch p.kind {
	case systemPiece:
		t.system(p.payload)
	case promptPiece:
		t.open = false
		t.prompt(p.payload, p.at)
	case textPiece:
		t.text(t.response(), p.payload)
	case callPiece:
		t.told(t.response, p)
	case resultPiece:
		t.open = false
		t.heard(p)
	}
}

// fresh drops the pieces that the thread has already: as many as it has of each.
func (t *traceThread) fresh(pieces []piece) []piece {
	here := map[uint64]int{}
	var list []piece
	for _, p := range pieces {
		here[p.key]++
		if here[p.key] <= t.seen[p.key] {
			t.repeated(p)
			continue
		}
		t.seen[p.key] = here[p.key]
		list = append(list, p)
	}
	return list
}

// repeated notes that a history tells of a call that its response told of.
func (t *traceThread) repeated(p piece) {
	if list := t.byID[p.id]; p.kind == callPiece && p.id != "" && len(list) > 0 {
		list[len(list)-1].repeated = true
	}
}

// renamed tells whether a history gives a call another id than its response did: the item's own
// instead of the call's, as one tracer does. Both ids are the call's then.
func (t *traceThread) renamed(p piece) bool {
	if p.id == "" || len(t.byID[p.id]) > 0 {
		return false
	}
	for _, k := range t.calls {
		if k.output && !k.repeated && k.Tool == p.tool && k.args == p.args {
			k.repeated = true
			t.byID[p.id] = append(t.byID[p.id], k)
			return true
		}
	}
	return false
}

// response is the step of a response that a history tells of.
func (t *traceThread) response() *Step {
	if !t.open {
		t.open = true
		return t.step("")
	}
	return t.lastStep()
}

// output reads what a model answered: one response, but several where an agent's span sums up.
func (t *traceThread) output(s *span) *Step {
	t.open = false
	if s.kind == modelSpan {
		t.open = true
		t.step(s.response)
	}
	said := false // calls behind which text is another response
	for _, p := range s.out {
		t.seen[p.key]++
		switch p.kind {
		case textPiece:
			if said && s.kind != modelSpan {
				t.open, said = false, false
			}
			t.text(t.response(), p.payload)
		case callPiece:
			said = true
			t.told(t.response, p)
			if list := t.byID[p.id]; len(list) > 0 {
				list[len(list)-1].output = true
			}
		case resultPiece:
			t.heard(p)
			t.open = s.kind == modelSpan
		}
	}
	t.open = false
	return t.latest
}
