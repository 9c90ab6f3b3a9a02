package history

import (
	"context"
	"slices"
	"strconv"
)

// openAIChatSSE reads streamed responses of the Chat Completions API: a chunk a line, as JSON or as
// the data of an event stream.
var openAIChatSSE = &Format{
	Name:   "openai-chat-sse",
	Title:  "OpenAI chat stream",
	How:    "chunks of streamed chat completions, whose choices have a delta",
	detect: detectChatSSE,
	read:   readChatSSE,
}

// chatChunk tells whether v is a chunk of a streamed response.
func chatChunk(v value) bool {
	return v.get("object").is("chat.completion.chunk") && v.get("choices").isArray() ||
		v.get("choices").first().get("delta").isObject() && v.get("id").ok()
}

func detectChatSSE(s *sample) (int, string) {
	if slices.ContainsFunc(s.items(), chatChunk) {
		return 95, "chunks of a streamed chat completion"
	}
	return 0, ""
}

func readChatSSE(ctx context.Context, in *input, b *builder) error {
	byID := map[string]*chatStream{}
	var list []*chatStream
	chunk := func(v value) {
		id := v.get("id").str()
		s := byID[id]
		if s == nil {
			s = &chatStream{}
			byID[id] = s
			list = append(list, s)
		}
		s.chunk(v)
	}
	for rec := range in.records(ctx) {
		switch {
		case chatChunk(rec.value):
			chunk(rec.value)
		case rec.isArray() && chatChunk(rec.first()):
			for e := range rec.elements() {
				chunk(e)
			}
		case rec.get("error").given():
			b.problem(rec.at(), "the stream ended with an error")
		default:
			b.problem(rec.at(), "the record is no chunk of a chat completion")
		}
	}
	t := b.conversation("").thread(Main)
	for _, s := range list {
		if !s.finished {
			b.problem(s.at, "the stream that begins here ends without a finish reason")
		}
		s.read(t)
	}
	return in.err()
}

// A chatStream puts the chunks of one response together. Of several choices it takes the first.
type chatStream struct {
	at       Location
	head     map[string]string  // id, model and created, as JSON
	text     map[string]*pieces // content and the like
	calls    []*streamedCall
	function *streamedCall // the call of the API's first version
	usage    string        // as JSON
	finished bool
}

// pieces are the parts of a string that came so far, as they were escaped.
type pieces struct {
	at    Location
	inner []byte
}

func (p *pieces) add(v value) {
	if len(p.inner) == 0 {
		p.at = v.at()
	}
	p.inner = append(p.inner, v.inner()...)
}

// A streamedCall is a call of which pieces may still come.
type streamedCall struct {
	index     int64
	id, name  string // as JSON
	at        Location
	arguments pieces
	object    string // arguments that were no string
}

// streamedTexts are the members of a delta that are text.
var streamedTexts = []string{"reasoning_content", "reasoning", "content", "refusal"}

func (s *chatStream) chunk(v value) {
	if s.head == nil {
		s.at, s.head, s.text = v.at(), map[string]string{}, map[string]*pieces{}
	}
	for _, key := range []string{"id", "model", "created"} {
		if m := v.get(key); s.head[key] == "" && m.given() {
			s.head[key] = string(m.raw())
		}
	}
	if u := v.get("usage"); u.isObject() {
		s.usage = string(u.raw()) // chunks may repeat it with larger values
	}
	choice := v.get("choices").first()
	if i, ok := choice.get("index").int64(); ok && i != 0 {
		return
	}
	s.finished = s.finished || choice.get("finish_reason").given()
	delta := firstGiven(choice.get("delta"), choice.get("message"))
	for _, key := range streamedTexts {
		if m := delta.get(key); m.isText() {
			if s.text[key] == nil {
				s.text[key] = &pieces{}
			}
			s.text[key].add(m)
		}
	}
	for call := range delta.get("tool_calls").elements() {
		s.call(call).piece(call.get("id"), firstGiven(call.get("function"), call.get("custom")))
	}
	if f := delta.get("function_call"); f.isObject() {
		if s.function == nil {
			s.function = &streamedCall{at: f.at()}
		}
		s.function.piece(value{}, f)
	}
}

// call finds the call that a piece belongs to: by its index, unless the piece begins another call
// under the same one, as some vendors number all calls 0.
func (s *chatStream) call(v value) *streamedCall {
	index, numbered := v.get("index").int64()
	id := v.get("id")
	for _, c := range slices.Backward(s.calls) {
		if numbered && c.index != index {
			continue
		}
		if id.isText() && !id.is("") && c.id != "" && c.id != string(id.raw()) {
			break
		}
		return c
	}
	c := &streamedCall{index: index, at: v.at()}
	s.calls = append(s.calls, c)
	return c
}

func (c *streamedCall) piece(id, function value) {
	if c.id == "" && id.isText() && !id.is("") {
		c.id = string(id.raw())
	}
	if name := function.get("name"); c.name == "" && name.isText() && !name.is("") {
		c.name = string(name.raw())
	}
	switch a := firstGiven(function.get("arguments"), function.get("input")); {
	case a.isText():
		c.arguments.add(a)
	case a.given():
		c.object = string(a.raw())
	}
}

// response is the answer as the API gives it in one piece.
func (s *chatStream) response() value {
	w := &pieceWriter{}
	w.write(s.at, "{")
	for _, key := range []string{"id", "model", "created"} {
		if s.head[key] != "" {
			w.write(s.at, `"`+key+`":`, s.head[key], ",")
		}
	}
	if s.usage != "" {
		w.write(s.at, `"usage":`, s.usage, ",")
	}
	w.write(s.at, `"choices":[{"message":{"role":"assistant"`)
	for _, key := range streamedTexts {
		if p := s.text[key]; p != nil {
			w.write(p.at, `,"`+key+`":"`, string(p.inner), `"`)
		}
	}
	w.calls(s.at, s.calls)
	if s.function != nil {
		w.write(s.function.at, `,"function_call":`)
		s.function.write(w)
	}
	w.write(s.at, "}}]}")
	return w.value(s.at.File)
}

// calls writes calls as a member of a message, in the order of their indices as they first came.
func (w *pieceWriter) calls(at Location, list []*streamedCall) {
	if len(list) == 0 {
		return
	}
	w.write(at, `,"tool_calls":[`)
	for i, c := range list {
		if i > 0 {
			w.write(c.at, ",")
		}
		w.write(c.at, `{"index":`+strconv.FormatInt(c.index, 10))
		if c.id != "" {
			w.write(c.at, `,"id":`, c.id)
		}
		w.write(c.at, `,"type":"function","function":`)
		c.write(w)
		w.write(c.at, "}")
	}
	w.write(at, "]")
}

func (c *streamedCall) write(w *pieceWriter) {
	w.write(c.at, "{")
	if c.name != "" {
		w.write(c.at, `"name":`, c.name, ",")
	}
	w.write(c.at, `"arguments":`)
	if c.object != "" {
		w.write(c.at, c.object, "}")
		return
	}
	w.write(c.at, `"`, string(c.arguments.inner), `"}`)
}

// read adds the response to t.
func (s *chatStream) read(t *threadBuilder) {
	response := s.response()
	step := (&chatReader{}).answer(t, response.get("choices").first().get("message"))
	step.ID, step.Time = response.get("id").str(), response.get("created").time()
	step.Usage = openAIUsage(response.get("usage"))
	t.c.Conv.Usage = t.c.Conv.Usage.Add(step.Usage)
	if t.c.Conv.Model == "" {
		t.c.Conv.Model = response.get("model").str()
	}
}
