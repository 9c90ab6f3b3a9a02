package history

import (
	"strconv"
	"strings"
)

// writeMCP writes the messages between client and server: what servers said of themselves, then calls
// and replies. A call that waits while others go on has a connection of its own.
func writeMCP(w *writer, c chapter) {
	t := c.main()
	m := &mcpWriter{writer: w, sessions: map[*Call]int{}}
	m.about(t.System)
	for _, e := range t.passages() {
		switch e.kind {
		case answerPassage:
			m.requests(e.step)
		case resultPassage:
			m.reply(e.call)
		}
	}
}

type mcpWriter struct {
	*writer
	session  int           // the connection of the last step, from 0
	sessions map[*Call]int // and of the calls that wait for their reply
}

// begin begins a message on a connection; the first one is not named.
func (m *mcpWriter) begin(session int) {
	m.open("{")
	m.member("jsonrpc", "2.0")
	if session > 0 {
		m.member("session", strconv.Itoa(session+1))
	}
}

func (m *mcpWriter) end() {
	m.close("}")
	m.line()
}

// about writes what servers said of themselves, as their replies.
func (m *mcpWriter) about(system Payload) {
	for i, p := range system.Parts() {
		method, key := "initialize", "instructions"
		if p.Kind == Text && isToolList(p) {
			method, key = "tools/list", "tools"
		}
		id := "about-" + strconv.Itoa(i+1)
		m.begin(0)
		m.member("id", id)
		m.member("method", method)
		m.end()
		m.begin(0)
		m.member("id", id)
		m.key("result")
		m.open("{")
		m.key(key)
		if key == "tools" {
			m.value(p.data)
		} else {
			m.part(p)
		}
		m.close("}")
		m.end()
	}
}

// requests writes the calls of a step.
func (m *mcpWriter) requests(s *Step) {
	if len(m.sessions) > 0 {
		m.session++
		for c := range m.sessions {
			if c.Result == nil {
				delete(m.sessions, c) // it stays open on a connection that nobody uses again
			}
		}
	}
	for _, c := range s.made() {
		m.begin(m.session)
		m.id(c.ID)
		m.member("method", toolsCall)
		m.key("params")
		m.open("{")
		m.member("name", c.Tool)
		m.argumentsValue("arguments", c.Arguments)
		m.close("}")
		m.end()
		if !c.Flags.Has(ResultBeforeCall) {
			m.sessions[c] = m.session
		}
	}
}

// id writes an id; a number where it looks like one.
func (m *mcpWriter) id(id string) {
	m.key("id")
	if n, err := strconv.ParseInt(id, 10, 64); err == nil && strconv.FormatInt(n, 10) == id {
		m.literal(id)
		return
	}
	m.str(id)
}

func (m *mcpWriter) reply(c *Call) {
	session, waits := m.sessions[c]
	if !waits {
		session = m.session
	}
	delete(m.sessions, c)
	e := m.entry(c)
	m.begin(session)
	m.id(c.ID)
	if c.Result.Failed && c.made() && !c.Flags.Has(ResultBeforeCall) {
		m.key("error")
		m.open("{")
		m.key("code")
		m.literal("-32000")
		m.key("message")
		m.text(e.payload)
		m.close("}")
		m.end()
		return
	}
	m.key("result")
	m.open("{")
	m.key("content")
	m.open("[")
	for _, p := range e.payload.Parts() {
		m.content(p)
	}
	if e.instructions != "" {
		m.textPart("text", Of(e.instructions).Parts()[0])
	}
	m.close("]")
	if e.structured != nil {
		m.argumentsValue("structuredContent", *e.structured)
	}
	if c.Result.Error {
		m.key("isError")
		m.literal("true")
	}
	m.close("}")
	m.end()
}

func (m *mcpWriter) content(p Part) {
	if p.Kind == Text {
		if p.Media == "" {
			m.textPart("text", p)
			return
		}
		m.resource(p.Media, "text")
		m.part(p)
		m.close("}")
		m.close("}")
		return
	}
	d := m.medium(p)
	media := p.Media
	if d.media != "" {
		media = d.media
	}
	switch {
	case d.object || p.recorded == nil:
		m.named(d)
	case p.Kind == Image, p.Kind == Audio:
		m.typed(string(p.Kind))
		m.given("mimeType", media)
		m.key("data")
		m.base64(d)
		m.close("}")
	case p.Kind == Resource, p.Kind == Document:
		m.resource(media, "blob")
		m.base64(d)
		m.close("}")
		m.close("}")
	default:
		m.named(d)
	}
}

// resource begins an embedded resource, up to its text or blob. Where it is from was not kept.
func (m *mcpWriter) resource(media, key string) {
	m.typed("resource")
	m.key("resource")
	m.open("{")
	m.member("uri", "unknown:")
	if strings.Contains(media, "/") {
		m.member("mimeType", media)
	}
	m.key(key)
}
