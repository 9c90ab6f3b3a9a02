package history

import "strings"

// openAIContent reads the content of a message or an output: a string, a list of typed parts, or
// anything else, which is its own JSON text.
func openAIContent(v value) Payload {
	if !v.isArray() || !openAIParts(v) {
		return v.payload()
	}
	var parts []Part
	for e := range v.elements() {
		parts = append(parts, openAIPart(e))
	}
	return newPayload(parts...)
}

// openAIParts tells whether an array is a list of parts rather than data.
func openAIParts(v value) bool {
	for e := range v.elements() {
		switch e.get("type").str() {
		case "text", "input_text", "output_text", "summary_text", "reasoning_text", "refusal", "image_url", "input_image",
			"image", "input_audio", "file", "input_file", "logs", "computer_screenshot":
			return true
		}
	}
	return false
}

func openAIPart(v value) Part {
	if v.isText() {
		return v.part()
	}
	switch kind := v.get("type").str(); kind {
	case "refusal":
		return textOr(v.get("refusal"), v)
	case "logs":
		return textOr(v.get("logs"), v)
	case "image_url", "input_image", "image", "computer_screenshot":
		data := firstGiven(v.get("image_url", "url"), v.get("image_url"), v.get("url"), v.get("file_id"), v)
		return data.blob(Image, mediaOf(data, kind))
	case "input_audio":
		data := firstGiven(v.get("input_audio", "data"), v)
		return data.blob(Audio, kind)
	case "file", "input_file":
		data := firstGiven(v.get("file_data"), v.get("file", "file_data"), v.get("file_url"), v.get("file_id"), v.get("file", "file_id"), v)
		return data.blob(Document, mediaOf(data, kind))
	default:
		if t := v.get("text"); t.isText() {
			return t.part()
		}
		if !plainKey(kind) {
			kind = ""
		}
		return v.blob(Other, kind)
	}
}

func textOr(v, whole value) Part {
	if v.isText() {
		return v.part()
	}
	return whole.blob(Other, whole.get("type").str())
}

// mediaOf is the media type that a data URL states, else the recording's own word.
func mediaOf(v value, word string) string {
	raw := string(v.raw()[:min(len(v.raw()), 64)])
	if rest, ok := strings.CutPrefix(raw, `"data:`); ok {
		if i := strings.IndexAny(rest, ";,"); i > 0 {
			return rest[:i]
		}
	}
	return word
}

func firstGiven(list ...value) value {
	for _, v := range list {
		if v.given() {
			return v
		}
	}
	return value{}
}

// openAIUsage reads usage under both of the vendor's spellings; nil where nothing is reported.
func openAIUsage(v value) *Usage {
	if !v.isObject() {
		return nil
	}
	in, ok1 := firstGiven(v.get("prompt_tokens"), v.get("input_tokens")).int64()
	out, ok2 := firstGiven(v.get("completion_tokens"), v.get("output_tokens")).int64()
	if !ok1 && !ok2 {
		return nil
	}
	cached, _ := firstGiven(v.get("prompt_tokens_details", "cached_tokens"), v.get("input_tokens_details", "cached_tokens")).int64()
	return &Usage{Input: max(0, in-cached), Cached: cached, Output: out}
}
