package history

import (
	"bytes"
	"context"
	"strings"
)

// vercelAI reads messages of Vercel's AI SDK: those of its user interface, which hold calls and
// results in one part, and those that go to a model.
var vercelAI = &Format{
	Name:   "vercel-ai",
	Title:  "Vercel AI SDK messages",
	How:    "messages whose parts have the types tool-call and tool-result, or tool-<name> with a toolCallId and a state",
	detect: detectVercel,
	read:   readVercel,
}

// positAssistant reads the sessions of Posit Assistant: messages of the same SDK in an envelope.
var positAssistant = &Format{
	Name:   "posit-assistant",
	Title:  "Posit Assistant sessions",
	How:    "lines with an id and a message of Vercel's AI SDK, which has provider options of positai",
	detect: detectPosit,
	read:   readVercel,
}

// positAbout is what Posit Assistant notes of a message.
func positAbout(message value) value {
	return message.get("providerOptions", "providerMetadata", "positai")
}

func detectPosit(s *sample) (int, string) {
	for _, v := range s.items() {
		if v.get("message", "role").isText() && positAbout(v.get("message")).isObject() {
			return 94, "messages with provider options of positai"
		}
	}
	return 0, ""
}

func detectVercel(s *sample) (int, string) {
	tools, plain := 0, 0
	look := func(m value) {
		if inner := m.get("message"); inner.get("role").isText() {
			m = inner
		}
		if !m.get("role").isText() {
			return
		}
		for p := range m.get("parts").elements() {
			switch {
			case uiTool(p).ok():
				tools++
			case p.get("type").is("step-start"), p.get("type").is("text") && p.get("text").isText() && m.get("id").isText():
				plain++
			}
		}
		for p := range m.get("content").elements() {
			if t := p.get("type"); p.get("toolCallId").isText() && (t.is("tool-call") || t.is("tool-result")) {
				tools++
			}
		}
		if m.get("toolInvocations").first().get("toolCallId").isText() {
			tools++
		}
	}
	for _, v := range s.items() {
		look(v)
		n := 0
		for m := range vercelList(v).elements() {
			if n++; n > 4*sampleRecords {
				break
			}
			look(m)
		}
	}
	switch {
	case tools > 0:
		return 89, "messages with parts such as tool-call and tool-result, with a toolCallId"
	case plain > 0:
		return 35, "messages with an id, a role and parts"
	}
	return 0, ""
}

// vercelList is the list of messages in a record.
func vercelList(v value) value {
	for _, l := range []value{v, v.get("messages"), v.get("body", "messages"), v.get("chat", "messages"), v.get("prompt")} {
		if l.isArray() {
			return l
		}
	}
	return value{}
}

func isVercelMessage(v value) bool {
	return v.get("role").isText() || v.get("message", "role").isText()
}

func readVercel(ctx context.Context, in *input, b *builder) error {
	l := &vercelReader{messageLog{pieceReader: newPieceReader()}}
	for rec := range in.records(ctx) {
		stream := bytes.HasPrefix(rec.prefix, []byte("data:"))
		switch {
		case isVercelMessage(rec.value):
			l.line(l.read(rec.value))
		case !l.record(rec.value, stream):
			b.problem(rec.at(), "the record has no messages")
		}
	}
	l.emit(b)
	return in.err()
}

type vercelReader struct{ messageLog }

// record reads a list of messages, or several of them.
func (l *vercelReader) record(v value, stream bool) bool {
	list := vercelList(v)
	if isVercelMessage(list.first()) {
		l.list(list, stream, isVercelMessage, l.read)
		return true
	}
	found := false
	for e := range list.elements() {
		if inner := vercelList(e); isVercelMessage(inner.first()) {
			l.list(inner, stream, isVercelMessage, l.read)
			found = true
		}
	}
	return found
}

// read takes one message apart.
func (l *vercelReader) read(v value) *loggedMessage {
	m := v
	var id string
	if inner := v.get("message"); inner.get("role").isText() {
		m = inner
		id = string(bytes.Trim(v.get("id").raw(), `"`))
	} else {
		id = v.get("id").str()
	}
	_, role := bareMessage(m)
	r := &loggedMessage{role: role, id: id}
	if m.get("parts").isArray() || m.get("toolInvocations").isArray() {
		r.pieces = l.uiMessage(m, role)
	} else {
		r.pieces = l.fields(m, role)
	}
	about := positAbout(m)
	r.model = firstGiven(about.get("modelId"), m.get("metadata", "model"), m.get("metadata", "modelId")).str()
	r.time = firstGiven(about.get("timestamp"), m.get("createdAt"), m.get("metadata", "createdAt")).time()
	r.usage = vercelUsage(firstGiven(about.get("usage"), m.get("metadata", "usage"), m.get("metadata", "totalUsage")))
	r.identify()
	return r
}

// uiTool is the part of a tool: what has its toolCallId and state.
func uiTool(part value) value {
	typ := part.get("type").str()
	switch {
	case typ == "tool-invocation":
		return part.get("toolInvocation")
	case part.get("toolCallId").isText() && (typ == "dynamic-tool" || strings.HasPrefix(typ, "tool-") && part.get("state").isText()):
		return part
	}
	return value{}
}

// uiMessage reads a message of the user interface. All steps of an answer are in one message.
func (r *pieceReader) uiMessage(m value, role string) []piece {
	var list, results []piece
	step := ""
	another := false
	next := func() {
		list = append(list, results...)
		another = another || len(list) > 0
		results = nil
	}
	add := func(p ...piece) {
		if len(p) > 0 {
			p[0].another, another = another, false
		}
		list = append(list, p...)
	}
	tool := func(t value, typ string) {
		if s := string(t.get("step").raw()); s != step && t.get("step").given() {
			if step != "" {
				next()
			}
			step = s
		}
		call, result := r.uiCall(t, typ)
		add(call)
		results = append(results, result...)
	}
	var prose []value
	known := false
	for p := range m.get("parts").elements() {
		typ := p.get("type").str()
		switch t := uiTool(p); {
		case t.ok():
			known = true
			tool(t, typ)
		case typ == "step-start":
			next()
		case role == "assistant":
			if len(results) > 0 {
				next()
			}
			add(r.part(nil, role, p)...)
		default:
			prose = append(prose, p)
		}
	}
	if len(prose) > 0 {
		add(r.parts(role, m.get("parts"), m)...)
	} else if !m.get("parts").isArray() {
		add(r.text(nil, role, m.get("content"))...)
	}
	if !known {
		for t := range m.get("toolInvocations").elements() {
			tool(t, "tool-invocation")
		}
	}
	next()
	return list
}

// uiCall reads a tool's part: the call, and the result where it has one.
func (r *pieceReader) uiCall(t value, typ string) (piece, []piece) {
	name := t.get("toolName").str()
	if name == "" {
		name = strings.TrimPrefix(typ, "tool-")
	}
	id := t.get("toolCallId").str()
	call := r.call(id, name, firstGiven(t.get("input"), t.get("rawInput"), t.get("args")), t)
	call.run = t.get("providerExecuted").truth()
	var out value
	failed := false
	switch t.get("state").str() {
	case "output-available", "result":
		out = firstGiven(t.get("output"), t.get("result"), t)
	case "output-error":
		out, failed = firstGiven(t.get("errorText"), t), true
	case "output-denied":
		out, failed = firstGiven(t.get("approval", "reason"), t.get("errorText"), t), true
	default:
		return call, nil
	}
	result := &Result{Error: failed, Failed: failed, At: out.at()}
	if out != t {
		result.Payload = r.resultPayload(out)
	}
	if call.run {
		result.Flags |= ProviderExecuted
	}
	return call, []piece{r.known(piece{kind: resultPiece, id: id, tool: name, result: result, at: t.at()}, out)}
}

// vercelUsage reads the SDK's usage. What is cached may be part of the input or not: the total tells.
func vercelUsage(v value) *Usage {
	in, ok1 := firstGiven(v.get("inputTokens"), v.get("promptTokens")).int64()
	out, ok2 := firstGiven(v.get("outputTokens"), v.get("completionTokens")).int64()
	if !ok1 && !ok2 {
		return nil
	}
	var cached int64
	for _, key := range []string{"cachedInputTokens", "cacheReadTokens", "cacheWriteTokens"} {
		n, _ := v.get(key).int64()
		cached += n
	}
	if total, ok := v.get("totalTokens").int64(); !ok || total < in+out+cached {
		in = max(0, in-cached)
	}
	return &Usage{Input: in, Cached: cached, Output: out}
}
