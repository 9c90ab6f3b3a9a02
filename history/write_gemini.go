package history

// writeGemini writes a conversation as a request with contents.
func writeGemini(w *writer, c chapter) {
	t := c.main()
	tools, words := toolLists(t.System)
	w.open("{")
	w.member("id", c.id)
	w.given("model", c.Model)
	if len(tools) > 0 {
		words = append(words, tools[1:]...)
	}
	if len(words) > 0 {
		w.key("systemInstruction")
		w.open("{")
		w.key("parts")
		w.geminiParts(newPayload(words...))
		w.close("}")
	}
	if len(tools) > 0 {
		w.key("tools")
		w.value(tools[0].data)
	}
	w.key("contents")
	w.open("[")
	var results []*Call
	for _, e := range t.passages() {
		if e.kind != resultPassage {
			results = w.geminiResults(results)
		}
		switch e.kind {
		case promptPassage:
			w.geminiContent("user", e.turn.Prompt)
		case answerPassage:
			w.geminiAnswer(e.step)
		case resultPassage:
			if !ranCode(e.call) {
				results = append(results, e.call)
			}
		}
	}
	w.geminiResults(results)
	w.close("]")
	w.close("}")
}

func (w *writer) geminiContent(role string, p Payload) {
	w.open("{")
	w.member("role", role)
	w.key("parts")
	w.geminiParts(p)
	w.close("}")
}

func (w *writer) geminiParts(p Payload) {
	w.open("[")
	if p.empty() {
		w.geminiPart(Of("").Parts()[0])
	}
	for _, q := range p.Parts() {
		w.geminiPart(q)
	}
	w.close("]")
}

func (w *writer) geminiPart(p Part) {
	if p.Kind == Text {
		w.open("{")
		w.key("text")
		w.part(p)
		w.close("}")
		return
	}
	m := w.medium(p)
	if m.object || p.recorded == nil {
		w.named(m)
		return
	}
	media := p.Media
	if m.media != "" {
		media = m.media
	}
	kind, data := "inlineData", "data"
	if m.link() {
		kind, data = "fileData", "fileUri"
	}
	w.open("{")
	w.key(kind)
	w.open("{")
	w.given("mimeType", media)
	w.key(data)
	w.base64(m)
	w.close("}")
	w.close("}")
}

// ranCode tells whether the provider ran code: call and result are parts of the answer then.
func ranCode(c *Call) bool { return contained(c) && c.Tool == "code_execution" }

func (w *writer) geminiAnswer(s *Step) {
	w.open("{")
	w.member("role", "model")
	w.key("parts")
	w.open("[")
	for _, p := range s.Text.Parts() {
		w.geminiPart(p)
	}
	var instructions []string
	for _, c := range s.made() {
		if !ranCode(c) {
			w.open("{")
			w.key("functionCall")
			w.open("{")
			w.member("id", c.ID)
			w.member("name", c.Tool)
			w.argumentsValue("args", c.Arguments)
			w.close("}")
			w.close("}")
			continue
		}
		if in := w.geminiCode(c); in != "" {
			instructions = append(instructions, in)
		}
	}
	w.close("]")
	w.close("}")
	w.geminiInstructions(instructions)
}

// geminiCode writes code that the provider ran, and what it printed.
func (w *writer) geminiCode(c *Call) string {
	w.open("{")
	w.key("executableCode")
	w.open("{")
	w.member("id", c.ID)
	w.member("language", "PYTHON")
	w.key("code")
	w.text(c.Arguments)
	w.close("}")
	w.close("}")
	if c.Result == nil {
		return ""
	}
	e := w.entry(c)
	w.open("{")
	w.key("codeExecutionResult")
	w.open("{")
	w.member("id", c.ID)
	outcome := "OUTCOME_OK"
	if c.Result.Error {
		outcome = "OUTCOME_FAILED"
	}
	w.member("outcome", outcome)
	w.key("output")
	w.text(e.payload)
	w.close("}")
	w.close("}")
	return e.instructions
}

// geminiInstructions writes system-level messages in their place. The API knows that role for the
// whole conversation only.
func (w *writer) geminiInstructions(list []string) {
	for _, s := range list {
		w.geminiContent("system", Of(s))
	}
}

func (w *writer) geminiResults(calls []*Call) []*Call {
	if len(calls) == 0 {
		return nil
	}
	w.open("{")
	w.member("role", "user")
	w.key("parts")
	w.open("[")
	var instructions []string
	for _, c := range calls {
		if in := w.geminiResponse(c); in != "" {
			instructions = append(instructions, in)
		}
	}
	w.close("]")
	w.close("}")
	w.geminiInstructions(instructions)
	return nil
}

func (w *writer) geminiResponse(c *Call) string {
	e := w.entry(c)
	w.open("{")
	w.key("functionResponse")
	w.open("{")
	w.member("id", c.ID)
	w.member("name", c.Tool)
	w.key("response")
	var media []Part
	texts := Payload{}
	for _, p := range e.payload.Parts() {
		if p.Kind == Text {
			texts = texts.join(newPayload(p))
		} else {
			media = append(media, p)
		}
	}
	w.geminiOutput(texts, c.Result.Error)
	if len(media) > 0 {
		w.key("parts")
		w.geminiParts(newPayload(media...))
	}
	w.close("}")
	w.close("}")
	return e.instructions
}

// geminiOutput writes the object that the API wants: the text itself where it is one, else one that
// holds it.
func (w *writer) geminiOutput(p Payload, failed bool) {
	if len(p.Parts()) == 1 {
		if raw := w.ownObject(p, failed); raw != nil {
			w.value(rawJSON(raw))
			return
		}
	}
	w.open("{")
	switch {
	case failed:
		w.key("error")
		w.text(p)
	case len(p.Parts()) > 1:
		w.key("content")
		w.open("[")
		for _, q := range p.Parts() {
			w.textPart("text", q)
		}
		w.close("]")
	default:
		w.key("output")
		w.text(p)
	}
	w.close("}")
}

// ownObject is a text that is a JSON object and is read as such; nil for any other.
func (w *writer) ownObject(p Payload, failed bool) []byte {
	if head, err := p.Parts()[0].head(1); err != nil || string(head) != "{" {
		return nil
	}
	b, err := p.Bytes()
	w.err = firstError(w.err, err)
	v, bad := parse(nil, 0, 1, b)
	if err != nil || bad != nil || len(v.raw()) != len(b) || v.get("error").given() != failed {
		return nil
	}
	if keys := v.keys(); len(keys) == 1 {
		switch only := v.get(keys[0]); keys[0] {
		case "output", "result", "error", "content":
			if only.isText() || only.isArray() {
				return nil
			}
		}
	}
	return b
}
