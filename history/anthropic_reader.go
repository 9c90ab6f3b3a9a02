package history

import "time"

type anthropicReader struct {
	b       *builder
	repeats *repeats
	lines   *anthropicThread // of recordings with one message, or one event, a line
	stream  *messageStream
}

// record reads whatever holds messages; false where v has none.
func (a *anthropicReader) record(v value) bool {
	if streamEvent(v) {
		if a.stream == nil {
			a.stream = &messageStream{t: a.line(), open: map[int64]*streamBlock{}}
		}
		a.stream.event(v)
		return true
	}
	about, list, response := anthropicContainer(v)
	switch {
	case list.ok():
		a.conversation(v, about, list, response)
		return true
	case v.get("custom_id").isText() && response.ok():
		t := &anthropicThread{a.b.newConversation(v.get("custom_id").str()).thread(Main)}
		t.message(response)
		return true
	case v.get("role").isText():
		a.line().message(v)
		return true
	case response.ok():
		a.line().message(response)
		return true
	case !v.isArray():
		return false
	}
	if isMessages(v) {
		a.conversation(v, value{}, v, value{})
		return true
	}
	found := false
	for e := range v.elements() {
		switch {
		case e.isObject():
			found = a.record(e) || found
		case isMessages(e):
			a.conversation(e, value{}, e, value{})
			found = true
		}
	}
	return found
}

func (a *anthropicReader) line() *anthropicThread {
	if a.lines == nil {
		a.lines = &anthropicThread{a.b.conversation("").thread(Main)}
	}
	return a.lines
}

// conversation reads a list of messages, and the response that came of it. Requests repeat what
// came before them: only what is new in them is read.
func (a *anthropicReader) conversation(record, about, list, response value) {
	var all []message
	for m := range list.elements() {
		all = append(all, a.anthropicMessage(m))
	}
	if response.ok() {
		all = append(all, a.anthropicMessage(response))
	}
	h, known := a.repeats.find(all)
	if h == nil {
		id := firstGiven(record.get("sessionId"), record.get("session_id"), record.get("conversation_id"), record.get("custom_id"), record.get("id")).str()
		h = &history{thread: a.b.newConversation(id).thread(Main)}
		h.thread.c.Conv.Title = record.get("title").str()
		h.thread.system(contentPayload(about.get("system")))
		h.thread.system(about.get("tools").payload())
	}
	a.repeats.extend(h, all)
	conv := h.thread.c.Conv
	if conv.Model == "" {
		conv.Model = a.b.intern(firstGiven(about.get("model"), response.get("model")).str())
	}
	t := &anthropicThread{h.thread}
	for _, m := range all[known:] {
		t.message(m.value)
	}
	h.thread.c.done()
}

// anthropicMessage is m with what it is known by when it is sent again: not by the marks for the
// provider's cache, which move on with each request.
func (a *anthropicReader) anthropicMessage(m value) message {
	content := m.get("content")
	identity := []value{m.get("role")}
	if content.isText() {
		identity = append(identity, content)
	}
	for b := range content.elements() {
		for k, v := range b.members() {
			if !k.is("cache_control") && !k.is("citations") && !k.is("caller") && v.given() {
				identity = append(identity, v)
			}
		}
	}
	return a.repeats.message(m, m.get("role").is("assistant"), identity...)
}

// An anthropicThread reads messages into a thread.
type anthropicThread struct{ *threadBuilder }

func (t *anthropicThread) message(m value) {
	content := m.get("content")
	switch role := m.get("role").str(); role {
	case "user":
		t.user(m, content)
	case "assistant":
		t.assistant(m, content)
	case "system":
		t.system(contentPayload(content))
	default:
		reason := "a message has no role"
		if plainKey(role) {
			reason = "a message has the unknown role " + role
		}
		t.c.b.problem(m.at(), reason)
	}
}

// user reads a message of results, of what a person wrote, or of both: the results come first then.
func (t *anthropicThread) user(m, content value) {
	for b := range content.elements() {
		if kindOf(b) == resultBlock {
			t.answerOf(b, m)
		}
	}
	if p, ok := promptOf(content); ok {
		t.prompt(p, content.at())
	}
}

func (t *anthropicThread) answerOf(b, m value) {
	r := blockResult(b)
	r.Time = timeOf(m)
	t.result(b.get("tool_use_id").str(), "", r)
}

func (t *anthropicThread) assistant(m, content value) {
	s := t.step("")
	s.ID, s.Time = m.get("id").str(), timeOf(m)
	if conv := t.c.Conv; conv.Model == "" {
		conv.Model = firstGiven(m.get("model"), m.get("modelInfo", "id")).str()
	}
	s.Usage = messageUsage(m)
	t.c.Conv.Usage = t.c.Conv.Usage.Add(s.Usage)
	if content.isText() {
		t.text(s, content.payload())
	}
	for b := range content.elements() {
		t.block(s, b, m)
	}
}

// block reads one block of what a model answered.
func (t *anthropicThread) block(s *Step, b, m value) {
	switch kindOf(b) {
	case callBlock:
		c := t.callWith(s, b.get("id").str(), b.get("name").str(), b.get("input"), b.at())
		if byProvider(b) {
			c.Flags |= ProviderExecuted
		}
	case resultBlock:
		t.answerOf(b, m)
	default:
		t.text(s, proseOf(b))
	}
}

func timeOf(m value) time.Time {
	return firstGiven(m.get("timestamp"), m.get("ts"), m.get("created_at")).time()
}

// messageUsage reads what was reported with a message: by the provider, or by a client that keeps
// it under names of its own. It is nil without any.
func messageUsage(m value) *Usage {
	if u := usageOf(m.get("usage")); u != nil {
		return u
	}
	own := m.get("metrics")
	in, ok1 := own.get("inputTokens").int64()
	out, ok2 := own.get("outputTokens").int64()
	if !ok1 && !ok2 {
		return nil
	}
	read, _ := own.get("cacheReadTokens").int64()
	written, _ := own.get("cacheWriteTokens").int64()
	return &Usage{Input: in, Cached: read + written, Output: out}
}
