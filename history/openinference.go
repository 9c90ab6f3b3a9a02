package history

import (
	"cmp"
	"context"
	"strconv"
	"strings"
)

// openInference reads spans by the OpenInference conventions, as Phoenix and its instrumentations
// record them.
var openInference = &Format{
	Name:   "openinference",
	Title:  "OpenInference traces",
	How:    "spans with openinference.span.kind, and messages in attributes such as llm.input_messages.0.message.role",
	detect: detectOpenInference,
	read:   readOpenInference,
}

func detectOpenInference(s *sample) (int, string) {
	for rec := range s.sampledSpans() {
		if a := flatten(rec.attributes); a.has("openinference.span.kind") || a.has("llm.input_messages.") || a.has("llm.output_messages.") {
			return 90, "spans with openinference.span.kind or llm.input_messages attributes"
		}
	}
	return 0, ""
}

func readOpenInference(ctx context.Context, in *input, b *builder) error {
	o := &openInferenceReader{newTraces(b)}
	for rec := range in.records(ctx) {
		n := 0
		for s := range spanRecords(rec.value) {
			n++
			o.add(o.span(s))
		}
		if n == 0 {
			b.problem(rec.at(), "the record has no spans")
		}
	}
	o.finish()
	return in.err()
}

type openInferenceReader struct{ *traces }

func (o *openInferenceReader) span(rec spanRecord) *span {
	s := rec.base()
	a := flatten(rec.attributes)
	s.session = a.get("session.id").str()
	s.model = a.get("llm.model_name").str()
	switch strings.ToUpper(firstGiven(a.get("openinference.span.kind"), rec.get("span_kind")).str()) {
	case "LLM":
		s.kind = modelSpan
	case "AGENT":
		s.kind = agentSpan
		s.agent = cmp.Or(a.get("agent.name", "graph.node.id").str(), s.name)
	case "TOOL":
		s.kind = toolSpan
		s.tool = cmp.Or(a.get("tool.name").str(), s.name)
		s.callID = a.get("tool.id", "tool_call.id").str()
		arguments := a.get("input.value", "tool.parameters", "tool_call.function.arguments")
		o.toolCall(s, arguments, a.get("output.value"))
		o.toolMessageOf(s, a.get("output.value"))
		return s
	default:
		if !a.has("llm.output_messages.") {
			return s
		}
		s.kind = modelSpan
	}
	s.usage = openInferenceUsage(a)
	s.in = o.numbered(a, "llm.input_messages.", "user")
	s.out = o.numbered(a, "llm.output_messages.", "assistant")
	if len(s.in) == 0 {
		s.in = o.messages(a.get("input.value"), "user")
	}
	if len(s.out) == 0 {
		s.out = o.messages(a.get("output.value"), "assistant")
	}
	for _, m := range a {
		if strings.HasPrefix(m.key, "llm.tools.") && strings.HasSuffix(m.key, ".json_schema") {
			s.in = append(s.in, o.definitions(m.value)...)
		}
	}
	return s
}

// toolMessageOf looks into the output of a tool's span: a framework's tool message has the call's
// id and the text that the model reads.
func (t *traces) toolMessageOf(s *span, v value) {
	inner := nested(v)
	if out := nested(inner.get("output")); out.isObject() {
		inner = out
	}
	m, role := bareMessage(inner)
	if role != "tool" || s.result == nil {
		return
	}
	for _, p := range t.fields(m, role) {
		if p.kind == resultPiece {
			s.callID = cmp.Or(s.callID, p.id)
			s.result.Payload, s.result.At = p.result.Payload, p.result.At
			s.result.Error, s.result.Failed = s.result.Error || p.result.Error, s.result.Failed || p.result.Failed
			return
		}
	}
}

func openInferenceUsage(a attributes) *Usage {
	in, ok1 := a.get("llm.token_count.prompt").int64()
	out, ok2 := a.get("llm.token_count.completion").int64()
	if !ok1 && !ok2 {
		return nil
	}
	var cached int64
	for _, key := range []string{"llm.token_count.prompt_details.cache_read", "llm.token_count.prompt_details.cache_write"} {
		n, _ := a.get(key).int64()
		cached += n
	}
	return &Usage{Input: max(0, in-cached), Cached: cached, Output: out}
}

// flatDepth is how deep attributes may be.
const flatDepth = 16

// flatten gives attributes that are objects in objects, or lists, the names that they have where
// each is an attribute of its own.
func flatten(a attributes) attributes {
	var flat attributes
	var walk func(key string, v value, depth int)
	walk = func(key string, v value, depth int) {
		if key == "llm.input_messages" || key == "llm.output_messages" {
			v = nested(v)
		}
		switch {
		case depth > flatDepth:
		case v.isObject():
			for k, m := range v.members() {
				walk(key+"."+k.str(), m, depth+1)
			}
		case v.isArray() && strings.HasPrefix(key, "llm."):
			n := 0
			for e := range v.elements() {
				walk(key+"."+strconv.Itoa(n), e, depth+1)
				n++
			}
		default:
			flat = append(flat, attribute{key, v})
		}
	}
	for _, m := range a {
		walk(m.key, m.value, 0)
	}
	return flat
}
