package history

import "strings"

// anthropicAPI is Anthropic's Messages, also as Amazon and Google offer it.
type anthropicAPI struct{}

func (anthropicAPI) format() string { return anthropicMessages.Name }

func (a anthropicAPI) asked(r *repeats, x *exchange) ([]message, bool) {
	request := x.request.whole
	list := request.get("messages")
	if !list.first().get("role").isText() || countsTokens(x) || !a.claims(x) {
		return nil, false
	}
	reader := &anthropicReader{repeats: r}
	var all []message
	for m := range list.elements() {
		all = append(all, reader.anthropicMessage(m))
	}
	return all, true
}

// claims tells Anthropic's messages from OpenAI's by what only one of both has.
func (anthropicAPI) claims(x *exchange) bool {
	if strings.HasSuffix(x.path, "/messages") || x.request.whole.get("anthropic_version").given() || x.response.whole.get("type").is("message") {
		return true
	}
	for _, e := range x.response.events {
		if e.get("type").is("message_start") {
			return true
		}
	}
	for m := range x.request.whole.get("messages").elements() {
		for b := range m.get("content").elements() {
			if kindOf(b) != proseBlock {
				return true
			}
		}
	}
	return false
}

func (a anthropicAPI) answered(x *exchange) reply {
	if m := x.response.whole; m.get("role").is("assistant") && m.get("content").isArray() {
		r := messagesReply(a.on(nil), m)
		r.id, r.model, r.usage = m.get("id").str(), m.get("model").str(), usageOf(m.get("usage"))
		return r
	}
	var r reply
	for _, e := range x.response.events {
		if !streamEvent(e.value) {
			continue
		}
		start := e.get("message")
		if start.isObject() {
			r.given = true
			r.id, r.model = start.get("id").str(), start.get("model").str()
			r.calls = append(r.calls, a.on(nil).calls(start)...)
		}
		if b := e.get("content_block"); kindOf(b) == callBlock && !byProvider(b) {
			r.calls = append(r.calls, namedCall{b.get("id").str(), b.get("name").str()})
		}
		switch u := usageOf(firstGiven(start.get("usage"), e.get("usage"))); {
		case u == nil:
		case r.usage == nil:
			r.usage = u
		default:
			r.usage.largest(u)
		}
	}
	r.add = func(t apiThread) {
		s := &messageStream{t: t.(anthropicTaped).anthropicThread, open: map[int64]*streamBlock{}}
		for _, e := range x.response.events {
			if streamEvent(e.value) {
				s.event(e.value)
			}
		}
		s.finish()
	}
	return r
}

func (anthropicAPI) on(t *threadBuilder) apiThread { return anthropicTaped{&anthropicThread{t}} }

// anthropicTaped reads messages of recorded traffic.
type anthropicTaped struct{ *anthropicThread }

func (t anthropicTaped) begin(request value) {
	t.system(contentPayload(request.get("system")))
	t.system(request.get("tools").payload())
}

func (anthropicTaped) calls(m value) []namedCall {
	var list []namedCall
	for b := range m.get("content").elements() {
		if kindOf(b) == callBlock && !byProvider(b) {
			list = append(list, namedCall{b.get("id").str(), b.get("name").str()})
		}
	}
	return list
}
