package history

import "context"

// codexExec reads what "codex exec --json" prints: events of threads, turns and items, one a line or
// gathered in an object.
var codexExec = &Format{
	Name:   "codex-exec-json",
	Title:  "Codex exec events",
	How:    "events of the types thread.started, turn.started, item.started and item.completed, with an item",
	detect: detectCodexExec,
	read:   readCodexExec,
}

func detectCodexExec(s *sample) (int, string) {
	for _, v := range s.items() {
		if codexExecEvent(v) || codexExecEvent(v.get("events").first()) {
			return 95, "events such as turn.started, item.started and item.completed, with an item"
		}
	}
	return 0, ""
}

func codexExecEvent(v value) bool {
	switch v.get("type").str() {
	case "thread.started":
		return v.get("thread_id").isText()
	case "item.started", "item.updated", "item.completed":
		return v.get("item", "type").isText()
	case "turn.completed":
		return v.get("usage").isObject()
	}
	return false
}

func readCodexExec(ctx context.Context, in *input, b *builder) error {
	e := &codexEvents{b: b}
	for rec := range in.records(ctx) {
		switch list := rec.get("events"); {
		case list.isArray():
			e.list(list)
		case rec.isArray():
			e.list(rec.value)
		default:
			e.event(rec.value)
		}
	}
	return in.err()
}

// codexEvents collects what the events of a run say. A step is not recorded: it goes from one item
// that starts while no other runs to the last one that ends.
type codexEvents struct {
	b       *builder
	t       *threadBuilder
	running map[string]*Call
	open    bool // the step goes on: nothing of it has ended yet
}

func (e *codexEvents) list(list value) {
	for v := range list.elements() {
		e.event(v)
	}
}

func (e *codexEvents) thread() *threadBuilder {
	if e.t == nil {
		e.t = e.b.conversation("").thread(Main)
		e.running = map[string]*Call{}
	}
	return e.t
}

func (e *codexEvents) event(v value) {
	t := e.thread()
	switch v.get("type").str() {
	case "thread.started":
		if id := v.get("thread_id").str(); id != "" {
			t.c.Conv.ID = id
		}
	case "turn.started":
		t.prompt(Payload{}, v.at()) // what was asked is not recorded
		e.open = false
		clear(e.running)
	case "turn.completed":
		// The totals of the thread so far.
		t.c.Conv.Usage = codexExecUsage(v.get("usage"))
	case "item.started", "item.updated", "item.completed":
		e.item(v.get("item"), v.get("type").is("item.completed"))
	case "turn.failed", "error":
		e.b.problem(v.at(), "the turn failed")
	default:
		if !v.get("type").isText() {
			e.b.problem(v.at(), "the record is no event")
		}
	}
}

func codexExecUsage(v value) *Usage {
	if !v.isObject() {
		return nil
	}
	t := codexUsage(v)
	return &Usage{Input: max(0, t.input-t.cached-t.written), Cached: t.cached + t.written, Output: t.output}
}

// step is the response that goes on, or a new one.
func (e *codexEvents) step() *Step {
	if e.open || len(e.running) > 0 {
		return e.t.lastStep()
	}
	e.open = true
	return e.t.step("")
}

func (e *codexEvents) item(item value, completed bool) {
	tool, arguments := "", value{}
	switch item.get("type").str() {
	case "agent_message", "reasoning":
		if completed {
			e.t.text(e.step(), item.get("text").payload())
		}
		return
	case "command_execution":
		tool, arguments = "command_execution", item.get("command")
	case "mcp_tool_call":
		tool, arguments = item.get("server").str()+"__"+item.get("tool").str(), item.get("arguments")
	case "file_change":
		tool, arguments = "file_change", item.get("changes")
	case "web_search":
		tool, arguments = "web_search", item.get("query")
	default:
		return // lists of things to do, warnings
	}
	id := item.get("id").str()
	c := e.running[id]
	if c == nil {
		c = e.t.call(e.step(), id, tool, arguments.payload(), item.at())
		if tool == "web_search" {
			c.Flags |= ProviderExecuted
		}
		e.running[id] = c
	}
	if !completed {
		return
	}
	delete(e.running, id)
	e.open = false
	if r := codexExecResult(item); r != nil {
		e.t.result(c.ID, "", r)
	}
}

// codexExecResult is what a completed item gives back; nil where the event does not say.
func codexExecResult(item value) *Result {
	failed := item.get("status").is("failed") || item.get("status").is("declined")
	r := &Result{Error: failed, Failed: failed}
	switch item.get("type").str() {
	case "command_execution":
		out := item.get("aggregated_output")
		r.Payload, r.At = out.payload(), placeOf(out, item)
		return r
	case "mcp_tool_call":
		answer, failure := item.get("result"), item.get("error")
		if failure.given() {
			text := firstGiven(failure.get("message"), failure)
			r.Payload, r.At, r.Error, r.Failed = text.payload(), text.at(), true, true
			return r
		}
		content := answer.get("content")
		if !content.given() {
			return nil
		}
		r.Payload, r.At, r.Failed = mcpContent(content), content.at(), false
		r.structure(firstGiven(answer.get("structured_content"), answer.get("structuredContent")))
		return r
	}
	return nil
}
