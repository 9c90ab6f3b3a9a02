package history

import (
	"context"
	"time"
)

// kimi reads what the Kimi command line keeps of a session: its wire log, or the context file of its
// first versions.
var kimi = &Format{
	Name:   "kimi",
	Title:  "Kimi session",
	How:    "JSON Lines of type context.append_loop_event and context.append_message, or chat messages among rows with the role _usage, _checkpoint or _system_prompt",
	detect: detectKimi,
	read:   readKimi,
}

func detectKimi(s *sample) (int, string) {
	events, rows := 0, 0
	for _, v := range s.items() {
		switch typ, role := v.get("type").str(), v.get("role").str(); {
		case typ == "metadata" && v.get("protocol_version").given(),
			typ == "context.append_loop_event" && v.get("event").isObject(),
			typ == "context.append_message" && v.get("message").isObject():
			events++
		case role == "_usage", role == "_checkpoint", role == "_system_prompt":
			rows++
		}
	}
	switch {
	case events > 0:
		return 95, "lines of type metadata with a protocol_version, or of type context.append_loop_event"
	case rows > 0:
		return 94, "chat messages among rows with the role _usage, _checkpoint or _system_prompt"
	}
	return 0, ""
}

func readKimi(ctx context.Context, in *input, b *builder) error {
	k := &kimiSession{conv: b.conversation("")}
	rows := &kimiContext{}
	for rec := range in.lines(ctx) {
		switch {
		case rec.get("role").isText():
			rows.row(k.thread(), rec.value)
		case rec.get("type").isText():
			k.line(rec.value)
		default:
			b.problem(rec.at(), "the line has neither a type nor a role")
		}
	}
	return in.err()
}

// A kimiSession collects what a wire log says. What a person asks for stands in it twice: only what
// was added to the context counts.
type kimiSession struct {
	conv     *convBuilder
	t        *threadBuilder
	step     *Step // the response that goes on
	subagent bool
	profile  string
	system   Payload // until the thread is known
}

// thread is the session's own; a subagent has a log to itself.
func (k *kimiSession) thread() *threadBuilder {
	if k.t == nil {
		name := Main
		if k.subagent {
			name = "subagent"
		}
		k.t = k.conv.thread(name)
		if k.subagent {
			k.t.Thread.Agent = k.profile
		}
		k.t.system(k.system)
	}
	return k.t
}

func (k *kimiSession) line(v value) {
	switch v.get("type").str() {
	case "config.update":
		if p := v.get("profileName"); p.isText() {
			k.profile = p.str()
		}
		k.tell(v.get("systemPrompt").payload())
	case "llm.tools_snapshot":
		k.tell(v.get("tools").payload())
	case "llm.request":
		if c := k.conv.Conv; c.Model == "" {
			c.Model = v.get("model").str()
		}
	case "turn.prompt":
		origin := v.get("origin")
		k.subagent = k.subagent || k.t == nil && origin.get("kind").is("system_trigger") && origin.get("name").is("subagent")
	case "context.append_message":
		k.message(v.get("message"), v)
	case "context.append_loop_event":
		k.event(v.get("event"), v)
	case "context.apply_compaction":
		k.thread().compact(v.get("summary").payload())
		k.step = nil
	}
}

func (k *kimiSession) tell(p Payload) {
	if k.t != nil {
		k.t.system(p)
		return
	}
	k.system = k.system.join(p)
}

// message reads a message that was added to the context as a whole.
func (k *kimiSession) message(m, line value) {
	t, content := k.thread(), m.get("content")
	switch role := m.get("role").str(); role {
	case "user":
		t.prompt(openAIContent(content), placeOf(content, m))
		k.step = nil
	case "system":
		t.system(openAIContent(content))
	case "assistant":
		s := t.step("")
		s.Time = line.get("time").time()
		kimiProse(t, s, content)
		for call := range m.get("toolCalls").elements() {
			name, arguments := chatCall(call)
			t.callWith(s, call.get("id").str(), name.str(), arguments, call.at())
		}
	case "tool":
		t.result(m.get("toolCallId").str(), "", &Result{Payload: openAIContent(content), At: placeOf(content, m), Time: line.get("time").time(),
			Error: m.get("isError").truth(), Failed: m.get("isError").truth()})
	default:
		reason := "a message has no role"
		if plainKey(role) {
			reason = "a message has the unknown role " + role
		}
		t.c.b.problem(m.at(), reason)
	}
}

// event reads an event of the loop of responses and calls. Ids of calls count from 0 in each turn.
func (k *kimiSession) event(e, line value) {
	t := k.thread()
	when := line.get("time").time()
	switch e.get("type").str() {
	case "step.begin":
		k.step = t.step("")
		k.step.Time = when
	case "content.part":
		kimiProse(t, k.response(), e.get("part"))
	case "tool.call":
		t.callWith(k.response(), e.get("toolCallId").str(), e.get("name").str(), firstGiven(e.get("args"), e.get("arguments")), e.at())
	case "tool.result":
		k.result(e, when)
	case "step.end":
		s := k.response()
		s.ID, s.Usage = e.get("messageId").str(), kimiUsage(e.get("usage"))
		t.c.Conv.Usage = t.c.Conv.Usage.Add(s.Usage)
	}
}

func (k *kimiSession) result(e value, when time.Time) {
	r := e.get("result")
	out := firstGiven(r.get("output"), r.get("content"), r.get("message"))
	if !r.isObject() {
		out = r
	}
	failed := r.get("isError").truth() || r.get("is_error").truth() || r.get("error").given()
	if !out.given() {
		out = firstGiven(r.get("error", "message"), r.get("error"))
	}
	k.thread().result(e.get("toolCallId").str(), "", &Result{Payload: openAIContent(out), At: placeOf(out, e), Time: when, Error: failed, Failed: failed})
}

// response is the one that goes on.
func (k *kimiSession) response() *Step {
	if k.step == nil {
		k.step = k.thread().step("")
	}
	return k.step
}

// kimiProse adds what a model wrote: a text, a part or a list of parts, reasoning among them.
func kimiProse(t *threadBuilder, s *Step, v value) {
	if v.isArray() {
		for part := range v.elements() {
			t.text(s, kimiPart(part))
		}
		return
	}
	t.text(s, kimiPart(v))
}

func kimiPart(v value) Payload {
	switch {
	case v.get("type").is("think"):
		return newPayload(textParts(v.get("think"))...)
	case v.isObject():
		return newPayload(openAIPart(v))
	}
	return v.payload()
}

func kimiUsage(v value) *Usage {
	if !v.isObject() {
		return nil
	}
	n := func(key string) int64 { i, _ := v.get(key).int64(); return i }
	return &Usage{Input: n("inputOther"), Cached: n("inputCacheRead") + n("inputCacheCreation"), Output: n("output")}
}

// A kimiContext reads the rows of a context file: chat messages, and rows of the program's own.
type kimiContext struct {
	used Usage // the largest that a row says: they are running totals
}

func (c *kimiContext) row(t *threadBuilder, m value) {
	content := m.get("content")
	switch role := m.get("role").str(); role {
	case "_system_prompt", "system":
		t.system(openAIContent(content))
	case "_checkpoint":
	case "_usage":
		c.usage(t, m.get("token_count"))
	case "user":
		t.prompt(openAIContent(content), m.at())
	case "assistant":
		s := t.step("")
		kimiProse(t, s, content)
		for call := range m.get("tool_calls").elements() {
			name, arguments := chatCall(call)
			t.callWith(s, call.get("id").str(), name.str(), arguments, call.at())
		}
	case "tool":
		t.result(m.get("tool_call_id").str(), "", chatResult(m))
	default:
		reason := "a message has no known role"
		if plainKey(role) {
			reason = "a message has the unknown role " + role
		}
		t.c.b.problem(m.at(), reason)
	}
}

// usage reads a running total; a plain number says how full the context is, not what was billed.
func (c *kimiContext) usage(t *threadBuilder, v value) {
	if !v.isObject() {
		return
	}
	in, _ := v.get("input_tokens").int64()
	out, _ := v.get("output_tokens").int64()
	c.used.largest(&Usage{Input: in, Output: out})
	total := c.used
	total.LowerBound = true // what came behind the last row is not in it
	t.c.Conv.Usage = &total
}
