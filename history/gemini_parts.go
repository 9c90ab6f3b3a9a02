package history

import "strings"

// The parts of Gemini's contents, which Gemini CLI, Qwen Code and the Agent Development Kit hold too.
// Their keys are written in both ways, as in functionCall and function_call.

// geminiField is the member of v by a key in camel case, or by the same one in snake case.
func geminiField(v value, camel, snake string) value { return firstGiven(v.get(camel), v.get(snake)) }

func geminiCall(p value) value     { return geminiField(p, "functionCall", "function_call") }
func geminiResponse(p value) value { return geminiField(p, "functionResponse", "function_response") }

// geminiPart tells whether v is a part, by what it holds.
func geminiPart(v value) bool {
	if !v.isObject() || v.get("type").isText() {
		return false
	}
	return v.get("text").isText() || geminiCall(v).isObject() || geminiResponse(v).isObject() || geminiField(v, "inlineData", "inline_data").isObject() ||
		geminiField(v, "fileData", "file_data").isObject() || geminiField(v, "executableCode", "executable_code").isObject() ||
		geminiField(v, "codeExecutionResult", "code_execution_result").isObject()
}

// geminiPayload is what a part, or a list of parts, says: text, and what else it holds by name.
func geminiPayload(v value) Payload {
	if !v.isArray() && !v.isObject() {
		return v.payload()
	}
	if v.isObject() {
		return newPayload(geminiContent(v)...)
	}
	var parts []Part
	for p := range v.elements() {
		parts = append(parts, geminiContent(p)...)
	}
	return newPayload(parts...)
}

// geminiContent is the content of one part; none of a call or a response.
func geminiContent(p value) []Part {
	switch {
	case p.isText():
		return []Part{p.part()}
	case p.get("text").isText():
		return textParts(p.get("text"))
	case geminiCall(p).ok(), geminiResponse(p).ok():
		return nil
	case geminiField(p, "executableCode", "executable_code").ok(), geminiField(p, "codeExecutionResult", "code_execution_result").ok():
		return nil
	}
	if d := geminiField(p, "inlineData", "inline_data"); d.ok() {
		return []Part{mediaBlob(firstGiven(d.get("data"), d), geminiField(d, "mimeType", "mime_type").str())}
	}
	if d := geminiField(p, "fileData", "file_data"); d.ok() {
		return []Part{mediaBlob(firstGiven(geminiField(d, "fileUri", "file_uri"), d), geminiField(d, "mimeType", "mime_type").str())}
	}
	if !p.isObject() || len(p.keys()) == 0 {
		return nil
	}
	return []Part{p.blob(Other, "")}
}

// mediaBlob is data as a part of the kind that its media type says.
func mediaBlob(data value, media string) Part {
	kind := Document
	switch {
	case strings.HasPrefix(media, "image/"):
		kind = Image
	case strings.HasPrefix(media, "audio/"):
		kind = Audio
	case media == "":
		kind = Other
	}
	return data.blob(kind, media)
}

// geminiResult is what a function gave back. The API wants an object, so that a text hides alone
// under one of a few keys: that text is the payload then. Any other object is its own JSON text.
func geminiResult(f value) *Result {
	response := f.get("response")
	r := &Result{At: placeOf(response, f), Error: response.get("error").given()}
	r.Failed = r.Error
	r.Payload = response.payload()
	if keys := response.keys(); len(keys) == 1 {
		only := response.get(keys[0])
		switch keys[0] {
		case "output", "result", "error", "content":
			if only.isText() {
				r.Payload, r.At = only.payload(), only.at()
			} else if keys[0] == "content" && only.isArray() && only.first().get("type").isText() {
				r.Payload, r.At = mcpContent(only), only.at()
			}
		}
	}
	for p := range f.get("parts").elements() {
		r.Payload = r.Payload.join(newPayload(geminiContent(p)...))
	}
	if geminiTooLarge(firstGiven(response.get("output"), response.get("result"))) {
		r.Flags |= OffloadedByRecorder | TruncatedByRecorder
	}
	return r
}

// geminiTooLarge tells whether a result begins with Gemini CLI's notice that it kept the whole of it
// in a file.
func geminiTooLarge(v value) bool {
	const notice, later = "Tool output was too large", "Output too large."
	start := head(v, len(notice))
	return strings.HasPrefix(start, notice) || strings.HasPrefix(start, later)
}

// A geminiThread reads contents into a thread.
type geminiThread struct{ *threadBuilder }

// model reads the parts of a response into s. at is where a call stands that has no place.
func (t *geminiThread) model(s *Step, parts value) {
	for p := range parts.elements() {
		code := geminiField(p, "executableCode", "executable_code")
		ran := geminiField(p, "codeExecutionResult", "code_execution_result")
		switch f := geminiCall(p); {
		case f.isObject():
			t.callWith(s, f.get("id").str(), f.get("name").str(), f.get("args"), p.at())
		case code.isObject():
			c := t.call(s, code.get("id").str(), "code_execution", code.get("code").payload(), p.at())
			c.Flags |= ProviderExecuted
		case ran.isObject():
			failed := ran.get("outcome").isText() && !ran.get("outcome").is("OUTCOME_OK")
			out := ran.get("output")
			t.result(ran.get("id").str(), "code_execution", &Result{Payload: out.payload(), At: placeOf(out, p), Error: failed, Failed: failed, Flags: ProviderExecuted})
		case geminiResponse(p).isObject():
			t.outcome(p, geminiResult(geminiResponse(p)))
		default:
			t.text(s, newPayload(geminiContent(p)...))
		}
	}
}

// outcome pairs the response in part p: by its id, or by order and name where there is none.
func (t *geminiThread) outcome(p value, r *Result) {
	f := geminiResponse(p)
	t.result(f.get("id").str(), f.get("name").str(), r)
}

// geminiUsage reads usage as the API reports it: what the prompt had from the cache is in its
// count, what the model thought is not in that of its answer.
func geminiUsage(v value) *Usage {
	if !v.isObject() {
		return nil
	}
	n := func(camel, snake string) int64 { i, _ := geminiField(v, camel, snake).int64(); return i }
	cached := n("cachedContentTokenCount", "cached_content_token_count")
	return &Usage{
		Input:  max(0, n("promptTokenCount", "prompt_token_count")+n("toolUsePromptTokenCount", "tool_use_prompt_token_count")-cached),
		Cached: cached,
		Output: n("candidatesTokenCount", "candidates_token_count") + n("thoughtsTokenCount", "thoughts_token_count"),
	}
}
