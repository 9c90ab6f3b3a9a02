package history

import "context"

// kiro reads the sessions of the Kiro command line.
var kiro = &Format{
	Name:   "kiro",
	Title:  "Kiro session",
	How:    "JSON Lines with version, data and a kind such as Prompt, AssistantMessage and ToolResults",
	detect: detectKiro,
	read:   readKiro,
}

func detectKiro(s *sample) (int, string) {
	for _, v := range s.items() {
		if kiroLine(v) {
			return 95, "lines with a version and a kind such as Prompt, AssistantMessage and ToolResults"
		}
	}
	return 0, ""
}

func kiroLine(v value) bool {
	if !v.get("version").isText() || !v.get("data").isObject() {
		return false
	}
	kind := v.get("kind")
	return kind.is("Prompt") || kind.is("AssistantMessage") || kind.is("ToolResults")
}

// readKiro takes results from the content of a line: its map of results has the same ones again, as
// the program keeps them.
func readKiro(ctx context.Context, in *input, b *builder) error {
	t := b.conversation("").thread(Main)
	for rec := range in.lines(ctx) {
		data := rec.get("data")
		content := data.get("content")
		when := firstGiven(data.get("meta", "timestamp"), data.get("timestamp"), rec.get("timestamp")).time()
		switch rec.get("kind").str() {
		case "Prompt":
			t.prompt(kiroContent(content), placeOf(content, rec.value))
		case "AssistantMessage":
			s := t.step("")
			s.ID, s.Time = data.get("message_id").str(), when
			for c := range content.elements() {
				kiroBlock(t, s, c)
			}
		case "ToolResults":
			for c := range content.elements() {
				if r := c.get("data"); c.get("kind").is("toolResult") {
					failed := r.get("status").is("error")
					t.result(r.get("toolUseId").str(), "", &Result{Payload: kiroContent(r.get("content")), Error: failed, Failed: failed,
						At: placeOf(r.get("content"), c), Time: when})
				}
			}
		case "Compaction", "Summary":
			t.compact(kiroContent(firstGiven(data.get("summary"), content)))
		default:
			if !rec.get("kind").isText() {
				b.problem(rec.at(), "the line has no kind")
			}
		}
	}
	return in.err()
}

func kiroBlock(t *threadBuilder, s *Step, c value) {
	data := c.get("data")
	switch c.get("kind").str() {
	case "toolUse":
		t.callWith(s, data.get("toolUseId").str(), data.get("name").str(), data.get("input"), c.at())
	case "thinking":
		if t.c.Conv.Model == "" {
			t.c.Conv.Model = data.get("modelId").str()
		}
		t.text(s, newPayload(textParts(data.get("text"))...))
	default:
		t.text(s, newPayload(kiroPart(c)))
	}
}

func kiroContent(v value) Payload {
	if !v.isArray() {
		return v.payload()
	}
	var parts []Part
	for c := range v.elements() {
		parts = append(parts, kiroPart(c))
	}
	return newPayload(parts...)
}

// kiroPart is one piece of content: its data is text, JSON or something else by its kind.
func kiroPart(c value) Part {
	data := c.get("data")
	switch kind := c.get("kind").str(); kind {
	case "text", "json":
		if data.given() {
			return data.part()
		}
	case "image":
		return firstGiven(data.get("source", "data"), data.get("bytes"), data, c).blob(Image, firstGiven(data.get("format"), c.get("kind")).str())
	case "document":
		return firstGiven(data, c).blob(Document, kind)
	}
	return c.blob(Other, c.get("kind").str())
}
