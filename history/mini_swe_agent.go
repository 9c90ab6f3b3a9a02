package history

import (
	"context"
	"strings"
)

// miniSWEAgent reads trajectories of mini-swe-agent: its first version writes a command into the
// text and gets its output in a user message, the second calls tools.
var miniSWEAgent = &Format{
	Name:   "mini-swe-agent",
	Title:  "mini-swe-agent trajectory",
	How:    "messages with a trajectory_format, or messages with a fenced command that are answered by a returncode and an output",
	detect: detectMiniSWE,
	read:   readMiniSWE,
}

func detectMiniSWE(s *sample) (int, string) {
	for _, v := range s.items() {
		if begins(v.get("trajectory_format"), "mini-swe-agent") && v.get("messages").isArray() {
			return 96, "a trajectory_format of mini-swe-agent"
		}
	}
	commands, answers := 0, 0
	for _, m := range s.items() {
		switch content := m.get("content"); {
		case m.get("role").is("assistant") && len(fences(content)) == 1:
			commands++
		case m.get("role").is("user") && begins(content, returnCode):
			answers++
		}
	}
	if commands > 0 && answers > 0 {
		return 85, "messages with a fenced command that are answered by a returncode and an output"
	}
	return 0, ""
}

const returnCode = "<returncode>"

func readMiniSWE(ctx context.Context, in *input, b *builder) error {
	var bare *miniSWEThread // of messages without an object around them
	for rec := range in.records(ctx) {
		v, list := rec.value, rec.get("messages")
		if list.isArray() {
			c := b.newConversation("")
			c.Conv.Model = v.get("info", "config", "model", "model_name").str()
			newMiniSWEThread(c).messages(list)
			continue
		}
		if bare == nil {
			bare = newMiniSWEThread(b.conversation(""))
		}
		bare.messages(v)
	}
	return in.err()
}

type miniSWEThread struct {
	*threadBuilder
	chat  *chatReader
	items *responsesThread
	open  string // the command that the next user message answers
}

func newMiniSWEThread(c *convBuilder) *miniSWEThread {
	t := c.thread(Main)
	return &miniSWEThread{t, &chatReader{b: c.b}, &responsesThread{threadBuilder: t}, ""}
}

func (t *miniSWEThread) messages(list value) {
	var all []value
	for m := range oneOrMore(list) {
		all = append(all, m)
	}
	for i, m := range all {
		content := m.get("content")
		switch role := m.get("role"); {
		case m.get("type").is("function_call_output"):
			t.answer(m, m.get("call_id").str(), m.get("output"))
		case m.get("output").isArray():
			t.items.open = false
			for item := range m.get("output").elements() {
				t.items.item(item)
			}
			if len(t.items.touched) > 0 {
				t.reported(t.items.touched[len(t.items.touched)-1], m)
			}
		case role.is("exit"), m.get("type").is("exit"):
			// What the agent handed in: no tool gave it back.
		case role.is("assistant"):
			s := t.chat.answer(t.threadBuilder, m)
			t.reported(s, m)
			t.open = ""
			if blocks := fences(content); len(s.Calls) == 0 && len(blocks) == 1 {
				f := blocks[0]
				t.open = t.call(s, "", command, excerpt(content, f.from, f.to), excerptAt(content, f.from)).ID
			}
		case role.is("tool"):
			t.answer(m, m.get("tool_call_id").str(), content)
		case role.is("user") && t.open != "":
			// The last message may be what the agent handed in instead.
			if i < len(all)-1 || begins(content, returnCode) {
				t.answer(m, t.open, content)
			}
			t.open = ""
		default:
			t.chat.message(t.threadBuilder, m)
		}
	}
}

// reported notes when a response was given and what it was billed.
func (t *miniSWEThread) reported(s *Step, m value) {
	extra := m.get("extra")
	s.Time = extra.get("timestamp").time()
	s.Usage = openAIUsage(firstGiven(extra.get("response", "usage"), m.get("usage")))
	t.c.Conv.Usage = t.c.Conv.Usage.Add(s.Usage)
	if t.c.Conv.Model == "" {
		t.c.Conv.Model = firstGiven(extra.get("response", "model"), m.get("model")).str()
	}
}

func (t *miniSWEThread) answer(m value, id string, content value) {
	extra := m.get("extra")
	r := &Result{Payload: typedContent(content), At: placeOf(content, m), Time: extra.get("timestamp").time()}
	r.Error = len(extra.get("exception_info").inner()) > 0
	r.Failed = r.Error
	if miniSWECut(content) {
		r.Flags |= TruncatedByRecorder
		if whole := extra.get("raw_output"); whole.isText() && whole.payload().Size().Bytes > r.Payload.Size().Bytes {
			size := r.Payload.Size()
			r.Payload, r.At, r.Recorded = whole.payload(), whole.at(), &size
			r.Flags = OffloadedByRecorder
		}
	}
	t.result(id, "", r)
}

// miniSWECut tells whether a result shows the beginning and the end of an output only.
func miniSWECut(content value) bool {
	if !begins(content, returnCode) || !strings.HasSuffix(strings.TrimSpace(tail(content, 64)), "</output_tail>") {
		return false
	}
	_, rest, _ := strings.Cut(head(content, 512), "</returncode>")
	rest = strings.TrimSpace(rest)
	return strings.HasPrefix(rest, "<warning>") || strings.HasPrefix(rest, "<output_head>")
}
