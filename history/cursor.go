package history

import "context"

// cursor reads the transcripts of Cursor's agents.
var cursor = &Format{
	Name:   "cursor",
	Title:  "Cursor agent transcript",
	How:    "JSON Lines with a role and a message that has content blocks, calls without ids",
	detect: detectCursor,
	read:   readCursor,
}

func detectCursor(s *sample) (int, string) {
	n := 0
	for _, v := range s.items() {
		if cursorLine(v) {
			n++
		}
	}
	if n > 0 {
		return 92, "lines with a role beside a message of content blocks, without id and time"
	}
	return 0, ""
}

func cursorLine(v value) bool {
	return (v.get("role").is("user") || v.get("role").is("assistant")) && v.get("message", "content").isArray() &&
		!v.get("type").ok() && !v.get("message", "role").ok()
}

// readCursor pairs by order: calls have no ids, so those of results belong to nothing.
func readCursor(ctx context.Context, in *input, b *builder) error {
	t := &anthropicThread{b.conversation("").thread(Main)}
	for rec := range in.lines(ctx) {
		content := rec.get("message", "content")
		switch {
		case !cursorLine(rec.value):
			b.problem(rec.at(), "the line has no role or no message")
		case rec.get("role").is("assistant"):
			s := t.step("")
			for block := range content.elements() {
				t.block(s, block, rec.value)
			}
		default:
			for block := range content.elements() {
				if kindOf(block) == resultBlock {
					t.result(cursorID(t.threadBuilder, block), "", blockResult(block))
				}
			}
			if p, ok := promptOf(content); ok {
				t.prompt(p, content.at())
			}
		}
	}
	return in.err()
}

// cursorID is the id of a result where a call has it, else empty.
func cursorID(t *threadBuilder, result value) string {
	id := result.get("tool_use_id").str()
	if t.pairs[id] == nil {
		return ""
	}
	return id
}
