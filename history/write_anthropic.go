package history

import "strings"

// maxTokens is what a request is given: the API wants a value, and none was kept.
const maxTokens = "4096"

// writeAnthropic writes a conversation as a request body.
func writeAnthropic(w *writer, c chapter) {
	t := c.main()
	tools, words := toolLists(t.System)
	w.open("{")
	w.member("conversation_id", c.id)
	w.given("title", c.Title)
	w.given("model", c.Model)
	w.key("max_tokens")
	w.literal(maxTokens)
	if len(tools) > 0 {
		words = append(words, tools[1:]...)
	}
	if len(words) > 0 || !t.calls() { // with neither calls nor this it would look like any chat
		w.key("system")
		w.anthropicContent(newPayload(words...))
	}
	if len(tools) > 0 {
		w.key("tools")
		w.value(tools[0].data)
	}
	w.key("messages")
	w.open("[")
	var results []*Call
	for _, e := range t.passages() {
		if e.kind != resultPassage {
			results = w.anthropicResults(results)
		}
		switch e.kind {
		case promptPassage:
			w.open("{")
			w.member("role", "user")
			w.key("content")
			w.anthropicContent(e.turn.Prompt)
			w.close("}")
		case answerPassage:
			w.open("{")
			w.member("role", "assistant")
			w.key("content")
			w.anthropicAnswer(e.step)
			w.close("}")
		case resultPassage:
			if !contained(e.call) {
				results = append(results, e.call)
			}
		}
	}
	w.anthropicResults(results)
	w.close("]")
	w.close("}")
}

// calls tells whether t has any.
func (t *Thread) calls() bool {
	for _, u := range t.Turns {
		for _, s := range u.Steps {
			if len(s.Calls) > 0 {
				return true
			}
		}
	}
	return false
}

// anthropicResults writes the message of results that came together.
func (w *writer) anthropicResults(calls []*Call) []*Call {
	if len(calls) == 0 {
		return nil
	}
	w.open("{")
	w.member("role", "user")
	w.key("content")
	w.open("[")
	var instructions []string
	for _, c := range calls {
		if s := w.anthropicResult(c); s != "" {
			instructions = append(instructions, s)
		}
	}
	for _, s := range instructions {
		w.reminder(s)
	}
	w.close("]")
	w.close("}")
	return nil
}

// reminder writes a system-level message: these messages have no role for it in their middle.
func (w *writer) reminder(s string) {
	w.typed("text")
	w.member("text", harnessReminder+"\n"+s+"\n</system-reminder>")
	w.close("}")
}

// anthropicAnswer writes the content of an answer: text, calls, and the results that the provider
// gave itself.
func (w *writer) anthropicAnswer(s *Step) {
	calls := s.made()
	if len(calls) == 0 && plainText(s.Text) {
		w.text(s.Text)
		return
	}
	w.open("[")
	w.anthropicParts(s.Text)
	for _, c := range calls {
		w.anthropicCall(c)
		if c.Result != nil && contained(c) {
			if in := w.anthropicResult(c); in != "" {
				w.reminder(in)
			}
		}
	}
	w.close("]")
}

func (w *writer) anthropicCall(c *Call) {
	switch {
	case !c.Flags.Has(ProviderExecuted):
		w.typed("tool_use")
	case anAnswer(c):
		w.typed("mcp_tool_use")
	default:
		w.typed("server_tool_use")
	}
	w.member("id", c.ID)
	w.member("name", c.Tool)
	w.argumentsValue("input", c.Arguments)
	w.close("}")
}

// anAnswer tells whether what a tool calls an error counts as its answer.
func anAnswer(c *Call) bool { return c.Result != nil && c.Result.Error && !c.Result.Failed }

// anthropicResult writes a result block, and returns the instructions that go behind it.
func (w *writer) anthropicResult(c *Call) string {
	e := w.entry(c)
	kind := "tool_result"
	switch {
	case !c.Flags.Has(ProviderExecuted) && !c.Result.Flags.Has(ProviderExecuted):
	case anAnswer(c) || !plainKey(c.Tool):
		kind = "mcp_tool_result"
	default:
		kind = strings.TrimSuffix(c.Tool, "_call") + "_tool_result"
	}
	w.typed(kind)
	w.member("tool_use_id", c.ID)
	w.key("content")
	w.anthropicContent(e.payload)
	if c.Result.Error {
		w.key("is_error")
		w.literal("true")
	}
	w.close("}")
	return e.instructions
}

// anthropicContent writes content: a text, or a list of blocks where it is more than that.
func (w *writer) anthropicContent(p Payload) {
	if plainText(p) {
		w.text(p)
		return
	}
	w.open("[")
	w.anthropicParts(p)
	w.close("]")
}

func (w *writer) anthropicParts(p Payload) {
	for _, q := range p.Parts() {
		if q.Kind == Text {
			w.textPart("text", q)
		} else {
			w.anthropicMedium(w.medium(q))
		}
	}
}

func (w *writer) anthropicMedium(m medium) {
	if m.object || m.part.recorded == nil {
		w.named(m)
		return
	}
	switch m.part.Kind {
	case Image, Audio, Document:
		w.typed(string(m.part.Kind))
		w.key("source")
		if m.link() {
			w.typed("url")
			w.given("media_type", m.part.Media)
			w.key("url")
		} else {
			w.typed("base64")
			media := m.media
			if media == "" {
				media = m.part.Media
			}
			w.given("media_type", media)
			w.key("data")
		}
		w.base64(m)
		w.close("}")
		w.close("}")
	default:
		w.named(m)
	}
}
