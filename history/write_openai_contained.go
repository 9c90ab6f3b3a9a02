package history

import "strings"

// contained tells whether call and result are one item: the provider ran the tool.
func contained(c *Call) bool {
	return c != nil && c.Flags.Has(ProviderExecuted) && c.made() && !c.Flags.Has(ResultBeforeCall)
}

// contained writes a call that has its result in it. Calls of the provider's own tools are items of
// their types; all others are those of a server.
func (r *responsesWriter) contained(c *Call) {
	var e entry
	if c.Result != nil {
		e = r.entry(c)
	}
	kind, arguments, output := "mcp_call", "", ""
	switch c.Tool {
	case "web_search":
		kind, arguments, output = "web_search_call", "action", "results"
	case "file_search":
		kind, arguments, output = "file_search_call", "queries", "results"
	case "code_interpreter":
		kind, arguments, output = "code_interpreter_call", "code", "outputs"
	case "image_generation":
		kind, arguments, output = "image_generation_call", "revised_prompt", "result"
	}
	r.typed(kind)
	r.member("id", c.ID)
	switch {
	case kind == "mcp_call":
		r.member("name", c.Tool)
		r.key("arguments")
		r.text(c.Arguments)
		output = "output"
	case c.Arguments.Size().Bytes > 0:
		r.jsonOrText(arguments, c.Arguments)
	}
	if c.Result != nil {
		r.containedResult(c, e, output)
	}
	r.close("}")
	if e.instructions != "" {
		r.message("system", "input_text", Of(e.instructions))
	}
}

func (r *responsesWriter) containedResult(c *Call, e entry, key string) {
	switch parts := e.payload.Parts(); {
	case c.Tool == "image_generation" && len(parts) == 1 && parts[0].recorded != nil:
		r.key(key)
		r.whole(r.medium(parts[0]))
	case c.Tool == "code_interpreter":
		r.key(key)
		r.logs(e.payload)
	case !plainText(e.payload):
		r.key(key)
		r.parts("output_text", e.payload)
	case strings.HasSuffix(c.Tool, "_search"):
		r.jsonOrText(key, e.payload)
	default:
		r.key(key)
		r.text(e.payload)
	}
	if !c.Result.Error {
		return
	}
	if c.Result.Failed {
		r.member("status", "failed")
		return
	}
	r.key("error")
	r.typed("mcp_tool_execution_error")
	r.close("}")
}

// logs writes what a program printed.
func (r *responsesWriter) logs(p Payload) {
	r.open("[")
	for _, q := range p.Parts() {
		if q.Kind != Text {
			r.partOf(r.medium(q))
			continue
		}
		r.typed("logs")
		r.key("logs")
		r.part(q)
		r.close("}")
	}
	r.close("]")
}

// jsonOrText writes a text that is a JSON object or array as such, any other as a string.
func (w *writer) jsonOrText(key string, p Payload) {
	b, err := p.Bytes()
	w.err = firstError(w.err, err)
	w.key(key)
	if v, bad := parse(nil, 0, 1, b); err == nil && bad == nil && (v.isObject() || v.isArray()) {
		w.value(rawJSON(v.raw()))
		return
	}
	w.text(p)
}
