package history

import (
	"cmp"
	"context"
	"slices"
)

// openCode reads sessions of opencode and of programs with the same store: exports, dumps of its
// database tables in which the column data is a JSON string, its folder of files, and its events.
var openCode = &Format{
	Name:   "opencode",
	Title:  "opencode session",
	How:    "messages with info and parts, or rows and files of parts that have a message's and a session's id",
	detect: detectOpenCode,
	read:   readOpenCode,
	folder: openCodeFolder,
}

// An openCodeKind says what an object of opencode's store is.
type openCodeKind int

const (
	openCodeNothing openCodeKind = iota
	openCodeSession
	openCodeMessage
	openCodePart
	openCodeExport // of a session
	openCodeWhole  // a message with its parts
	openCodeEvent
)

func openCodeKindOf(v value) openCodeKind {
	session := openCodeKey(v, "session_id", "sessionID").isText()
	message := openCodeKey(v, "message_id", "messageID").isText()
	data := v.get("data")
	switch info := v.get("info"); {
	case session && message && (begins(data, "{") || v.get("type").isText()):
		return openCodePart
	case session && v.get("id").isText() && (begins(data, "{") || v.get("role").isText() && v.get("time").isObject()):
		return openCodeMessage
	case info.get("id").isText() && v.get("messages").isArray():
		return openCodeExport
	case info.get("role").isText() && info.get("id").isText() && v.get("parts").isArray():
		return openCodeWhole
	case v.get("id").isText() && openCodeKey(v, "project_id", "projectID").isText() && v.get("directory").isText():
		return openCodeSession
	case v.get("properties", "part", "messageID").isText(), v.get("properties", "info", "sessionID").isText():
		return openCodeEvent
	}
	return openCodeNothing
}

// openCodeKey is the member that the database and the files spell in two ways.
func openCodeKey(v value, column, field string) value { return firstGiven(v.get(column), v.get(field)) }

func detectOpenCode(s *sample) (int, string) {
	var seen [openCodeEvent + 1]int
	for _, v := range s.items() {
		seen[openCodeKindOf(v)]++
	}
	switch {
	case seen[openCodeExport]+seen[openCodeWhole] > 0:
		return 93, "messages with info and parts"
	case seen[openCodePart] > 0:
		return 93, "parts with the ids of their message and session"
	case seen[openCodeMessage] > 0:
		return 90, "messages with the id of their session, without their parts"
	case seen[openCodeEvent] > 0:
		return 90, "events about messages and their parts"
	case seen[openCodeSession] > 0:
		return 90, "sessions with their project and directory, without their messages"
	}
	return 0, ""
}

func readOpenCode(ctx context.Context, in *input, b *builder) error {
	o := &openCodeReader{b: b, sessions: map[string]*openCodeSessionOf{}, messages: map[string]*openCodeMessageOf{}}
	if err := o.file(ctx, in); err != nil {
		return err
	}
	for _, path := range in.more {
		more, err := in.also(path)
		if err != nil {
			b.problem(Location{File: path}, "the session's file can't be read")
			continue
		}
		if err := o.file(ctx, more); err != nil {
			return err
		}
	}
	o.finish()
	return nil
}

// An openCodeReader collects what may come in any order, and several times.
type openCodeReader struct {
	b        *builder
	sessions map[string]*openCodeSessionOf
	messages map[string]*openCodeMessageOf
}

type openCodeSessionOf struct {
	id, parent, title, agent string
	messages                 []*openCodeMessageOf
}

type openCodeMessageOf struct {
	id    string
	info  value
	at    Location
	parts []openCodePartOf
}

type openCodePartOf struct {
	id string
	value
}

func (o *openCodeReader) file(ctx context.Context, in *input) error {
	for rec := range in.records(ctx) {
		for v := range oneOrMore(in.kept(rec)) {
			if !o.add(v) {
				o.b.problem(v.at(), "the record is no session, message or part")
			}
		}
	}
	return in.err()
}

// add takes an object of the store; false where it is none.
func (o *openCodeReader) add(v value) bool {
	switch openCodeKindOf(v) {
	case openCodeSession:
		o.describe(v)
	case openCodeMessage:
		o.message(openCodeKey(v, "session_id", "sessionID"), v.get("id"), columnOr(v))
	case openCodePart:
		o.part(openCodeKey(v, "session_id", "sessionID"), openCodeKey(v, "message_id", "messageID"), v.get("id"), columnOr(v))
	case openCodeExport:
		o.describe(v.get("info"))
		for m := range v.get("messages").elements() {
			o.whole(m, v.get("info", "id"))
		}
	case openCodeWhole:
		o.whole(v, value{})
	case openCodeEvent:
		if p := v.get("properties", "part"); p.ok() {
			o.part(p.get("sessionID"), p.get("messageID"), p.get("id"), p)
			return true
		}
		info := v.get("properties", "info")
		o.message(info.get("sessionID"), info.get("id"), info)
	default:
		return v.get("type").isText() // an event about something else
	}
	return true
}

// columnOr is what the column data of a row holds; of a file, the file itself.
func columnOr(v value) value {
	if data := v.get("data"); data.ok() {
		inner, _ := embedded(data)
		return inner
	}
	return v
}

func (o *openCodeReader) whole(m, session value) {
	info := m.get("info")
	session = firstGiven(info.get("sessionID"), session)
	o.message(session, info.get("id"), info)
	for p := range m.get("parts").elements() {
		o.part(session, info.get("id"), p.get("id"), p)
	}
}

func (o *openCodeReader) session(id string) *openCodeSessionOf {
	s := o.sessions[id]
	if s == nil {
		s = &openCodeSessionOf{id: id}
		o.sessions[id] = s
	}
	return s
}

func (o *openCodeReader) describe(v value) {
	s := o.session(v.get("id").str())
	s.title, s.agent = v.get("title").str(), v.get("agent").str()
	s.parent = openCodeKey(v, "parent_id", "parentID").str()
}

func (o *openCodeReader) messageOf(session, id value) *openCodeMessageOf {
	m := o.messages[id.str()]
	if m == nil {
		m = &openCodeMessageOf{id: id.str()}
		o.messages[m.id] = m
		s := o.session(session.str())
		s.messages = append(s.messages, m)
	}
	return m
}

func (o *openCodeReader) message(session, id, info value) {
	m := o.messageOf(session, id)
	m.info, m.at = info, info.at()
}

// part adds a part, or replaces what was known of it: the last one counts.
func (o *openCodeReader) part(session, message, id, v value) {
	m := o.messageOf(session, message)
	if !v.ok() {
		o.b.problem(id.at(), "the part's data is not JSON")
		return
	}
	if m.at == (Location{}) {
		m.at = v.at()
	}
	p := openCodePartOf{id.str(), v}
	if i := slices.IndexFunc(m.parts, func(q openCodePartOf) bool { return q.id == p.id }); i >= 0 && p.id != "" {
		m.parts[i] = p
	} else {
		m.parts = append(m.parts, p)
	}
	if v.get("type").is("tool") {
		if child := openCodeChild(v); child != "" && child != session.str() {
			if c := o.session(child); c.parent == "" {
				c.parent, c.agent = session.str(), v.get("state", "input", "subagent_type").str()
			}
		}
	}
}

// openCodeChild is the session that a task of a subagent ran in; empty for other calls.
func openCodeChild(part value) string {
	about := part.get("state", "metadata")
	if !part.get("tool").is("task") {
		return ""
	}
	return firstGiven(about.get("sessionId"), about.get("sessionID")).str()
}

// finish puts the sessions into conversations. Ids of messages and parts rise with time.
func (o *openCodeReader) finish() {
	var list []*openCodeSessionOf
	for _, s := range o.sessions {
		if len(s.messages) == 0 {
			continue
		}
		slices.SortStableFunc(s.messages, func(a, b *openCodeMessageOf) int { return cmp.Compare(a.id, b.id) })
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *openCodeSessionOf) int {
		return cmp.Or(cmp.Compare(a.messages[0].id, b.messages[0].id), cmp.Compare(a.id, b.id))
	})
	for _, s := range list {
		root := s
		for up, n := o.sessions[s.parent], 0; up != nil && len(up.messages) > 0 && n < len(list); n++ {
			root, up = up, o.sessions[up.parent]
		}
		c := o.b.conversation(root.id)
		c.Conv.Title = root.title
		t := c.thread(Main)
		if root != s {
			t = c.thread(s.id)
			t.Thread.Agent = s.agent
		}
		thread := &openCodeThread{threadBuilder: t}
		for _, m := range s.messages {
			slices.SortStableFunc(m.parts, func(a, b openCodePartOf) int { return cmp.Compare(a.id, b.id) })
			thread.message(m)
		}
	}
}
