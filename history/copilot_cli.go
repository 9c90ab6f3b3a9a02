package history

import (
	"context"
	"strings"
)

// copilotCLI reads the events of GitHub Copilot's command line.
var copilotCLI = &Format{
	Name:   "copilot-cli",
	Title:  "Copilot CLI session",
	How:    "lines of events such as session.start and tool.execution_complete, with data and parentId",
	detect: detectCopilotCLI,
	read:   readCopilotCLI,
}

func detectCopilotCLI(s *sample) (int, string) {
	events := 0
	for _, v := range s.items() {
		group, _, _ := strings.Cut(v.get("type").str(), ".")
		switch group {
		case "session", "assistant", "tool", "user", "subagent":
			if v.get("data").isObject() && v.get("parentId").ok() {
				events++
			}
		}
	}
	if events == 0 {
		return 0, ""
	}
	return 93, "events such as session.start and assistant.message, with data and parentId"
}

func readCopilotCLI(ctx context.Context, in *input, b *builder) error {
	r := &copilotReader{c: b.conversation("")}
	for rec := range in.records(ctx) {
		for e := range oneOrMore(rec.value) {
			r.event(e)
		}
	}
	if r.total != nil {
		r.c.Conv.Usage = r.total
	}
	return in.err()
}

type copilotReader struct {
	c         *convBuilder
	total     *Usage  // what the end of the session says
	reasoning Payload // of the response that comes next
}

func (r *copilotReader) event(e value) {
	data := e.get("data")
	switch e.get("type").str() {
	case "session.start":
		conv := r.c.Conv
		if id := data.get("sessionId").str(); id != "" && len(r.c.threads) == 0 {
			conv.ID = id
		}
		conv.Model = data.get("selectedModel").str()
	case "session.model_change":
		if r.c.Conv.Model == "" {
			r.c.Conv.Model = data.get("newModel").str()
		}
	case "system.message":
		r.thread(data).system(data.get("content").payload())
	case "user.message":
		text := firstGiven(data.get("transformedContent"), data.get("content"))
		r.thread(data).prompt(text.payload(), e.at())
	case "assistant.reasoning":
		r.reasoning = r.reasoning.join(data.get("content").payload())
	case "assistant.message":
		r.answer(e, data)
	case "tool.execution_complete":
		r.ran(e, data)
	case "subagent.started":
		if name := data.get("toolCallId").str(); name != "" {
			r.c.thread(name).Thread.Agent = firstGiven(data.get("agentName"), data.get("agentDisplayName")).str()
		}
	case "session.truncation":
		if n, ok := data.get("messagesRemovedDuringTruncation").int64(); !ok || n > 0 {
			r.thread(data).compact(Payload{})
		}
	case "session.compaction_complete":
		if ok := data.get("success"); ok.kind() != boolean || ok.truth() {
			r.thread(data).compact(data.get("summaryContent").payload())
		}
	case "session.shutdown":
		if u := copilotTotal(data); u != nil {
			r.total = u
		}
	case "":
		r.c.b.problem(e.at(), "the event has no type")
	}
}

// thread is that of a subagent where an event names the call that started one.
func (r *copilotReader) thread(data value) *threadBuilder {
	if parent := data.get("parentToolCallId").str(); parent != "" {
		return r.c.thread(parent)
	}
	return r.c.thread(Main)
}

// answer reads a response. A long one comes in chunks, with the same message id.
func (r *copilotReader) answer(e, data value) {
	t := r.thread(data)
	s := t.step(data.get("messageId").str())
	s.Time = e.get("timestamp").time()
	if reasoning := data.get("reasoningText").payload(); !reasoning.empty() {
		r.reasoning = reasoning // the same again
	}
	t.text(s, r.reasoning)
	r.reasoning = Payload{}
	t.text(s, data.get("content").payload())
	for call := range data.get("toolRequests").elements() {
		t.callWith(s, call.get("toolCallId").str(), call.get("name").str(), call.get("arguments"), call.at())
	}
	if n, ok := data.get("outputTokens").int64(); ok && n > 0 && s.Usage == nil {
		s.Usage = &Usage{Output: n, LowerBound: true} // what it read is told at the end only
		r.c.Conv.Usage = r.c.Conv.Usage.Add(s.Usage)
	}
}

func (r *copilotReader) ran(e, data value) {
	failed := data.get("success").kind() == boolean && !data.get("success").truth()
	out := firstGiven(data.get("result", "content"), data.get("error", "message"), data.get("error"))
	content := typedContent(out)
	if parts := data.get("result", "contents"); parts.isArray() && !data.get("result", "content").given() {
		out, content = parts, mcpContent(parts)
	}
	t := r.thread(data)
	t.result(data.get("toolCallId").str(), data.get("toolName").str(),
		&Result{Payload: content, At: placeOf(out, e), Time: e.get("timestamp").time(), Error: failed, Failed: failed})
}

// copilotTotal reads the totals of a session; nil without any.
func copilotTotal(data value) *Usage {
	var sum Usage
	n := func(v value) int64 { i, _ := v.int64(); return i }
	if d := data.get("tokenDetails"); d.isObject() {
		of := func(key string) int64 { return n(d.get(key, "tokenCount")) }
		sum = Usage{Input: of("input"), Cached: of("cache_read") + of("cache_write"), Output: of("output")}
	} else {
		for _, m := range data.get("modelMetrics").members() {
			u := m.get("usage")
			cached := n(u.get("cacheReadTokens")) + n(u.get("cacheWriteTokens"))
			sum = *(&sum).Add(&Usage{Input: n(u.get("inputTokens")), Cached: cached, Output: n(u.get("outputTokens"))})
		}
	}
	if sum == (Usage{}) {
		return nil
	}
	return &sum
}
