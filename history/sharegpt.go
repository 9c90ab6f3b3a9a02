package history

import (
	"bytes"
	"context"
	"strings"
)

// shareGPT reads training sets of conversations whose messages have from and value.
var shareGPT = &Format{
	Name:   "sharegpt",
	Title:  "ShareGPT training set",
	How:    "conversations of messages with from and value, calls in messages from function_call or in tags",
	detect: detectShareGPT,
	read:   readShareGPT,
}

func detectShareGPT(s *sample) (int, string) {
	for _, v := range s.items() {
		if m := v.get("conversations").first(); m.get("from").isText() && m.get("value").isText() {
			return 92, "conversations of messages with from and value"
		}
	}
	return 0, ""
}

func readShareGPT(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		for v := range oneOrMore(rec.value) {
			list := v.get("conversations")
			if !list.isArray() {
				b.problem(v.at(), "the record has no conversations")
				continue
			}
			t := &taggedThread{b.newConversation(wordOf(v.get("id"))).thread(Main)}
			t.system(v.get("system").payload())
			t.system(v.get("tools").payload())
			for m := range list.elements() {
				t.shareGPT(m)
			}
		}
	}
	return in.err()
}

// A taggedThread reads messages whose calls and results are JSON in their text.
type taggedThread struct{ *threadBuilder }

func (t *taggedThread) shareGPT(m value) {
	text := m.get("value")
	switch from := m.get("from").str(); from {
	case "system":
		t.system(text.payload())
	case "human", "user":
		t.prompt(text.payload(), m.at())
	case "gpt", "assistant", "chatgpt", "model":
		t.answer(text)
	case "function_call":
		if text.isText() {
			t.written(t.step(""), text)
		}
	case "observation", "tool", "function":
		t.results(text)
	default:
		t.c.b.problem(m.at(), "a message is from nobody known")
	}
}

const (
	callTag, callEnd     = "<tool_call>", "</tool_call>"
	resultTag, resultEnd = "<tool_response>", "</tool_response>"
)

// answer reads what a model wrote, with calls between tags.
func (t *taggedThread) answer(text value) {
	s := t.step("")
	t.text(s, text.payload())
	for _, at := range tagged(text, callTag, callEnd) {
		t.writtenIn(s, text, at[0], at[1])
	}
}

// results reads what tools gave: all of a text, or the stretches between tags that begin it.
func (t *taggedThread) results(text value) {
	list := tagged(text, resultTag, resultEnd)
	if len(list) == 0 || !strings.HasPrefix(strings.TrimSpace(head(text, 64)), resultTag) {
		t.result("", "", &Result{Payload: text.payload(), At: text.at()})
		return
	}
	for _, at := range list {
		raw := string(text.inner()[at[0]:at[1]])
		from := at[0] + len(raw) - len(strings.TrimPrefix(raw, `\n`))
		to := max(from, at[1]-len(raw)+len(strings.TrimSuffix(raw, `\n`)))
		t.result("", "", &Result{Payload: excerpt(text, from, to), At: excerptAt(text, from)})
	}
}

// written reads calls that are the whole of a text: one, or a list of parallel ones.
func (t *taggedThread) written(s *Step, text value) { t.writtenIn(s, text, 0, len(text.inner())) }

// writtenIn reads calls that are a stretch of a text.
func (t *taggedThread) writtenIn(s *Step, text value, from, to int) {
	at := excerptAt(text, from)
	var b bytes.Buffer
	_, _, _ = unescape(&b, text.inner()[from:to], true)
	src := memorySource(at.File, b.Bytes())
	src.places = []place{{0, at}}
	v, bad := parse(src, 0, 1, src.memory)
	if bad != nil || !v.isObject() && !v.isArray() {
		t.call(s, "", "", excerpt(text, from, to), at).Flags |= InvalidArguments
		return
	}
	for call := range oneOrMore(v) {
		name, arguments := chatCall(call)
		t.callWith(s, call.get("id").str(), name.str(), firstGiven(arguments, call.get("parameters")), at)
	}
}
