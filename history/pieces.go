package history

import "hash/maphash"

// A pieceKind says what a piece of a message is.
type pieceKind uint8

const (
	systemPiece pieceKind = iota // instructions, or the definitions of tools
	promptPiece                  // what a person wrote
	textPiece                    // what the model wrote
	callPiece
	resultPiece
)

// A piece is one thing that a message holds. Tracers write the same history again with every
// request, in ever new packaging: messages are taken apart, and pieces are compared.
type piece struct {
	kind    pieceKind
	id      string // of a call, or of the call that a result answers
	tool    string
	payload Payload // the text; the arguments of a call
	invalid bool    // the arguments are not JSON
	run     bool    // the provider ran the tool
	another bool    // with it begins another response of the model
	result  *Result
	at      Location
	key     uint64 // the same for pieces that say the same
	args    uint64 // the same for calls with the same arguments, however they are spelt
}

// A pieceReader takes messages apart. It knows them by their structure, whichever framework
// wrote them: tracers pass on what they were given.
type pieceReader struct {
	seed maphash.Seed
	cut  func(Location) // is told where the recorder cut a list of messages
}

func newPieceReader() *pieceReader { return &pieceReader{maphash.MakeSeed(), func(Location) {}} }

// messages reads whatever holds messages; role is that of messages that name none, "" where
// these are no messages.
func (r *pieceReader) messages(v value, role string) []piece {
	return r.messagesAt(v, role, 0)
}

// wrapperDepth is how deep messages may be packed.
const wrapperDepth = 4

func (r *pieceReader) messagesAt(v value, role string, depth int) []piece {
	v = nested(v)
	if depth > wrapperDepth {
		return nil
	}
	switch v.kind() {
	case text:
		if part := completePart(v); part.isArray() || part.isObject() {
			if list := r.messagesAt(part, role, depth+1); len(list) > 0 {
				r.cut(v.at())
				return list
			}
		}
		return r.text(nil, role, v)
	case array:
		var list []piece
		for e := range v.elements() {
			if e = nested(e); e.isArray() {
				list = append(list, r.messagesAt(e, role, depth+1)...)
				break // a batch: the others are other requests
			}
			list = append(list, r.message(e, role)...)
		}
		return list
	case object:
		if m, _ := bareMessage(v); m.ok() {
			return r.message(v, role)
		}
		var list []piece
		for _, key := range []string{"system", "system_instruction", "systemInstruction", "instructions"} {
			list = append(list, r.messagesAt(v.get(key), "system", depth+1)...)
		}
		list = append(list, r.messagesAt(v.get("config", "system_instruction"), "system", depth+1)...)
		for _, key := range []string{"messages", "contents", "input", "output", "message"} {
			if inner := nested(v.get(key)); inner.isArray() || inner.isObject() {
				return append(list, r.messagesAt(inner, role, depth+1)...)
			}
		}
		for _, key := range []string{"prompt", "input"} {
			if inner := v.get(key); inner.isText() {
				return append(list, r.messagesAt(inner, role, depth+1)...)
			}
		}
		if message := v.get("choices").first().get("message"); message.isObject() {
			return append(list, r.message(message, "assistant")...)
		}
		if content := v.get("candidates").first().get("content"); content.isObject() {
			return append(list, r.message(content, "assistant")...)
		}
		if generations := v.get("generations"); generations.isArray() {
			first := generations.first()
			if first.isArray() {
				first = first.first()
			}
			return append(list, r.messagesAt(firstGiven(first.get("message"), first.get("text")), "assistant", depth+1)...)
		}
		return list
	}
	return nil
}

// roles are the words for who wrote a message.
var roles = map[string]string{
	"user": "user", "human": "user", "HumanMessage": "user", "HumanMessageChunk": "user",
	"assistant": "assistant", "ai": "assistant", "model": "assistant", "AIMessage": "assistant", "AIMessageChunk": "assistant",
	"system": "system", "developer": "system", "SystemMessage": "system", "SystemMessageChunk": "system",
	"tool": "tool", "function": "tool", "ToolMessage": "tool", "ToolMessageChunk": "tool", "FunctionMessage": "tool",
}

// bareMessage takes a message out of its packaging, and says who wrote it: "" where it does not
// say. It returns nothing where v is no message.
func bareMessage(v value) (message value, role string) {
	for range wrapperDepth {
		switch {
		case v.get("kwargs").isObject() && v.get("id").isArray():
			for e := range v.get("id").elements() {
				role = e.str() // the last word of the path
			}
			return v.get("kwargs"), roles[role]
		case v.get("data").isObject() && roles[v.get("type").str()] != "":
			return v.get("data"), roles[v.get("type").str()]
		case responsesItem(v) != itemOther && responsesItem(v) != itemMessage || v.get("type").is("reasoning") && v.get("summary").isArray():
			return v, ""
		case v.get("role").isText():
			role = roles[v.get("role").str()]
			if role == "" {
				role = v.get("role").str()
			}
			return v, role
		case roles[v.get("type").str()] != "" && (v.get("content").ok() || v.get("tool_calls").isArray()):
			return v, roles[v.get("type").str()]
		case v.get("message").isObject() && !v.get("choices").ok():
			v = v.get("message")
			continue
		case v.get("parts").isArray():
			return v, ""
		case v.get("content").isObject() && v.get("content", "parts").isArray():
			v = v.get("content")
			continue
		}
		break
	}
	return value{}, ""
}

// message takes a message apart.
func (r *pieceReader) message(v value, role string) []piece {
	v = nested(v)
	if v.isText() {
		return r.text(nil, role, v)
	}
	m, own := bareMessage(v)
	if own != "" {
		role = own
	}
	if !m.isObject() || role == "" && !m.get("type").isText() {
		return nil
	}
	if own == "" && (responsesItem(m) != itemOther || m.get("type").is("reasoning")) {
		return r.responsesItem(m)
	}
	return r.fields(m, role)
}

// fields reads the content and the calls of a message.
func (r *pieceReader) fields(m value, role string) []piece {
	content := firstGiven(m.get("parts"), m.get("content"))
	if s := nested(content); content.isText() && role != "user" && messageParts(s) {
		content = s
	}
	var list []piece
	switch {
	case role == "tool" && toolDefinition(content):
		return append(list, r.known(piece{kind: systemPiece, payload: content.payload(), at: content.at()}, content))
	case role == "tool" && (!messageParts(content) || m.get("tool_call_id").given()):
		list = append(list, r.toolMessage(m, content))
	case content.isArray() || content.isObject() && messageParts(content):
		if reasoning := firstGiven(m.get("reasoning_content"), m.get("reasoning")); reasoning.isText() {
			list = r.text(list, role, reasoning)
		}
		list = append(list, r.parts(role, content, m)...)
	default:
		if reasoning := firstGiven(m.get("reasoning_content"), m.get("reasoning")); reasoning.isText() {
			list = r.text(list, role, reasoning)
		}
		list = r.text(list, role, content)
	}
	return r.messageCalls(list, m)
}

// messageCalls adds the calls that stand beside a message's content. Where they are in it too,
// those beside it are the complete ones.
func (r *pieceReader) messageCalls(list []piece, m value) []piece {
	inContent := map[string]int{}
	for i, p := range list {
		if p.kind == callPiece && p.id != "" {
			inContent[p.id] = i
		}
	}
	calls := nested(m.get("tool_calls"))
	if !calls.first().ok() {
		calls = nested(m.get("additional_kwargs", "tool_calls"))
	}
	for _, calls := range []value{calls, m.get("invalid_tool_calls")} {
		for c := range calls.elements() {
			if inner := c.get("tool_call"); inner.isObject() {
				c = inner
			}
			name, arguments := chatCall(c)
			p := r.call(firstGiven(c.get("id"), c.get("tool_call_id")).str(), name.str(), arguments, c)
			if i, found := inContent[p.id]; found {
				list[i] = p
				continue
			}
			list = append(list, p)
		}
	}
	if c := firstGiven(m.get("function_call"), m.get("additional_kwargs", "function_call")); c.get("name").isText() {
		list = append(list, r.call("", c.get("name").str(), c.get("arguments"), c))
	}
	return list
}

// toolMessage is a message that is one result.
func (r *pieceReader) toolMessage(m, content value) piece {
	result := &Result{Payload: r.resultPayload(content), At: placeOf(content, m)}
	result.Error = m.get("status").is("error") || m.get("is_error").truth() || m.get("isError").truth()
	result.Failed = result.Error
	return r.known(piece{kind: resultPiece, id: firstGiven(m.get("tool_call_id"), m.get("toolCallId"), m.get("id")).str(),
		tool: m.get("name").str(), result: result, at: m.at()}, content)
}

// toolDefinition tells whether a tool message declares a tool: one tracer lists these so.
func toolDefinition(v value) bool {
	f := v.get("function")
	return v.get("type").is("function") && f.get("name").isText() && (f.get("parameters").ok() || f.get("description").ok())
}

// text adds what somebody wrote, unless it is nothing.
func (r *pieceReader) text(list []piece, role string, v value) []piece {
	p := openAIContent(v)
	if p.empty() || p.Size().Bytes == 0 && p.onlyText() {
		return list
	}
	kind, ok := textKind(role)
	if !ok {
		return list
	}
	return append(list, r.known(piece{kind: kind, payload: p, at: v.at()}, v))
}

func textKind(role string) (pieceKind, bool) {
	switch role {
	case "system":
		return systemPiece, true
	case "user":
		return promptPiece, true
	case "assistant":
		return textPiece, true
	}
	return 0, false
}

// call makes the piece of a call; of is what it is recorded in.
func (r *pieceReader) call(id, tool string, arguments, of value) piece {
	p, isJSON := arguments.arguments()
	i := piece{kind: callPiece, id: id, tool: tool, payload: p, invalid: !isJSON, at: of.at(), args: r.arguments(arguments)}
	var h maphash.Hash
	h.SetSeed(r.seed)
	_ = h.WriteByte(byte(callPiece))
	_, _ = h.WriteString(id)
	if id == "" {
		_, _ = h.WriteString(tool)
		writeNumber(&h, i.args)
	}
	i.key = h.Sum64()
	return i
}
