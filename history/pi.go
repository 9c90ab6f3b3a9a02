package history

import (
	"context"
	"time"
)

// pi reads the sessions of pi and of programs built on it, OpenClaw for example.
var pi = &Format{
	Name:   "pi",
	Title:  "pi or OpenClaw session",
	How:    "JSON Lines: one of type session, then lines of type message whose roles are user, assistant and toolResult",
	detect: detectPi,
	read:   readPi,
}

func detectPi(s *sample) (int, string) {
	sessions, messages, own := 0, 0, 0
	for _, v := range s.items() {
		m := v.get("message")
		switch {
		case v.get("type").is("session") && v.get("id").isText():
			sessions++
		case v.get("type").is("message") && m.get("role").isText():
			messages++
			if piMessage(m) {
				own++
			}
		}
	}
	switch {
	case own > 0:
		return 95, "lines of type message with toolCall blocks or the role toolResult"
	case sessions > 0 && messages > 0:
		return 85, "a line of type session, and lines of type message with a role"
	}
	return 0, ""
}

// piMessage tells whether a message has what only pi writes.
func piMessage(m value) bool {
	if m.get("role").is("toolResult") || m.get("role").is("bashExecution") {
		return true
	}
	for b := range m.get("content").elements() {
		if b.get("type").is("toolCall") && b.get("name").isText() {
			return true
		}
	}
	return false
}

// readPi follows the tree of entries from the last one back: what was tried and left is no part
// of the conversation.
func readPi(ctx context.Context, in *input, b *builder) error {
	var tree lineage
	session := ""
	in.survey(ctx, func(n int, v value) {
		parent := v.get("parentId").str()
		if v.get("type").is("session") {
			session = v.get("id").str()
			return
		}
		if parent == session {
			parent = ""
		}
		var calls []string
		for block := range v.get("message", "content").elements() {
			if block.get("type").is("toolCall") {
				calls = append(calls, block.get("id").str())
			}
		}
		tree.add(n, v.get("id").str(), parent, calls...)
	})
	left := tree.dropped()
	p := &piSession{piThread: piThread{threadBuilder: b.conversation("").thread(Main)}}
	n := -1
	for rec := range in.lines(ctx) {
		if n++; !left[n] {
			p.line(rec.value)
		}
	}
	return in.err()
}

// A piSession reads lines into a thread.
type piSession struct{ piThread }

func (p *piSession) line(v value) {
	conv := p.c.Conv
	switch v.get("type").str() {
	case "session":
		if id := v.get("id").str(); id != "" {
			conv.ID = id
		}
		p.model(v.get("modelId"))
		p.system(v.get("systemPrompt").payload())
	case "session_info":
		conv.Title = v.get("name").str()
	case "model_change":
		p.model(v.get("modelId"))
	case "compaction":
		p.compact(v.get("summary").payload())
	case "custom_message":
		p.system(contentPayload(v.get("content")))
	case "message":
		if m := v.get("message"); m.isObject() {
			p.message(m, v.get("timestamp").time())
			return
		}
		p.c.b.problem(v.at(), "the line has no message")
	}
}

// A piThread reads messages of pi into a thread.
type piThread struct{ *threadBuilder }

func (p *piThread) model(v value) {
	if p.c.Conv.Model == "" {
		p.c.Conv.Model = v.str()
	}
}

func (p *piThread) message(m value, when time.Time) {
	if t := m.get("timestamp").time(); when.IsZero() {
		when = t
	}
	content := m.get("content")
	switch role := m.get("role").str(); role {
	case "user":
		p.prompt(contentPayload(content), placeOf(content, m))
	case "assistant":
		p.answer(m, content, when)
	case "toolResult":
		p.outcome(m, content, when)
	case "bashExecution": // a command that the person ran: its output is said to the model
		p.prompt(m.get("output").payload(), placeOf(m.get("output"), m))
	case "custom", "branchSummary", "compactionSummary":
		p.system(contentPayload(content))
	default:
		reason := "a message has no role"
		if plainKey(role) {
			reason = "a message has the unknown role " + role
		}
		p.c.b.problem(m.at(), reason)
	}
}

func (p *piThread) answer(m, content value, when time.Time) *Step {
	s := p.step("")
	s.ID, s.Time, s.Usage = m.get("responseId").str(), when, piUsage(m.get("usage"))
	p.c.Conv.Usage = p.c.Conv.Usage.Add(s.Usage)
	p.model(m.get("model"))
	if content.isText() {
		p.text(s, content.payload())
	}
	for b := range content.elements() {
		if b.get("type").is("toolCall") {
			p.callWith(s, b.get("id").str(), b.get("name").str(), b.get("arguments"), b.at())
			continue
		}
		p.text(s, piProse(b))
	}
	return s
}

// piProse is what a model wrote in a block: its text or its reasoning.
func piProse(b value) Payload {
	if b.get("type").is("thinking") {
		return newPayload(textParts(b.get("thinking"))...)
	}
	return newPayload(piPart(b)...)
}

func (p *piThread) outcome(m, content value, when time.Time) {
	r := &Result{At: placeOf(content, m), Time: when, Error: m.get("isError").truth(), Payload: piContent(content)}
	r.Failed = r.Error
	if cut := m.get("details", "truncation"); cut.truth() || cut.get("truncated").truth() {
		r.Flags |= TruncatedByRecorder
	}
	if m.get("details", "fullOutputPath").isText() {
		r.Flags |= OffloadedByRecorder | TruncatedByRecorder
	}
	p.result(m.get("toolCallId").str(), m.get("toolName").str(), r)
}

func piContent(content value) Payload {
	if !content.isArray() {
		return content.payload()
	}
	var parts []Part
	for b := range content.elements() {
		parts = append(parts, piPart(b)...)
	}
	return newPayload(parts...)
}

// piPart is a block's text, or what it is where it holds none.
func piPart(b value) []Part {
	if b.get("type").is("image") && b.get("data").isText() {
		return []Part{b.get("data").blob(Image, b.get("mimeType").str())}
	}
	return blockParts(b, 0)
}

// piUsage reads what the provider reported; an aborted response has zeros, which say nothing.
func piUsage(v value) *Usage {
	if !v.isObject() {
		return nil
	}
	n := func(key string) int64 { i, _ := v.get(key).int64(); return i }
	u := &Usage{Input: n("input"), Cached: n("cacheRead") + n("cacheWrite"), Output: n("output")}
	if *u == (Usage{}) {
		return nil
	}
	return u
}
