package history

import (
	"context"
	"fmt"
	"strings"
)

// mcpLog reads messages of the Model Context Protocol between clients and servers: JSON Lines, also
// behind a log's prefix or inside a record of a proxy, and recorded HTTP traffic (cassettes).
var mcpLog = &Format{
	Name:   "mcp-jsonrpc",
	Title:  "MCP JSON-RPC log",
	How:    `messages with "jsonrpc": "2.0", one a line, behind a log's prefix, or as HTTP bodies in a cassette`,
	detect: detectMCP,
	read:   readMCP,
}

func detectMCP(s *sample) (int, string) {
	messages, calls, ours := 0, 0, false
	for _, v := range s.items() {
		for _, m := range rpcMessages(v) {
			messages++
			ours = ours || ofMCP(m.value)
			if m.get("method").is("tools/call") {
				calls++
			}
		}
	}
	switch {
	case calls > 0:
		return 95, `JSON-RPC 2.0 messages, tools/call among them`
	case ours:
		return 80, `JSON-RPC 2.0 messages`
	}
	if s.tape == nil {
		return 0, ""
	}
	bodies := 0
	for _, x := range s.tape.exchanges {
		for _, v := range append(x.request.values(), x.response.values()...) {
			bodies += len(rpcMessages(v))
		}
	}
	if bodies == 0 {
		return 0, ""
	}
	return 90, fmt.Sprintf("%s with %d JSON-RPC 2.0 messages", s.tape.kind, bodies)
}

// ofMCP tells whether a JSON-RPC message is one of this protocol: others speak JSON-RPC too.
func ofMCP(m value) bool {
	area, _, _ := strings.Cut(m.get("method").str(), "/")
	switch area {
	case "tools", "resources", "prompts", "notifications", "sampling", "elicitation", "roots", "logging", "completion", "tasks":
		return true
	case "initialize":
		return m.get("params", "protocolVersion").ok()
	}
	result := m.get("result")
	return toolReply(result) || result.get("protocolVersion").ok() || result.get("tools").isArray()
}

func readMCP(ctx context.Context, in *input, b *builder) error {
	log := newMCPReader(b)
	for rec := range in.records(ctx) {
		if t, ok := in.tapeOf(rec); ok {
			log.tape(t)
			continue
		}
		messages := rpcMessages(rec.value)
		if len(messages) == 0 {
			b.problem(rec.at(), "the record has no JSON-RPC message")
		}
		connection, when := mcpCarrier(rec)
		log.when = when
		for _, m := range messages {
			log.message(m.value, connection, m.at)
		}
	}
	return in.err()
}

// tape reads the exchanges whose request is a JSON-RPC message.
func (r *mcpReader) tape(t *tape) {
	for _, x := range t.exchanges {
		connection := x.host + x.path
		asked := false
		r.when = x.when
		for _, v := range x.request.values() {
			for _, m := range rpcMessages(v) {
				asked = true
				r.message(m.value, connection, m.at)
			}
		}
		if !asked {
			continue
		}
		if x.response.problem != "" {
			r.thread.c.b.problem(x.response.at, x.response.problem)
		}
		for _, v := range x.response.values() {
			for _, m := range rpcMessages(v) {
				r.message(m.value, connection, m.at)
			}
		}
	}
}

// An rpcMessage is a JSON-RPC message, and where it lies in the recording.
type rpcMessage struct {
	value
	at Location
}

// carriedIn are the names under which proxies and logs keep a message as text.
var carriedIn = []string{"message", "msg", "data", "payload", "raw", "line", "frame", "body"}

// rpcMessages finds the JSON-RPC messages in a record: the record itself, a batch of them, or what
// a proxy's record holds in its members.
func rpcMessages(v value) []rpcMessage {
	list := rpcBatch(v)
	if len(list) > 0 {
		return list
	}
	for _, m := range v.members() {
		list = append(list, rpcBatch(m)...)
	}
	for _, key := range carriedIn {
		carried := v.get(key)
		if !begins(carried, "{", "[{") {
			continue
		}
		src := memorySource("", []byte(carried.str()))
		inner, bad := parse(src, 0, 1, src.memory)
		if bad != nil {
			continue
		}
		for _, m := range rpcBatch(inner) {
			list = append(list, rpcMessage{m.value, carried.at()})
		}
	}
	return list
}

// rpcBatch is v, or the elements of v, where these are JSON-RPC messages.
func rpcBatch(v value) []rpcMessage {
	if v.get("jsonrpc").is("2.0") {
		return []rpcMessage{{v, v.at()}}
	}
	var list []rpcMessage
	for e := range v.elements() {
		if !e.get("jsonrpc").is("2.0") {
			break
		}
		list = append(list, rpcMessage{e, e.at()})
	}
	return list
}
