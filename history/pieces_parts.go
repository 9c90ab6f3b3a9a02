package history

import (
	"slices"
	"strings"
)

// messageParts tells whether content is a list of parts (or a single one) with calls, results or
// prose in it, of any framework, rather than data.
func messageParts(v value) bool {
	if v.isObject() {
		return partKind(v) != noPart
	}
	for e := range v.elements() {
		if partKind(e) != noPart {
			return true
		}
	}
	return false
}

// A partSort says what a part of a message is.
type partSort uint8

const (
	noPart partSort = iota
	prosePart
	callPart
	resultPart
	mediaPart
)

// partKind recognises a part: by its type, or by the key that it is kept under.
func partKind(v value) partSort {
	switch typ := v.get("type").str(); typ {
	case "text", "reasoning", "thinking", "redacted_thinking", "refusal", "input_text", "output_text", "summary_text":
		return prosePart
	case "tool_call", "tool_use", "tool-call", "server_tool_use", "mcp_tool_use", "server_tool_call":
		return callPart
	case "tool_call_response", "tool_result", "tool-result", "server_tool_call_response":
		return resultPart
	case "":
	case "image", "image_url", "input_image", "blob", "file", "uri", "media", "document", "audio", "input_audio", "image-data", "file-data":
		return mediaPart
	default:
		switch {
		case strings.HasSuffix(typ, "_tool_result"):
			return resultPart
		case v.get("content").isText() && strings.HasSuffix(typ, "Content"):
			return prosePart // a framework's own class name for a part
		}
		return noPart
	}
	switch {
	case keyed(v, "functionCall", "function_call", "toolUse").isObject():
		return callPart
	case keyed(v, "functionResponse", "function_response", "toolResult").isObject():
		return resultPart
	case keyed(v, "inlineData", "inline_data", "fileData", "file_data").isObject():
		return mediaPart
	case v.get("text").isText():
		return prosePart
	}
	return noPart
}

func keyed(v value, keys ...string) value {
	for _, k := range keys {
		if m := v.get(k); m.given() {
			return m
		}
	}
	return value{}
}

// parts takes a message's content apart. A person's text is one prompt, whatever it is made of.
func (r *pieceReader) parts(role string, content, m value) []piece {
	if content.isObject() {
		return r.part(nil, role, content)
	}
	var list []piece
	var said []Part
	var words []value
	for e := range content.elements() {
		e = nested(e)
		if e.isText() || partKind(e) == prosePart || partKind(e) == mediaPart || partKind(e) == noPart {
			if t := proseText(e); t.isText() && reasoningPart(e) {
				list = r.text(list, role, t)
				continue
			}
			if p := prosePieces(e); len(p) > 0 {
				said = append(said, p...)
				words = append(words, firstGiven(proseText(e), e))
			}
			continue
		}
		list = r.part(list, role, e)
	}
	kind, ok := textKind(role)
	if !ok || len(said) == 0 {
		return list
	}
	prose := r.known(piece{kind: kind, payload: newPayload(said...), at: content.at()}, words...)
	if kind == promptPiece {
		return append(list, prose) // behind the results
	}
	thoughts := 0
	for thoughts < len(list) && list[thoughts].kind == textPiece {
		thoughts++
	}
	return slices.Insert(list, thoughts, prose)
}

func reasoningPart(v value) bool {
	t := v.get("type").str()
	return t == "reasoning" || t == "thinking" || v.get("thought").truth()
}

// proseText is the text of a prose part.
func proseText(v value) value {
	if v.isText() {
		return v
	}
	for _, key := range []string{"text", "content", "thinking", "reasoning", "refusal"} {
		if t := v.get(key); t.isText() {
			return t
		}
	}
	return value{}
}

// prosePieces is a part as text or as what it is otherwise; nothing where it is empty.
func prosePieces(v value) []Part {
	switch partKind(v) {
	case mediaPart:
		return []Part{mediaOfPart(v)}
	case noPart:
		if !v.isText() {
			return nil // marks such as step-start
		}
	}
	return textParts(proseText(v))
}

// mediaOfPart is a part that is not text: it counts with its recorded bytes.
func mediaOfPart(v value) Part {
	if inner := keyed(v, "inlineData", "inline_data", "fileData", "file_data"); inner.isObject() {
		v = inner
	}
	switch v.get("type").str() {
	case "image_url", "input_image", "input_audio":
		return openAIPart(v)
	}
	media := firstGiven(v.get("mime_type"), v.get("mimeType"), v.get("mediaType"), v.get("media_type"), v.get("source", "media_type"), v.get("source", "mime_type")).str()
	data := firstGiven(v.get("data"), v.get("content"), v.get("image"), v.get("uri"), v.get("url"), v.get("fileUri"), v.get("source", "data"), v.get("source", "bytes"), v)
	kind := Other
	word := v.get("modality").str() + v.get("type").str() + media
	switch {
	case strings.Contains(word, "image"):
		kind = Image
	case strings.Contains(word, "audio"):
		kind = Audio
	case strings.Contains(word, "document"), strings.Contains(word, "pdf"), strings.HasPrefix(word, "file"):
		kind = Document
	}
	if media == "" {
		media = v.get("type").str()
	}
	return data.blob(kind, media)
}

// part adds a call, a result or prose.
func (r *pieceReader) part(list []piece, role string, v value) []piece {
	switch partKind(v) {
	case callPart:
		provider := byProviderPart(v)
		if inner := keyed(v, "functionCall", "function_call", "toolUse"); inner.isObject() {
			v = inner
		}
		id := firstGiven(v.get("id"), v.get("toolCallId"), v.get("tool_call_id"), v.get("toolUseId"), v.get("call_id")).str()
		name := firstGiven(v.get("name"), v.get("toolName"), v.get("tool_name")).str()
		c := r.call(id, name, firstGiven(v.get("arguments"), v.get("input"), v.get("args")), v)
		c.run = provider
		return append(list, c)
	case resultPart:
		return append(list, r.resultPart(v))
	case prosePart, mediaPart:
		kind, ok := textKind(role)
		if p := prosePieces(v); ok && len(p) > 0 {
			return append(list, r.known(piece{kind: kind, payload: newPayload(p...), at: v.at()}, firstGiven(proseText(v), v)))
		}
	}
	return list
}

func byProviderPart(v value) bool {
	typ := v.get("type").str()
	return strings.HasPrefix(typ, "server_") || typ == "mcp_tool_use" || v.get("providerExecuted").truth()
}

// resultPart reads a result that is a part of a message.
func (r *pieceReader) resultPart(v value) piece {
	provider := byProviderPart(v)
	if inner := keyed(v, "functionResponse", "function_response", "toolResult"); inner.isObject() {
		v = inner
	}
	id := firstGiven(v.get("tool_use_id"), v.get("toolCallId"), v.get("tool_call_id"), v.get("toolUseId"), v.get("id"), v.get("call_id")).str()
	tool := firstGiven(v.get("name"), v.get("toolName"), v.get("tool_name")).str()
	result := &Result{Error: v.get("is_error").truth() || v.get("isError").truth() || v.get("status").is("error")}
	out := firstGiven(v.get("response"), v.get("result"), v.get("output"), v.get("content"))
	if kind := out.get("type").str(); out.isObject() && out.get("value").ok() && strings.Contains("|text|json|error-text|error-json|content|", "|"+kind+"|") {
		result.Error = result.Error || strings.HasPrefix(kind, "error-")
		out = out.get("value")
	} else if kind == "execution-denied" {
		result.Error = true
		out = firstGiven(out.get("reason"), out)
	}
	result.Failed = result.Error
	result.At = placeOf(out, v)
	result.Payload = r.resultPayload(out)
	if provider {
		result.Flags |= ProviderExecuted
	}
	return r.known(piece{kind: resultPiece, id: id, tool: tool, run: provider, result: result, at: v.at()}, out)
}

// resultPayload is what a model reads of a result: its text, a list of parts, or data as JSON.
func (r *pieceReader) resultPayload(v value) Payload {
	if !v.isArray() {
		return v.payload()
	}
	var parts []Part
	for e := range v.elements() {
		switch {
		case partKind(e) == prosePart, partKind(e) == mediaPart:
			parts = append(parts, prosePieces(e)...)
		case e.get("json").ok() && len(e.keys()) == 1:
			parts = append(parts, e.get("json").part())
		case e.get("type").isText() && e.get("type").str() == "resource" || e.get("type").is("resource_link"):
			parts = append(parts, blockParts(e, 0)...)
		default:
			return v.payload() // data that is a list
		}
	}
	if parts == nil {
		return v.payload()
	}
	return newPayload(parts...)
}

// responsesItem reads an item of the Responses API, which tracers mix with messages.
func (r *pieceReader) responsesItem(v value) []piece {
	switch kind := v.get("type").str(); {
	case kind == "reasoning":
		var list []piece
		for p := range v.get("summary").elements() {
			list = r.text(list, "assistant", p.get("text"))
		}
		return list
	case responsesItem(v) == itemCall:
		name := v.get("name").str()
		if name == "" {
			name = strings.TrimSuffix(kind, "_call")
		}
		return []piece{r.call(callID(v), name, firstGiven(v.get("arguments"), v.get("action"), v.get("input")), v)}
	case responsesItem(v) == itemOutput:
		out := v.get("output")
		result := &Result{Payload: openAIContent(out), At: placeOf(out, v), Error: v.get("status").is("failed")}
		result.Failed = result.Error
		return []piece{r.known(piece{kind: resultPiece, id: callID(v), result: result, at: v.at()}, out)}
	}
	return nil
}
