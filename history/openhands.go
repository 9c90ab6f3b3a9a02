package history

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// openHands reads the events of OpenHands: those of its first generation, with action or
// observation and a cause, and those of its SDK, with a kind. They are a list, lines, the history
// of a benchmark's instance, or a file each in a folder.
var openHands = &Format{
	Name:   "openhands",
	Title:  "OpenHands events",
	How:    "events with source and action or observation (and a cause), or with a kind such as ActionEvent",
	detect: detectOpenHands,
	read:   readOpenHands,
	folder: openHandsFolder,
}

func detectOpenHands(s *sample) (int, string) {
	old, kinds := 0, 0
	look := func(v value) {
		switch {
		case openHandsSource(v) && v.get("kind").isText() && v.get("timestamp").ok() &&
			(strings.HasSuffix(v.get("kind").str(), "Event") || v.get("kind").is("UserRejectObservation") || v.get("kind").is("Condensation")):
			kinds++
		case openHandsAction(v), openHandsObservation(v):
			old++
		}
	}
	for _, v := range s.items() {
		look(v)
		n := 0
		for e := range oneOrMore(firstGiven(v.get("history"), v)) {
			if n++; n > sampleRecords {
				break
			}
			for e := range oneOrMore(e) {
				if e.isObject() && (v.isArray() || v.get("history").ok()) {
					look(e)
				}
			}
		}
	}
	switch {
	case kinds > 0:
		return 92, "events with a source and a kind such as ActionEvent"
	case old > 0:
		return 92, "events with an action and its args, or an observation and its extras"
	}
	return 0, ""
}

func openHandsAction(v value) bool {
	return v.get("action").isText() && v.get("args").isObject() && openHandsSource(v)
}

// openHandsSource tells whether one of those that events come from is named: audit logs and events
// of clusters have a source too, but another one.
func openHandsSource(v value) bool {
	switch v.get("source").str() {
	case "agent", "user", "environment", "hook":
		return true
	}
	return false
}

// openHandsFolder finds the conversation of a folder in which each event is a file.
func openHandsFolder(dir string) []bundle {
	for _, events := range []string{filepath.Join(dir, "events"), dir} {
		if events != dir && !isFolder(events) {
			continue
		}
		entries, err := os.ReadDir(events)
		if err != nil {
			continue
		}
		b := bundle{folder: events}
		numbered := openHandsNumbered(events, entries)
		for _, e := range entries { // their names begin with their number, in order
			if e.Type().IsRegular() && strings.HasPrefix(e.Name(), "event-") && strings.HasSuffix(e.Name(), ".json") {
				b.more = append(b.more, filepath.Join(events, e.Name()))
			}
		}
		if len(b.more) == 0 {
			b.more = numbered
		}
		if len(b.more) > 0 {
			b.main, b.more = b.more[0], b.more[1:]
			if events != dir {
				b.more = append(b.more, filepath.Join(dir, "base_state.json"))
			}
			return []bundle{b}
		}
	}
	return nil
}

// openHandsNumbered lists the events of the first generation's server: files named by the event's
// number, in the order of these. Others number their files too, so the first has to be an event.
func openHandsNumbered(dir string, entries []os.DirEntry) []string {
	var numbers []int
	for _, e := range entries {
		name, isJSON := strings.CutSuffix(e.Name(), ".json")
		if n, err := strconv.Atoi(name); isJSON && err == nil && n >= 0 && strconv.Itoa(n) == name && e.Type().IsRegular() {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	var list []string
	for _, n := range numbers {
		list = append(list, filepath.Join(dir, strconv.Itoa(n)+".json"))
	}
	if len(list) == 0 || !holdsOpenHandsEvent(list[0]) {
		return nil
	}
	return list
}

func holdsOpenHandsEvent(path string) bool {
	p, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	v, bad := parse(memorySource(path, p), 0, 1, p)
	return bad == nil && (openHandsAction(v) || openHandsObservation(v))
}

func openHandsObservation(v value) bool {
	return v.get("observation").isText() && v.get("content").ok() && v.get("extras").isObject()
}

func readOpenHands(ctx context.Context, in *input, b *builder) error {
	var events *openHandsThread // of a recording that is one conversation
	read := func(in *input) error {
		for rec := range in.records(ctx) {
			for v := range oneOrMore(rec.value) {
				if list := v.get("history"); list.isArray() {
					readOpenHandsInstance(b, v, list)
					continue
				}
				if events == nil {
					events = newOpenHandsThread(b.conversation(""))
				}
				events.pairOf(v)
			}
		}
		return in.err()
	}
	if err := read(in); err != nil {
		return err
	}
	for _, path := range in.more {
		if filepath.Base(path) == "base_state.json" {
			continue // it repeats what the events say
		}
		more, err := in.also(path)
		if err != nil {
			b.problem(Location{File: path}, "the event's file can't be read")
			continue
		}
		if err := read(more); err != nil {
			return err
		}
	}
	return nil
}

// readOpenHandsInstance reads one instance of a benchmark.
func readOpenHandsInstance(b *builder, about, list value) {
	c := b.newConversation(wordOf(about.get("instance_id")))
	t := newOpenHandsThread(c)
	for v := range list.elements() {
		t.pairOf(v)
	}
	if total := about.get("metrics", "accumulated_token_usage"); c.Conv.Usage == nil {
		c.Conv.Usage = openHandsUsage(total)
	}
}

// An openHandsThread reads events into a thread.
type openHandsThread struct {
	*threadBuilder
	answered map[string]bool   // responses whose text and usage were read
	calls    map[string]string // ids of calls, by the event that made them
}

func newOpenHandsThread(c *convBuilder) *openHandsThread {
	return &openHandsThread{c.thread(Main), map[string]bool{}, map[string]string{}}
}

// pairOf reads an event, or a pair of an action and its observation as old histories have them.
func (t *openHandsThread) pairOf(v value) {
	for e := range oneOrMore(v) {
		switch {
		case e.get("kind").isText():
			t.sdkEvent(e)
		case e.get("observation").isText():
			t.observation(e)
		case e.get("action").isText():
			t.action(e)
		default:
			t.c.b.problem(e.at(), "the event is neither an action nor an observation")
		}
	}
}

func (t *openHandsThread) action(v value) {
	args := v.get("args")
	switch kind := v.get("action").str(); {
	case kind == "message" && v.get("source").is("user"):
		t.prompt(newPayload(t.withImages(args)...), v.at())
	case kind == "message":
		s := t.step("")
		s.Time = v.get("timestamp").time()
		t.text(s, args.get("content").payload())
	case kind == "system":
		t.system(args.get("content").payload())
		t.system(args.get("tools").payload())
	case kind == "condensation":
		t.compact(args.get("summary").payload())
	case kind == "think":
		t.text(t.response(v), args.get("thought").payload())
	case kind == "change_agent_state", kind == "recall", kind == "null", kind == "initialize", kind == "condensation_request":
	case v.get("source").is("user"):
		// What a person did beside the agent was no call of the model's.
	default:
		t.call(v, kind, args)
	}
}

func (t *openHandsThread) withImages(args value) []Part {
	parts := textParts(args.get("content"))
	for url := range args.get("image_urls").elements() {
		parts = append(parts, url.blob(Image, mediaOf(url, "image")))
	}
	return parts
}

// response is the step of the model's response that an action belongs to. The response is embedded
// in each of its actions, and in their observations.
func (t *openHandsThread) response(v value) *Step {
	whole := v.get("tool_call_metadata", "model_response")
	id := whole.get("id").str()
	s := t.step(id)
	if id == "" || t.answered[id] {
		if thought := v.get("args", "thought"); id == "" && thought.isText() && !v.get("action").is("think") {
			t.text(s, newPayload(textParts(thought)...))
		}
		return s
	}
	t.answered[id] = true
	s.Time = v.get("timestamp").time()
	t.text(s, typedContent(whole.get("choices").first().get("message", "content")))
	s.Usage = openAIUsage(whole.get("usage"))
	conv := t.c.Conv
	conv.Usage = conv.Usage.Add(s.Usage)
	if conv.Model == "" {
		conv.Model = whole.get("model").str()
	}
	return s
}

func (t *openHandsThread) call(v value, kind string, args value) {
	s := t.response(v)
	about := v.get("tool_call_metadata")
	id, tool := about.get("tool_call_id").str(), about.get("function_name").str()
	for call := range about.get("model_response", "choices").first().get("message", "tool_calls").elements() {
		if id != "" && call.get("id").is(id) {
			_, args = chatCall(call)
		}
	}
	if tool == "" {
		tool = kind
	}
	c := t.callWith(s, id, tool, args, v.at())
	if c.Result == nil {
		t.calls[wordOf(v.get("id"))] = c.ID
	}
}

func (t *openHandsThread) observation(v value) {
	switch v.get("observation").str() {
	case "null", "agent_state_changed", "recall", "think", "agent_condensation":
		return
	}
	content := v.get("content")
	r := &Result{Payload: newPayload(textParts(content)...), At: placeOf(content, v), Time: v.get("timestamp").time()}
	r.Error = v.get("observation").is("error") || v.get("success").kind() == boolean && !v.get("success").truth()
	r.Failed = r.Error
	id := t.calls[wordOf(v.get("cause"))]
	if id == "" {
		id = v.get("tool_call_metadata", "tool_call_id").str()
	}
	switch {
	case id != "":
		t.result(id, v.get("tool_call_metadata", "function_name").str(), t.cut(r, content))
	case v.get("source").is("user"), v.get("observation").is("error"):
		// A person's own command, or an error of the harness: no call asked for it.
	default:
		t.result("event-"+wordOf(v.get("cause")), v.get("observation").str(), t.cut(r, content))
	}
}

const (
	clipped     = "<response clipped><NOTE>"
	clippedEnds = "</NOTE>"
)

// cut flags a result that ends with the note that it was cut.
func (t *openHandsThread) cut(r *Result, content value) *Result {
	const longestNote = 1 << 10
	end := strings.TrimSpace(tail(content, longestNote))
	if i := strings.LastIndex(end, clipped); i >= 0 && strings.Index(end[i:], clippedEnds) == len(end)-i-len(clippedEnds) {
		r.Flags |= TruncatedByRecorder
	}
	return r
}

// openHandsUsage reads a running total, whose prompt has what came from the cache; nil without any.
func openHandsUsage(v value) *Usage {
	n := func(key string) int64 { i, _ := v.get(key).int64(); return i }
	in, out, cached := n("prompt_tokens"), n("completion_tokens"), n("cache_read_tokens")+n("cache_write_tokens")
	if in == 0 && out == 0 {
		return nil
	}
	return &Usage{Input: max(0, in-cached), Cached: cached, Output: out}
}
