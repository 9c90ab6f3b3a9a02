package history

import (
	"cmp"
	"context"
	"strings"
)

// monocleTrace reads the traces of Monocle. Other instrumentations may write into the same file:
// their spans tell of the same requests and are left out.
var monocleTrace = &Format{
	Name:   "monocle-trace",
	Title:  "Monocle traces",
	How:    "spans with span.type and monocle_apptrace attributes, and what was said in the events data.input and data.output",
	detect: detectMonocle,
	read:   readMonocle,
}

func isMonocle(a attributes) bool {
	return a.get("span.type").isText() && a.has("monocle_apptrace.")
}

func detectMonocle(s *sample) (int, string) {
	for rec := range s.sampledSpans() {
		if isMonocle(rec.attributes) {
			return 95, "spans with span.type and monocle_apptrace attributes"
		}
	}
	return 0, ""
}

func readMonocle(ctx context.Context, in *input, b *builder) error {
	m := &monocleReader{newTraces(b)}
	for rec := range in.records(ctx) {
		n := 0
		for s := range spanRecords(rec.value) {
			n++
			if isMonocle(s.attributes) {
				m.add(m.span(s))
			}
		}
		if n == 0 {
			b.problem(rec.at(), "the record has no spans")
		}
	}
	m.finish()
	return in.err()
}

type monocleReader struct{ *traces }

func (m *monocleReader) span(rec spanRecord) *span {
	s := rec.base()
	a := rec.attributes
	s.session = a.get("scope.agentic.session").str()
	var in, out, about attributes
	for e := range rec.events() {
		switch e.name {
		case "data.input":
			in = e.attributes
		case "data.output":
			out = e.attributes
		case "metadata":
			about = e.attributes
		}
	}
	switch kind := a.get("span.type").str(); {
	case kind == "agentic.tool.invocation", kind == "agentic.mcp.invocation":
		s.kind = toolSpan
		s.tool = cmp.Or(entity(a, "tool."), s.name)
		if e := out.get("error_code", "error"); e.given() && !e.is("success") {
			s.failed, s.failure = true, e.payload()
		}
		m.toolCall(s, in.get("input"), out.get("response"))
	case kind == "agentic.invocation":
		s.kind = agentSpan
		s.agent = entity(a, "agent.")
		s.in = m.said(in.get("query", "input"), "user")
		s.out = m.said(out.get("response"), "assistant")
	case strings.HasPrefix(kind, "inference"):
		s.kind = modelSpan
		s.model = entity(a, "model.llm")
		s.in = m.said(in.get("input"), "user")
		s.out = m.said(out.get("response"), "assistant")
		s.usage = openAIUsage(held(usageJSON(about), rec.at()))
	}
	return s
}

// usageJSON puts the counts of a metadata event into one object.
func usageJSON(a attributes) []byte {
	text := []byte{'{'}
	for _, key := range []string{"prompt_tokens", "completion_tokens"} {
		if v := a.get(key); v.given() {
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = append(append(text, `"`+key+`":`...), v.raw()...)
		}
	}
	return append(text, '}')
}

// entity is the name of the entity whose type begins like this.
func entity(a attributes, kind string) string {
	for _, m := range a {
		n, ok := strings.CutSuffix(m.key, ".type")
		if ok && strings.HasPrefix(n, "entity.") && strings.HasPrefix(m.str(), kind) {
			return a.get(n + ".name").str()
		}
	}
	return ""
}

// said reads what was said: texts, or objects such as {"user": "…"} as strings.
func (m *monocleReader) said(v value, role string) []piece {
	inner := nested(v)
	var list []piece
	switch inner.kind() {
	case text:
		return m.text(nil, role, inner)
	case array:
		for e := range inner.elements() {
			if e = nested(e); !e.isArray() {
				list = append(list, m.said(e, role)...)
			}
		}
	case object:
		if message, _ := bareMessage(inner); message.ok() {
			return m.message(inner, role)
		}
		for who, what := range inner.members() {
			switch by := roles[who.str()]; {
			case by == "tool" && what.given():
				result := &Result{Payload: m.resultPayload(what), At: what.at()}
				list = append(list, m.known(piece{kind: resultPiece, result: result, at: what.at()}, what))
			case by != "" && what.isText():
				list = m.text(list, by, what)
			}
		}
	}
	return list
}
