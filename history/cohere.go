package history

import (
	"context"
	"strings"
)

// cohereChat reads messages of Cohere's Chat API, version 2: OpenAI's messages with a plan before
// the calls, and documents as results.
var cohereChat = &Format{
	Name:   "cohere",
	Title:  "Cohere chat messages",
	How:    "chat messages with a tool_plan or documents as results, requests and responses of them, and cassettes of that API",
	detect: detectCohere,
	read:   readCohere,
}

func detectCohere(s *sample) (int, string) {
	for _, v := range s.items() {
		list, _ := chatContainer(v)
		if cohereMessage(v) || cohereMessage(v.get("message")) && v.get("finish_reason").ok() {
			return 90, "messages with a tool_plan, or results that are documents"
		}
		for m := range list.elements() {
			if cohereMessage(m) {
				return 90, "messages with a tool_plan, or results that are documents"
			}
		}
	}
	return 0, ""
}

// cohereMessage tells whether a message has what only this API's have.
func cohereMessage(m value) bool {
	return m.get("role").isText() && (m.get("tool_plan").isText() ||
		m.get("role").is("tool") && m.get("content").first().get("type").is("document"))
}

func readCohere(ctx context.Context, in *input, b *builder) error {
	var lines apiThread
	for rec := range in.records(ctx) {
		list, _ := chatContainer(rec.value)
		switch {
		case rec.isArray() && rec.first().get("role").isText():
			readList(cohereAPI{}, b, value{}, rec.value)
		case list.ok():
			readList(cohereAPI{}, b, rec.value, list)
		case rec.get("role").isText() || rec.get("message", "role").isText():
			if lines == nil {
				lines = cohereAPI{}.on(b.conversation("").thread(Main))
			}
			m := rec.value
			if !m.get("role").ok() {
				m = m.get("message")
			}
			lines.message(m)
		default:
			b.problem(rec.at(), "the record has no messages")
		}
	}
	return in.err()
}

// readList reads a list of messages, with what stands around them, as one conversation.
func readList(a modelAPI, b *builder, about, list value) {
	t := b.newConversation(firstGiven(about.get("conversation_id"), about.get("id")).str()).thread(Main)
	reader := a.on(t)
	reader.begin(about)
	t.c.Conv.Model = firstWord(about.get("model").str(), about.get("modelId").str())
	for m := range list.elements() {
		reader.message(m)
	}
}

// cohereAPI is Cohere's Chat, version 2.
type cohereAPI struct{}

func (cohereAPI) format() string { return "cohere" }

func (cohereAPI) asked(r *repeats, x *exchange) ([]message, bool) {
	asked, ok := chatAPI{}.asked(r, x)
	claimed := strings.HasSuffix(x.path, "/v2/chat") || cohereMessage(x.response.whole.get("message"))
	for _, e := range x.response.events {
		claimed = claimed || e.get("type").is("message-start")
	}
	return asked, ok && claimed
}

func (a cohereAPI) answered(x *exchange) reply {
	response := x.response.whole
	if len(x.response.events) > 0 {
		response = cohereStream(x.response.events)
	}
	m := response.get("message")
	if !m.get("role").is("assistant") {
		return reply{}
	}
	r := messagesReply(a.on(nil), m)
	r.id, r.usage = response.get("id").str(), cohereUsage(response.get("usage"))
	return r
}

// cohereUsage reads the tokens that the model had; what is billed is less.
func cohereUsage(v value) *Usage {
	u := openAIUsage(firstGiven(v.get("tokens"), v.get("billed_units")))
	if cached, ok := v.get("cached_tokens").int64(); ok && u != nil {
		u.Input, u.Cached = max(0, u.Input-cached), cached
	}
	return u
}

// cohereStream is the answer of a stream's events as the API gives it in one piece.
func cohereStream(events []event) value {
	s := &chatStream{text: map[string]*pieces{}}
	at := events[0].at()
	id, usage := "", ""
	for _, e := range events {
		delta := e.get("delta", "message")
		if v := e.get("id"); id == "" && v.isText() {
			id = string(v.raw())
		}
		if u := e.get("delta", "usage"); u.isObject() {
			usage = string(u.raw())
		}
		for key, v := range map[string]value{"tool_plan": delta.get("tool_plan"), "content": firstGiven(delta.get("content", "text"), delta.get("content", "thinking"))} {
			if v.isText() && len(v.inner()) > 0 {
				if s.text[key] == nil {
					s.text[key] = &pieces{}
				}
				s.text[key].add(v)
			}
		}
		if call := delta.get("tool_calls"); call.isObject() {
			index, _ := e.get("index").int64()
			s.numbered(index, call.at()).piece(call.get("id"), call.get("function"))
		}
	}
	w := &pieceWriter{}
	w.write(at, "{")
	if id != "" {
		w.write(at, `"id":`, id, ",")
	}
	if usage != "" {
		w.write(at, `"usage":`, usage, ",")
	}
	w.write(at, `"message":{"role":"assistant"`)
	for _, key := range []string{"tool_plan", "content"} {
		if p := s.text[key]; p != nil {
			w.write(p.at, `,"`+key+`":"`, string(p.inner), `"`)
		}
	}
	w.calls(at, s.calls)
	w.write(at, "}}")
	return w.value(at.File)
}

// numbered is the call of this index.
func (s *chatStream) numbered(index int64, at Location) *streamedCall {
	for _, c := range s.calls {
		if c.index == index {
			return c
		}
	}
	c := &streamedCall{index: index, at: at}
	s.calls = append(s.calls, c)
	return c
}

func (cohereAPI) on(t *threadBuilder) apiThread { return cohereThread{chatThread{&chatReader{}, t}} }

// A cohereThread reads messages of this API.
type cohereThread struct{ chatThread }

func (c cohereThread) begin(request value) {
	c.t.system(request.get("preamble").payload())
	c.chatThread.begin(request)
}

func (c cohereThread) message(m value) {
	switch {
	case m.get("role").is("tool"):
		r := chatResult(m)
		r.Payload = cohereContent(m.get("content"))
		c.t.result(m.get("tool_call_id").str(), "", r)
	case m.get("role").is("assistant"):
		s := c.t.step("")
		if plan := m.get("tool_plan"); plan.isText() {
			c.t.text(s, plan.payload())
		}
		c.t.text(s, cohereContent(m.get("content")))
		c.addCalls(c.t, s, m)
	default:
		c.chatThread.message(m)
	}
}

// cohereContent reads content: a string or parts. The data of a document is what the model reads.
func cohereContent(v value) Payload {
	if !v.isArray() {
		return v.payload()
	}
	var parts []Part
	for e := range v.elements() {
		switch data := firstGiven(e.get("document", "data"), e.get("document")); {
		case e.get("type").is("document") && data.given():
			parts = append(parts, data.part())
		case e.get("thinking").isText():
			parts = append(parts, e.get("thinking").part())
		default:
			parts = append(parts, openAIPart(e))
		}
	}
	return newPayload(parts...)
}
