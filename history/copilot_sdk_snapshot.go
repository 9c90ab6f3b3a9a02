package history

import (
	"context"
	"slices"
)

// copilotSnapshot reads the snapshots that the Copilot SDK's tests replay: requests in chat form,
// each with all of its history, and the summaries that replace it.
var copilotSnapshot = &Format{
	Name:   "copilot-sdk-snapshot",
	Title:  "Copilot SDK snapshot",
	How:    "conversations with chat messages, and the models that they were held with, as YAML",
	detect: detectCopilotSnapshot,
	read:   readCopilotSnapshot,
}

func detectCopilotSnapshot(s *sample) (int, string) {
	for _, v := range s.items() {
		c := v.get("conversations").first()
		if c.get("messages").isArray() && v.get("models").isArray() {
			return 90, "conversations with chat messages, and a list of models"
		}
	}
	return 0, ""
}

// compactionPrompt stands for the message that asks for a summary of what came before.
const compactionPrompt = "${compaction_prompt}"

func readCopilotSnapshot(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		list := rec.get("conversations")
		if !list.isArray() {
			b.problem(rec.at(), "the record has no conversations")
			continue
		}
		s := &snapshot{b: b, marks: newRepeats(), model: rec.get("models").first().str()}
		for c := range list.elements() {
			s.conversation(c.get("messages"))
		}
	}
	return in.err()
}

// A snapshot collects the requests of a snapshot's conversations.
type snapshot struct {
	b         *builder
	marks     *repeats
	model     string
	t         *threadBuilder // of the conversation that goes on
	before    []uint64       // what its messages are known by, each with those before it
	compacted bool           // its last request asked for a summary
}

// conversation reads one request. What the one before it had is not read again.
func (s *snapshot) conversation(list value) {
	reader := &chatReader{repeats: s.marks}
	var hash uint64
	var hashes []uint64
	var all []value
	for m := range list.elements() {
		hash = s.marks.mark(hash, reader.chatMessage(m))
		hashes, all = append(hashes, hash), append(all, m)
	}
	known := 0
	for known < len(hashes) && known < len(s.before) && hashes[known] == s.before[known] {
		known++
	}
	asksSummary := known > 0 && slices.ContainsFunc(all[known:], func(m value) bool { return m.get("content").is(compactionPrompt) })
	afterSummary := s.compacted
	switch {
	case s.t != nil && (asksSummary || known == len(s.before) && known > 0):
	case s.t != nil && afterSummary:
		for known = 0; known < len(all) && all[known].get("role").is("system"); known++ {
		}
	default:
		known, afterSummary = 0, false
		s.t = s.b.newConversation("").thread(Main)
		s.t.c.Conv.Model = s.model
	}
	if afterSummary {
		s.t.compact(Payload{}) // the messages begin with it
	}
	for _, m := range all[known:] {
		(&chatReader{}).message(s.t, m)
	}
	s.before, s.compacted = hashes, asksSummary
}
