package history

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"
)

// langChain reads LangChain's messages in all their serialisations, states of LangGraph that hold
// them, and streams of such states.
var langChain = &Format{
	Name:   "langchain",
	Title:  "LangChain messages",
	How:    "messages of the type human, ai or tool, as constructors with lc and id, with data, or flat; also in LangGraph's states and streams",
	detect: detectLangChain,
	read:   readLangChain,
}

// langChainMessage tells whether v is a message in one of LangChain's forms.
func langChainMessage(v value) bool {
	if v.get("lc").ok() && v.get("kwargs").isObject() && v.get("id").isArray() {
		_, role := bareMessage(v)
		return role != ""
	}
	typ := v.get("type").str()
	if data := v.get("data"); data.isObject() {
		return roles[typ] != "" && data.get("content").ok()
	}
	if v.get("role").ok() || !v.get("content").ok() {
		return false
	}
	switch typ {
	case "human", "ai", "HumanMessage", "HumanMessageChunk", "AIMessage", "AIMessageChunk", "ToolMessage", "ToolMessageChunk", "SystemMessage":
		return true
	case "tool":
		return v.get("tool_call_id").isText()
	case "system":
		return !v.get("subtype").ok() && !v.get("uuid").ok() // those are other formats' lines
	}
	return false
}

// langChainLists lists the message lists in a record: of a list, a state, or a stream's event.
func langChainLists(v value) []value {
	isList := func(l value) bool { return mostLangChain(l.elements()) }
	if v.isArray() {
		if isList(v) {
			return []value{v}
		}
		var lists []value
		for e := range v.elements() { // a batch
			if e.isArray() && isList(e) {
				lists = append(lists, e)
			}
			if m := e.get("messages"); isList(m) {
				lists = append(lists, m)
			}
		}
		return lists
	}
	for _, l := range []value{v.get("messages"), v.get("values", "messages"), v.get("payload", "values", "messages"), v.get("payload", "input", "messages"),
		v.get("output", "messages"), v.get("input", "messages")} {
		if isList(l) {
			return []value{l}
		}
	}
	for _, node := range v.members() { // an update of one node of a graph
		if l := node.get("messages"); isList(l) {
			return []value{l}
		}
	}
	return nil
}

// mostLangChain tells whether messages of LangChain outnumber what looks like one of another type.
func mostLangChain(list iter.Seq[value]) bool {
	messages, others := 0, 0
	for v := range list {
		switch {
		case langChainMessage(v):
			messages++
		case v.get("type").isText() && v.get("content").ok():
			others++
		}
	}
	return messages > others
}

func detectLangChain(s *sample) (int, string) {
	if s.tape != nil {
		return 0, ""
	}
	items := s.items()
	for _, v := range items {
		if langChainMessage(v) && !v.get("type").is("system") && mostLangChain(slices.Values(items)) {
			return 88, "messages of LangChain's types, such as human, ai and tool"
		}
	}
	for _, r := range s.records {
		if len(langChainLists(r.value)) > 0 {
			return 88, "lists of messages of LangChain's types, such as human, ai and tool"
		}
	}
	return 0, ""
}

func readLangChain(ctx context.Context, in *input, b *builder) error {
	l := &messageLog{pieceReader: newPieceReader()}
	for rec := range in.records(ctx) {
		stream := bytes.HasPrefix(rec.prefix, []byte("data:"))
		lists := langChainLists(rec.value)
		switch {
		case len(lists) > 0:
			for _, list := range lists {
				l.list(list, stream, langChainMessage, l.langChain)
			}
		case langChainMessage(rec.value):
			l.line(l.langChain(rec.value))
		case !stream:
			b.problem(rec.at(), "the record has no messages")
		}
	}
	l.emit(b)
	return in.err()
}

// langChain takes one message apart.
func (l *messageLog) langChain(v value) *loggedMessage {
	m, role := bareMessage(v)
	r := &loggedMessage{role: role, pieces: l.message(v, ""), id: m.get("id").str()}
	for i := range r.pieces {
		if p := &r.pieces[i]; p.kind == resultPiece && keptInFiles(m.get("content"), p.id) {
			p.result.Flags |= OffloadedByRecorder | TruncatedByRecorder
		}
		if p := &r.pieces[i]; p.kind == resultPiece && m.get("artifact").given() && p.result.Payload.Size().Bytes == 0 {
			p.result.Payload = m.get("artifact").payload()
		}
	}
	about := m.get("response_metadata")
	r.model = firstGiven(about.get("model_name"), about.get("model")).str()
	for _, u := range []value{m.get("usage_metadata"), about.get("token_usage"), about.get("usage")} {
		if r.usage == nil {
			r.usage = langChainUsage(u)
		}
	}
	r.identify()
	return r
}

// keptInFiles tells whether the result of a call begins with the notice that deepagents puts in its
// place: that it was too large, for which call, and the path in its file system where it is.
func keptInFiles(content value, call string) bool {
	const notice, folder, longest = "Tool result too large", "large_tool_results/", 512
	start := head(firstGiven(content.first().get("text"), content), longest)
	if !strings.HasPrefix(start, notice) || call == "" {
		return false
	}
	_, path, found := strings.Cut(start, folder)
	return found && strings.Contains(start[:len(start)-len(path)], " "+call+" ")
}
