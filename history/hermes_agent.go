package history

import "context"

// hermesAgent reads sessions of Hermes Agent, as it keeps and as it exports them: chat messages with
// what the session was about.
var hermesAgent = &Format{
	Name:   "hermes-agent",
	Title:  "Hermes Agent session",
	How:    "a session with its start, a system_prompt and chat messages",
	detect: detectHermes,
	read:   readHermes,
}

func detectHermes(s *sample) (int, string) {
	for _, v := range s.items() {
		if v.get("session_id").isText() && v.get("session_start").ok() && v.get("system_prompt").ok() && v.get("messages").isArray() {
			return 92, "a session with session_start, system_prompt and chat messages"
		}
		if v.get("id").isText() && v.get("source").isText() && v.get("started_at").ok() && v.get("system_prompt").ok() && v.get("messages").isArray() {
			return 92, "a session with source, started_at, system_prompt and chat messages"
		}
	}
	return 0, ""
}

func readHermes(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		for v := range oneOrMore(rec.value) {
			if !v.get("messages").isArray() {
				b.problem(v.at(), "the record has no messages")
				continue
			}
			c := b.newConversation(firstGiven(v.get("session_id"), v.get("id")).str())
			c.Conv.Usage = hermesUsage(v)
			c.Conv.Model, c.Conv.Title = v.get("model").str(), v.get("title").str()
			t := c.thread(Main)
			t.system(v.get("system_prompt").payload())
			t.system(v.get("tools").payload())
			chat := &chatReader{b: b}
			for m := range v.get("messages").elements() {
				switch role := m.get("role"); {
				case role.is("session_meta"):
					// Nothing that the model reads.
				case role.is("tool"):
					t.result(m.get("tool_call_id").str(), firstGiven(m.get("tool_name"), m.get("name")).str(), chatResult(m))
				default:
					chat.message(t, m)
				}
			}
		}
	}
	return in.err()
}

// hermesUsage reads the totals of an exported session; nil where there are none.
func hermesUsage(v value) *Usage {
	n := func(key string) int64 { i, _ := v.get(key).int64(); return i }
	u := Usage{Input: n("input_tokens"), Cached: n("cache_read_tokens") + n("cache_write_tokens"), Output: n("output_tokens")}
	if u == (Usage{}) {
		return nil
	}
	return &u
}
