package history

import "strings"

// chatAPI is OpenAI's Chat Completions, which most other vendors offer too.
type chatAPI struct{}

func (chatAPI) format() string { return openAIChat.Name }

func (chatAPI) asked(r *repeats, x *exchange) ([]message, bool) {
	list := x.request.whole.get("messages")
	if !list.first().get("role").isText() || countsTokens(x) {
		return nil, false
	}
	reader := &chatReader{repeats: r}
	var all []message
	for m := range list.elements() {
		all = append(all, withoutSystem(r, reader.chatMessage(m)))
	}
	return all, true
}

// withoutSystem makes a system prompt the same as any other: some harnesses write the time into it.
func withoutSystem(r *repeats, m message) message {
	if role := m.get("role"); role.is("system") || role.is("developer") {
		return r.message(m.value, false, role)
	}
	return m
}

// countsTokens tells whether an exchange only asks how many tokens a request has.
func countsTokens(x *exchange) bool {
	return strings.HasSuffix(x.path, "/count_tokens") || strings.HasSuffix(x.path, ":countTokens") || strings.HasSuffix(x.path, "/input_tokens")
}

func (a chatAPI) answered(x *exchange) reply {
	response := x.response.whole
	if len(x.response.events) > 0 {
		s := &chatStream{}
		for _, e := range x.response.events {
			s.chunk(e.value)
		}
		response = s.response()
	}
	m := response.get("choices").first().get("message")
	if !m.isObject() {
		return reply{}
	}
	r := messagesReply(a.on(nil), m)
	r.id, r.model = response.get("id").str(), response.get("model").str()
	r.time, r.usage = response.get("created").time(), openAIUsage(response.get("usage"))
	return r
}

func (chatAPI) on(t *threadBuilder) apiThread { return chatThread{&chatReader{}, t} }

// A chatThread reads chat messages of recorded traffic.
type chatThread struct {
	*chatReader
	t *threadBuilder
}

func (c chatThread) begin(request value) {
	c.t.system(firstGiven(request.get("tools"), request.get("functions")).payload())
}

func (c chatThread) message(m value) { c.chatReader.message(c.t, m) }

func (chatThread) calls(m value) []namedCall {
	var list []namedCall
	for call := range m.get("tool_calls").elements() {
		name, _ := chatCall(call)
		list = append(list, namedCall{call.get("id").str(), name.str()})
	}
	if call := m.get("function_call"); call.isObject() {
		list = append(list, namedCall{"", call.get("name").str()})
	}
	return list
}

// responsesAPI is OpenAI's Responses.
type responsesAPI struct{}

func (responsesAPI) format() string { return openAIResponses.Name }

func (responsesAPI) asked(r *repeats, x *exchange) ([]message, bool) {
	in := x.request.whole.get("input")
	known := strings.HasSuffix(x.path, "/responses") || x.response.whole.get("object").is("response")
	for e := range in.elements() {
		known = known || responsesItem(e) != itemOther
	}
	if countsTokens(x) || !known || !in.isText() && !in.isArray() {
		return nil, false
	}
	if in.isText() {
		return []message{r.message(in, false, in)}, true
	}
	reader := &responsesReader{repeats: r}
	var all []message
	for e := range in.elements() {
		m := withoutSystem(r, reader.message(e))
		// Outputs have no role either, but the model did not write them.
		if responsesItem(e) == itemOutput || e.get("type").is("mcp_approval_response") {
			m.answer = false
		}
		all = append(all, m)
	}
	return all, true
}

func (a responsesAPI) answered(x *exchange) reply {
	response := x.response.whole
	var items []value
	for _, e := range x.response.events {
		if e.get("type").is("response.output_item.done") {
			items = append(items, e.get("item"))
		}
		if r := e.get("response"); r.isObject() {
			response = r
		}
	}
	if list := response.get("output"); list.first().ok() {
		items = nil
		for e := range list.elements() {
			items = append(items, e)
		}
	}
	r := messagesReply(a.on(nil), items...)
	r.id, r.model = response.get("id").str(), response.get("model").str()
	r.time, r.usage = response.get("created_at").time(), openAIUsage(response.get("usage"))
	inner := r.add
	r.add = func(t apiThread) {
		t.(responsesTaped).open = false
		inner(t)
		t.(responsesTaped).open = false
	}
	return r
}

func (responsesAPI) on(t *threadBuilder) apiThread {
	return responsesTaped{&responsesThread{threadBuilder: t}}
}

// responsesTaped reads items of recorded traffic.
type responsesTaped struct{ *responsesThread }

func (t responsesTaped) begin(request value) {
	t.system(openAIContent(request.get("instructions")))
	t.system(request.get("tools").payload())
}

func (t responsesTaped) message(m value) { t.item(m) }

func (responsesTaped) calls(m value) []namedCall {
	if responsesItem(m) != itemCall {
		return nil
	}
	return []namedCall{{callID(m), m.get("name").str()}}
}
