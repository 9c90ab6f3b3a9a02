package history

import "context"

// vsCodeChat reads chat sessions of VS Code: a snapshot, or a log that begins with one and goes on
// with changes to it.
var vsCodeChat = &Format{
	Name:   "vscode-chat",
	Title:  "VS Code chat session",
	How:    "a session with requests and a requester, or lines with a numeric kind that change one",
	detect: detectVSCodeChat,
	read:   readVSCodeChat,
}

func isVSCodeChat(v value) bool {
	first := v.get("requests").first()
	if first.ok() && !first.get("message").given() && !first.get("requestId").isText() && !first.get("response").isArray() {
		return false
	}
	return v.get("requests").isArray() && (v.get("requesterUsername").ok() || v.get("responderUsername").ok() || v.get("sessionId").isText() && v.get("version").kind() == number)
}

// The kinds of lines in a log.
const (
	vsCodeSnapshot = 0
	vsCodeSet      = 1
	vsCodePush     = 2
)

func detectVSCodeChat(s *sample) (int, string) {
	for _, v := range s.items() {
		switch {
		case isVSCodeChat(v):
			return 93, "a session with requests and a requester"
		case v.get("kind").kind() == number && isVSCodeChat(v.get("v")):
			return 93, "a log of changes that begins with a session"
		}
	}
	return 0, ""
}

func readVSCodeChat(ctx context.Context, in *input, b *builder) error {
	r := &vsCodeReader{b: b}
	for rec := range in.records(ctx) {
		for v := range oneOrMore(in.kept(rec)) {
			switch {
			case v.get("requests").isArray():
				r.snapshot(v)
			case v.get("kind").kind() == number:
				r.change(v)
			default:
				b.problem(v.at(), "the record is no session")
			}
		}
	}
	r.finish()
	return in.err()
}

type vsCodeReader struct {
	b        *builder
	session  value
	requests []vsCodeRequest
}

// A vsCodeRequest is a request, with what changed of it later.
type vsCodeRequest struct {
	value
	result   value
	response []value
}

func (r *vsCodeReader) snapshot(v value) {
	r.finish()
	r.session = v
	r.push(v.get("requests"))
}

func (r *vsCodeReader) push(list value) {
	for q := range list.elements() {
		one := vsCodeRequest{value: q, result: q.get("result")}
		for part := range q.get("response").elements() {
			one.response = append(one.response, part)
		}
		r.requests = append(r.requests, one)
	}
}

// change applies a line of a log: only changes of requests and of what came of them matter here.
func (r *vsCodeReader) change(line value) {
	kind, _ := line.get("kind").int64()
	var path []value
	for k := range line.get("k").elements() {
		path = append(path, k)
	}
	v := line.get("v")
	switch {
	case kind == vsCodeSnapshot:
		r.snapshot(v)
	case len(path) == 1 && path[0].is("requests"):
		if kind == vsCodeSet {
			r.requests = nil
		} else if n, ok := line.get("i").int64(); ok && n >= 0 && n < int64(len(r.requests)) {
			r.requests = r.requests[:n] // what was taken back
		}
		r.push(v)
	case len(path) == 3 && path[0].is("requests"):
		n, ok := path[1].int64()
		if !ok || n < 0 || n >= int64(len(r.requests)) {
			r.b.problem(line.at(), "a change is about a request that is not there")
			return
		}
		q := &r.requests[n]
		switch {
		case path[2].is("result"):
			q.result = v
		case path[2].is("response"):
			if from, ok := line.get("i").int64(); kind == vsCodeSet {
				q.response = nil
			} else if ok && from >= 0 && from < int64(len(q.response)) {
				q.response = q.response[:from]
			}
			for part := range v.elements() {
				q.response = append(q.response, part)
			}
		}
	}
}

// finish reads the session as it is now.
func (r *vsCodeReader) finish() {
	if len(r.requests) == 0 {
		return
	}
	c := r.b.newConversation(r.session.get("sessionId").str())
	c.Conv.Title = r.session.get("customTitle").str()
	t := c.thread(Main)
	for _, q := range r.requests {
		if c.Conv.Model == "" {
			c.Conv.Model = q.get("modelId").str()
		}
		t.prompt(firstGiven(q.get("message", "text"), q.get("message")).payload(), q.at())
		when := q.get("timestamp")
		about := q.result.get("metadata")
		if about.get("toolCallRounds").first().ok() {
			for round := range about.get("toolCallRounds").elements() {
				s := t.step(round.get("id").str())
				s.Time = firstGiven(round.get("timestamp"), when).time()
				vsCodeRound(t, s, round, about.get("toolCallResults"))
			}
			continue
		}
		vsCodeShown(t, q.response, when)
	}
	r.requests = nil
}

// vsCodeRound reads a response and what its calls gave, as the model read it.
func vsCodeRound(t *threadBuilder, s *Step, round, results value) {
	t.text(s, newPayload(textParts(round.get("thinking", "text"))...))
	t.text(s, newPayload(textParts(round.get("response"))...))
	for call := range round.get("toolCalls").elements() {
		t.callWith(s, call.get("id").str(), call.get("name").str(), call.get("arguments"), call.at())
	}
	for call := range round.get("toolCalls").elements() {
		id := call.get("id").str()
		if out := results.get(id); out.given() && id != "" {
			content := firstGiven(out.get("content"), out)
			t.result(id, "", &Result{Payload: vsCodeContent(content), At: content.at()})
		}
	}
}

func vsCodeContent(v value) Payload {
	var parts []Part
	for p := range oneOrMore(v) {
		text := firstGiven(p.get("value"), p.get("text"))
		switch {
		case p.isText():
			parts = append(parts, p.part())
		case text.isText():
			parts = append(parts, text.part())
		case text.get("node").isObject():
			parts = append(parts, promptNodes(text.get("node"), 0)...)
		case p.get("data").given():
			parts = append(parts, p.get("data").blob(Image, p.get("mimeType").str()))
		default:
			parts = append(parts, p.blob(Other, ""))
		}
	}
	return newPayload(parts...)
}

// deepestNode is how deep the elements of a rendered prompt may lie.
const deepestNode = 64

// promptNodes are the texts of a prompt that was rendered from elements.
func promptNodes(v value, depth int) []Part {
	parts := textParts(v.get("text"))
	if depth == deepestNode {
		return parts
	}
	for child := range v.get("children").elements() {
		parts = append(parts, promptNodes(child, depth+1)...)
	}
	return parts
}

// vsCodeShown reads what the session showed, where it does not have what the model read.
func vsCodeShown(t *threadBuilder, response []value, when value) {
	var s *Step
	for _, part := range response {
		if s == nil {
			s = t.step("")
			s.Time = when.time()
		}
		switch kind := part.get("kind"); {
		case kind.is("toolInvocationSerialized"):
			details := part.get("resultDetails")
			c := t.callWith(s, part.get("toolCallId").str(), part.get("toolId").str(), details.get("input"), part.at())
			if out := details.get("output"); out.given() {
				failed := details.get("isError").truth()
				t.result(c.ID, "", &Result{Payload: vsCodeContent(out), At: out.at(), Error: failed, Failed: failed})
				s = nil
			}
		case !kind.ok() || kind.is("markdownContent"):
			t.text(s, newPayload(textParts(firstGiven(part.get("value"), part.get("content", "value")))...))
		}
	}
}
