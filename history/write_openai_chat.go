package history

// writeChat writes a conversation as an object with messages. Reasoning is text here, and a call that
// the provider ran is one like any other.
func writeChat(w *writer, c chapter) {
	t := c.main()
	tools, words := toolLists(t.System)
	w.open("{")
	w.member("conversation_id", c.id)
	w.given("title", c.Title)
	w.given("model", c.Model)
	if len(tools) > 0 {
		w.key("tools")
		w.value(tools[0].data)
		words = append(words, tools[1:]...) // the API takes one list
	}
	w.key("messages")
	w.open("[")
	for _, p := range words {
		w.chatMessage("system", newPayload(p))
	}
	var instructions []string // of the results of one response, which stand together
	for _, e := range t.passages() {
		if e.kind != resultPassage {
			instructions = w.chatInstructions(instructions)
		}
		switch e.kind {
		case promptPassage:
			w.chatMessage("user", e.turn.Prompt)
		case answerPassage:
			w.chatAnswer(e.step)
		case resultPassage:
			r := w.entry(e.call)
			w.open("{")
			w.member("role", "tool")
			w.member("tool_call_id", e.call.ID)
			if !e.call.made() {
				w.given("name", e.call.Tool)
			}
			w.key("content")
			w.chatContent(r.payload)
			w.close("}")
			if r.instructions != "" {
				instructions = append(instructions, r.instructions)
			}
		}
	}
	w.chatInstructions(instructions)
	w.close("]")
	w.close("}")
}

func (w *writer) chatInstructions(list []string) []string {
	for _, s := range list {
		w.chatMessage("system", Of(s))
	}
	return nil
}

func (w *writer) chatMessage(role string, content Payload) {
	w.open("{")
	w.member("role", role)
	w.key("content")
	w.chatContent(content)
	w.close("}")
}

func (w *writer) chatAnswer(s *Step) {
	calls := s.made()
	w.open("{")
	w.member("role", "assistant")
	w.key("content")
	if s.Text.empty() && len(calls) > 0 {
		w.literal("null")
	} else {
		w.chatContent(s.Text)
	}
	if len(calls) > 0 {
		w.key("tool_calls")
		w.open("[")
		for _, c := range calls {
			w.chatCall(c)
		}
		w.close("]")
	}
	w.close("}")
}

func (w *writer) chatCall(c *Call) {
	kind, key := "function", "arguments"
	if w.freeText(c) {
		kind, key = "custom", "input"
	}
	w.typed(kind)
	w.member("id", c.ID)
	w.key(kind)
	w.open("{")
	w.member("name", c.Tool)
	w.key(key)
	w.text(c.Arguments)
	w.close("}")
	w.close("}")
}

// freeText tells whether what a call was given is no JSON, and that is as it should be.
func (w *writer) freeText(c *Call) bool {
	if c.Flags.Has(InvalidArguments) || c.Arguments.Size().Bytes == 0 {
		return false
	}
	b, err := c.Arguments.Bytes()
	w.err = firstError(w.err, err)
	return err == nil && !valid(b)
}

// chatContent writes content: a text, or a list of parts where it is more than that.
func (w *writer) chatContent(p Payload) {
	if plainText(p) {
		w.text(p)
		return
	}
	w.open("[")
	w.knownPart(p, "text")
	for _, q := range p.Parts() {
		if q.Kind == Text {
			w.textPart("text", q)
		} else {
			w.chatMedium(w.medium(q))
		}
	}
	w.close("]")
}

// plainText tells whether p is one text, or nothing.
func plainText(p Payload) bool {
	return p.empty() || p.onlyText()
}

// knownPart begins a list with an empty text where no part of it is of a known type: a list of other
// things is data.
func (w *writer) knownPart(p Payload, kind string) {
	for _, q := range p.Parts() {
		if q.Kind == Text || q.Kind == Image || q.Kind == Audio || q.Kind == Document {
			return
		}
	}
	w.textPart(kind, Part{Kind: Text, data: bytesContent("")})
}

func (w *writer) textPart(kind string, p Part) {
	w.typed(kind)
	w.key("text")
	w.part(p)
	w.close("}")
}

func (w *writer) chatMedium(m medium) {
	if m.object || m.part.recorded == nil {
		w.named(m)
		return
	}
	switch m.part.Kind {
	case Image:
		w.typed("image_url")
		w.key("image_url")
		w.open("{")
		w.key("url")
		w.dataURL(m)
		w.close("}")
		w.close("}")
	case Audio:
		w.typed("input_audio")
		w.key("input_audio")
		w.open("{")
		w.key("data")
		w.base64(m)
		w.close("}")
		w.close("}")
	case Document:
		w.typed("file")
		w.key("file")
		w.open("{")
		if m.media == "" && !m.url {
			w.key("file_id")
		} else {
			w.key("file_data")
		}
		w.dataURL(m)
		w.close("}")
		w.close("}")
	default:
		w.named(m)
	}
}
