package history

import "slices"

// A bedrockBlock is a content block of which pieces may still come.
type bedrockBlock struct {
	index    int64
	at       Location
	id, name string // of a call, as JSON
	text     pieces
	thought  pieces
	input    pieces
	call     bool
}

// bedrockStream is the answer of a stream's events as the API gives it in one piece.
func bedrockStream(events []event) value {
	var blocks []*bedrockBlock
	usage := ""
	for _, e := range events {
		inner := firstGiven(e.get(e.name), e.value) // some recordings name the event in its payload
		if u := inner.get("usage"); u.isObject() {
			usage = string(u.raw())
		}
		start, delta := inner.get("start", "toolUse"), inner.get("delta")
		if !start.isObject() && !delta.isObject() {
			continue
		}
		index, _ := inner.get("contentBlockIndex").int64()
		i := slices.IndexFunc(blocks, func(b *bedrockBlock) bool { return b.index == index })
		if i < 0 {
			i = len(blocks)
			blocks = append(blocks, &bedrockBlock{index: index, at: e.at()})
		}
		b := blocks[i]
		if start.isObject() {
			b.call, b.id, b.name = true, string(start.get("toolUseId").raw()), string(start.get("name").raw())
		}
		b.text.add(delta.get("text"))
		b.thought.add(delta.get("reasoningContent", "text"))
		b.input.add(delta.get("toolUse", "input"))
	}
	w := &pieceWriter{}
	w.write(events[0].at(), `{"output":{"message":{"role":"assistant","content":[`)
	for i, b := range blocks {
		if i > 0 {
			w.write(b.at, ",")
		}
		b.write(w)
	}
	w.write(events[0].at(), "]}}")
	if usage != "" {
		w.write(events[0].at(), `,"usage":`, usage)
	}
	w.write(events[0].at(), "}")
	return w.value(events[0].at().File)
}

func (b *bedrockBlock) write(w *pieceWriter) {
	switch {
	case b.call:
		w.write(b.at, `{"toolUse":{"toolUseId":`, orNull(b.id), `,"name":`, orNull(b.name))
		switch input := b.input.plain(); {
		case input == "":
			w.write(b.at, `,"input":{}`)
		case valid([]byte(input)):
			w.write(b.input.at, `,"input":`, input)
		default:
			w.write(b.input.at, `,"input":"`, string(b.input.inner), `"`)
		}
		w.write(b.at, "}}")
	case len(b.thought.inner) > 0:
		w.write(b.thought.at, `{"reasoningContent":{"reasoningText":{"text":"`, string(b.thought.inner), `"}}}`)
	default:
		w.write(b.text.at, `{"text":"`, string(b.text.inner), `"}`)
	}
}

// plain is the text that the pieces are, with its escapes undone.
func (p *pieces) plain() string {
	v, bad := parse(nil, 0, 1, append(append([]byte{'"'}, p.inner...), '"'))
	if bad != nil {
		return ""
	}
	return v.str()
}

func orNull(raw string) string {
	if raw == "" {
		return "null"
	}
	return raw
}
