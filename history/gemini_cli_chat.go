package history

// A geminiChat reads the messages of a chat in their order, which is that of their first lines.
type geminiChat struct {
	log  geminiLog
	at   map[geminiPlace]int
	conv *convBuilder
	t    *geminiThread

	next     int            // the message that is due
	waiting  map[int]record // messages that were read before they are due
	subagent bool
	id       string
}

func (g *geminiChat) record(n int, rec record) {
	v := rec.value
	switch {
	case v.get("$rewindTo").ok():
	case v.get("$set").isObject():
		g.about(v.get("$set"))
		g.list(n, v.get("$set", "messages"))
	case v.get("messages").isArray(), v.get("sessionId").isText() && !v.get("type").ok():
		g.about(v)
		g.list(n, v.get("messages"))
	case v.get("type").isText():
		if i, ok := g.at[geminiPlace{n, -1}]; ok {
			g.take(i, rec)
		}
	default:
		g.conv.b.problem(v.at(), "the line is no message and says nothing of the chat")
	}
}

func (g *geminiChat) about(v value) {
	c := g.conv.Conv
	if id := v.get("sessionId").str(); id != "" {
		c.ID, g.id = id, id
	}
	if title := v.get("summary"); title.isText() {
		c.Title = title.str()
	}
	g.subagent = g.subagent || v.get("kind").is("subagent")
}

func (g *geminiChat) list(n int, list value) {
	i := 0
	for m := range list.elements() {
		if at, ok := g.at[geminiPlace{n, i}]; ok {
			g.take(at, record{value: m})
		}
		i++
	}
}

// take reads message i if it is due, and what waited for it; else the message waits.
func (g *geminiChat) take(i int, rec record) {
	if i != g.next {
		g.waiting[i] = rec.keep()
		return
	}
	g.message(rec.value, g.log.entries[i].fresh)
	g.next++
	for {
		waited, ok := g.waiting[g.next]
		if !ok {
			return
		}
		delete(g.waiting, g.next)
		g.message(waited.value, g.log.entries[g.next].fresh)
		g.next++
	}
}

// flush reads what waits for messages that did not come.
func (g *geminiChat) flush() {
	for ; g.next < len(g.log.entries); g.next++ {
		if rec, ok := g.waiting[g.next]; ok {
			g.message(rec.value, g.log.entries[g.next].fresh)
		}
	}
}

func (g *geminiChat) thread() *geminiThread {
	if g.t == nil {
		name := Main
		if g.subagent && g.id != "" {
			name = g.id
		}
		g.t = &geminiThread{g.conv.thread(name)}
	}
	return g.t
}

func (g *geminiChat) message(m value, fresh bool) {
	t, content := g.thread(), m.get("content")
	if fresh {
		t.compact(Payload{}) // the messages from here on say what is left of it
	}
	switch m.get("type").str() {
	case "user":
		t.prompt(geminiPayload(content), placeOf(content, m))
	case "gemini", "model":
		g.answer(t, m)
	default: // what the program told the person
	}
}

func (g *geminiChat) answer(t *geminiThread, m value) {
	conv := g.conv.Conv
	s := t.step("")
	s.ID, s.Time, s.Usage = m.get("id").str(), m.get("timestamp").time(), geminiTokens(m.get("tokens"))
	conv.Usage = conv.Usage.Add(s.Usage)
	if conv.Model == "" {
		conv.Model = m.get("model").str()
	}
	for thought := range m.get("thoughts").elements() {
		t.text(s, newPayload(textParts(thought.get("description"))...))
	}
	if content := m.get("content"); content.isArray() {
		t.model(s, content)
	} else {
		t.text(s, newPayload(textParts(content)...))
	}
	t.model(s, m.get("parts"))
	for call := range m.get("toolCalls").elements() {
		c := t.callWith(s, call.get("id").str(), call.get("name").str(), call.get("args"), call.at())
		if r := geminiToolResult(call); r != nil {
			t.result(c.ID, "", r)
		}
	}
}

// geminiToolResult is the result that stands with a call; nil where there is none. What is shown to
// the person is something else.
func geminiToolResult(call value) *Result {
	parts := call.get("result")
	if !parts.given() {
		return nil
	}
	r := &Result{At: parts.at()}
	if !parts.isArray() {
		r.Payload = parts.payload()
	}
	answered := false
	for p := range parts.elements() {
		f := geminiResponse(p)
		switch {
		case !f.isObject():
			r.Payload = r.Payload.join(newPayload(geminiContent(p)...))
		case !answered:
			answered = true
			before := r.Payload
			r = geminiResult(f)
			r.Payload = before.join(r.Payload)
		default:
			r.Payload = r.Payload.join(geminiResult(f).Payload)
		}
	}
	r.Time = call.get("timestamp").time()
	if status := call.get("status"); status.is("error") || status.is("cancelled") {
		r.Error, r.Failed = true, true
	}
	return r
}

// geminiTokens reads the usage of a message; zeros say that nothing was reported.
func geminiTokens(v value) *Usage {
	if !v.isObject() {
		return nil
	}
	n := func(key string) int64 { i, _ := v.get(key).int64(); return i }
	u := &Usage{Input: max(0, n("input")+n("tool")-n("cached")), Cached: n("cached"), Output: n("output") + n("thoughts")}
	if *u == (Usage{}) {
		return nil
	}
	return u
}
