package history

import (
	"context"
	"hash/maphash"
)

// pydanticAI reads the message history that Pydantic AI writes as JSON.
var pydanticAI = &Format{
	Name:   "pydantic-ai",
	Title:  "Pydantic AI messages",
	How:    "messages of the kind request or response, whose parts have a part_kind",
	detect: detectPydantic,
	read:   readPydantic,
}

// pydanticMessage tells whether v is a message.
func pydanticMessage(v value) bool {
	kind := v.get("kind")
	return (kind.is("request") || kind.is("response")) && v.get("parts").first().get("part_kind").isText()
}

// pydanticList is the list of messages in a record; nothing where it has none.
func pydanticList(v value) value {
	for _, l := range []value{v, v.get("messages"), v.get("all_messages"), v.get("new_messages"), v.get("message_history")} {
		if l.isArray() && pydanticMessage(l.first()) {
			return l
		}
	}
	return value{}
}

func detectPydantic(s *sample) (int, string) {
	for _, v := range s.items() {
		if pydanticMessage(v) || pydanticList(v).ok() {
			return 93, "messages of the kind request or response with parts that have a part_kind"
		}
	}
	return 0, ""
}

func readPydantic(ctx context.Context, in *input, b *builder) error {
	r := &pydanticReader{b: b, seed: maphash.MakeSeed()}
	var single *pydanticThread // of messages that stand one a line
	for rec := range in.records(ctx) {
		switch list := pydanticList(rec.value); {
		case list.ok():
			r.list(list)
		case pydanticMessage(rec.value):
			if single == nil {
				single = &pydanticThread{threadBuilder: b.newConversation("").thread(Main)}
			}
			single.message(rec.value)
		case pydanticList(rec.first()).ok():
			for list := range rec.elements() {
				r.list(pydanticList(list))
			}
		default:
			b.problem(rec.at(), "the record has no messages")
		}
	}
	return in.err()
}

// A pydanticReader knows the histories that were read: a run's messages repeat those of the runs before.
type pydanticReader struct {
	b     *builder
	seed  maphash.Seed
	known []*pydanticThread
}

func (r *pydanticReader) list(list value) {
	var all []value
	var marks []uint64
	for m := range list.elements() {
		all = append(all, m)
		marks = append(marks, maphash.Bytes(r.seed, m.raw()))
	}
	t := r.goesOn(marks)
	if t == nil {
		t = &pydanticThread{threadBuilder: r.b.newConversation("").thread(Main)}
		r.known = append(r.known, t)
	}
	for _, m := range all[len(t.marks):] {
		t.message(m)
	}
	t.marks = marks
}

// goesOn finds the longest history that these messages begin with.
func (r *pydanticReader) goesOn(marks []uint64) *pydanticThread {
	var found *pydanticThread
	for _, t := range r.known {
		if n := len(t.marks); n == 0 || n >= len(marks) || found != nil && len(found.marks) >= n || t.marks[n-1] != marks[n-1] || t.marks[0] != marks[0] {
			continue
		}
		found = t
	}
	return found
}

type pydanticThread struct {
	*threadBuilder
	marks        []uint64
	instructions string // as they were last, raw
}

func (t *pydanticThread) message(m value) {
	if m.get("kind").is("response") {
		t.response(m)
		return
	}
	if i := m.get("instructions"); i.isText() && string(i.raw()) != t.instructions {
		t.instructions = string(i.raw())
		t.system(i.payload())
	}
	for p := range m.get("parts").elements() {
		content := p.get("content")
		switch p.get("part_kind").str() {
		case "system-prompt":
			t.system(content.payload())
		case "user-prompt":
			t.prompt(newPayload(pydanticContent(content)...), p.at())
		case "tool-return":
			t.outcome(p, false)
		case "retry-prompt":
			if p.get("tool_name").isText() {
				t.outcome(p, true)
			} else { // the harness asks the model to answer in another way
				t.text(t.lastStep(), content.payload())
			}
		}
	}
}

func (t *pydanticThread) response(m value) {
	s := t.step("")
	s.ID, s.Time = firstGiven(m.get("provider_response_id"), m.get("vendor_id")).str(), m.get("timestamp").time()
	s.Usage = pydanticUsage(m.get("usage"))
	conv := t.c.Conv
	conv.Usage = conv.Usage.Add(s.Usage)
	if conv.Model == "" {
		conv.Model = m.get("model_name").str()
	}
	for p := range m.get("parts").elements() {
		switch kind := p.get("part_kind").str(); kind {
		case "text", "thinking":
			t.text(s, p.get("content").payload())
		case "tool-call", "builtin-tool-call":
			c := t.callWith(s, p.get("tool_call_id").str(), p.get("tool_name").str(), p.get("args"), p.at())
			if kind != "tool-call" {
				c.Flags |= ProviderExecuted
			}
		case "builtin-tool-return":
			t.outcome(p, false).Result.Flags |= ProviderExecuted
		case "file":
			content := p.get("content")
			t.text(s, newPayload(mediaBlob(firstGiven(content.get("data"), content), content.get("media_type").str())))
		}
	}
}

// outcome reads what a tool returned, or why the call was refused.
func (t *pydanticThread) outcome(p value, failed bool) *Call {
	content := p.get("content")
	failed = failed || p.get("outcome").is("failed") || p.get("outcome").is("denied")
	r := &Result{Payload: content.payload(), At: placeOf(content, p), Time: p.get("timestamp").time(), Error: failed, Failed: failed}
	if pydanticMedia(content) || content.isArray() && pydanticHasMedia(content) {
		r.Payload = newPayload(pydanticContent(content)...)
	}
	return t.result(p.get("tool_call_id").str(), p.get("tool_name").str(), r)
}

// pydanticMedia tells whether v is a file or a link to one.
func pydanticMedia(v value) bool {
	switch v.get("kind").str() {
	case "binary":
		return v.get("media_type").isText()
	case "image-url", "audio-url", "video-url", "document-url":
		return v.get("url").isText()
	}
	return false
}

func pydanticHasMedia(list value) bool {
	for v := range list.elements() {
		if pydanticMedia(v) {
			return true
		}
	}
	return false
}

// pydanticContent is a text, or a list of texts and files.
func pydanticContent(content value) []Part {
	var parts []Part
	for v := range oneOrMore(content) {
		switch {
		case pydanticMedia(v):
			media := v.get("media_type").str()
			if media == "" && v.get("kind").is("image-url") {
				media = "image/*"
			}
			parts = append(parts, mediaBlob(firstGiven(v.get("data"), v.get("url")), media))
		case v.isText():
			parts = append(parts, textParts(v)...)
		case v.given():
			parts = append(parts, v.part())
		}
	}
	return parts
}

// pydanticUsage reads the usage of a response, in which the input counts what was cached too.
func pydanticUsage(v value) *Usage {
	in, ok1 := firstGiven(v.get("input_tokens"), v.get("request_tokens")).int64()
	out, ok2 := firstGiven(v.get("output_tokens"), v.get("response_tokens")).int64()
	if !ok1 && !ok2 || in == 0 && out == 0 {
		return nil
	}
	read, _ := v.get("cache_read_tokens").int64()
	written, _ := v.get("cache_write_tokens").int64()
	return &Usage{Input: max(0, in-read-written), Cached: read + written, Output: out}
}
