package history

import (
	"encoding/binary"
	"hash/maphash"
)

// A repeats knows histories that were read, for recordings of requests: each request of a
// conversation repeats all that came before it. What is new of it goes on in the same conversation.
type repeats struct {
	seed  maphash.Seed
	known map[uint64]*history // by the hash of all its messages
	seen  map[uint64]bool     // entries with their response, as recorded
}

// again tells whether the very same entry was recorded before, byte for byte: then a recorder wrote
// it twice. Without the response's id it may as well be the same question, asked and answered again.
func (r *repeats) again(id value, entry ...value) bool {
	if !id.isText() || id.is("") {
		return false
	}
	var h maphash.Hash
	h.SetSeed(r.seed)
	for _, v := range entry {
		_, _ = h.Write(v.raw())
		_ = h.WriteByte(0)
	}
	mark := h.Sum64()
	was := r.seen[mark]
	r.seen[mark] = true
	return was
}

// A history is a conversation as far as it was read.
type history struct {
	thread *threadBuilder
	hash   uint64 // of all its messages
}

func newRepeats() *repeats {
	return &repeats{maphash.MakeSeed(), map[uint64]*history{}, map[uint64]bool{}}
}

// message makes an entry of a history: what makes it the same one again are these values as
// recorded, null being nothing.
func (r *repeats) message(v value, answer bool, identity ...value) message {
	var h maphash.Hash
	h.SetSeed(r.seed)
	for _, p := range identity {
		if raw := p.raw(); p.given() && len(raw) > 2 {
			_, _ = h.Write(raw)
		}
		_ = h.WriteByte(0)
	}
	return message{v, h.Sum64(), answer}
}

// mark adds a message to the hash of those before it.
func (r *repeats) mark(before uint64, m message) uint64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], before)
	binary.LittleEndian.PutUint64(b[8:], m.hash)
	return maphash.Bytes(r.seed, b[:])
}

// find returns the history that the messages go on with, and how many of them it has already: all
// of its own, and there is more. A history counts only where the model had answered, for the same
// question may be asked twice.
func (r *repeats) find(messages []message) (*history, int) {
	var found *history
	n := 0
	var hash uint64
	answered := false
	for i, m := range messages[:max(0, len(messages)-1)] {
		hash = r.mark(hash, m)
		answered = answered || m.answer
		if h := r.known[hash]; h != nil && answered {
			found, n = h, i+1
		}
	}
	if found != nil {
		found.thread.c.reopen()
	}
	return found, n
}

// extend says that h has now all of these messages.
func (r *repeats) extend(h *history, messages []message) {
	delete(r.known, h.hash)
	h.hash = 0
	for _, m := range messages {
		h.hash = r.mark(h.hash, m)
	}
	r.known[h.hash] = h
}

// A message is one entry of a history that may be repeated.
type message struct {
	value
	hash   uint64 // of what the entry is known by
	answer bool   // the model wrote it
}
