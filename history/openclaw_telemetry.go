package history

import (
	"context"
	"hash/maphash"
	"strings"
)

// openclawTelemetry reads the events that OpenClaw writes about its runs. Those of tools have neither
// ids nor results; what a run was started with has both, for the runs before it.
var openclawTelemetry = &Format{
	Name:   "openclaw-telemetry",
	Title:  "OpenClaw telemetry",
	How:    "JSON Lines of type agent.start, tool.start and tool.end with a sessionKey",
	detect: detectOpenclaw,
	read:   readOpenclaw,
}

func detectOpenclaw(s *sample) (int, string) {
	for _, v := range s.items() {
		if !v.get("sessionKey").isText() {
			continue
		}
		switch v.get("type").str() {
		case "agent.start", "agent.end", "tool.start", "tool.end":
			return 95, "lines of type agent.start, tool.start and tool.end with a sessionKey"
		}
	}
	return 0, ""
}

func readOpenclaw(ctx context.Context, in *input, b *builder) error {
	o := &openclawRuns{conv: b.conversation(""), threads: map[string]*openclawThread{}, seed: maphash.MakeSeed()}
	for rec := range in.lines(ctx) {
		o.event(rec.value)
	}
	for _, t := range o.list {
		t.begin()
	}
	return in.err()
}

// openclawRuns are the runs of one gateway: the main session's and its subagents'.
type openclawRuns struct {
	conv    *convBuilder
	threads map[string]*openclawThread
	list    []*openclawThread
	seed    maphash.Seed
}

// An openclawThread puts events and the messages that later runs start with together: a message's
// call is the oldest event of its tool that no message had yet.
type openclawThread struct {
	piThread
	running int
	known   map[uint64]bool // messages that were read
	prompts map[string]bool // what turns began with
	events  []*Call         // calls that no message had yet, oldest first
	next    string          // the prompt of a run that starts, where its turn has not begun
	at      Location
}

func (o *openclawRuns) thread(v value) *openclawThread {
	name := Main
	if _, id, ok := strings.Cut(v.get("sessionKey").str(), ":subagent:"); ok {
		name = id
	}
	t := o.threads[name]
	if t == nil {
		t = &openclawThread{piThread: piThread{threadBuilder: o.conv.thread(name)}, known: map[uint64]bool{}, prompts: map[string]bool{}}
		if name != Main {
			t.Thread.Agent = v.get("agentId").str()
		}
		o.threads[name] = t
		o.list = append(o.list, t)
	}
	return t
}

func (o *openclawRuns) event(v value) {
	switch v.get("type").str() {
	case "agent.start", "agent.end":
		t := o.thread(v)
		for m := range v.get("messages").elements() {
			t.history(o.seed, m)
		}
		if prompt := v.get("prompt").str(); prompt != "" && prompt != t.next {
			t.begin()
			t.next, t.at = prompt, v.get("prompt").at()
		}
		if v.get("messages").isArray() {
			t.begin()
		}
	case "tool.start":
		t := o.thread(v)
		t.begin()
		if t.running == 0 {
			t.step("")
		}
		t.running++
		c := t.callWith(t.lastStep(), "", v.get("toolName").str(), v.get("params"), v.at())
		t.events = append(t.events, c)
	case "tool.end":
		t := o.thread(v)
		t.running = max(0, t.running-1)
	default:
		if !v.get("type").isText() {
			o.conv.b.problem(v.at(), "the record is no event")
		}
	}
}

// begin starts the turn of a run, once.
func (t *openclawThread) begin() {
	if t.next == "" {
		return
	}
	if !t.prompts[t.next] {
		t.prompts[t.next] = true
		t.running = 0
		t.prompt(Of(t.next), t.at)
	}
	t.next = ""
}

// history reads a message of an earlier run, unless an earlier event had it too.
func (t *openclawThread) history(seed maphash.Seed, m value) {
	mark := maphash.Bytes(seed, m.raw())
	if t.known[mark] {
		return
	}
	t.known[mark] = true
	content := m.get("content")
	switch m.get("role").str() {
	case "user":
		text := content
		if content.isArray() {
			text = content.first().get("text")
		}
		if t.prompts[text.str()] || text.str() == t.next {
			return
		}
		t.prompts[text.str()] = true
		t.message(m, m.get("timestamp").time())
	case "assistant":
		t.respond(m, content)
	case "toolResult":
		t.message(m, m.get("timestamp").time())
	}
}

// respond reads a response: its calls give the events their ids.
func (t *openclawThread) respond(m, content value) {
	var s *Step
	for b := range content.elements() {
		if !b.get("type").is("toolCall") {
			continue
		}
		for i, c := range t.events {
			if c.Tool == b.get("name").str() {
				t.events = append(t.events[:i:i], t.events[i+1:]...)
				s = t.home[c]
				t.identify(c, b.get("id").str())
				break
			}
		}
	}
	if s == nil {
		t.answer(m, content, m.get("timestamp").time())
		return
	}
	s.ID, s.Time, s.Usage = m.get("responseId").str(), m.get("timestamp").time(), piUsage(m.get("usage"))
	t.c.Conv.Usage = t.c.Conv.Usage.Add(s.Usage)
	t.model(m.get("model"))
	for b := range content.elements() {
		if !b.get("type").is("toolCall") {
			t.text(s, piProse(b))
		}
	}
}

// identify gives a call the id that was not known when it was seen.
func (t *openclawThread) identify(c *Call, id string) {
	if id == "" {
		return
	}
	if p := t.pairs[c.ID]; p != nil {
		delete(t.pairs, c.ID)
	}
	c.ID = id
	c.Flags &^= SyntheticID
	p := t.pairing(id)
	p.open = append(p.open, c)
}
