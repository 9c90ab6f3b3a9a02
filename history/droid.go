package history

import "context"

// droid reads the sessions of Factory's Droid, and what its command line prints as JSON.
var droid = &Format{
	Name:   "droid",
	Title:  "Factory Droid session",
	How:    "JSON Lines of type session_start and message, messages with content blocks, or of type tool_call and tool_result with a toolCallId",
	detect: detectDroid,
	read:   readDroid,
}

func detectDroid(s *sample) (int, string) {
	starts, messages, events := 0, 0, 0
	for _, v := range s.items() {
		switch typ := v.get("type"); {
		case typ.is("session_start") && v.get("id").isText():
			starts++
		case typ.is("message") && v.get("message", "role").isText() && v.get("message", "content").isArray():
			messages++
		case (typ.is("tool_call") || typ.is("tool_result")) && v.get("toolCallId").isText():
			events++
		}
	}
	switch {
	case starts > 0 && messages > 0:
		return 95, "a line of type session_start, and messages with content blocks"
	case events > 0:
		return 96, "lines of type tool_call and tool_result with a toolCallId"
	case starts > 0:
		return 50, "a line of type session_start"
	}
	return 0, ""
}

func readDroid(ctx context.Context, in *input, b *builder) error {
	d := &droidSession{anthropicThread: anthropicThread{b.conversation("").thread(Main)}}
	for rec := range in.lines(ctx) {
		d.line(rec.value)
	}
	return in.err()
}

// A droidSession reads lines into a thread.
type droidSession struct {
	anthropicThread
	open bool // a streamed response goes on
}

func (d *droidSession) line(v value) {
	switch v.get("type").str() {
	case "session_start":
		d.name(v.get("id").str())
		d.c.Conv.Title = firstGiven(v.get("sessionTitle"), v.get("title")).str()
	case "system":
		d.name(v.get("session_id").str())
		d.model(v.get("model"))
	case "message":
		d.stored(v)
	case "tool_call":
		d.callWith(d.response(), v.get("toolCallId").str(), firstGiven(v.get("toolName"), v.get("toolId")).str(), v.get("parameters"), v.at())
	case "tool_result":
		d.open = false
		out := v.get("value")
		failed := v.get("isError").truth()
		d.result(v.get("toolCallId").str(), v.get("toolName").str(),
			&Result{Payload: contentOf(out), Error: failed, Failed: failed, At: placeOf(out, v), Time: timeOf(v)})
	case "compaction_state":
		d.compact(firstGiven(v.get("summaryText"), v.get("summary")).payload())
	}
}

// stored reads a message of the session file, or of the stream, where it has a text only.
func (d *droidSession) stored(v value) {
	m := v.get("message")
	content := m.get("content")
	switch role := firstGiven(m.get("role"), v.get("role")); {
	case role.is("assistant") && !m.isObject():
		d.text(d.response(), v.get("text").payload())
	case role.is("user") && !m.isObject():
		d.open = false
		d.prompt(v.get("text").payload(), v.get("text").at())
	case role.is("user"):
		for b := range content.elements() {
			if kindOf(b) == resultBlock {
				d.answerOf(b, v)
			}
		}
		if p, ok := promptOf(content); ok {
			d.prompt(p, content.at())
		}
	case role.is("assistant"):
		d.model(m.get("model"))
		s := d.step("")
		s.ID, s.Time, s.Usage = v.get("id").str(), timeOf(v), usageOf(m.get("usage"))
		d.c.Conv.Usage = d.c.Conv.Usage.Add(s.Usage)
		if content.isText() {
			d.text(s, content.payload())
		}
		for b := range content.elements() {
			d.block(s, b, v)
		}
	default:
		d.c.b.problem(v.at(), "the message has no role")
	}
}

// response is the streamed response that goes on: up to the next result.
func (d *droidSession) response() *Step {
	if d.open {
		return d.lastStep()
	}
	d.open = true
	return d.step("")
}

func (d *droidSession) name(id string) {
	if id != "" {
		d.c.Conv.ID = id
	}
}

func (d *droidSession) model(v value) {
	if d.c.Conv.Model == "" {
		d.c.Conv.Model = v.str()
	}
}

// contentOf is a result's content: blocks, or any other value as its own text.
func contentOf(v value) Payload {
	if v.isArray() && v.first().isObject() && v.first().get("type").isText() {
		return contentPayload(v)
	}
	return v.payload()
}
