package history

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
	"time"
)

// A spanRecord is a span as it is recorded: one of OpenTelemetry's JSON, or one that an SDK dumped.
type spanRecord struct {
	value
	attributes attributes
	scope      value
}

// spanRecords lists the spans in v: of an export, of a wrapper, of a list, or v itself.
func spanRecords(v value) iter.Seq[spanRecord] {
	return func(yield func(spanRecord) bool) {
		give := func(s, scope value) bool {
			return yield(spanRecord{s, attributesOf(s.get("attributes")), scope})
		}
		if isSpan(v) {
			give(v, v.get("scope"))
			return
		}
		for resource := range keyed(v, "resourceSpans", "resource_spans").elements() {
			for scope := range keyed(resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans").elements() {
				for s := range scope.get("spans").elements() {
					if !give(s, scope.get("scope")) {
						return
					}
				}
			}
		}
		list := v
		if !v.isArray() {
			list = v.get("spans")
		}
		for s := range list.elements() {
			if isSpan(s) && !give(s, s.get("scope")) {
				return
			}
		}
	}
}

// isSpan tells whether v is one span: it has attributes, and ids or a name of a span.
func isSpan(v value) bool {
	a := v.get("attributes")
	return (a.isObject() || a.isArray()) &&
		(keyed(v, "span_id", "spanId").isText() || v.get("context", "span_id").isText() || v.get("spanName").isText())
}

// logRecords lists the log records of an export.
func logRecords(v value) iter.Seq[value] {
	return func(yield func(value) bool) {
		for resource := range keyed(v, "resourceLogs", "resource_logs").elements() {
			for scope := range keyed(resource, "scopeLogs", "scope_logs").elements() {
				for l := range keyed(scope, "logRecords", "log_records").elements() {
					if !yield(l) {
						return
					}
				}
			}
		}
	}
}

// base is the span without what conventions differ in.
func (s spanRecord) base() *span {
	status := s.get("status")
	code := firstGiven(status.get("code"), status.get("status_code"), status.get("statusCode"), s.get("status_code"), status)
	sp := &span{
		trace:  spanID(firstGiven(s.get("traceId"), s.get("trace_id"), s.get("context", "trace_id"))),
		id:     spanID(firstGiven(s.get("spanId"), s.get("span_id"), s.get("context", "span_id"))),
		parent: spanID(firstGiven(s.get("parentSpanId"), s.get("parent_span_id"), s.get("parent_id"), s.get("parentId"))),
		name:   firstGiven(s.get("name"), s.get("spanName")).str(),
		start:  spanTime(firstGiven(s.get("startTimeUnixNano"), s.get("start_time_unix_nano"), s.get("start_time"), s.get("startTime"))),
		end:    spanTime(firstGiven(s.get("endTimeUnixNano"), s.get("end_time_unix_nano"), s.get("end_time"), s.get("endTime"))),
		at:     s.at(),
	}
	switch strings.TrimPrefix(strings.TrimPrefix(strings.ToUpper(code.str()), "STATUS_CODE_"), "STATUSCODE.") {
	case "ERROR", "2":
		sp.failed = true
	case "":
		n, ok := code.int64()
		sp.failed = ok && n == 2
	}
	sp.failure = firstGiven(status.get("message"), status.get("description"), s.get("status_message")).payload()
	for e := range s.events() {
		if e.name == "exception" {
			sp.failure = e.attributes.get("exception.message", "exception.type").payload()
		}
	}
	return sp
}

// A spanEvent is one event of a span.
type spanEvent struct {
	name       string
	attributes attributes
	body       value // nothing for most
}

// events lists the span's events.
func (s spanRecord) events() iter.Seq[spanEvent] {
	return func(yield func(spanEvent) bool) {
		for e := range keyed(s.value, "events", "span_events", "spanEvents").elements() {
			if !yield(spanEvent{keyed(e, "name", "event_name", "eventName").str(), attributesOf(e.get("attributes")), anyValue(e.get("body"))}) {
				return
			}
		}
	}
}

func spanID(v value) string { return strings.TrimPrefix(v.str(), "0x") }

// spanTime reads a time, also nanoseconds that were written as a string.
func spanTime(v value) time.Time {
	if t := v.time(); !t.IsZero() || !v.isText() {
		return t
	}
	if n, ok := v.int64(); ok && n > 0 {
		return time.Unix(0, n).UTC()
	}
	return time.Time{}
}

// attributes are what a span or an event says, in recorded order.
type attributes []attribute

type attribute struct {
	key string
	value
}

// attributesOf reads attributes: OpenTelemetry's list of typed values, or an object.
func attributesOf(v value) attributes {
	var a attributes
	for e := range v.elements() {
		a = append(a, attribute{e.get("key").str(), anyValue(e.get("value"))})
	}
	for k, m := range v.members() {
		a = append(a, attribute{k.str(), m})
	}
	return a
}

// get returns the first of these attributes that is given.
func (a attributes) get(keys ...string) value {
	for _, key := range keys {
		for _, m := range a {
			if m.key == key && m.given() {
				return m.value
			}
		}
	}
	return value{}
}

// has tells whether there is an attribute of this beginning.
func (a attributes) has(prefix string) bool {
	for _, m := range a {
		if strings.HasPrefix(m.key, prefix) {
			return true
		}
	}
	return false
}

// anyValue takes a typed value out of its wrapping; what is not wrapped is returned as it is.
func anyValue(v value) value {
	for k, m := range v.members() {
		switch k.str() {
		case "stringValue", "string_value", "intValue", "int_value", "doubleValue", "double_value", "boolValue", "bool_value":
			return m
		case "arrayValue", "array_value", "kvlistValue", "kvlist_value":
			return held(plainJSON(nil, v, 0), v.at())
		}
		break
	}
	return v
}

// plainDepth is how deep typed values may be.
const plainDepth = 64

// plainJSON writes typed values as the JSON that they stand for.
func plainJSON(p []byte, v value, depth int) []byte {
	list, fields := keyed(v, "arrayValue", "array_value"), keyed(v, "kvlistValue", "kvlist_value")
	switch {
	case depth > plainDepth:
		return append(p, "null"...)
	case list.isObject():
		p = append(p, '[')
		n := 0
		for e := range list.get("values").elements() {
			if n++; n > 1 {
				p = append(p, ',')
			}
			p = plainJSON(p, e, depth+1)
		}
		return append(p, ']')
	case fields.isObject():
		p = append(p, '{')
		n := 0
		for e := range fields.get("values").elements() {
			if n++; n > 1 {
				p = append(p, ',')
			}
			key := e.get("key").raw()
			if !e.get("key").isText() {
				key = []byte(`""`)
			}
			p = append(append(p, key...), ':')
			p = plainJSON(p, e.get("value"), depth+1)
		}
		return append(p, '}')
	}
	for k, m := range v.members() {
		if name := k.str(); name == "intValue" || name == "int_value" {
			if n, ok := m.int64(); ok {
				return strconv.AppendInt(p, n, 10)
			}
		}
		return append(p, bytes.TrimSpace(m.raw())...)
	}
	return append(p, "null"...)
}
