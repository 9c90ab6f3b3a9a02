package history

import "strings"

// A responsesThread reads items into a thread. A step goes from the first thing that the model
// writes behind an output (or a message) up to the next output.
type responsesThread struct {
	*threadBuilder
	fresh   bool    // nothing of this conversation was read before
	open    bool    // the current step goes on
	touched []*Step // the steps that the items since the request belong to
}

// response is the step that goes on, or a new one.
func (t *responsesThread) response() *Step {
	if t.open {
		return t.lastStep()
	}
	t.open = true
	s := t.step("")
	t.touched = append(t.touched, s)
	return s
}

func (t *responsesThread) item(v value) {
	if v.isText() {
		t.open = false
		t.prompt(v.payload(), v.at())
		return
	}
	kind := v.get("type").str()
	switch {
	case kind == "message" || kind == "" && v.get("role").isText():
		t.message(v)
	case kind == "reasoning":
		t.reasoning(v)
	case kind == "mcp_list_tools":
		t.system(v.get("tools").payload())
	case kind == "item_reference", kind == "compaction", strings.HasPrefix(kind, "mcp_approval_"):
		// Nothing that the model reads or writes is in it.
	case responsesItem(v) == itemContained:
		t.contained(kind, v)
	case responsesItem(v) == itemCall:
		t.itemCall(kind, v)
	case responsesItem(v) == itemOutput:
		t.output(v)
	default:
		reason := "an item has no known type"
		if plainKey(kind) {
			reason = "an item has the unknown type " + kind
		}
		t.c.b.problem(v.at(), reason)
	}
}

func (t *responsesThread) message(v value) {
	content := openAIContent(v.get("content"))
	switch role := v.get("role").str(); role {
	case "system", "developer":
		t.system(content)
	case "user":
		t.open = false
		t.prompt(content, v.at())
	default:
		t.text(t.response(), content)
	}
}

func (t *responsesThread) reasoning(v value) {
	s := t.response()
	for _, list := range []value{v.get("summary"), v.get("content")} {
		for part := range list.elements() {
			if text := part.get("text"); text.isText() {
				t.text(s, text.payload())
			}
		}
	}
}

// callID is what pairs a call with its output: never the item's own id where there is a call_id.
func callID(v value) string { return firstGiven(v.get("call_id"), v.get("id")).str() }

func (t *responsesThread) itemCall(kind string, v value) {
	s := t.response()
	tool := v.get("name").str()
	if tool == "" {
		tool = strings.TrimSuffix(kind, "_call")
	}
	if input := v.get("input"); kind == "custom_tool_call" {
		t.call(s, callID(v), tool, input.payload(), v.at()) // free text by design
		return
	}
	t.callWith(s, callID(v), tool, firstGiven(v.get("arguments"), v.get("action"), v.get("operation"), v.get("actions"), v.get("input")), v.at())
}

func (t *responsesThread) output(v value) {
	t.open = false
	out := firstGiven(v.get("output"), v.get("tools"))
	failed := v.get("status").is("failed") || v.get("status").is("incomplete")
	r := &Result{Error: failed, Failed: failed, At: placeOf(out, v)}
	if out.isObject() && out.get("type").is("computer_screenshot") {
		r.Payload = newPayload(openAIPart(out))
	} else {
		r.Payload = openAIContent(out)
	}
	t.result(callID(v), "", r)
}

// contained reads a call that the provider ran itself: call and result are one item.
func (t *responsesThread) contained(kind string, v value) {
	s := t.response()
	id := firstGiven(v.get("id"), v.get("call_id")).str()
	tool := v.get("name").str()
	if tool == "" {
		tool = strings.TrimSuffix(kind, "_call")
	}
	var arguments, out value
	switch kind {
	case "mcp_call":
		arguments, out = v.get("arguments"), firstGiven(v.get("output"), v.get("error"))
	case "web_search_call":
		arguments, out = v.get("action"), firstGiven(v.get("results"), v.get("action", "sources"))
	case "file_search_call":
		arguments, out = v.get("queries"), v.get("results")
	case "code_interpreter_call":
		arguments, out = v.get("code"), v.get("outputs")
	case "image_generation_call":
		arguments, out = v.get("revised_prompt"), v.get("result")
	}
	var c *Call
	if kind == "mcp_call" {
		c = t.callWith(s, id, tool, arguments, v.at())
	} else {
		c = t.call(s, id, tool, arguments.payload(), v.at())
	}
	c.Flags |= ProviderExecuted
	if !out.given() {
		return
	}
	r := &Result{At: out.at(), Payload: openAIContent(out)}
	switch failure := v.get("error"); {
	case kind == "image_generation_call":
		r.Payload = newPayload(out.blob(Image, "image"))
	case failure.given():
		r.Error = true
		r.Failed = !failure.get("type").is("mcp_tool_execution_error")
	case v.get("status").is("failed"):
		r.Error, r.Failed = true, true
	}
	t.result(c.ID, "", r)
}

func placeOf(v, otherwise value) Location {
	if v.given() {
		return v.at()
	}
	return otherwise.at()
}
