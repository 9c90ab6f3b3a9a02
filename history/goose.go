package history

import "context"

// goose reads sessions of Goose: exports, and the lines of its older files.
var goose = &Format{
	Name:   "goose",
	Title:  "Goose session",
	How:    "messages whose content has the types toolRequest and toolResponse, in a conversation or one a line",
	detect: detectGoose,
	read:   readGoose,
}

func detectGoose(s *sample) (int, string) {
	calls, around := 0, 0
	look := func(m value) {
		for part := range m.get("content").elements() {
			// Bedrock's toolResult has no type beside it.
			if part.get("type").isText() && (part.get("toolCall").isObject() || part.get("toolResult").isObject()) {
				calls++
			}
		}
	}
	for _, v := range s.items() {
		look(v)
		for m := range v.get("conversation").elements() {
			look(m)
		}
		if v.get("working_dir").isText() && (v.get("message_count").ok() || v.get("conversation").isArray()) {
			around++
		}
	}
	switch {
	case calls > 0:
		return 94, "messages with the parts toolRequest and toolResponse"
	case around > 0:
		return 88, "a session with its working_dir and message_count"
	}
	return 0, ""
}

func readGoose(ctx context.Context, in *input, b *builder) error {
	var lines *gooseThread
	for rec := range in.records(ctx) {
		for v := range oneOrMore(rec.value) {
			if list := v.get("conversation"); list.isArray() {
				t := newGooseThread(b.newConversation(v.get("id").str()), v)
				for m := range list.elements() {
					t.message(m)
				}
				continue
			}
			if lines == nil {
				lines = newGooseThread(b.conversation(""), v)
			}
			switch {
			case v.get("role").isText():
				lines.message(v)
			case !v.get("working_dir").isText():
				b.problem(v.at(), "the record is no message")
			}
		}
	}
	return in.err()
}

type gooseThread struct {
	*threadBuilder
	hidden bool // messages before were taken out of the model's context
	kept   bool // and some were not
}

// newGooseThread starts a session, of which about has the totals.
func newGooseThread(c *convBuilder, about value) *gooseThread {
	n := func(key string) int64 { i, _ := about.get(key).int64(); return i }
	if in, out := n("accumulated_input_tokens"), n("accumulated_output_tokens"); in > 0 || out > 0 {
		c.Conv.Usage = &Usage{Input: in, Output: out}
	}
	c.Conv.Title = firstGiven(about.get("name"), about.get("description")).str()
	c.Conv.Model = about.get("model_config", "model_name").str()
	return &gooseThread{threadBuilder: c.thread(Main)}
}

func (t *gooseThread) message(m value) {
	unseen := func(by string) bool {
		visible := m.get("metadata", by)
		return visible.kind() == boolean && !visible.truth()
	}
	hidden, byProgram := unseen("agentVisible"), unseen("userVisible")
	if !hidden {
		switch replaced := t.hidden && !t.kept; {
		case replaced && byProgram && gooseWords(m):
			t.compact(t.summaryWith(m))
			return // and so on, up to what is not the program's
		case replaced:
			t.compact(Payload{})
		}
		t.kept = true
	}
	t.hidden = t.hidden || hidden
	var step *Step
	var said []Part
	for part := range m.get("content").elements() {
		switch kind := part.get("type"); {
		case kind.is("toolResponse"):
			t.response(part, m)
		case !m.get("role").is("assistant"):
			said = append(said, goosePart(part)...)
		default:
			if step == nil {
				step = t.step("")
				step.ID, step.Time = m.get("id").str(), m.get("created").time()
			}
			if part.get("toolCall").ok() {
				t.request(step, part)
			} else {
				t.text(step, newPayload(goosePart(part)...))
			}
		}
	}
	if len(said) > 0 {
		t.prompt(newPayload(said...), m.at())
	}
}

// gooseWords tells whether a message is neither a call nor a result.
func gooseWords(m value) bool {
	for part := range m.get("content").elements() {
		if part.get("toolCall").ok() || part.get("toolResult").ok() {
			return false
		}
	}
	return true
}

// summaryWith is the summary so far, and what m adds to it: the program says it in several messages.
func (t *gooseThread) summaryWith(m value) Payload {
	var summary Payload
	if t.replaced != nil {
		summary = t.replaced.summary
	}
	for part := range m.get("content").elements() {
		summary = summary.join(newPayload(goosePart(part)...))
	}
	return summary
}

func goosePart(v value) []Part {
	switch kind := v.get("type").str(); kind {
	case "text":
		return textParts(v.get("text"))
	case "thinking":
		return textParts(v.get("thinking"))
	case "image":
		return []Part{mcpPart(v)}
	case "toolConfirmationRequest", "systemNotification", "summarizationRequested", "contextLengthExceeded", "actionRequired":
		return nil
	default:
		if !plainKey(kind) {
			kind = ""
		}
		return []Part{v.blob(Other, kind)}
	}
}

// request reads a call. One that could not be understood has an error instead of a name.
func (t *gooseThread) request(s *Step, part value) {
	call := firstGiven(part.get("toolCall", "value"), part.get("toolCall"))
	if part.get("toolCall", "status").is("error") {
		why := part.get("toolCall", "error")
		t.call(s, part.get("id").str(), "", why.payload(), part.at()).Flags |= InvalidArguments
		return
	}
	t.callWith(s, part.get("id").str(), call.get("name").str(), call.get("arguments"), part.at())
}

func (t *gooseThread) response(part, m value) {
	result := part.get("toolResult")
	out := firstGiven(result.get("value", "content"), result.get("value"))
	r := &Result{At: placeOf(out, part), Time: m.get("created").time()}
	switch {
	case result.get("status").is("error"), result.get("error").given() && !out.given():
		r.Error, r.Failed = true, true
		r.Payload, r.At = result.get("error").payload(), placeOf(result.get("error"), part)
	default:
		r.Payload = mcpContent(out)
		r.Error = result.get("value", "isError").truth() // an answer of the tool's
	}
	r.structure(result.get("value", "structuredContent"))
	t.result(part.get("id").str(), "", r)
}
