package history

import (
	"context"
	"hash/maphash"
)

// geminiContents reads contents of Gemini's API: arrays of them, requests, responses, and the sessions
// of the Agent Development Kit, whose events have one each.
var geminiContents = &Format{
	Name:   "gemini-contents",
	Title:  "Gemini contents or ADK session",
	How:    "contents with a role and parts that hold text, functionCall or functionResponse, alone or in events",
	detect: detectGeminiContents,
	read:   readGeminiContents,
}

func detectGeminiContents(s *sample) (int, string) {
	contents, calls, events := 0, 0, 0
	look := func(c value) {
		if !geminiContentOf(c) {
			return
		}
		contents++
		for p := range c.get("parts").elements() {
			if geminiCall(p).isObject() || geminiResponse(p).isObject() {
				calls++
			}
		}
	}
	for _, v := range s.items() {
		look(v)
		_, list, response := geminiContainer(v)
		n := 0
		for c := range list.elements() {
			if n++; n > 4*sampleRecords {
				break
			}
			look(c)
		}
		look(response.get("candidates").first().get("content"))
		for e := range v.get("events").elements() {
			if adkEvent(e) {
				events++
			}
		}
		if adkEvent(v) {
			events++
		}
	}
	switch {
	case events > 0:
		return 92, "events with an author and contents"
	case calls > 0:
		return 90, "contents whose parts hold functionCall or functionResponse"
	case contents > 0:
		return 60, "contents with a role and parts"
	}
	return 0, ""
}

// geminiContentOf tells whether v is a content: a role and parts.
func geminiContentOf(v value) bool {
	switch v.get("role").str() {
	case "user", "model", "function", "tool":
		return geminiPart(v.get("parts").first())
	}
	return false
}

// adkEvent tells whether v is an event of a session.
func adkEvent(v value) bool {
	return v.get("author").isText() && geminiField(v, "invocationId", "invocation_id").isText() && v.get("content", "parts").isArray()
}

// geminiContainer finds the contents in an object that has them, the object around these, and the
// response recorded beside.
func geminiContainer(v value) (about, contents, response value) {
	for _, body := range []value{v, v.get("request"), v.get("request", "body"), v.get("body")} {
		if c := body.get("contents"); c.isArray() {
			about, contents = body, c
			break
		}
	}
	for _, c := range []value{v.get("history"), v.get("clientHistory")} { // of a saved chat, or a checkpoint
		if !contents.ok() && geminiContentOf(c.first()) {
			about, contents = v, c
		}
	}
	for _, r := range []value{v, v.get("response"), v.get("response", "body")} {
		if r.get("candidates").first().get("content").isObject() {
			response = r
			break
		}
	}
	return about, contents, response
}

func readGeminiContents(ctx context.Context, in *input, b *builder) error {
	g := &geminiReader{b: b, seed: maphash.MakeSeed()}
	for rec := range in.records(ctx) {
		if !g.record(rec.value) {
			b.problem(rec.at(), "the record has no contents")
		}
	}
	return in.err()
}

type geminiReader struct {
	b     *builder
	seed  maphash.Seed
	known []*geminiHistory
	lines *adkSession // of recordings with one content, or one event, a line

	stream *geminiStream // the latest response, of which more pieces may come
}

// A geminiStream is a response as far as it came: its pieces, which share its id, are one step, and
// each counts the tokens of all before it. Without ids a piece goes on with the response until one has a
// finish reason.
type geminiStream struct {
	id      string
	ended   bool
	history *geminiHistory
	step    *Step
	before  *Usage // of the conversation without this response
}

// piece goes on with the latest response; false where v is no piece of that one.
func (g *geminiReader) piece(v, list, response value) bool {
	chunk := firstGiven(response, v)
	s := g.stream
	if s == nil || list.ok() || !s.sameResponse(chunk) {
		return false
	}
	s.ended = s.ended || geminiEnded(chunk)
	s.history.model(s.step, chunk.get("candidates").first().get("content", "parts"))
	if u := geminiUsage(geminiField(chunk, "usageMetadata", "usage_metadata")); u != nil {
		s.step.Usage = u
		s.history.c.Conv.Usage = s.before.Add(u)
	}
	return true
}

// sameResponse tells whether a chunk is a piece of the response.
func (s *geminiStream) sameResponse(chunk value) bool {
	if id := geminiField(chunk, "responseId", "response_id"); s.id != "" || id.isText() {
		return s.id != "" && id.is(s.id)
	}
	usage := geminiField(chunk, "usageMetadata", "usage_metadata").isObject()
	return chunk.get("candidates").isArray() && !s.ended || usage && !chunk.get("candidates").first().get("content").isObject()
}

// geminiEnded tells whether a chunk says that the response ends with it.
func geminiEnded(chunk value) bool {
	return geminiField(chunk.get("candidates").first(), "finishReason", "finish_reason").given()
}

// A geminiHistory is a conversation as far as it was read: each request repeats all before it.
type geminiHistory struct {
	geminiThread
	marks    []uint64
	answered bool
}

func (g *geminiReader) line() *adkSession {
	if g.lines == nil {
		g.lines = &adkSession{geminiThread: geminiThread{g.b.conversation("").thread(Main)}}
	}
	return g.lines
}

// record reads whatever holds contents; false where v has none.
func (g *geminiReader) record(v value) bool {
	about, list, response := geminiContainer(v)
	switch {
	case g.piece(v, list, response):
		return true
	case list.ok() || response.ok():
		g.conversation(v, about, list, response)
		return true
	case adkEvent(v.get("events").first()):
		s := &adkSession{geminiThread: geminiThread{g.b.newConversation(v.get("id").str()).thread(Main)}}
		s.read(v)
		return true
	case adkEvent(v):
		g.line().event(v)
		return true
	case geminiContentOf(v):
		g.line().content(v)
		return true
	case !v.isArray():
		return false
	}
	if geminiContentOf(v.first()) {
		g.conversation(v, value{}, v, value{})
		return true
	}
	found := false
	for e := range v.elements() {
		switch {
		case e.isObject():
			found = g.record(e) || found
		case geminiContentOf(e.first()):
			g.conversation(value{}, value{}, e, value{})
			found = true
		}
	}
	return found
}

// conversation reads a list of contents, and the response that came of it.
func (g *geminiReader) conversation(record, about, list, response value) {
	var all []value
	for c := range list.elements() {
		all = append(all, c)
	}
	answer := response.get("candidates").first().get("content")
	if answer.isObject() {
		all = append(all, answer)
	}
	marks := make([]uint64, len(all))
	for i, c := range all {
		var h maphash.Hash
		h.SetSeed(g.seed)
		_, _ = h.Write(c.get("role").raw())
		_, _ = h.Write(c.get("parts").raw())
		marks[i] = h.Sum64()
	}
	h := g.find(marks)
	if h == nil {
		h = &geminiHistory{geminiThread: geminiThread{g.b.newConversation(firstGiven(record.get("sessionId"), record.get("session_id"), record.get("id")).str()).thread(Main)}}
		g.known = append(g.known, h)
		h.system(geminiPayload(geminiField(about, "systemInstruction", "system_instruction").get("parts")))
		h.system(about.get("tools").payload())
	}
	conv := h.c.Conv
	if conv.Model == "" {
		conv.Model = firstGiven(about.get("model"), geminiField(response, "modelVersion", "model_version")).str()
	}
	for _, c := range all[len(h.marks):] {
		s := h.content(c)
		h.answered = h.answered || s != nil
	}
	h.marks = marks
	if answer.isObject() && h.latest != nil {
		u := geminiUsage(geminiField(response, "usageMetadata", "usage_metadata"))
		h.latest.Usage, h.latest.ID = u, geminiField(response, "responseId", "response_id").str()
		g.stream = &geminiStream{h.latest.ID, geminiEnded(response), h, h.latest, conv.Usage}
		conv.Usage = conv.Usage.Add(u)
	}
}

// find returns the history that goes on with these contents: the longest, and one in which the
// model had answered, for the same question may be asked twice.
func (g *geminiReader) find(marks []uint64) *geminiHistory {
	var found *geminiHistory
	for _, h := range g.known {
		if !h.answered || len(h.marks) >= len(marks) || found != nil && len(found.marks) >= len(h.marks) {
			continue
		}
		same := true
		for i, m := range h.marks {
			same = same && m == marks[i]
		}
		if same {
			found = h
		}
	}
	return found
}

// content reads one content; the step is that of a response.
func (t *geminiThread) content(c value) *Step {
	parts := c.get("parts")
	switch role := c.get("role").str(); role {
	case "model":
		s := t.step("")
		t.model(s, parts)
		return s
	case "user", "function", "tool", "":
		t.user(parts)
	case "system":
		t.system(geminiPayload(parts))
	default:
		reason := "a content has no known role"
		if plainKey(role) {
			reason = "a content has the unknown role " + role
		}
		t.c.b.problem(c.at(), reason)
	}
	return nil
}

// user reads the responses of functions, the media that belong to them, and what a person wrote.
func (t *geminiThread) user(parts value) *Turn {
	responses := false
	for p := range parts.elements() {
		if f := geminiResponse(p); f.isObject() {
			t.outcome(p, geminiResult(f))
			responses = true
		}
	}
	var prompt []Part
	written := false
	for p := range parts.elements() {
		prompt = append(prompt, geminiContent(p)...)
		written = written || p.get("text").isText()
	}
	if len(prompt) == 0 || responses && !written {
		return nil
	}
	return t.prompt(newPayload(prompt...), parts.at())
}
