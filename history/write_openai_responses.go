package history

import (
	"strconv"
)

// writeResponses writes a conversation as a request with all items as its input. Two responses with
// nothing between them would be read as one: the second goes in a request of its own then, which names
// the one before.
func writeResponses(w *writer, c chapter) {
	t := c.main()
	passages := t.passages()
	r := &responsesWriter{writer: w, several: responsesBreaks(passages)}
	lines := w.lines
	w.lines = w.lines || r.several
	tools, words := toolLists(t.System)
	r.begin(c)
	w.given("title", c.Title)
	w.given("model", c.Model)
	if len(tools) > 0 {
		w.key("tools")
		w.value(tools[0].data)
		tools = tools[1:]
	}
	if len(words) == 1 {
		w.key("instructions")
		w.part(words[0])
		words = nil
	}
	r.input()
	for _, p := range words {
		r.message("system", "input_text", newPayload(p))
	}
	for _, p := range tools {
		w.typed("mcp_list_tools")
		w.key("tools")
		w.value(p.data)
		w.close("}")
	}
	var instructions []string
	for _, e := range passages {
		if e.kind != resultPassage {
			for _, s := range instructions {
				r.message("system", "input_text", Of(s))
			}
			instructions = nil
		}
		switch e.kind {
		case promptPassage:
			r.going = false
			r.message("user", "input_text", e.turn.Prompt)
		case answerPassage:
			if r.going {
				r.end()
				w.line()
				r.begin(c)
				r.input()
			}
			r.answer(e.step)
			r.going = true
		case resultPassage:
			if contained(e.call) {
				continue // its call has it
			}
			r.going = false
			if s := r.output(e.call); s != "" {
				instructions = append(instructions, s)
			}
		}
	}
	for _, s := range instructions {
		r.message("system", "input_text", Of(s))
	}
	r.end()
	w.lines = lines
}

// responsesBreaks tells whether a conversation needs several requests.
func responsesBreaks(passages []passage) bool {
	open := false
	for _, e := range passages {
		switch {
		case e.kind == answerPassage && open:
			return true
		case e.kind == answerPassage:
			open = true
		case e.kind == promptPassage, !contained(e.call):
			open = false
		}
	}
	return false
}

type responsesWriter struct {
	*writer
	several  bool // it takes several requests
	going    bool // a response goes on
	requests int  // begun so far
}

func (r *responsesWriter) begin(c chapter) {
	r.open("{")
	r.member("conversation_id", c.id)
	if !r.several {
		return
	}
	if r.requests > 0 {
		r.member("previous_response_id", c.id+"-"+strconv.Itoa(r.requests))
	}
	r.requests++
	r.member("id", c.id+"-"+strconv.Itoa(r.requests))
}

func (r *responsesWriter) input() {
	r.key("input")
	r.open("[")
}

func (r *responsesWriter) end() {
	r.close("]")
	if r.several { // the next request names the response that this one has
		r.key("output")
		r.open("[")
		r.close("]")
	}
	r.close("}")
}

func (r *responsesWriter) message(role, kind string, p Payload) {
	r.typed("message")
	r.member("role", role)
	r.key("content")
	r.parts(kind, p)
	r.close("}")
}

func (r *responsesWriter) parts(kind string, p Payload) {
	r.open("[")
	r.knownPart(p, kind)
	for _, q := range p.Parts() {
		if q.Kind == Text {
			r.textPart(kind, q)
		} else {
			r.partOf(r.medium(q))
		}
	}
	r.close("]")
}

func (r *responsesWriter) partOf(m medium) {
	kind, key := "", ""
	switch {
	case m.object || m.part.recorded == nil:
	case m.part.Kind == Image && (m.url || m.media != ""):
		kind, key = "input_image", "image_url"
	case m.part.Kind == Image:
		kind, key = "input_image", "file_id"
	case m.part.Kind == Document && m.link():
		kind, key = "input_file", "file_url"
	case m.part.Kind == Document && (m.url || m.media != ""):
		kind, key = "input_file", "file_data"
	case m.part.Kind == Document:
		kind, key = "input_file", "file_id"
	case m.part.Kind == Audio:
		r.chatMedium(m)
		return
	}
	if kind == "" {
		r.named(m)
		return
	}
	r.typed(kind)
	r.key(key)
	r.dataURL(m)
	r.close("}")
}

func (r *responsesWriter) answer(s *Step) {
	if !s.Text.empty() {
		r.message("assistant", "output_text", s.Text)
	}
	calls := s.made()
	for _, c := range calls {
		switch {
		case contained(c):
			r.contained(c)
		case r.freeText(c):
			r.call(c, "custom_tool_call", "input")
		default:
			r.call(c, "function_call", "arguments")
		}
	}
	if s.Text.empty() && len(calls) == 0 {
		r.typed("reasoning")
		r.key("summary")
		r.open("[")
		r.close("]")
		r.close("}")
	}
}

func (r *responsesWriter) call(c *Call, kind, key string) {
	r.typed(kind)
	r.member("call_id", c.ID)
	r.member("name", c.Tool)
	r.key(key)
	r.text(c.Arguments)
	r.close("}")
}

func (r *responsesWriter) output(c *Call) string {
	e := r.entry(c)
	r.typed("function_call_output")
	r.member("call_id", c.ID)
	if c.Result.Failed {
		r.member("status", "failed")
	}
	r.key("output")
	if plainText(e.payload) {
		r.text(e.payload)
	} else {
		r.parts("input_text", e.payload)
	}
	r.close("}")
	return e.instructions
}
