package history

import (
	"cmp"
	"strings"
	"time"
)

// A messageLog collects messages of recordings in which they come again: states that repeat all of
// them, streams that write one as it grows. A message is known by its id, else by what it says; the
// last one of an id holds.
type messageLog struct {
	*pieceReader
	all []*loggedConversation
}

type loggedConversation struct {
	order    []string
	messages map[string]*loggedMessage
	answered bool
}

// A loggedMessage is one message taken apart.
type loggedMessage struct {
	key    string // what it is known by
	id     string // as recorded
	role   string
	pieces []piece
	model  string
	time   time.Time
	usage  *Usage
}

// identify finds what a message is known by.
func (m *loggedMessage) identify() {
	if m.id != "" {
		m.key = m.role + " " + m.id
		return
	}
	var b strings.Builder
	for _, p := range m.pieces {
		for n, k := 0, p.key; n < 8; n, k = n+1, k>>8 {
			b.WriteByte(byte(k))
		}
	}
	m.key = b.String()
}

// conversation is the one that goes on, or a new one.
func (l *messageLog) conversation(another bool) *loggedConversation {
	if len(l.all) == 0 || another {
		l.all = append(l.all, &loggedConversation{messages: map[string]*loggedMessage{}})
	}
	return l.all[len(l.all)-1]
}

// line reads a message that has a record to itself.
func (l *messageLog) line(m *loggedMessage) {
	c := l.conversation(false)
	if m.id == "" {
		m.key = strings.Repeat(" ", len(c.order)+1) // said once more, it is another message
	}
	c.add(m)
}

// list reads a list of messages: of the conversation that goes on where the list has some of its
// messages by their ids, or begins with all of them, else of another. In a stream there is one
// conversation only.
func (l *messageLog) list(v value, stream bool, is func(value) bool, read func(value) *loggedMessage) {
	var messages []*loggedMessage
	count := map[string]int{}
	for e := range v.elements() {
		if !is(e) {
			continue
		}
		m := read(e)
		if m.id == "" {
			count[m.key]++
			m.key += "#" + strings.Repeat("+", count[m.key])
		}
		messages = append(messages, m)
	}
	c := l.conversation(false)
	if !stream && !c.continuedBy(messages) {
		c = l.conversation(true)
	}
	for _, m := range messages {
		c.add(m)
	}
}

func (c *loggedConversation) continuedBy(messages []*loggedMessage) bool {
	if len(c.order) == 0 {
		return true
	}
	for _, m := range messages {
		if m.id != "" && c.messages[m.key] != nil {
			return true
		}
	}
	if len(messages) <= len(c.order) || !c.answered {
		return false
	}
	for i, key := range c.order {
		if messages[i].key != key {
			return false
		}
	}
	return true
}

func (c *loggedConversation) add(m *loggedMessage) {
	if c.messages[m.key] == nil {
		c.order = append(c.order, m.key)
	}
	c.answered = c.answered || m.role == "assistant"
	c.messages[m.key] = m
}

// emit makes conversations of what was collected.
func (l *messageLog) emit(b *builder) {
	for _, c := range l.all {
		conv := b.newConversation("")
		t := newTraceThread(conv, Main)
		for _, key := range c.order {
			m := c.messages[key]
			if m.role == "assistant" {
				s := t.step(m.id)
				t.open = true
				s.Usage, s.Time = m.usage, m.time
				conv.Conv.Usage = conv.Conv.Usage.Add(m.usage)
				conv.Conv.Model = cmp.Or(conv.Conv.Model, m.model)
			}
			for _, p := range m.pieces {
				t.take(p)
			}
		}
	}
}
