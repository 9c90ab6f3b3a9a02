package history

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// writeClaudeCode writes a session: one line for each message, the lines of subagents among those of
// the main thread. System prompts have no place in it.
func writeClaudeCode(w *writer, c chapter) {
	s := &claudeWriter{writer: w, chapter: c, parents: map[*Thread]string{}}
	s.session = c.id
	if first := c.threads[0]; first.Subagent() {
		s.session = strings.TrimSuffix(c.id, ":"+first.Name)
	}
	if c.Title != "" {
		w.typed("custom-title")
		w.member("sessionId", s.session)
		w.member("customTitle", c.Title)
		w.close("}")
		w.line()
	}
	for _, e := range interleaved(c.threads) {
		switch e.kind {
		case promptPassage:
			s.prompt(e.thread, e.turn)
		case answerPassage:
			s.answer(e.thread, e.turn, e.step)
		case resultPassage:
			if !contained(e.call) {
				s.result(e.thread, e.call)
			}
		}
	}
}

// A threadPassage is a passage with the thread that it is of.
type threadPassage struct {
	passage
	thread *Thread
	order  int // of the call that was made last, or comes next
}

// interleaved puts the passages of several threads in the order in which calls were made. Threads begin
// in their order.
func interleaved(threads []*Thread) []threadPassage {
	lists := make([][]threadPassage, len(threads))
	total, first := 0, 0
	for i, t := range threads {
		for _, e := range t.passages() {
			lists[i] = append(lists[i], threadPassage{passage: e, thread: t, order: -1})
		}
		first = order(lists[i], first)
		total += len(lists[i])
	}
	list := make([]threadPassage, 0, total)
	started := 0 // threads before this one have begun
	for len(list) < total {
		next := -1
		for i := 0; i <= min(started, len(lists)-1); i++ {
			if len(lists[i]) > 0 && (next < 0 || lists[i][0].order < lists[next][0].order) {
				next = i
			}
		}
		if next < 0 || next == started {
			started++
		}
		if next >= 0 {
			list = append(list, lists[next][0])
			lists[next] = lists[next][1:]
		}
	}
	return list
}

// order fills in the orders of a thread, and returns the first of them. before is that of the thread
// before, which counts where this one has no calls.
func order(list []threadPassage, before int) int {
	last := -1
	for i := range list {
		if e := &list[i]; e.kind == answerPassage && len(e.step.made()) > 0 {
			last = e.step.made()[0].Order
		}
		list[i].order = last
	}
	next := last
	if next < 0 {
		next = before
	}
	for i := len(list) - 1; i >= 0; i-- {
		e := &list[i]
		if e.kind == answerPassage && len(e.step.made()) > 0 {
			next = e.order
		} else if e.kind != resultPassage || e.order < 0 {
			e.order = next
		}
	}
	return next
}

type claudeWriter struct {
	*writer
	chapter
	session string
	written int                // lines
	parents map[*Thread]string // the uuid of the line before, by thread
}

// begin begins a line, up to the message.
func (s *claudeWriter) begin(t *Thread, kind string, when time.Time) {
	s.typed(kind)
	parent := s.parents[t]
	s.key("parentUuid")
	if parent == "" {
		s.literal("null")
	} else {
		s.str(parent)
	}
	s.written++
	h := sha256.Sum256([]byte(s.id + " " + strconv.Itoa(s.written)))
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80 // version 8: of one's own making, the same each time
	uuid := fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
	s.parents[t] = uuid
	s.member("uuid", uuid)
	s.member("sessionId", s.session)
	s.key("isSidechain")
	s.literal(strconv.FormatBool(t.Subagent()))
	if t.Subagent() {
		s.member("agentId", t.Name)
	}
	if !when.IsZero() {
		s.member("timestamp", when.Format(time.RFC3339Nano))
	}
}

func (s *claudeWriter) message(role string) {
	s.key("message")
	s.open("{")
	s.member("role", role)
}

func (s *claudeWriter) end() {
	s.close("}") // the message
	s.close("}")
	s.line()
}

func (s *claudeWriter) prompt(t *Thread, u *Turn) {
	if u.Compacted {
		var summary Payload
		if len(u.Steps) > 0 {
			summary = u.Steps[0].Summary
		}
		s.compaction(t, summary)
	}
	s.begin(t, "user", time.Time{})
	s.message("user")
	s.key("content")
	s.anthropicContent(u.Prompt)
	s.end()
}

// compaction says that the recorder replaced what came before by summary.
func (s *claudeWriter) compaction(t *Thread, summary Payload) {
	if s.parents[t] != "" {
		s.begin(t, "system", time.Time{})
		s.member("subtype", "compact_boundary")
		s.close("}")
		s.line()
		if summary.empty() {
			return
		}
	} // else the thread begins with a summary
	s.begin(t, "user", time.Time{})
	s.key("isCompactSummary")
	s.literal("true")
	s.message("user")
	s.key("content")
	s.anthropicContent(summary)
	s.end()
}

func (s *claudeWriter) answer(t *Thread, u *Turn, step *Step) {
	if step.Compacted && !(u.Compacted && u.Steps[0] == step) { // else its prompt said so
		s.compaction(t, step.Summary)
	}
	s.begin(t, "assistant", step.Time)
	s.member("requestId", "req_"+strconv.Itoa(s.written))
	if t.Agent != "" {
		s.member("attributionAgent", t.Agent)
	}
	s.message("assistant")
	s.given("id", step.ID)
	s.given("model", s.Model)
	s.key("content")
	s.anthropicAnswer(step)
	if u := step.Usage; u != nil {
		s.key("usage")
		s.literal(fmt.Sprintf(`{"input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d}`, u.Input, u.Cached, u.Output))
	}
	s.end()
}

func (s *claudeWriter) result(t *Thread, c *Call) {
	when := c.Result.Time
	if when.IsZero() && c.Flags.Has(IDReused) {
		// Without any time it would be taken for the first result once more.
		when = time.UnixMilli(int64(s.written)).UTC()
	}
	s.begin(t, "user", when)
	s.message("user")
	s.key("content")
	s.open("[")
	if in := s.anthropicResult(c); in != "" {
		s.reminder(in)
	}
	s.close("]")
	s.end()
}
