package history

import (
	"context"
	"path/filepath"
	"strings"
)

// cline reads the conversations of Cline, Roo and their relatives: session files, and the histories
// in their task folders.
var cline = &Format{
	Name:   "cline",
	Title:  "Cline or Roo task",
	How:    "an object with version, agent, sessionId and messages, or an array of messages with a numeric ts or with results as texts that begin with [tool] Result:",
	detect: detectCline,
	read:   readCline,
}

func detectCline(s *sample) (int, string) {
	for _, r := range s.records {
		if clineSession(r.value) {
			return 96, "an object with version, agent, sessionId and messages"
		}
		if !r.isArray() {
			continue
		}
		stamped, n := 0, 0
		for m := range r.elements() {
			if n++; n > sampleRecords {
				break
			}
			if !m.get("role").is("user") && !m.get("role").is("assistant") || !m.get("content").given() {
				return 0, ""
			}
			if m.get("ts").kind() == number {
				stamped++
			}
			for b := range m.get("content").elements() {
				if _, _, ok := clineHeader(b.get("text")); ok && m.get("role").is("user") {
					return 94, "messages with results as texts that begin with the tool's name and Result:"
				}
			}
		}
		if n > 0 && stamped > 0 {
			return 93, "messages of the roles user and assistant, each with a numeric ts"
		}
	}
	return 0, ""
}

func clineSession(v value) bool {
	return v.get("version").kind() == number && v.get("sessionId").isText() && v.get("messages").isArray() &&
		(v.get("agent").isText() || v.get("updated_at").isText())
}

func readCline(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		messages := rec.value
		if !rec.isArray() {
			messages = rec.get("messages")
		}
		if !messages.isArray() {
			b.problem(rec.at(), "the record has no messages")
			continue
		}
		t := &clineTask{threadBuilder: b.newConversation(firstGiven(rec.get("sessionId"), rec.get("taskId")).str()).thread(Main)}
		t.system(contentPayload(rec.get("system_prompt")))
		for m := range messages.elements() {
			t.message(m)
		}
		if t.c.Conv.Usage == nil {
			t.c.Conv.Usage = clineUsage(ctx, in)
		}
	}
	return in.err()
}

// A clineTask reads messages into a thread. Results may be blocks, or texts in the user's name.
type clineTask struct {
	*threadBuilder
	written value // the newest text of the model, which may have calls in it
}

func (t *clineTask) message(m value) {
	content := m.get("content")
	switch m.get("role").str() {
	case "user":
		t.user(m, content)
	case "assistant":
		t.assistant(m, content)
	default:
		t.c.b.problem(m.at(), "a message has no known role")
	}
}

func (t *clineTask) assistant(m, content value) {
	s := t.step("")
	s.ID, s.Time = m.get("id").str(), timeOf(m)
	if conv := t.c.Conv; conv.Model == "" {
		conv.Model = m.get("modelInfo", "id").str()
		if conv.Model == "" {
			conv.Model = m.get("modelInfo", "modelId").str()
		}
	}
	s.Usage = clineMetrics(m)
	t.c.Conv.Usage = t.c.Conv.Usage.Add(s.Usage)
	t.written = value{}
	if content.isText() {
		t.text(s, content.payload())
		t.written = content
	}
	plain := &anthropicThread{t.threadBuilder}
	for b := range content.elements() {
		plain.block(s, b, m)
		if b.get("type").is("text") {
			t.written = b.get("text")
		}
	}
}

// clineMetrics reads the usage kept with a message: its input counts what came from the cache too.
func clineMetrics(m value) *Usage {
	if tokens := m.get("metrics", "tokens"); tokens.isObject() {
		in, _ := tokens.get("prompt").int64()
		out, _ := tokens.get("completion").int64()
		cached, _ := tokens.get("cached").int64()
		return &Usage{Input: max(0, in-cached), Cached: cached, Output: out}
	}
	u := messageUsage(m)
	if u == nil {
		return nil
	}
	return &Usage{Input: max(0, u.Input-u.Cached), Cached: u.Cached, Output: u.Output}
}

// user reads results, in blocks or in texts, and what a person wrote.
func (t *clineTask) user(m, content value) {
	if content.isText() {
		if !clineHarness(content) {
			t.prompt(content.payload(), content.at())
		}
		return
	}
	var prompt []Part
	var open *clineResult
	person := false
	for b := range content.elements() {
		text := b.get("text")
		tool, from, header := clineHeader(text)
		switch {
		case kindOf(b) == resultBlock:
			t.block(b, m)
		case header:
			open.close(t)
			open = &clineResult{tool: tool, at: text.at(), time: m, written: t.written}
			open.add(textFrom(text, from))
		case b.get("type").is("text") && clineHarness(text):
			open.close(t)
			open = nil
		case open != nil:
			open.parts = append(open.parts, blockParts(b, 0)...)
			open.look(text)
		case b.get("type").is("file") && b.get("content").isText():
			prompt = append(prompt, textParts(b.get("content"))...)
		default:
			prompt = append(prompt, blockParts(b, 0)...)
			person = person || b.get("type").is("text")
		}
	}
	open.close(t)
	if person {
		t.prompt(newPayload(prompt...), content.at())
	}
}

// block reads a result block. Its content may be data that is no list of blocks.
func (t *clineTask) block(b, m value) {
	r := blockResult(b)
	r.Time = timeOf(m)
	if content := b.get("content"); content.isArray() && content.first().isObject() && !content.first().get("type").isText() {
		r.Payload = content.payload()
	}
	t.result(b.get("tool_use_id").str(), b.get("name").str(), r)
}

// clineHarness tells whether the program wrote a text, not a person.
func clineHarness(v value) bool {
	start := head(v, 40)
	for _, mark := range []string{"<environment_details>", "[ERROR] ", "<explicit_instructions", "# task_progress", "[TASK RESUMPTION]"} {
		if strings.HasPrefix(start, mark) {
			return true
		}
	}
	return false
}

// clineUsage adds up what the requests of a task used, which the folder keeps in a file of its own.
func clineUsage(ctx context.Context, in *input) *Usage {
	if !in.onDisk || !strings.HasPrefix(filepath.Base(in.path), "api_conversation_history") {
		return nil
	}
	side, err := in.also(filepath.Join(filepath.Dir(in.path), "ui_messages.json"))
	if err != nil {
		return nil // it is no task folder
	}
	var sum *Usage
	for rec := range side.records(ctx) {
		for m := range rec.elements() {
			if !m.get("say").is("api_req_started") {
				continue
			}
			request, bad := parse(nil, 0, 1, []byte(m.get("text").str()))
			if bad != nil {
				continue
			}
			read, _ := request.get("cacheReads").int64()
			written, _ := request.get("cacheWrites").int64()
			sent, ok := request.get("tokensIn").int64()
			out, _ := request.get("tokensOut").int64()
			if ok {
				sum = sum.Add(&Usage{Input: sent, Cached: read + written, Output: out})
			}
		}
	}
	return sum
}
