package history

import (
	"context"
	"strings"
)

// inspectLog reads logs of Inspect: JSON files, and the header and samples of its archives.
var inspectLog = &Format{
	Name:   "inspect-ai",
	Title:  "Inspect log",
	How:    "a log with eval, plan and samples, or the zip archive of one",
	detect: detectInspect,
	read:   readInspect,
}

func detectInspect(s *sample) (int, string) {
	for _, v := range s.items() {
		switch {
		case v.get("eval").isObject() && v.get("plan").isObject() && v.get("version").ok():
			return 95, "a log with eval and plan"
		case isInspectSample(v):
			return 90, "samples with an epoch, a target and messages"
		}
	}
	return 0, ""
}

func isInspectSample(v value) bool {
	return v.get("epoch").kind() == number && v.get("target").ok() && v.get("messages").isArray()
}

func readInspect(ctx context.Context, in *input, b *builder) error {
	model := ""
	for rec := range in.records(ctx) {
		if m := rec.get("eval", "model"); m.isText() {
			model = m.str()
		}
		switch {
		case rec.get("samples").isArray():
			for sample := range rec.get("samples").elements() {
				readInspectSample(b, sample, model)
			}
		case isInspectSample(rec.value):
			readInspectSample(b, rec.value, model)
		case !rec.get("eval").isObject():
			b.problem(rec.at(), "the record is neither a log nor a sample")
		}
	}
	return in.err()
}

// An inspectSample reads a sample into a conversation.
type inspectSample struct {
	*threadBuilder
	sample value
	events map[string]value // of tools, by the id of the call
	seen   map[string]bool  // ids of calls and results among the messages
}

func readInspectSample(b *builder, sample value, model string) {
	c := b.newConversation(wordOf(sample.get("id")) + "-epoch" + wordOf(sample.get("epoch")))
	c.Conv.Model = firstGiven(sample.get("output", "model")).str()
	if c.Conv.Model == "" {
		c.Conv.Model = model
	}
	for _, u := range sample.get("model_usage").members() {
		c.Conv.Usage = c.Conv.Usage.Add(inspectUsage(u))
	}
	t := &inspectSample{c.thread(Main), sample, map[string]value{}, map[string]bool{}}
	tools := false
	for e := range t.allEvents() {
		switch {
		case e.get("event").is("tool"):
			t.events[e.get("id").str()] = e
		case e.get("event").is("model") && !tools && e.get("tools").first().ok():
			tools = true
			t.system(e.get("tools").payload())
		}
	}
	for m := range sample.get("messages").elements() {
		t.message(m)
	}
	t.fromEvents()
}

func (t *inspectSample) allEvents() func(func(value) bool) {
	return firstGiven(t.sample.get("events"), t.sample.get("transcript", "events")).elements()
}

// inspectUsage reads usage, whose input is without what came from the cache.
func inspectUsage(v value) *Usage {
	n := func(key string) int64 { i, _ := v.get(key).int64(); return i }
	return &Usage{Input: n("input_tokens"), Cached: n("input_tokens_cache_read") + n("input_tokens_cache_write"), Output: n("output_tokens")}
}

// resolve follows a reference to a text that is kept among the sample's attachments.
func (t *inspectSample) resolve(v value) value {
	for mark, kept := range map[string]value{"attachment://": t.sample.get("attachments"), "tc://": t.sample.get("transcript", "content")} {
		if begins(v, mark) {
			if of := kept.get(strings.TrimPrefix(v.str(), mark)); of.ok() {
				return of
			}
		}
	}
	return v
}

func (t *inspectSample) content(v value) Payload {
	if !v.isArray() {
		return t.resolve(v).payload()
	}
	var parts []Part
	for e := range v.elements() {
		parts = append(parts, t.part(e))
	}
	return newPayload(parts...)
}

func (t *inspectSample) part(v value) Part {
	kind := v.get("type").str()
	switch {
	case v.isText():
		return t.resolve(v).part()
	case kind == "text":
		return textOr(t.resolve(v.get("text")), v)
	case kind == "reasoning":
		return textOr(t.resolve(v.get("reasoning")), v)
	case kind == "image":
		data := t.resolve(v.get("image"))
		return firstGiven(data, v).blob(Image, mediaOf(data, kind))
	case kind == "audio":
		return firstGiven(t.resolve(v.get("audio")), v).blob(Audio, v.get("format").str())
	case kind == "document":
		return firstGiven(t.resolve(v.get("document")), v).blob(Document, v.get("mime_type").str())
	case !plainKey(kind):
		kind = ""
	}
	return v.blob(Other, kind)
}

func (t *inspectSample) message(m value) {
	switch role := m.get("role"); {
	case role.is("system"):
		t.system(t.content(m.get("content")))
	case role.is("user"):
		t.prompt(t.content(m.get("content")), m.at())
	case role.is("assistant"):
		t.answerOf(m)
	case role.is("tool"):
		id := m.get("tool_call_id").str()
		t.seen[id] = true
		r := t.resultOf(m.get("content"), m)
		r.Time = firstGiven(t.events[id].get("completed"), t.events[id].get("timestamp")).time()
		if m.get("error", "type").is("output_limit") || t.events[id].get("truncated").isArray() {
			r.Flags |= TruncatedByRecorder
		}
		t.result(id, m.get("function").str(), r)
	default:
		t.c.b.problem(m.at(), "a message has no known role")
	}
}

func (t *inspectSample) answerOf(m value) {
	s := t.step("")
	s.ID = m.get("id").str()
	content := m.get("content")
	if content.isText() {
		t.text(s, t.content(content))
	}
	for part := range content.elements() {
		if !part.get("type").is("tool_use") {
			t.text(s, newPayload(t.part(part)))
			continue
		}
		c := t.callWith(s, part.get("id").str(), part.get("name").str(), part.get("arguments"), part.at())
		c.Flags |= ProviderExecuted
		t.seen[c.ID] = true
		if out := part.get("result"); out.given() {
			t.result(c.ID, "", t.resultOf(out, part))
		}
	}
	for call := range m.get("tool_calls").elements() {
		name, arguments := chatCall(call)
		t.seen[call.get("id").str()] = true
		t.callWith(s, call.get("id").str(), name.str(), arguments, call.at())
	}
}

// resultOf is what a tool gave back; of a failed one, why it failed where there is nothing else.
func (t *inspectSample) resultOf(content, about value) *Result {
	failure := about.get("error")
	r := &Result{Payload: t.content(content), At: placeOf(content, about), Error: failure.given()}
	if r.Error && (content.is("") || !content.given()) {
		text := firstGiven(failure.get("message"), failure)
		r.Payload, r.At = text.payload(), placeOf(text, about)
	}
	r.Failed = r.Error
	return r
}

// fromEvents reads the calls that the messages don't have: those of subagents, and those that were
// compacted away.
func (t *inspectSample) fromEvents() {
	spans := map[string]value{}
	for e := range t.allEvents() {
		if e.get("event").is("span_begin") {
			spans[e.get("id").str()] = e
		}
		id := e.get("id").str()
		if !e.get("event").is("tool") || t.seen[id] || e.get("pending").truth() {
			continue
		}
		th := t.c.thread("events")
		for span, n := spans[e.get("span_id").str()], 0; span.ok() && n <= len(spans); span, n = spans[span.get("parent_id").str()], n+1 {
			if span.get("type").is("agent") {
				th = t.c.thread(span.get("id").str())
				th.Thread.Agent = span.get("name").str()
				break
			}
		}
		s := th.step("")
		s.Time = e.get("timestamp").time()
		c := th.callWith(s, id, e.get("function").str(), e.get("arguments"), e.at())
		r := t.resultOf(e.get("result"), e)
		r.Time = e.get("completed").time()
		th.result(c.ID, "", r)
	}
}
