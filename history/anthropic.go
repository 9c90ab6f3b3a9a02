package history

import (
	"context"
	"strings"
)

// anthropicMessages reads messages of Anthropic's Messages API: arrays of them, request bodies,
// responses, objects with messages, lines of any of these, and the events of a stream.
var anthropicMessages = &Format{
	Name:   "anthropic-messages",
	Title:  "Anthropic messages",
	How:    "messages whose content is blocks of the types tool_use and tool_result, or the events of such a stream",
	detect: detectAnthropic,
	read:   readAnthropic,
}

func detectAnthropic(s *sample) (int, string) {
	var messages, blocks, prose, events, foreign, others int
	look := func(m value) {
		if !m.get("role").is("user") && !m.get("role").is("assistant") {
			return
		}
		messages++
		if m.get("tool_calls").isArray() || m.get("parts").isArray() {
			foreign++
		}
		for b := range m.get("content").elements() {
			switch {
			case kindOf(b) != proseBlock, b.get("type").is("thinking"), b.get("type").is("redacted_thinking"):
				blocks++
			case b.get("type").is("text"):
				prose++
			}
		}
	}
	requests := 0
	for _, v := range s.items() {
		if streamEvent(v) {
			events++
			continue
		}
		before := messages
		about, list, response := anthropicContainer(v)
		if list.ok() && about.get("max_tokens").given() && about.get("system").given() {
			requests++
		}
		n := 0
		for m := range list.elements() {
			if n++; n > 4*sampleRecords {
				break
			}
			look(m)
		}
		look(response)
		if v.get("content").given() {
			look(v)
		}
		for m := range v.elements() { // a list of conversations
			look(m)
		}
		if messages == before {
			others++
		}
	}
	switch {
	case events > 0:
		return 95, "events of a message stream, such as message_start and content_block_start"
	case blocks > 0 && foreign == 0:
		return 90, "messages with content blocks such as tool_use, tool_result or thinking"
	case blocks > 0:
		return 45, "messages with content blocks such as tool_use and tool_result, among others"
	case requests > 0 && foreign == 0:
		return 60, "requests with messages, max_tokens and a system prompt of their own"
	case prose > 0 && foreign == 0 && others <= len(s.items())/2:
		return 25, "messages with content blocks of text only"
	}
	return 0, ""
}

// anthropicContainer finds the messages in an object that has them, the object around these, and
// the response recorded beside.
func anthropicContainer(v value) (about, messages, response value) {
	for _, body := range []value{v, v.get("body"), v.get("request"), v.get("request", "body"), v.get("params")} {
		if m := body.get("messages"); m.isArray() {
			about, messages = body, m
			break
		}
	}
	for _, r := range []value{v, v.get("response"), v.get("response", "body"), v.get("result", "message")} {
		if r.get("type").is("message") && r.get("role").is("assistant") && r.get("content").isArray() {
			response = r
			break
		}
	}
	return about, messages, response
}

func readAnthropic(ctx context.Context, in *input, b *builder) error {
	a := &anthropicReader{b: b, repeats: newRepeats()}
	for rec := range in.records(ctx) {
		if !a.record(rec.value) {
			b.problem(rec.at(), "the record has no messages")
		}
	}
	if a.stream != nil {
		a.stream.finish()
	}
	return in.err()
}

// streamEvent tells whether v is an event of a message stream.
func streamEvent(v value) bool {
	switch typ := v.get("type").str(); typ {
	case "message_start":
		return v.get("message").isObject()
	case "content_block_start":
		return v.get("content_block").isObject()
	case "content_block_delta", "message_delta":
		return v.get("delta").isObject()
	case "content_block_stop", "message_stop", "ping":
		return true
	default:
		return typ == "error" && strings.HasSuffix(v.get("error", "type").str(), "_error")
	}
}
