package history

import "context"

// geminiCLIResponses reads the responses that Gemini CLI records to be played again without the API: a
// call of the API a line, with its method and what came back. The requests are not recorded, and the
// results of tools stand in these.
var geminiCLIResponses = &Format{
	Name:   "gemini-cli-responses",
	Title:  "Gemini CLI recorded responses",
	How:    "lines with a method of Gemini's API and its response: an object, or a list of the pieces of a stream",
	detect: detectGeminiResponses,
	read:   readGeminiResponses,
}

// geminiRecorded are the pieces of the response in v; nothing where v is no recorded response.
func geminiRecorded(v value) value {
	switch v.get("method").str() {
	case "generateContent", "generateContentStream":
		if r := v.get("response"); r.isObject() || r.isArray() {
			return r
		}
	}
	return value{}
}

func detectGeminiResponses(s *sample) (int, string) {
	for _, v := range s.items() {
		for piece := range oneOrMore(geminiRecorded(v)) {
			if piece.get("candidates").first().get("content").isObject() && !v.get("request").ok() {
				return 94, "lines with the method generateContent or generateContentStream and a response"
			}
		}
	}
	return 0, ""
}

func readGeminiResponses(ctx context.Context, in *input, b *builder) error {
	t := &geminiThread{b.conversation("").thread(Main)}
	for rec := range in.lines(ctx) {
		switch r := geminiRecorded(rec.value); {
		case r.ok():
			t.recorded(r)
		case !rec.get("method").isText(): // counting tokens and embedding have methods too
			b.problem(rec.at(), "the record is no response of Gemini's API")
		}
	}
	return in.err()
}

// recorded reads a response. Each piece of a stream counts the tokens of all before it.
func (t *geminiThread) recorded(response value) {
	var s *Step
	for piece := range oneOrMore(response) {
		content := piece.get("candidates").first().get("content")
		if content.isObject() {
			if s == nil {
				s = t.step("")
			}
			t.model(s, content.get("parts"))
		}
		if s == nil {
			continue
		}
		if id := geminiField(piece, "responseId", "response_id").str(); id != "" {
			s.ID = id
		}
		if u := geminiUsage(geminiField(piece, "usageMetadata", "usage_metadata")); u != nil {
			s.Usage = u
		}
		if conv := t.c.Conv; conv.Model == "" {
			conv.Model = geminiField(piece, "modelVersion", "model_version").str()
		}
	}
	if s != nil {
		t.c.Conv.Usage = t.c.Conv.Usage.Add(s.Usage)
	}
}
