package history

import (
	"context"
	"iter"
	"strings"
)

// otelGenAI reads traces by OpenTelemetry's conventions for generative AI, in OTLP's JSON, in
// dumps of an SDK's spans, and with the names that some frameworks use instead.
var otelGenAI = &Format{
	Name:   "otel-genai",
	Title:  "OpenTelemetry GenAI traces",
	How:    "spans with gen_ai attributes or events: OTLP JSON, lists of spans, or spans in a wrapper",
	detect: detectOtel,
	read:   readOtel,
}

// sampledSpans lists spans of a sample, enough of them to know their convention.
func (s *sample) sampledSpans() iter.Seq[spanRecord] {
	return func(yield func(spanRecord) bool) {
		if s.tape != nil {
			return
		}
		n := 0
		for _, r := range s.records {
			for rec := range spanRecords(r.value) {
				if n++; n > 4*sampleRecords || !yield(rec) {
					return
				}
			}
		}
	}
}

func detectOtel(s *sample) (int, string) {
	for rec := range s.sampledSpans() {
		for _, prefix := range []string{"gen_ai.", "ai.toolCall.", "ai.prompt", "ai.response.", "traceloop.span.kind"} {
			if rec.attributes.has(prefix) {
				return 85, "spans with gen_ai attributes"
			}
		}
		for e := range rec.events() {
			if strings.HasPrefix(e.name, "gen_ai.") {
				return 85, "spans with gen_ai events"
			}
		}
	}
	export := false
	for _, r := range s.records {
		export = export || keyed(r.value, "resourceSpans", "resource_spans").isArray()
		for l := range logRecords(r.value) {
			if strings.HasPrefix(logName(l), "gen_ai.") {
				return 85, "log records of gen_ai events"
			}
		}
	}
	if export {
		return 20, "an export of spans, none of them with gen_ai attributes"
	}
	return 0, ""
}

func readOtel(ctx context.Context, in *input, b *builder) error {
	o := &otelReader{traces: newTraces(b), logs: map[string]*span{}}
	for rec := range in.records(ctx) {
		n := 0
		for s := range spanRecords(rec.value) {
			n++
			o.add(o.span(s))
		}
		for l := range logRecords(rec.value) {
			n++
			o.log(l)
		}
		if n == 0 {
			b.problem(rec.at(), "the record has no spans")
		}
	}
	o.joinLogs()
	o.finish()
	return in.err()
}

type otelReader struct {
	*traces
	logs  map[string]*span // what log records say, by the span that they name
	order []*span
}

// span reads one span.
func (o *otelReader) span(rec spanRecord) *span {
	s := rec.base()
	a := rec.attributes
	s.kind = otelKind(rec, s.name)
	if s.trace == "" {
		s.trace = a.get("gen_ai.conversation.id").str()
	}
	s.session = a.get("gen_ai.conversation.id", "session.id", "gcp.vertex.agent.session_id", "traceloop.association.properties.session_id").str()
	s.model = a.get("gen_ai.response.model", "gen_ai.request.model", "ai.model.id").str()
	s.response = a.get("gen_ai.response.id", "ai.response.id").str()
	switch s.kind {
	case toolSpan:
		o.toolSpan(s, a, rec)
		return s
	case agentSpan:
		s.agent = a.get("gen_ai.agent.name", "traceloop.entity.name").str()
	}
	s.usage = otelUsage(a)
	s.in = append(s.in, o.system(a.get("gen_ai.system_instructions"))...)
	s.in = append(s.in, o.definitions(a.get("gen_ai.tool.definitions"))...)
	s.in = append(s.in, o.messages(a.get("gen_ai.input.messages", "ai.prompt.messages", "ai.prompt", "gcp.vertex.agent.llm_request"), "user")...)
	s.out = append(s.out, o.messages(a.get("gen_ai.output.messages", "gcp.vertex.agent.llm_response"), "assistant")...)
	s.in = append(s.in, o.numbered(a, "gen_ai.prompt.", "user")...)
	s.out = append(s.out, o.numbered(a, "gen_ai.completion.", "assistant")...)
	if len(s.out) == 0 {
		s.out = o.text(s.out, "assistant", a.get("ai.response.text"))
		for c := range nested(a.get("ai.response.toolCalls")).elements() {
			s.out = append(s.out, o.call(c.get("toolCallId").str(), c.get("toolName").str(), firstGiven(c.get("input"), c.get("args")), c))
		}
	}
	for e := range rec.events() {
		o.event(s, e.name, e.attributes, e.body)
	}
	return s
}

// otelKind says what ran in a span.
func otelKind(rec spanRecord, name string) spanKind {
	a := rec.attributes
	switch a.get("traceloop.span.kind").str() {
	case "tool":
		return toolSpan
	case "agent":
		return agentSpan
	case "workflow", "task":
		return otherSpan
	}
	switch op := a.get("gen_ai.operation.name").str(); op {
	case "execute_tool":
		return toolSpan
	case "invoke_agent", "create_agent":
		return agentSpan
	case "chat", "text_completion", "generate_content", "llm_call":
		return modelSpan
	case "":
	default:
		if !a.has("gen_ai.input.messages") && !a.has("gen_ai.output.messages") {
			return otherSpan
		}
	}
	switch {
	case a.has("ai.toolCall."):
		return toolSpan
	case a.has("gen_ai.tool.name"), a.has("gen_ai.tool.call."):
		return toolSpan
	case a.has("gen_ai.input.messages"), a.has("gen_ai.output.messages"), a.has("gen_ai.prompt."), a.has("gen_ai.completion."),
		a.has("ai.prompt"), a.has("gcp.vertex.agent.llm_request"), a.has("gen_ai.request.model"):
		return modelSpan
	}
	for e := range rec.events() {
		if strings.HasPrefix(e.name, "gen_ai.") {
			return modelSpan
		}
	}
	return otherSpan
}

// toolSpan reads the span of a tool.
func (o *otelReader) toolSpan(s *span, a attributes, rec spanRecord) {
	s.callID = a.get("gen_ai.tool.call.id", "ai.toolCall.id").str()
	s.tool = a.get("gen_ai.tool.name", "ai.toolCall.name", "traceloop.entity.name").str()
	if s.tool == "" {
		s.tool = strings.TrimPrefix(s.name, "execute_tool ")
	}
	s.failed = s.failed || a.get("error.type").given()
	if s.failure.empty() {
		s.failure = a.get("error.message", "error.type").payload()
	}
	arguments := a.get("gen_ai.tool.call.arguments", "ai.toolCall.args", "gcp.vertex.agent.tool_call_args", "traceloop.entity.input")
	result := a.get("gen_ai.tool.call.result", "ai.toolCall.result", "gcp.vertex.agent.tool_response", "traceloop.entity.output")
	for e := range rec.events() {
		if e.name == "gen_ai.choice" && !result.given() {
			result = firstGiven(e.attributes.get("message", "content"), e.body.get("message", "content"), e.body)
		}
		if e.name == "gen_ai.tool.message" && !arguments.given() {
			arguments = firstGiven(e.attributes.get("content"), e.body.get("content"))
		}
	}
	o.toolCall(s, arguments, result)
}

// toolCall puts arguments and result of a tool into its span.
func (t *traces) toolCall(s *span, arguments, result value) {
	var isJSON bool
	s.arguments, isJSON = arguments.arguments()
	s.invalid = !isJSON
	s.given = arguments.given()
	s.args = t.arguments(arguments)
	if !result.given() {
		return
	}
	s.result = &Result{Payload: t.resultPayload(result), Error: s.failed, Failed: s.failed, At: result.at(), Time: s.end}
	if _, _, cut := cutDocument(result); cut {
		s.result.Flags |= TruncatedByRecorder
	}
}

// system reads instructions: a text, a list of parts, or messages.
func (r *pieceReader) system(v value) []piece {
	switch inner := nested(v); {
	case !v.given():
		return nil
	case inner.isArray() && messageParts(inner):
		return r.parts("system", inner, inner)
	case inner.isArray() || inner.isObject():
		return r.messages(inner, "system")
	}
	return r.text(nil, "system", unquoted(v))
}

// definitions are the tools that a model may call: part of what it was given.
func (r *pieceReader) definitions(v value) []piece {
	if list := nested(v); !v.given() || list.isArray() && !list.first().ok() {
		return nil
	}
	return []piece{r.known(piece{kind: systemPiece, payload: v.payload(), at: v.at()}, v)}
}

// otelUsage reads what was reported for a model's or an agent's span.
func otelUsage(a attributes) *Usage {
	in, ok1 := a.get("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "ai.usage.promptTokens", "ai.usage.inputTokens").int64()
	out, ok2 := a.get("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "ai.usage.completionTokens", "ai.usage.outputTokens").int64()
	if !ok1 && !ok2 {
		return nil
	}
	var cached int64
	for _, key := range []string{"gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_creation.input_tokens"} {
		n, _ := a.get(key).int64()
		cached += n
	}
	return &Usage{Input: max(0, in-cached), Cached: cached, Output: out}
}
