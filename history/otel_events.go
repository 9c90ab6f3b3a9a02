package history

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// event reads what an event of a span, or a log record, says of its request.
func (o *otelReader) event(s *span, name string, a attributes, body value) {
	role, found := strings.CutSuffix(strings.TrimPrefix(name, "gen_ai."), ".message")
	switch {
	case name == "gen_ai.client.inference.operation.details":
		for _, from := range []func(keys ...string) value{a.get, func(keys ...string) value { return keyed(body, keys...) }} {
			s.in = append(s.in, o.system(from("gen_ai.system_instructions"))...)
			s.in = append(s.in, o.messages(from("gen_ai.input.messages"), "user")...)
			s.out = append(s.out, o.messages(from("gen_ai.output.messages"), "assistant")...)
		}
	case name == "gen_ai.choice":
		message := firstGiven(body.get("message"), a.get("message"), body)
		s.out = append(s.out, o.content(message, "assistant", a)...)
	case found && roles[role] != "":
		s.in = append(s.in, o.content(firstGiven(body, a.get("content", "message")), roles[role], a)...)
	case name == "gen_ai.content.prompt":
		s.in = append(s.in, o.messages(a.get("gen_ai.prompt"), "user")...)
	case name == "gen_ai.content.completion":
		s.out = append(s.out, o.messages(a.get("gen_ai.completion"), "assistant")...)
	}
}

// content reads the content of an event: a message, a list of parts, or a text. Calls and the id
// of a result may stand in the attributes beside it.
func (o *otelReader) content(v value, role string, a attributes) []piece {
	inner := nested(v)
	var list []piece
	switch id := a.get("id"); {
	case role == "tool" && !inner.get("content").ok() && !messageParts(inner):
		result := &Result{Payload: o.resultPayload(v), At: v.at()}
		list = append(list, o.known(piece{kind: resultPiece, id: id.str(), tool: a.get("name").str(), result: result, at: v.at()}, v))
	case inner.isObject() && (inner.get("content").ok() || inner.get("tool_calls").isArray()) && partKind(inner) == noPart:
		list = o.fields(inner, role)
	case inner.isObject() && partKind(inner) == noPart:
		list = o.message(inner, role)
	case inner.isArray() && messageParts(inner), inner.isObject():
		list = o.parts(role, inner, inner)
	default:
		list = o.text(nil, role, v)
	}
	for c := range nested(a.get("tool_calls")).elements() {
		name, arguments := chatCall(c)
		list = append(list, o.call(c.get("id").str(), name.str(), arguments, c))
	}
	return list
}

// A numberedMessage is a message whose fields are attributes of their own.
type numberedMessage struct {
	role, content, callID, name value
	parts                       map[int]value
	calls                       map[int]*numberedCall
}

type numberedCall struct{ id, name, arguments value }

// numbered reads messages that attributes such as gen_ai.prompt.0.content hold field by field.
func (r *pieceReader) numbered(a attributes, prefix, role string) []piece {
	messages := map[int]*numberedMessage{}
	for _, m := range a {
		rest, ok := strings.CutPrefix(m.key, prefix)
		if !ok {
			continue
		}
		n, field, ok := cutNumber(rest)
		if !ok {
			continue
		}
		if messages[n] == nil {
			messages[n] = &numberedMessage{calls: map[int]*numberedCall{}, parts: map[int]value{}}
		}
		messages[n].set(strings.TrimPrefix(field, "message."), m.value)
	}
	var list []piece
	for _, n := range slices.Sorted(maps.Keys(messages)) {
		list = append(list, messages[n].pieces(r, role)...)
	}
	return list
}

// cutNumber takes the number off the start of a path.
func cutNumber(path string) (n int, rest string, ok bool) {
	number, rest, _ := strings.Cut(path, ".")
	n, err := strconv.Atoi(number)
	return n, rest, err == nil
}

func (m *numberedMessage) set(field string, v value) {
	switch field {
	case "role":
		m.role = v
	case "content":
		m.content = v
	case "tool_call_id":
		m.callID = v
	case "name":
		m.name = v
	}
	if rest, ok := strings.CutPrefix(field, "content."); ok {
		if n, _, ok := cutNumber(rest); ok {
			m.parts[n] = v
		}
	}
	if rest, ok := strings.CutPrefix(field, "contents."); ok {
		if n, name, ok := cutNumber(rest); ok && (strings.HasSuffix(name, ".text") || strings.HasSuffix(name, ".image.url")) {
			m.parts[n] = v
		}
	}
	if rest, ok := strings.CutPrefix(field, "tool_calls."); ok {
		n, name, ok := cutNumber(rest)
		if !ok {
			return
		}
		if m.calls[n] == nil {
			m.calls[n] = &numberedCall{}
		}
		c := m.calls[n]
		switch strings.TrimPrefix(strings.TrimPrefix(name, "tool_call."), "function.") {
		case "id":
			c.id = v
		case "name":
			c.name = v
		case "arguments":
			c.arguments = v
		}
	}
}

func (m *numberedMessage) pieces(r *pieceReader, role string) []piece {
	role = cmp.Or(roles[m.role.str()], role)
	var words []value
	if m.content.given() {
		words = append(words, m.content)
	}
	for _, n := range slices.Sorted(maps.Keys(m.parts)) {
		words = append(words, m.parts[n])
	}
	var said []Part
	for _, w := range words {
		if media := mediaOf(w, ""); media != "" {
			said = append(said, w.blob(Image, media))
			continue
		}
		said = append(said, w.part())
	}
	at := placeOf(firstOf(words), m.role)
	var list []piece
	switch kind, ok := textKind(role); {
	case role == "tool":
		result := &Result{Payload: newPayload(said...), At: at}
		list = append(list, r.known(piece{kind: resultPiece, id: m.callID.str(), tool: m.name.str(), result: result, at: at}, words...))
	case ok && newPayload(said...).Size().Bytes > 0:
		list = append(list, r.known(piece{kind: kind, payload: newPayload(said...), at: at}, words...))
	}
	for _, n := range slices.Sorted(maps.Keys(m.calls)) {
		c := m.calls[n]
		list = append(list, r.call(c.id.str(), c.name.str(), c.arguments, firstGiven(c.name, c.id, c.arguments)))
	}
	return list
}

func firstOf(list []value) value {
	if len(list) == 0 {
		return value{}
	}
	return list[0]
}

// logName is what a log record is about.
func logName(l value) string {
	if name := keyed(l, "eventName", "event_name"); name.isText() {
		return name.str()
	}
	return attributesOf(l.get("attributes")).get("event.name").str()
}

// log reads a log record: an event of the span that it names.
func (o *otelReader) log(l value) {
	trace, id := spanID(keyed(l, "traceId", "trace_id")), spanID(keyed(l, "spanId", "span_id"))
	s := o.logs[trace+" "+id]
	if s == nil {
		s = &span{trace: trace, id: id, kind: modelSpan, at: l.at(), start: spanTime(keyed(l, "timeUnixNano", "observedTimeUnixNano"))}
		o.logs[trace+" "+id] = s
		o.order = append(o.order, s)
	}
	o.event(s, logName(l), attributesOf(l.get("attributes")), anyValue(l.get("body")))
}

// joinLogs gives spans what log records say of them. Records whose span is not there stand for it.
func (o *otelReader) joinLogs() {
	for _, s := range o.spans {
		l := o.logs[s.trace+" "+s.id]
		if l == nil {
			continue
		}
		s.in, s.out = append(s.in, l.in...), append(s.out, l.out...)
		if s.kind == otherSpan {
			s.kind = modelSpan
		}
		delete(o.logs, s.trace+" "+s.id)
	}
	for _, s := range o.order {
		if o.logs[s.trace+" "+s.id] == s {
			o.add(s)
		}
	}
}
