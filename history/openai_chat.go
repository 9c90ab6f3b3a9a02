package history

import "context"

// openAIChat reads messages of the Chat Completions API: arrays of them, objects with messages
// (request bodies, training sets, logs of requests with their response), and lines of either.
var openAIChat = &Format{
	Name:   "openai-chat",
	Title:  "OpenAI chat messages",
	How:    "messages with a role, calls in tool_calls (or function_call), results in messages with the role tool (or function)",
	detect: detectChat,
	read:   readChat,
}

func detectChat(s *sample) (int, string) {
	var messages, calls, results, foreign, others, bare int
	asked, answered := false, false // of messages that nothing is around
	look := func(m value) {
		role := m.get("role")
		if !role.isText() || !m.get("content").ok() && !m.get("tool_calls").ok() && !m.get("function_call").ok() {
			return // people and rights have a role too
		}
		messages++
		answered = answered || asked && role.is("assistant")
		asked = asked || role.is("user")
		switch {
		case m.get("tool_calls").isArray(), m.get("function_call").isObject():
			calls++
		case role.is("tool") && (m.get("tool_call_id").given() || m.get("content").given()), role.is("function"):
			results++
		}
		if m.get("parts").isArray() || m.get("type").isText() || m.get("uuid").isText() {
			foreign++
		}
		for part := range m.get("content").elements() {
			switch t := part.get("type"); {
			case t.is("tool_use"), t.is("tool_result"), part.get("toolUse").ok(), part.get("toolResult").ok():
				foreign++
			}
		}
	}
	for _, v := range s.items() {
		list, response := chatContainer(v)
		switch {
		case v.isArray():
			list = v
			bare++
		case !list.ok() && !response.ok():
			if !v.get("role").isText() {
				others++
			}
			bare++
			look(v)
			continue
		}
		n, before := 0, messages
		for m := range list.elements() {
			if n++; n > 4*sampleRecords {
				break
			}
			look(m)
		}
		if messages == before && !response.ok() {
			others++
		}
		look(response.get("choices").first().get("message"))
	}
	switch {
	case messages == 0:
		return 0, ""
	case calls+results > 0 && foreign == 0:
		return 80, "messages with roles, calls in tool_calls or function_call, or results in messages of the role tool or function"
	case calls+results > 0:
		return 40, "messages with roles and calls in tool_calls, among others"
	case others > len(s.items())/2, bare == len(s.items()) && !answered:
		return 0, "" // a list without calls is a conversation where the model answered someone
	case foreign > 0:
		return 5, "messages with roles"
	}
	return 30, "messages with a role and content, without any tool calls"
}

// chatContainer finds the messages in an object that has them, and the response recorded beside.
func chatContainer(v value) (messages, response value) {
	for _, body := range []value{v, v.get("body"), v.get("request"), v.get("request", "body"), v.get("kwargs")} {
		if m := body.get("messages"); m.isArray() {
			messages = m
			break
		}
	}
	for _, r := range []value{v.get("response"), v.get("response", "body"), v} {
		if r.get("choices").first().get("message").isObject() {
			response = r
			break
		}
	}
	return messages, response
}

func readChat(ctx context.Context, in *input, b *builder) error {
	c := &chatReader{b: b, repeats: newRepeats()}
	for r := range in.records(ctx) {
		if !c.record(r.value) {
			b.problem(r.at(), "the record has no messages")
		}
	}
	return in.err()
}

type chatReader struct {
	b       *builder
	repeats *repeats
}

// record reads whatever holds messages; false where v has none.
func (c *chatReader) record(v value) bool {
	list, response := chatContainer(v)
	switch {
	case c.repeats.again(response.get("id"), v):
		return true
	case list.ok() || response.ok():
		c.conversation(v, list, response)
		return true
	case v.get("role").isText():
		conv := c.b.conversation("")
		c.message(conv.thread(Main), v)
		return true
	case !v.isArray():
		return false
	}
	if isMessages(v) {
		c.conversation(value{}, v, value{})
		return true
	}
	found := false
	for e := range v.elements() {
		switch {
		case e.isObject():
			found = c.record(e) || found
		case isMessages(e):
			c.conversation(value{}, e, value{})
			found = true
		}
	}
	return found
}

func isMessages(v value) bool { return v.first().get("role").isText() }

// conversation reads a list of messages, and the response that came of it. about is the object
// around them.
func (c *chatReader) conversation(about, list, response value) {
	var all []message
	for m := range list.elements() {
		all = append(all, c.chatMessage(m))
	}
	answer := response.get("choices").first().get("message")
	if answer.isObject() {
		all = append(all, c.chatMessage(answer))
	}
	h, known := c.repeats.find(all)
	if h == nil {
		id := firstGiven(about.get("conversation_id"), about.get("session_id"), about.get("id"), about.get("custom_id")).str()
		h = &history{thread: c.b.newConversation(id).thread(Main)}
		conv := h.thread.c.Conv
		conv.Title = about.get("title").str()
		h.thread.system(firstGiven(about.get("tools"), about.get("body", "tools"), about.get("request", "tools"), about.get("functions")).payload())
	}
	c.repeats.extend(h, all)
	conv := h.thread.c.Conv
	if m := firstGiven(response.get("model"), about.get("model"), about.get("body", "model"), about.get("request", "model")).str(); m != "" && conv.Model == "" {
		conv.Model = c.b.intern(m)
	}
	var last *Step
	for _, m := range all[known:] {
		last = c.message(h.thread, m.value)
	}
	if answer.isObject() && known < len(all) && last != nil {
		last.ID = response.get("id").str()
		last.Time = firstGiven(response.get("created"), about.get("timestamp")).time()
		last.Usage = openAIUsage(response.get("usage"))
		conv.Usage = conv.Usage.Add(last.Usage)
	}
	h.thread.c.done()
}

// chatMessage is m with what it is known by when it is sent again.
func (c *chatReader) chatMessage(m value) message {
	identity := []value{m.get("role"), m.get("content"), m.get("tool_call_id"), m.get("function_call", "name"), m.get("function_call", "arguments")}
	for call := range m.get("tool_calls").elements() {
		name, arguments := chatCall(call)
		identity = append(identity, call.get("id"), name, arguments)
	}
	return c.repeats.message(m, m.get("role").is("assistant"), identity...)
}

// message reads one message; the step is that of the model's messages.
func (c *chatReader) message(t *threadBuilder, m value) *Step {
	switch role := m.get("role").str(); role {
	case "system", "developer":
		t.system(openAIContent(m.get("content")))
	case "user":
		t.prompt(openAIContent(m.get("content")), m.at())
	case "assistant":
		return c.answer(t, m)
	case "tool", "function":
		t.result(m.get("tool_call_id").str(), m.get("name").str(), chatResult(m))
	case "ipython", "observation":
		if s := t.stepWithCalls(); s != nil {
			t.result("", "", chatResult(m))
			return nil
		}
		fallthrough
	default:
		reason := "a message has no known role"
		if plainKey(role) {
			reason = "a message has the unknown role " + role
		}
		t.c.b.problem(m.at(), reason)
	}
	return nil
}

func chatResult(m value) *Result {
	at := m.get("content")
	if !at.given() {
		at = m
	}
	return &Result{Payload: openAIContent(m.get("content")), At: at.at(), Time: firstGiven(m.get("timestamp"), m.get("created_at")).time()}
}

func (c *chatReader) answer(t *threadBuilder, m value) *Step {
	s := t.step("")
	s.Time = firstGiven(m.get("timestamp"), m.get("created_at")).time()
	if r := firstGiven(m.get("reasoning_content"), m.get("reasoning")); r.isText() {
		t.text(s, r.payload())
	}
	t.text(s, openAIContent(m.get("content")))
	if r := m.get("refusal"); r.isText() {
		t.text(s, r.payload())
	}
	c.addCalls(t, s, m)
	return s
}

// addCalls adds the calls of a message.
func (c *chatReader) addCalls(t *threadBuilder, s *Step, m value) {
	for call := range m.get("tool_calls").elements() {
		name, arguments := chatCall(call)
		added := t.callWith(s, call.get("id").str(), name.str(), arguments, call.at())
		if call.get("type").is("custom") {
			added.Flags &^= InvalidArguments // free text by design
		}
	}
	if call := m.get("function_call"); call.isObject() {
		t.callWith(s, "", call.get("name").str(), call.get("arguments"), call.at())
	}
}

// chatCall finds name and arguments of a call in all its spellings.
func chatCall(call value) (name, arguments value) {
	switch f := call.get("function"); {
	case f.isObject():
		return f.get("name"), f.get("arguments")
	case f.isText():
		return f, firstGiven(call.get("arguments"), call.get("args"))
	case call.get("custom").isObject():
		return call.get("custom", "name"), call.get("custom", "input")
	}
	return call.get("name"), firstGiven(call.get("arguments"), call.get("args"), call.get("input"))
}
