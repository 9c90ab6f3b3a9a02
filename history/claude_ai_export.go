package history

import "context"

// claudeAIExport reads the conversations of a Claude.ai export.
var claudeAIExport = &Format{
	Name:   "claude-ai-export",
	Title:  "Claude.ai export",
	How:    "conversations with chat_messages from a sender",
	detect: detectClaudeAI,
	read:   readClaudeAI,
}

func detectClaudeAI(s *sample) (int, string) {
	for _, v := range s.items() {
		if v.get("chat_messages").isArray() && v.get("uuid").isText() {
			return 94, "conversations with chat_messages"
		}
	}
	return 0, ""
}

func readClaudeAI(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		for v := range oneOrMore(rec.value) {
			if !v.get("chat_messages").isArray() {
				b.problem(v.at(), "the record has no chat_messages")
				continue
			}
			c := b.newConversation(v.get("uuid").str())
			c.Conv.Title, c.Conv.Model = v.get("name").str(), v.get("model").str()
			t := &anthropicThread{c.thread(Main)}
			for m := range v.get("chat_messages").elements() {
				t.exported(m)
			}
		}
	}
	return in.err()
}

// exported reads a message: all that the model did until a person wrote again is one, results
// included, and each run of results ends a step.
func (t *anthropicThread) exported(m value) {
	content := m.get("content")
	if !content.first().ok() {
		content = m.get("text")
	}
	if !m.get("sender").is("assistant") {
		parts := contentParts(content, 0)
		for file := range m.get("attachments").elements() {
			parts = append(parts, textParts(file.get("extracted_content"))...)
		}
		for file := range m.get("files").elements() {
			parts = append(parts, file.blob(Document, "file"))
		}
		t.prompt(newPayload(parts...), m.at())
		return
	}
	var s *Step
	answered := true
	next := func() {
		if answered {
			s = t.step("")
			s.ID, s.Time = m.get("uuid").str(), timeOf(m)
		}
		answered = false
	}
	if content.isText() {
		next()
		t.text(s, content.payload())
	}
	for b := range content.elements() {
		if kindOf(b) == resultBlock {
			t.answerOf(b, m)
			answered = true
			continue
		}
		next()
		t.block(s, b, m)
	}
}
