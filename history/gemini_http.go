package history

import "strings"

// geminiAPI is Google's generateContent, also as Vertex AI offers it.
type geminiAPI struct{}

func (geminiAPI) format() string { return geminiContents.Name }

func (geminiAPI) asked(r *repeats, x *exchange) ([]message, bool) {
	list := x.request.whole.get("contents")
	if !geminiContentOf(list.first()) && !strings.Contains(x.path, "enerateContent") || countsTokens(x) {
		return nil, false
	}
	var all []message
	for c := range list.elements() {
		all = append(all, r.message(c, c.get("role").is("model"), c.get("role"), c.get("parts")))
	}
	return all, len(all) > 0
}

// answered reads a response, or the pieces of a streamed one: events, or elements of an array.
func (a geminiAPI) answered(x *exchange) reply {
	var r reply
	var pieces []value
	for _, v := range x.response.values() {
		list := []value{v}
		if v.isArray() {
			list = nil
			for e := range v.elements() {
				list = append(list, e)
			}
		}
		for _, piece := range list {
			content := piece.get("candidates").first().get("content")
			if content.isObject() {
				r.given = true
				pieces = append(pieces, content.get("parts"))
				r.calls = append(r.calls, geminiTaped{}.calls(content)...)
			}
			r.id = firstWord(r.id, geminiField(piece, "responseId", "response_id").str())
			r.model = firstWord(r.model, geminiField(piece, "modelVersion", "model_version").str())
			if u := geminiUsage(geminiField(piece, "usageMetadata", "usage_metadata")); u != nil {
				r.usage = u // each piece of a stream counts all before it
			}
		}
	}
	r.add = func(t apiThread) {
		thread := t.(geminiTaped)
		s := thread.step("")
		for _, parts := range pieces {
			thread.model(s, parts)
		}
	}
	return r
}

func (geminiAPI) on(t *threadBuilder) apiThread { return geminiTaped{&geminiThread{t}} }

// geminiTaped reads contents of recorded traffic.
type geminiTaped struct{ *geminiThread }

func (t geminiTaped) begin(request value) {
	t.system(geminiPayload(geminiField(request, "systemInstruction", "system_instruction").get("parts")))
	t.system(request.get("tools").payload())
}

func (t geminiTaped) message(m value) { t.content(m) }

func (geminiTaped) calls(m value) []namedCall {
	var list []namedCall
	for p := range m.get("parts").elements() {
		if f := geminiCall(p); f.isObject() {
			list = append(list, namedCall{f.get("id").str(), f.get("name").str()})
		}
	}
	return list
}
