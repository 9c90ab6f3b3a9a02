package history

import "context"

// qwenCode reads the sessions of Qwen Code: Claude Code's envelope around Gemini's contents.
var qwenCode = &Format{
	Name:   "qwen-code",
	Title:  "Qwen Code session",
	How:    "JSON Lines with uuid, sessionId and a message that has parts",
	detect: detectQwen,
	read:   readQwen,
}

func detectQwen(s *sample) (int, string) {
	n := 0
	for _, v := range s.items() {
		if v.get("uuid").isText() && v.get("sessionId").isText() && v.get("type").isText() && v.get("message", "parts").isArray() {
			n++
		}
	}
	if n > 0 {
		return 95, "lines with uuid and sessionId whose messages have parts"
	}
	return 0, ""
}

func readQwen(ctx context.Context, in *input, b *builder) error {
	q := &qwenSession{geminiThread: geminiThread{b.conversation("").thread(Main)}, seen: map[string]bool{}}
	for rec := range in.lines(ctx) {
		q.line(rec.value)
	}
	return in.err()
}

// A qwenSession reads lines into a thread.
type qwenSession struct {
	geminiThread
	seen map[string]bool // uuids of lines: a resume may write them again
}

func (q *qwenSession) line(v value) {
	if uuid := v.get("uuid").str(); uuid != "" {
		if q.seen[uuid] {
			return
		}
		q.seen[uuid] = true
	}
	conv, parts := q.c.Conv, v.get("message", "parts")
	if id := v.get("sessionId").str(); id != "" {
		conv.ID = id
	}
	switch v.get("type").str() {
	case "user":
		if v.get("subtype").given() {
			return // a notification
		}
		q.prompt(geminiPayload(parts), placeOf(parts, v))
	case "assistant":
		s := q.step("")
		s.ID, s.Time, s.Usage = v.get("uuid").str(), v.get("timestamp").time(), geminiUsage(v.get("usageMetadata"))
		conv.Usage = conv.Usage.Add(s.Usage)
		if conv.Model == "" {
			conv.Model = v.get("model").str()
		}
		q.model(s, parts)
	case "tool_result":
		q.results(v, parts)
	case "system":
		if v.get("subtype").is("chat_compression") {
			var summary Payload
			for m := range v.get("systemPayload", "compressedHistory").elements() {
				summary = summary.join(geminiPayload(m.get("parts")))
			}
			q.compact(summary)
		}
	default:
		if !v.get("type").isText() {
			q.c.b.problem(v.at(), "the line has no type")
		}
	}
}

// results reads the responses of a line, and the media that stand behind one.
func (q *qwenSession) results(v, parts value) {
	var last *Result
	for p := range parts.elements() {
		f := geminiResponse(p)
		if !f.isObject() {
			if last != nil {
				last.Payload = last.Payload.join(newPayload(geminiContent(p)...))
			}
			continue
		}
		r := geminiResult(f)
		r.Time = v.get("timestamp").time()
		if status := v.get("toolCallResult", "status"); status.is("error") || status.is("cancelled") {
			r.Error, r.Failed = true, true
		}
		q.outcome(p, r)
		last = r
	}
}
