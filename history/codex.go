package history

import (
	"context"
	"slices"
	"strings"
)

// codex reads the rollouts of the Codex CLI and of programs derived from it: lines with an envelope
// of type and payload, and the bare items of its first versions.
var codex = &Format{
	Name:   "codex",
	Title:  "Codex rollout",
	How:    "JSON Lines of type session_meta, response_item, event_msg or turn_context with a payload, or bare items among lines with a record_type",
	detect: detectCodex,
	read:   readCodex,
}

func detectCodex(s *sample) (int, string) {
	envelopes, states, items := 0, 0, 0
	for _, v := range s.items() {
		switch {
		case codexEnvelope(v):
			envelopes++
		case v.get("record_type").isText(), codexHeader(v):
			states++
		case responsesItem(v) != itemOther:
			items++
		}
	}
	switch {
	case envelopes > 0:
		return 95, "lines of type session_meta, response_item, event_msg or turn_context, each with a payload"
	case states > 0 && items > 0:
		return 92, "items such as function_call among lines with a record_type, or behind a header with instructions"
	}
	return 0, ""
}

// codexEnvelope tells whether v is a line of the second and third generation.
func codexEnvelope(v value) bool {
	if !v.get("payload").isObject() {
		return false
	}
	switch v.get("type").str() {
	case "session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state", "inter_agent_communication_metadata":
		return true
	}
	return false
}

// codexHeader tells whether v is the first line of the first generation.
func codexHeader(v value) bool {
	return v.get("id").isText() && v.get("timestamp").given() && v.get("instructions").ok() && !v.get("type").ok() && !v.get("object").ok()
}

func readCodex(ctx context.Context, in *input, b *builder) error {
	c := &codexSession{b: b, outcomes: map[string]codexOutcome{}, results: map[string]*Result{}}
	for rec := range in.lines(ctx) {
		c.line(rec.value)
	}
	c.finish()
	return in.err()
}

// A codexSession collects what the lines of a rollout say. The file of a fork or of a subagent may
// begin with a copy of its parent's history: the child's own part begins at the first turn whose
// id is younger than the child's or, where turns have no such ids, at the first line with another
// time than the copy, which was written all at once.
type codexSession struct {
	b    *builder
	conv *convBuilder
	t    *responsesThread

	id, agent string // of the session; the agent's role where it is a subagent's
	subagent  bool
	forked    bool
	copying   bool
	bounded   bool    // the end of the copy was found
	stamp     string  // the time of the session's first line, which a copy written at once has in each
	timed     bool    // a turn of the copy has an id that tells its time
	copied    []*Step // the steps of the copy
	started   bool    // an item was read
	ahead     int     // prompts that items told of and events did not yet; negative the other way round

	totals   codexTotals
	outcomes map[string]codexOutcome // what events say of a call, by its id
	results  map[string]*Result      // by call id
}

func (c *codexSession) line(v value) {
	p := v.get("payload")
	if !codexEnvelope(v) {
		c.bare(v)
		return
	}
	when := v.get("timestamp").str()
	if c.copying && c.started && !c.timed && c.stamp != "" && when != c.stamp {
		c.endCopy()
	}
	switch v.get("type").str() {
	case "session_meta":
		if c.id == "" {
			c.stamp = when
		} else if c.stamp != when && !c.started {
			c.stamp = "" // the copy kept its times
		}
		c.meta(p)
	case "turn_context":
		c.boundary(p)
		if conv := c.conversation(); conv.Model == "" {
			conv.Model = p.get("model").str()
		}
	case "response_item":
		c.item(p, v)
	case "event_msg":
		c.event(p, v)
	case "compacted":
		c.compaction(p)
	}
}

// bare reads a line of the first generation.
func (c *codexSession) bare(v value) {
	switch {
	case v.get("record_type").ok():
	case codexHeader(v):
		c.meta(v)
	case v.get("type").isText() || v.get("role").isText():
		c.item(v, v)
	default:
		c.b.problem(v.at(), "the line is neither an item nor has it a payload")
	}
}

func (c *codexSession) conversation() *Conversation {
	if c.conv == nil {
		c.conv = c.b.conversation("")
	}
	return c.conv.Conv
}

// meta reads what is known of the session. Only the first line of its kind is the session's own:
// a resume repeats it, and a copied history has its parent's.
func (c *codexSession) meta(p value) {
	conv := c.conversation()
	id := p.get("id").str()
	if c.id != "" {
		if c.forked && !c.started && id != c.id {
			c.copying = true
		}
		return
	}
	c.id = id
	if id != "" {
		conv.ID = id
	}
	spawn := p.get("source", "subagent")
	c.subagent = spawn.given() || p.get("thread_source").is("subagent")
	c.forked = c.subagent || p.get("forked_from_id").given() || p.get("parent_thread_id").given()
	c.agent = firstGiven(p.get("agent_role"), spawn.get("thread_spawn", "agent_role")).str()
	system := firstGiven(p.get("base_instructions", "text"), p.get("instructions"))
	if t := c.thread(); system.isText() {
		t.system(system.payload())
	}
}

// thread is the one that lines belong to now: the main one, or, behind what was copied from the
// parent, the subagent's.
func (c *codexSession) thread() *responsesThread {
	name := Main
	if c.subagent && c.id != "" && !c.copying {
		name = c.id
	}
	c.conversation()
	if c.t == nil || c.t.Thread.Name != name {
		c.t = &responsesThread{threadBuilder: c.conv.thread(name)}
		if name != Main {
			c.t.Thread.Agent = c.agent
		}
	}
	return c.t
}

// boundary looks for the end of the copied history. Ids of turns and sessions begin with the time
// at which they were made.
func (c *codexSession) boundary(p value) {
	turn := p.get("turn_id").str()
	if !c.copying || !timedID(turn) || !timedID(c.id) {
		return
	}
	c.timed = true
	if turn >= c.id {
		c.endCopy()
	}
}

func (c *codexSession) endCopy() {
	c.copying, c.bounded, c.ahead = false, true, 0
	if c.t != nil {
		c.t.open = false
	}
}

// timedID tells whether s is a UUID that begins with a time (version 7).
func timedID(s string) bool { return len(s) == 36 && s[14] == '7' }

// item reads an item of the Responses API. line is what its time stands in.
func (c *codexSession) item(p, line value) {
	t := c.thread()
	kind, when := p.get("type").str(), line.get("timestamp").time()
	c.started = true
	switch {
	case p.get("role").is("user") && (kind == "message" || kind == ""):
		c.prompt(p)
		return
	case kind == "agent_message":
		if c.subagent {
			c.start(openAIContent(p.get("content")), p.at())
		}
		return
	case responsesItem(p) == itemOutput:
		c.output(p, line)
		return
	case responsesItem(p) == itemOther && kind != "message" && kind != "reasoning" && !(kind == "" && p.get("role").isText()):
		return // snapshots and other notes of the program
	}
	if kind == "message" && (p.get("role").is("developer") || p.get("role").is("system")) {
		t.item(p)
		return
	}
	t.item(p)
	c.ahead = 0
	delete(c.results, callID(p)) // what comes behind a call is said of it, not of an earlier one
	s := t.latest
	if s == nil {
		return
	}
	if s.Time.IsZero() {
		s.Time = when
	}
	if c.copying && (len(c.copied) == 0 || c.copied[len(c.copied)-1] != s) {
		c.copied = append(c.copied, s)
	}
	if kind == "function_call" && p.get("namespace").isText() && len(s.Calls) > 0 {
		call := s.Calls[len(s.Calls)-1]
		call.Tool = strings.TrimSuffix(p.get("namespace").str(), "__") + "__" + call.Tool
	}
}

// codexContext begins what the program writes in a user's name.
var codexContext = []string{"<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>",
	"<permissions instructions>", "<skill>", "<skills_instructions>", "<subagent_notification>", "<user_shell_command>"}

// codexSurroundings tells whether a user message is the program's.
func codexSurroundings(content value) bool {
	first := content
	if content.isArray() {
		first = content.first().get("text")
	}
	start := head(first, 40)
	return slices.ContainsFunc(codexContext, func(mark string) bool { return strings.HasPrefix(start, mark) })
}

// prompt reads a user message: a person's, or what the program tells the model about its surroundings.
func (c *codexSession) prompt(p value) {
	t, content := c.thread(), p.get("content")
	if codexSurroundings(content) {
		t.system(openAIContent(content))
		return
	}
	if c.ahead < 0 { // an event told of it: this is the whole of it
		c.ahead++
		t.current().Prompt = openAIContent(content)
		return
	}
	c.ahead++
	c.start(openAIContent(content), p.at())
}

func (c *codexSession) start(p Payload, at Location) {
	t := c.thread()
	t.open = false
	t.prompt(p, at)
}

// compaction reads by what the program replaced the history: a list of items, else a summary. The
// items are no new ones; what the program says of its surroundings counts as it did before.
func (c *codexSession) compaction(p value) {
	t := c.thread()
	t.open = false
	items := p.get("replacement_history")
	if !items.isArray() {
		t.compact(p.get("message").payload())
		return
	}
	var summary Payload
	for item := range items.elements() {
		role, content := item.get("role"), item.get("content")
		switch {
		case role.is("developer"), role.is("system"), role.is("user") && codexSurroundings(content):
		case role.isText():
			summary = summary.join(openAIContent(content))
		case responsesItem(item) == itemOutput:
			summary = summary.join(openAIContent(item.get("output")))
		case responsesItem(item) == itemCall:
			summary = summary.join(firstGiven(item.get("arguments"), item.get("input")).payload())
		}
	}
	t.compact(summary)
}

// output reads what the model reads of a call.
func (c *codexSession) output(p, line value) {
	t := c.thread()
	t.open = false
	out := firstGiven(p.get("output"), p.get("tools"))
	failed := p.get("status").is("failed") || p.get("status").is("incomplete")
	r := &Result{Error: failed, Failed: failed, At: placeOf(out, p), Time: line.get("timestamp").time()}
	if kind := out.get("type"); kind.is("input_text") || kind.is("input_image") || kind.is("text") {
		r.Payload = newPayload(openAIPart(out)) // one part without the list around it
	} else {
		r.Payload = openAIContent(out)
	}
	if first := firstGiven(out.first().get("text"), out.get("text"), out); codexTruncated(head(first, 300)) {
		r.Flags |= TruncatedByRecorder
	}
	id := callID(p)
	if o, ok := c.outcomes[id]; ok {
		delete(c.outcomes, id)
		o.apply(r)
	}
	c.results[id] = r
	t.result(id, "", r)
}

// codexTruncated tells whether an output begins with the header of one that was cut: only then it
// states how many lines there were.
func codexTruncated(start string) bool {
	const total = "Total output lines: "
	if strings.HasPrefix(start, total) || strings.HasPrefix(start, `{"output":"`+total) {
		return true
	}
	for i, line := range strings.Split(start, "\n") {
		switch {
		case i > 0 && strings.HasPrefix(line, total):
			return true
		case strings.HasPrefix(line, "Exit code: "), strings.HasPrefix(line, "Wall time: "), strings.HasPrefix(line, "Chunk ID: "),
			strings.HasPrefix(line, "Process "), strings.HasPrefix(line, "Original token count: "):
		default:
			return false
		}
	}
	return false
}

// finish marks what was copied. A copy without an end is the conversation itself.
func (c *codexSession) finish() {
	for _, s := range c.copied {
		if !c.bounded {
			c.conv.Conv.Usage = c.conv.Conv.Usage.Add(s.Usage)
			continue
		}
		s.Usage = nil
		for _, call := range s.Calls {
			call.Flags |= CopiedHistory
		}
	}
}
