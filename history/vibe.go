package history

import "context"

// vibe reads sessions of Mistral Vibe: chat messages, one a line, each with an id of its own.
var vibe = &Format{
	Name:   "vibe",
	Title:  "Mistral Vibe session",
	How:    "lines of chat messages with a message_id",
	detect: detectVibe,
	read:   readVibe,
}

func detectVibe(s *sample) (int, string) {
	messages, calls, others := 0, 0, 0
	for _, v := range s.items() {
		if !v.get("message_id").isText() || !v.get("role").isText() || v.get("content").isArray() || v.get("id").ok() {
			others++
			continue
		}
		messages++
		if v.get("tool_calls").isArray() || v.get("role").is("tool") {
			calls++
		}
	}
	switch {
	case messages == 0 || others > messages:
		return 0, ""
	case calls > 0:
		return 86, "chat messages with a message_id each"
	}
	return 40, "chat messages with a message_id each, without calls"
}

func readVibe(ctx context.Context, in *input, b *builder) error {
	t := b.conversation("").thread(Main)
	chat := &chatReader{b: b}
	for rec := range in.records(ctx) {
		for m := range oneOrMore(rec.value) {
			if s := chat.message(t, m); s != nil {
				s.ID = m.get("message_id").str()
			}
		}
	}
	return in.err()
}
