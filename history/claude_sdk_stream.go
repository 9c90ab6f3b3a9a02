package history

import "context"

// claudeSDKStream reads what "claude -p --output-format stream-json" prints, and recordings of what
// the Agent SDK exchanges with it.
var claudeSDKStream = &Format{
	Name:   "claude-sdk-stream",
	Title:  "Claude Code stream",
	How:    "records of type system (init), assistant, user and result with a session_id, as lines or with their direction",
	detect: detectClaudeStream,
	read:   readClaudeStream,
}

func detectClaudeStream(s *sample) (int, string) {
	n, wrapped := 0, 0
	for _, v := range s.items() {
		if claudeStreamLine(v) {
			n++
		}
		if v.get("direction").isText() && claudeStreamLine(v.get("message")) {
			wrapped++
		}
		for m := range v.get("messages").elements() {
			if m.get("direction").isText() && claudeStreamLine(m.get("message")) {
				wrapped++
			}
		}
	}
	switch {
	case wrapped > 0:
		return 95, "messages with their direction, of type system, assistant, user and result with a session_id"
	case n > 0:
		return 93, "lines of type system, assistant, user and result with a session_id"
	}
	return 0, ""
}

func claudeStreamLine(v value) bool {
	if !v.get("session_id").isText() {
		return false
	}
	switch v.get("type").str() {
	case "system":
		return v.get("subtype").isText()
	case "assistant", "user":
		return v.get("message", "role").isText()
	case "result":
		return v.get("num_turns").ok() || v.get("subtype").isText()
	}
	return false
}

func readClaudeStream(ctx context.Context, in *input, b *builder) error {
	s := &claudeStream{b: b, conv: b.conversation(""), agents: map[string]string{}, seen: map[string]bool{}, usage: map[string]*Usage{}}
	for rec := range in.records(ctx) {
		if list := rec.get("messages"); list.isArray() {
			for m := range list.elements() {
				s.record(m)
			}
			continue
		}
		for m := range rec.elements() {
			s.record(m)
		}
		if !rec.isArray() {
			s.record(rec.value)
		}
	}
	s.finish()
	return in.err()
}

// A claudeStream collects what the records of a run say. A subagent's have the id of the call that
// started it: that is its thread's name.
type claudeStream struct {
	b        *builder
	conv     *convBuilder
	agents   map[string]string // types of subagents, by the id of the call
	seen     map[string]bool   // uuids
	usage    map[string]*Usage // by message id, the largest that was reported
	steps    []*Step           // that have usage
	total    *Usage            // what the last line says
	boundary bool              // the last record of the main thread says that a summary takes the history's place
}

func (s *claudeStream) record(v value) {
	if m := v.get("message"); v.get("direction").isText() && m.isObject() {
		v = m
	}
	if uuid := v.get("uuid").str(); uuid != "" {
		if s.seen[uuid] {
			return // a replay of what was sent
		}
		s.seen[uuid] = true
	}
	name := v.get("parent_tool_use_id").str()
	if name == "" {
		name = Main
	}
	m := v.get("message")
	switch v.get("type").str() {
	case "system":
		s.system(v)
	case "user":
		s.user(&anthropicThread{s.conv.thread(name)}, v, m.get("content"))
	case "assistant":
		s.assistant(&anthropicThread{s.conv.thread(name)}, v, m)
	case "result":
		u := usageOf(v.get("usage"))
		if u == nil {
			return
		}
		if s.total == nil {
			s.total = u
		} else {
			s.total.largest(u) // running totals
		}
	}
}

func (s *claudeStream) system(v value) {
	switch v.get("subtype").str() {
	case "init":
		if id := v.get("session_id").str(); id != "" {
			s.conv.Conv.ID = id
		}
		s.conv.Conv.Model = firstGiven(v.get("model")).str()
		if main := s.conv.thread(Main); main.Thread.System.empty() {
			main.system(v.get("tools").payload())
		}
	case "compact_boundary":
		s.conv.thread(Main).compact(Payload{})
		s.boundary = true
	}
}

func (s *claudeStream) user(t *anthropicThread, v, content value) {
	for b := range content.elements() {
		if kindOf(b) == resultBlock {
			t.answerOf(b, v)
		}
	}
	p, ok := promptOf(content)
	switch synthetic := v.get("isSynthetic").truth(); {
	case !ok:
	case synthetic && s.boundary && !t.Thread.Subagent():
		t.compact(p)
	case !synthetic && !v.get("isReplay").truth():
		t.prompt(p, content.at())
	}
	s.boundary = s.boundary && t.Thread.Subagent()
}

// assistant reads a piece of a response: pieces of one have its message's id.
func (s *claudeStream) assistant(t *anthropicThread, v, m value) {
	s.boundary = s.boundary && t.Thread.Subagent()
	id := m.get("id").str()
	step := t.step(id)
	if step.Time.IsZero() {
		step.Time = timeOf(v)
	}
	if s.conv.Conv.Model == "" {
		s.conv.Conv.Model = m.get("model").str()
	}
	if u := usageOf(m.get("usage")); u != nil {
		key := t.Thread.Name + " " + id
		if known := s.usage[key]; known != nil && id != "" {
			known.largest(u)
		} else {
			s.usage[key], step.Usage = u, u
			s.steps = append(s.steps, step)
		}
	}
	content := m.get("content")
	if content.isText() {
		t.text(step, content.payload())
	}
	for b := range content.elements() {
		t.block(step, b, v)
		if kind := b.get("input", "subagent_type"); kind.isText() {
			s.agents[b.get("id").str()] = kind.str()
		}
	}
}

// finish adds up the usage: what the last line says is complete, what responses say is partial.
func (s *claudeStream) finish() {
	var sum *Usage
	for _, step := range s.steps {
		step.Usage.LowerBound = true
		sum = sum.Add(step.Usage)
	}
	if s.total != nil && (sum == nil || s.total.Output >= sum.Output) {
		sum = s.total
	}
	s.conv.Conv.Usage = sum
	for i, t := range s.conv.Conv.Threads {
		t.Agent = s.agents[t.Name]
		if t.Name == Main { // it comes first, also where a subagent's record did
			copy(s.conv.Conv.Threads[1:i+1], s.conv.Conv.Threads[:i])
			s.conv.Conv.Threads[0] = t
		}
	}
}
