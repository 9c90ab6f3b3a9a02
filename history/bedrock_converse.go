package history

import (
	"context"
	"strings"
)

// bedrockConverse reads messages of Amazon Bedrock's Converse API, which Strands agents keep too.
var bedrockConverse = &Format{
	Name:   "bedrock-converse",
	Title:  "Bedrock Converse messages",
	How:    "messages whose content blocks are keyed toolUse and toolResult, requests and responses of them, and cassettes of that API",
	detect: detectBedrock,
	read:   readBedrock,
}

func detectBedrock(s *sample) (int, string) {
	for _, v := range s.items() {
		for _, about := range bedrockLists(v) {
			n := 0
			for m := range about.list.elements() {
				if n++; n > 4*sampleRecords {
					break
				}
				if bedrockMessage(m) {
					return 92, "messages with content blocks keyed toolUse or toolResult"
				}
			}
		}
		if bedrockMessage(v) || bedrockMessage(v.get("message")) || bedrockMessage(v.get("output", "message")) {
			return 92, "messages with content blocks keyed toolUse or toolResult"
		}
	}
	return 0, ""
}

// bedrockMessage tells whether a message has a call or a result in Converse's shape.
func bedrockMessage(m value) bool {
	if !m.get("role").isText() {
		return false
	}
	for b := range m.get("content").elements() {
		if b.get("toolUse").get("toolUseId").isText() || b.get("toolResult").get("toolUseId").isText() {
			return true
		}
	}
	return false
}

// A bedrockList is a conversation's messages, the object around them, and its name there.
type bedrockList struct {
	name        string
	about, list value
}

// bedrockLists finds the conversations in a record: its own, or those that it has by name.
func bedrockLists(v value) []bedrockList {
	for _, body := range []value{v, v.get("body"), v.get("request"), v.get("request", "body")} {
		if list := body.get("messages"); list.isArray() {
			return []bedrockList{{firstGiven(v.get("session_id"), v.get("id")).str(), body, list}}
		}
	}
	if v.isArray() && v.first().get("role").isText() {
		return []bedrockList{{"", value{}, v}}
	}
	var all []bedrockList
	for k, m := range v.members() {
		if list := m.get("messages"); list.first().get("role").isText() {
			all = append(all, bedrockList{k.str(), m, list})
		}
	}
	return all
}

func readBedrock(ctx context.Context, in *input, b *builder) error {
	var lines *bedrockThread
	for rec := range in.records(ctx) {
		if lists := bedrockLists(rec.value); len(lists) > 0 {
			for _, l := range lists {
				t := b.newConversation(l.name).thread(Main)
				r := bedrockThread{t}
				r.begin(l.about)
				for m := range l.list.elements() {
					r.message(m)
				}
				if m := firstGiven(rec.get("output", "message"), rec.get("response", "output", "message")); m.isObject() {
					r.message(m)
					r.report(bedrockUsage(firstGiven(rec.get("usage"), rec.get("response", "usage"))))
				}
			}
			continue
		}
		m := firstGiven(rec.get("message"), rec.get("output", "message"), rec.value)
		if !m.get("role").isText() {
			b.problem(rec.at(), "the record has no messages")
			continue
		}
		if lines == nil {
			lines = &bedrockThread{b.conversation("").thread(Main)}
		}
		lines.message(m)
		if s := lines.t.latest; s != nil && m.get("role").is("assistant") {
			s.Time = firstGiven(rec.get("created_at"), rec.get("timestamp")).time()
			lines.report(bedrockUsage(rec.get("usage")))
		}
	}
	return in.err()
}

// bedrockUsage reads usage; nil where there is none. The input does not count what is cached.
func bedrockUsage(v value) *Usage {
	in, ok1 := v.get("inputTokens").int64()
	out, ok2 := v.get("outputTokens").int64()
	if !ok1 && !ok2 {
		return nil
	}
	read, _ := v.get("cacheReadInputTokens").int64()
	written, _ := v.get("cacheWriteInputTokens").int64()
	return &Usage{Input: in, Cached: read + written, Output: out}
}

// A bedrockThread reads messages of this API.
type bedrockThread struct{ t *threadBuilder }

func (b bedrockThread) begin(about value) {
	b.t.system(bedrockContent(firstGiven(about.get("system"), about.get("system_prompt"))))
	b.t.system(about.get("toolConfig", "tools").payload())
}

func (b bedrockThread) report(u *Usage) {
	if s := b.t.latest; s != nil && u != nil {
		s.Usage = u
		b.t.c.Conv.Usage = b.t.c.Conv.Usage.Add(u)
	}
}

func (b bedrockThread) message(m value) {
	content := m.get("content")
	switch role := m.get("role").str(); role {
	case "user":
		b.user(content)
	case "assistant":
		s := b.t.step("")
		b.t.text(s, bedrockContent(content))
		for block := range content.elements() {
			if use := block.get("toolUse"); use.isObject() {
				c := b.t.callWith(s, use.get("toolUseId").str(), use.get("name").str(), use.get("input"), use.at())
				if use.get("type").is("server_tool_use") {
					c.Flags |= ProviderExecuted
				}
			}
			if result := block.get("toolResult"); result.isObject() {
				b.result(result).Flags |= ProviderExecuted
			}
		}
	case "system":
		b.t.system(bedrockContent(content))
	default:
		reason := "a message has no role"
		if plainKey(role) {
			reason = "a message has the unknown role " + role
		}
		b.t.c.b.problem(m.at(), reason)
	}
}

// user reads a message of results, of what a person wrote, or of both: the results come first then.
func (b bedrockThread) user(content value) {
	for block := range content.elements() {
		if result := block.get("toolResult"); result.isObject() {
			b.result(result)
		}
	}
	if p := bedrockContent(content); !p.empty() || content.isText() {
		b.t.prompt(p, content.at())
	}
}

func (b bedrockThread) result(v value) *Result {
	content := v.get("content")
	failed := v.get("status").is("error")
	r := &Result{Payload: bedrockContent(content), At: placeOf(content, v), Error: failed, Failed: failed}
	b.t.result(v.get("toolUseId").str(), "", r)
	return r
}

// bedrockContent is what a message, a result or a system prompt says, without calls and results.
func bedrockContent(v value) Payload {
	if !v.isArray() {
		return v.payload()
	}
	var parts []Part
	for b := range v.elements() {
		parts = append(parts, bedrockParts(b)...)
	}
	return newPayload(parts...)
}

// bedrockParts are the parts of a block. Each has one member that says what it is.
func bedrockParts(b value) []Part {
	if b.isText() {
		return []Part{b.part()}
	}
	for k, v := range b.members() {
		switch k.str() {
		case "toolUse", "toolResult", "cachePoint", "type":
		case "text":
			return textParts(v)
		case "json":
			return []Part{v.part()}
		case "reasoningContent":
			if text := v.get("reasoningText", "text"); text.isText() {
				return textParts(text)
			}
			return []Part{v.blob(Other, "reasoningContent")}
		case "guardContent":
			return textParts(v.get("text", "text"))
		case "image":
			return []Part{bedrockBlob(v, Image)}
		case "video":
			return []Part{bedrockBlob(v, Other)}
		case "audio":
			return []Part{bedrockBlob(v, Audio)}
		case "document":
			if text := v.get("source", "text"); text.isText() {
				return textParts(text)
			}
			return []Part{bedrockBlob(v, Document)}
		case "searchResult", "citationsContent":
			return bedrockContent(v.get("content")).Parts()
		default:
			word := k.str()
			if !plainKey(word) {
				word = ""
			}
			return []Part{v.blob(Other, word)}
		}
	}
	return nil
}

// bedrockBlob is a part whose data stands in its source.
func bedrockBlob(v value, k PartKind) Part {
	data := firstGiven(v.get("source", "bytes"), v.get("source", "s3Location", "uri"), v)
	return data.blob(k, v.get("format").str())
}

func (bedrockThread) calls(m value) []namedCall {
	var list []namedCall
	for b := range m.get("content").elements() {
		if use := b.get("toolUse"); use.isObject() && !use.get("type").is("server_tool_use") {
			list = append(list, namedCall{use.get("toolUseId").str(), use.get("name").str()})
		}
	}
	return list
}

// bedrockAPI is Amazon Bedrock's Converse.
type bedrockAPI struct{}

func (bedrockAPI) format() string { return "bedrock-converse" }

func (bedrockAPI) asked(r *repeats, x *exchange) ([]message, bool) {
	list := x.request.whole.get("messages")
	claimed := strings.HasSuffix(x.path, "/converse") || strings.HasSuffix(x.path, "/converse-stream") || bedrockMessage(x.response.whole.get("output", "message"))
	var all []message
	for m := range list.elements() {
		claimed = claimed || bedrockMessage(m)
		identity := []value{m.get("role")}
		for b := range m.get("content").elements() {
			for k, v := range b.members() {
				if !k.is("cachePoint") {
					identity = append(identity, v)
				}
			}
		}
		all = append(all, r.message(m, m.get("role").is("assistant"), identity...))
	}
	return all, claimed && list.first().get("role").isText()
}

func (a bedrockAPI) answered(x *exchange) reply {
	response := x.response.whole
	if len(x.response.events) > 0 {
		response = bedrockStream(x.response.events)
	}
	m := response.get("output", "message")
	if !m.isObject() {
		return reply{}
	}
	r := messagesReply(a.on(nil), m)
	r.usage = bedrockUsage(response.get("usage"))
	return r
}

func (bedrockAPI) on(t *threadBuilder) apiThread { return bedrockThread{t} }
