package history

import (
	"cmp"
	"context"
)

// langSmith reads runs of LangSmith: lists, lines or trees of them, and the batches of its SDK.
var langSmith = &Format{
	Name:   "langsmith",
	Title:  "LangSmith runs",
	How:    "runs with run_type, inputs and trace_id or dotted_order, or batches of such runs in post and patch",
	detect: detectLangSmith,
	read:   readLangSmith,
}

func isRun(v value) bool {
	return v.get("run_type").isText() && (v.get("dotted_order").isText() || v.get("trace_id").isText() || v.get("inputs").isObject())
}

func detectLangSmith(s *sample) (int, string) {
	for _, v := range s.items() {
		if isRun(v) || isRun(v.get("run")) {
			return 92, "runs with run_type, inputs and trace_id"
		}
		if isRun(v.get("post").first()) || v.get("post").isArray() && v.get("patch").first().get("dotted_order").isText() {
			return 92, "batches of runs, in post and patch"
		}
		if isRun(v.get("runs").first()) {
			return 92, "a list of runs with run_type"
		}
	}
	return 0, ""
}

func readLangSmith(ctx context.Context, in *input, b *builder) error {
	l := &langSmithReader{newTraces(b), map[string]*span{}}
	for rec := range in.records(ctx) {
		if !l.record(rec.value) {
			b.problem(rec.at(), "the record has no runs")
		}
	}
	l.finish()
	return in.err()
}

type langSmithReader struct {
	*traces
	runs map[string]*span // by id, and by dotted order: what completes a run may have only that
}

func (l *langSmithReader) record(v value) bool {
	found := false
	for _, list := range []value{v, v.get("post"), v.get("patch"), v.get("runs")} {
		for r := range list.elements() {
			found = true
			l.run(r, 0)
		}
	}
	for _, r := range []value{v, v.get("run")} {
		if isRun(r) {
			found = true
			l.run(r, 0)
		}
	}
	return found
}

// run reads a run, or completes one that is known, and goes on with those inside it.
func (l *langSmithReader) run(v value, depth int) {
	id, order := v.get("id").str(), v.get("dotted_order").str()
	if id == "" && order == "" || depth > spanDepth {
		return
	}
	s := l.runs[id]
	if s == nil || id == "" {
		s = l.runs[order]
	}
	if s == nil || order == "" && id == "" {
		s = &span{id: cmp.Or(id, order), at: v.at()}
		l.add(s)
	}
	for _, key := range []string{id, order} {
		if key != "" {
			l.runs[key] = s
		}
	}
	l.fill(s, v)
	for child := range v.get("child_runs").elements() {
		l.run(child, depth+1)
	}
}

// fill puts into a span what a record of its run says.
func (l *langSmithReader) fill(s *span, v value) {
	about := v.get("extra", "metadata")
	s.trace = cmp.Or(s.trace, v.get("trace_id").str(), s.id)
	s.parent = cmp.Or(s.parent, v.get("parent_run_id").str())
	s.name = cmp.Or(s.name, v.get("name").str())
	s.session = cmp.Or(s.session, firstGiven(about.get("thread_id"), about.get("session_id"), about.get("conversation_id")).str())
	s.model = cmp.Or(s.model, firstGiven(v.get("outputs", "model"), about.get("ls_model_name")).str())
	if t := v.get("start_time").time(); !t.IsZero() {
		s.start = t
	}
	if t := v.get("end_time").time(); !t.IsZero() {
		s.end = t
	}
	if failure := v.get("error"); failure.given() {
		s.failed, s.failure = true, failure.payload()
	}
	switch v.get("run_type").str() {
	case "llm", "chat_model":
		s.kind = modelSpan
	case "tool":
		s.kind = toolSpan
	}
	in, out := v.get("inputs"), v.get("outputs")
	if s.kind == toolSpan {
		l.toolRun(s, about, in, out)
		return
	}
	if s.kind != modelSpan {
		return
	}
	if pieces := l.messages(in, "user"); len(pieces) > 0 {
		s.in = append(pieces, l.definitions(firstGiven(in.get("tools"), v.get("extra", "invocation_params", "tools")))...)
	}
	if pieces := l.messages(out, "assistant"); len(pieces) > 0 {
		s.out = pieces
	}
	s.response = cmp.Or(s.response, out.get("id").str())
	if u := langSmithUsage(v); u != nil {
		s.usage = u
	}
}

func (l *langSmithReader) toolRun(s *span, about, in, out value) {
	s.tool = s.name
	s.callID = cmp.Or(s.callID, about.get("tool_call_id").str())
	arguments, given, args, invalid := s.arguments, s.given, s.args, s.invalid
	result := s.result
	l.toolCall(s, onlyField(in, "input"), onlyField(out, "output"))
	if !in.given() {
		s.arguments, s.given, s.args, s.invalid = arguments, given, args, invalid
	}
	if s.result == nil {
		s.result = result
	}
	l.toolMessageOf(s, out)
}

// langSmithUsage reads what was reported for a run, in any of the places where it may be.
func langSmithUsage(v value) *Usage {
	out := v.get("outputs")
	message := out.get("generations").first()
	if message.isArray() {
		message = message.first()
	}
	message = message.get("message")
	for _, u := range []value{
		out.get("usage_metadata"), v.get("usage_metadata"), message.get("kwargs", "usage_metadata"), message.get("usage_metadata"),
		out.get("llm_output", "token_usage"), out.get("llm_output", "usage"), out.get("usage"), v,
	} {
		if usage := langChainUsage(u); usage != nil {
			return usage
		}
	}
	return nil
}

// langChainUsage reads LangChain's usage, or the provider's that it passes on.
func langChainUsage(v value) *Usage {
	usage := openAIUsage(v)
	if usage == nil || usage.Cached > 0 {
		return usage
	}
	var cached int64
	for _, key := range []string{"cache_read", "cache_creation"} {
		n, _ := v.get("input_token_details", key).int64()
		cached += n
	}
	usage.Input, usage.Cached = max(0, usage.Input-cached), cached
	return usage
}
