package history

import (
	"cmp"
	"context"
	"strings"
)

// langfuse reads exports of Langfuse: a trace with its observations, lists and lines of observations.
var langfuse = &Format{
	Name:   "langfuse",
	Title:  "Langfuse exports",
	How:    "a trace with observations, or observations with traceId, startTime and a type such as GENERATION, TOOL or SPAN",
	detect: detectLangfuse,
	read:   readLangfuse,
}

// observationKinds are the types of observations, and what ran in them.
var observationKinds = map[string]spanKind{
	"GENERATION": modelSpan, "TOOL": toolSpan, "AGENT": agentSpan,
	"SPAN": otherSpan, "EVENT": otherSpan, "CHAIN": otherSpan, "RETRIEVER": otherSpan, "EMBEDDING": otherSpan, "EVALUATOR": otherSpan, "GUARDRAIL": otherSpan,
}

func isObservation(v value) bool {
	_, known := observationKinds[v.get("type").str()]
	return known && v.get("traceId").isText() && v.get("startTime").given()
}

// observations lists the observations in v, and the trace that they belong to.
func observations(v value) (trace, list value) {
	trace = v.get("trace")
	for _, l := range []value{v.get("observations"), trace.get("observations"), v} {
		if l.isArray() && isObservation(l.first()) {
			if !trace.isObject() {
				trace = v
			}
			return trace, l
		}
	}
	return value{}, value{}
}

func detectLangfuse(s *sample) (int, string) {
	for _, v := range s.items() {
		if _, list := observations(v); list.ok() || isObservation(v) {
			return 93, "observations with traceId, startTime and a type such as GENERATION or SPAN"
		}
	}
	return 0, ""
}

func readLangfuse(ctx context.Context, in *input, b *builder) error {
	l := &langfuseReader{newTraces(b)}
	for rec := range in.records(ctx) {
		if !l.record(rec.value) {
			b.problem(rec.at(), "the record has no observations")
		}
	}
	l.finish()
	return in.err()
}

type langfuseReader struct{ *traces }

func (l *langfuseReader) record(v value) bool {
	trace, list := observations(v)
	switch {
	case list.ok():
		for o := range list.elements() {
			if isObservation(o) {
				l.add(l.observation(o, trace))
			}
		}
		return true
	case isObservation(v):
		l.add(l.observation(v, value{}))
		return true
	case !v.isArray():
		return false
	}
	found := false
	for e := range v.elements() {
		found = e.isObject() && l.record(e) || found
	}
	return found
}

func (l *langfuseReader) observation(v, trace value) *span {
	s := &span{
		trace: v.get("traceId").str(), id: v.get("id").str(), parent: v.get("parentObservationId").str(), name: v.get("name").str(),
		session: firstGiven(trace.get("sessionId"), v.get("sessionId")).str(),
		start:   spanTime(v.get("startTime")), end: spanTime(v.get("endTime")), at: v.at(),
		kind: observationKinds[v.get("type").str()], model: v.get("model").str(),
		failed: v.get("level").is("ERROR"), failure: v.get("statusMessage").payload(),
	}
	l.title[s.trace] = cmp.Or(l.title[s.trace], trace.get("name").str())
	about := attributesOf(nested(nested(v.get("metadata")).get("attributes")))
	if s.kind == otherSpan && firstGiven(v.get("input"), v.get("output")).given() && (about.get("gen_ai.operation.name").is("execute_tool") || about.get("openinference.span.kind").is("TOOL")) {
		s.kind = toolSpan
	}
	switch s.kind {
	case agentSpan:
		s.agent = s.name
	case toolSpan:
		s.callID = about.get("gen_ai.tool.call.id", "tool.id", "tool_call.id").str()
		s.tool = cmp.Or(about.get("gen_ai.tool.name", "tool.name").str(), strings.TrimPrefix(s.name, "execute_tool "))
		l.toolCall(s, v.get("input"), v.get("output"))
		s.inner = l.arguments(onlyField(v.get("input"), "input"))
		if content := nested(v.get("output")).get("content"); s.result != nil && content.isArray() && messageParts(content) {
			s.result.Payload, s.result.At = l.resultPayload(content), content.at()
		}
		l.toolMessageOf(s, v.get("output"))
		return s
	case otherSpan:
		return s
	}
	s.usage = langfuseUsage(v)
	s.in = l.messages(v.get("input"), "user")
	s.out = l.messages(v.get("output"), "assistant")
	return s
}

// onlyField takes a value out of an object that has nothing but this field.
func onlyField(v value, key string) value {
	inner := nested(v)
	if keys := inner.keys(); len(keys) == 1 && keys[0] == key {
		return inner.get(key)
	}
	return v
}

// langfuseUsage reads what a generation reports. What is cached is not part of the input there.
func langfuseUsage(v value) *Usage {
	u := &Usage{}
	found := false
	for _, details := range []value{nested(v.get("usageDetails")), nested(v.get("usage"))} {
		for k, m := range details.members() {
			n, ok := m.int64()
			if !ok {
				continue
			}
			switch key := k.str(); {
			case key == "input" || key == "promptTokens":
				u.Input, found = n, true
			case key == "output" || key == "completionTokens":
				u.Output, found = n, true
			case strings.Contains(key, "cache"):
				u.Cached += n
			}
		}
		if found {
			return u
		}
	}
	return nil
}
