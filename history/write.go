package history

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// A WriteFormat is a format that conversations can be written in.
type WriteFormat struct {
	Name string // as a Format has it
	// Many tells whether one file holds several conversations, and Threads whether subagents'
	// threads stand in their conversation; else each becomes a conversation of its own.
	Many, Threads bool
	Ext           string // what its files end in
	Loses         string // what it has no place for, in words that go on from "without"

	write func(w *writer, c chapter)
}

// writeFormats is the registry of what can be written.
var writeFormats = []WriteFormat{
	{Name: "openai-chat", Many: true, Ext: ".json", write: writeChat,
		Loses: "error flags, times, usage, marks of compaction, and what tells reasoning from text"},
	{Name: "openai-responses", Many: true, Ext: ".json", write: writeResponses,
		Loses: "titles, times, usage, marks of compaction, and what tells reasoning from text"},
	{Name: "anthropic-messages", Many: true, Ext: ".json", write: writeAnthropic,
		Loses: "times, usage, marks of compaction, and what tells reasoning from text"},
	{Name: "claude-code", Threads: true, Ext: ".jsonl", write: writeClaudeCode,
		Loses: "system prompts, tool definitions, and what tells reasoning from text"},
	{Name: "mcp-jsonrpc", Ext: ".jsonl", write: writeMCP,
		Loses: "prompts, the model's words, turns, titles, times and usage"},
	{Name: "gemini-contents", Many: true, Ext: ".json", write: writeGemini,
		Loses: "titles, times, usage, marks of compaction, and what tells reasoning from text"},
}

// DefaultWriteFormat is what recordings are written in whose own format can't be.
const DefaultWriteFormat = "openai-chat"

// WriteFormats lists the formats that conversations can be written in.
func WriteFormats() []WriteFormat { return slices.Clone(writeFormats) }

// WriteFormatOf finds the format in which recordings of the format of this name are written: the same,
// or DefaultWriteFormat.
func WriteFormatOf(name string) WriteFormat {
	for _, f := range writeFormats {
		if f.Name == name {
			return f
		}
	}
	return writeFormats[0]
}

// Holds tells whether one file of f can hold all of these conversations, each with its threads.
func (f WriteFormat) Holds(conversations []*Conversation) bool {
	return f.Many || len(chapters(f, conversations)) <= 1
}

// Written is what is written for a result in the place of its payload.
type Written struct {
	// Text stands in the place of the payload's text; parts that are not text stay behind it. With an
	// empty Text nothing of the result is written.
	Text Payload
	// Instructions are passed on as a system-level message behind the result; empty for none.
	Instructions string
}

// WriteOptions say how conversations are written. The zero value writes what was recorded.
type WriteOptions struct {
	// Result, where set, is asked once for each result, at the time when it is written: false keeps the
	// payload as it was recorded.
	Result func(*Call) (Written, bool, error)
}

// Write writes conversations in the format f: one document where it is one conversation of a format
// that has documents, JSON Lines otherwise. What is read back are the same calls, results, prompts and
// texts, as far as f has a place for them (see WriteFormat.Loses).
//
// Payloads are copied piece by piece and never held. Several conversations, or threads, need a format
// that has a place for them: see WriteFormat.Holds.
func Write(w io.Writer, f WriteFormat, conversations []*Conversation, o WriteOptions) error {
	list := chapters(f, conversations)
	if !f.Holds(conversations) {
		return fmt.Errorf("one file of %s can't hold %d conversations", f.Name, len(list))
	}
	out := &writer{jsonOut: jsonOut{w: bufio.NewWriterSize(w, textChunk), lines: len(list) > 1 || !f.Many}, o: o}
	for _, c := range list {
		f.write(out, c)
		out.line()
	}
	if out.err != nil {
		return out.err
	}
	return out.w.Flush()
}

// A chapter is what is written as one conversation.
type chapter struct {
	*Conversation
	id      string
	threads []*Thread
}

// chapters divides conversations where a format has no place for subagents.
func chapters(f WriteFormat, conversations []*Conversation) []chapter {
	var list []chapter
	for _, c := range conversations {
		if f.Threads {
			list = append(list, chapter{c, c.ID, c.Threads})
			continue
		}
		for i, t := range c.Threads {
			id := c.ID
			if i > 0 {
				id += ":" + t.Name
			}
			list = append(list, chapter{c, id, c.Threads[i : i+1]})
		}
	}
	return list
}

// main is the thread of a chapter that has only one.
func (c chapter) main() *Thread { return c.threads[0] }

// A writer writes chapters in some format.
type writer struct {
	jsonOut
	o WriteOptions
}

// An entry is what a result is written as.
type entry struct {
	payload      Payload
	structured   *Payload
	instructions string
}

// entry asks what to write for the result of c.
func (w *writer) entry(c *Call) entry {
	e := entry{payload: c.Result.Payload, structured: c.Result.Structured}
	if w.o.Result == nil || w.err != nil {
		return e
	}
	put, replace, err := w.o.Result(c)
	if err != nil {
		w.err = err
		return e
	}
	if !replace {
		return e
	}
	e = entry{payload: put.Text, instructions: put.Instructions}
	for _, p := range c.Result.Payload.Parts() {
		if p.Kind != Text && !put.Text.empty() {
			e.payload = e.payload.join(newPayload(p))
		}
	}
	return e
}

// toolLists divides a system prompt into the lists of tools, which are JSON, and what is said in words.
func toolLists(system Payload) (tools, words []Part) {
	for _, p := range system.Parts() {
		if p.Kind == Text && isToolList(p) {
			tools = append(tools, p)
		} else {
			words = append(words, p)
		}
	}
	return tools, words
}

// isToolList tells whether a text is the JSON of tool definitions.
func isToolList(p Part) bool {
	if head, err := p.head(1); err != nil || string(head) != "[" {
		return false
	}
	text, err := p.Text()
	if err != nil {
		return false
	}
	v, bad := parse(nil, 0, 1, text)
	if bad != nil || !v.first().isObject() {
		return false
	}
	for e := range v.elements() {
		if !e.get("name").isText() && !e.get("type").isText() && !e.get("function").isObject() &&
			!geminiTools(e) {
			return false
		}
	}
	return true
}

func geminiTools(v value) bool {
	return v.get("functionDeclarations").isArray() || v.get("function_declarations").isArray()
}
