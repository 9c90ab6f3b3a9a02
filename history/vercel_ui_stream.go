package history

import (
	"context"
	"slices"
)

// vercelUIStream reads the event stream by which Vercel's AI SDK (5 and later) sends an answer to its
// user interface.
var vercelUIStream = &Format{
	Name:   "vercel-ui-stream",
	Title:  "Vercel AI UI message stream",
	How:    "chunks of the types tool-input-available and tool-output-available with a toolCallId, or text-delta between start and finish",
	detect: detectUIStream,
	read:   readUIStream,
}

func detectUIStream(s *sample) (int, string) {
	tools, texts, frame := 0, 0, 0
	for _, v := range s.items() {
		switch v.get("type").str() {
		case "tool-input-available", "tool-input-error", "tool-output-available", "tool-output-error", "tool-output-denied":
			if v.get("toolCallId").isText() {
				tools++
			}
		case "text-delta":
			if v.get("id").isText() && v.get("delta").isText() {
				texts++
			}
		case "start", "start-step", "finish-step", "finish":
			frame++
		}
	}
	switch {
	case tools > 0:
		return 93, "chunks of type tool-input-available or tool-output-available with a toolCallId"
	case texts > 0 && frame > 0:
		return 70, "chunks of type text-delta with an id, between start and finish"
	}
	return 0, ""
}

func readUIStream(ctx context.Context, in *input, b *builder) error {
	u := &uiStream{t: b.conversation("").thread(Main), begun: map[string]*streamedCall{}}
	for rec := range in.lines(ctx) {
		u.chunk(rec.value)
	}
	u.flush()
	for _, id := range u.order {
		u.unfinished(id)
	}
	return in.err()
}

// A uiStream is an answer as far as it came.
type uiStream struct {
	t        *threadBuilder
	message  string                   // its id
	step     *Step                    // nil where the next chunk begins one
	answered bool                     // the step's calls have results: what the model says next is another step
	texts    pieces                   // of the text that goes on
	begun    map[string]*streamedCall // calls whose input is not there as a whole yet, by id
	order    []string
}

// current is the step that goes on, for what the model says or calls.
func (u *uiStream) current() *Step {
	if u.step == nil || u.answered {
		u.flush()
		u.step, u.answered = u.t.step(""), false
		u.step.ID = u.message
	}
	return u.step
}

// flush adds the text that came so far.
func (u *uiStream) flush() {
	if len(u.texts.inner) == 0 {
		return
	}
	w := &pieceWriter{}
	w.write(u.texts.at, `"`, string(u.texts.inner), `"`)
	u.t.text(u.step, w.value(u.texts.at.File).payload())
	u.texts = pieces{}
}

func (u *uiStream) chunk(v value) {
	id := v.get("toolCallId").str()
	switch typ := v.get("type").str(); typ {
	case "start":
		u.begin()
		u.message = v.get("messageId").str()
		u.about(v.get("messageMetadata"))
	case "start-step":
		u.begin()
	case "finish", "message-metadata":
		u.about(v.get("messageMetadata"))
	case "text-delta", "reasoning-delta":
		u.current()
		u.texts.add(v.get("delta"))
	case "tool-input-start":
		u.current()
		if u.begun[id] == nil {
			u.begun[id] = &streamedCall{at: v.at(), name: v.get("toolName").str()}
			u.order = append(u.order, id)
		}
	case "tool-input-delta":
		if c := u.begun[id]; c != nil {
			c.arguments.add(v.get("inputTextDelta"))
		}
	case "tool-input-available", "tool-input-error":
		s := u.current()
		c := u.t.callWith(s, id, u.toolOf(id, v), v.get("input"), v.at())
		if v.get("providerExecuted").truth() {
			c.Flags |= ProviderExecuted
		}
		u.known(id)
		if typ == "tool-input-error" {
			u.failed(id, v.get("errorText"), v)
		}
	case "tool-output-available":
		if v.get("preliminary").truth() {
			return // the whole of it follows
		}
		u.unfinished(id)
		out := v.get("output")
		r := &Result{Payload: out.payload(), At: placeOf(out, v)}
		if v.get("providerExecuted").truth() {
			r.Flags |= ProviderExecuted
		}
		u.result(id, r)
	case "tool-output-error":
		u.unfinished(id)
		u.failed(id, v.get("errorText"), v)
	case "tool-output-denied":
		u.unfinished(id)
		u.failed(id, v.get("reason"), v)
	case "error":
		u.t.c.b.problem(v.at(), "the stream ended with an error")
	case "":
		u.t.c.b.problem(v.at(), "the record is no chunk of a message stream")
	}
}

// begin ends the step before, where it said or called something.
func (u *uiStream) begin() {
	u.flush()
	u.step, u.answered = nil, false
}

func (u *uiStream) toolOf(id string, v value) string {
	if name := v.get("toolName").str(); name != "" {
		return name
	}
	if c := u.begun[id]; c != nil {
		return c.name
	}
	return ""
}

func (u *uiStream) known(id string) {
	delete(u.begun, id)
	u.order = slices.DeleteFunc(u.order, func(o string) bool { return o == id })
}

// unfinished adds a call whose input never came as a whole: with what came of it.
func (u *uiStream) unfinished(id string) {
	c := u.begun[id]
	if c == nil {
		return
	}
	u.known(id)
	at := c.arguments.at
	if len(c.arguments.inner) == 0 {
		at = c.at
	}
	w := &pieceWriter{}
	w.write(at, `"`, string(c.arguments.inner), `"`)
	u.t.callWith(u.current(), id, c.name, w.value(at.File), c.at)
}

func (u *uiStream) failed(id string, text, v value) {
	u.result(id, &Result{Payload: text.payload(), At: placeOf(text, v), Error: true, Failed: true})
}

func (u *uiStream) result(id string, r *Result) {
	u.flush()
	u.t.result(id, "", r)
	u.answered = true
}

// about reads what the server tells of the message: its usage counts all steps.
func (u *uiStream) about(v value) {
	conv := u.t.c.Conv
	if m := firstGiven(v.get("model"), v.get("modelId")).str(); m != "" && conv.Model == "" {
		conv.Model = m
	}
	if n := vercelUsage(firstGiven(v.get("totalUsage"), v.get("usage"))); n != nil {
		conv.Usage = conv.Usage.Add(n)
	}
}
