package history

import "context"

// geminiCLI reads the chats that Gemini CLI records: one object, or lines that say what changed.
var geminiCLI = &Format{
	Name:   "gemini-cli",
	Title:  "Gemini CLI chat",
	How:    "an object or a first line with sessionId and projectHash, and messages of type user and gemini",
	detect: detectGeminiCLI,
	read:   readGeminiCLI,
}

func detectGeminiCLI(s *sample) (int, string) {
	headers, messages := 0, 0
	for _, v := range s.items() {
		switch {
		case v.get("sessionId").isText() && v.get("projectHash").isText() && v.get("messages").isArray():
			return 95, "an object with sessionId, projectHash and messages"
		case v.get("sessionId").isText() && v.get("projectHash").isText() && !v.get("uuid").ok(),
			v.get("$set").isObject(), v.get("$rewindTo").isText():
			headers++
		case geminiMessage(v):
			messages++
		}
	}
	switch {
	case headers > 0 && messages > 0:
		return 95, "a line with sessionId and projectHash, or with $set, and lines of type user and gemini"
	case headers > 0:
		return 70, "a line with sessionId and projectHash, or with $set"
	case messages > 0:
		return 60, "lines of type gemini with an id"
	}
	return 0, ""
}

// geminiMessage tells whether v is a response as Gemini CLI records it.
func geminiMessage(v value) bool {
	return v.get("type").is("gemini") && v.get("id").isText() && (v.get("content").ok() || v.get("toolCalls").isArray())
}

// readGeminiCLI reads the messages that are left: a later line with the same id takes the place of
// an earlier one, and a rewind takes back what a person undid.
func readGeminiCLI(ctx context.Context, in *input, b *builder) error {
	var log geminiLog
	in.survey(ctx, log.add)
	g := &geminiChat{log: log, conv: b.conversation(""), waiting: map[int]record{}, at: log.positions()}
	n := 0
	for rec := range in.records(ctx) {
		g.record(n, rec)
		n++
	}
	g.flush()
	return in.err()
}

// A geminiPlace says where a message stands: in which record, and at which place in its list of
// messages; -1 where the record is the message.
type geminiPlace struct{ record, element int }

type geminiEntry struct {
	id    string
	place geminiPlace
	fresh bool // a summary took the place of what came before
}

// A geminiLog knows which messages are left of those that were recorded.
type geminiLog struct {
	entries []geminiEntry
	byID    map[string]int
}

func (l *geminiLog) add(n int, v value) {
	switch {
	case v.get("$rewindTo").isText():
		l.rewind(v.get("$rewindTo").str())
	case v.get("$set").isObject():
		l.replace(n, v.get("$set", "messages"))
	case v.get("messages").isArray():
		l.replace(n, v.get("messages"))
	case v.get("type").isText():
		l.put(v.get("id").str(), geminiPlace{n, -1}, false)
	}
}

// put notes a message. One that is known is told again.
func (l *geminiLog) put(id string, at geminiPlace, fresh bool) {
	if known, ok := l.byID[id]; ok {
		l.entries[known].place = at
		return
	}
	if id != "" {
		if l.byID == nil {
			l.byID = map[string]int{}
		}
		l.byID[id] = len(l.entries)
	}
	l.entries = append(l.entries, geminiEntry{id, at, fresh})
}

// rewind drops the message and all behind it; everything where nobody knows it.
func (l *geminiLog) rewind(id string) { l.cut(l.byID[id]) }

func (l *geminiLog) cut(n int) {
	for _, e := range l.entries[n:] {
		delete(l.byID, e.id)
	}
	l.entries = l.entries[:n]
}

// replace takes a whole list of messages. One that begins as before tells what was undone, or says
// it again; any other is a summary: what came before was said all the same.
func (l *geminiLog) replace(n int, list value) {
	i, same := 0, true
	for m := range list.elements() {
		id := m.get("id").str()
		same = same && i < len(l.entries) && id != "" && l.entries[i].id == id
		i++
	}
	if same && i > 0 {
		l.cut(i)
	}
	fresh := !same && len(l.entries) > 0
	i = 0
	for m := range list.elements() {
		id := m.get("id").str()
		_, known := l.byID[id]
		l.put(id, geminiPlace{n, i}, fresh && !known)
		fresh = fresh && known
		i++
	}
}

// positions says which message of the chat stands at a place.
func (l *geminiLog) positions() map[geminiPlace]int {
	at := map[geminiPlace]int{}
	for i, e := range l.entries {
		at[e.place] = i
	}
	return at
}
