package history

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"
)

// Copies knows the calls of recordings that were opened with it, or lie in one folder. A session that was
// resumed in another file, or forked, begins with the lines of the one before it: the calls there are
// the same ones again, and count once, in the recording that was read first. It is not for several
// goroutines at once.
type Copies struct {
	seed  maphash.Seed
	known map[uint64]bool // by what proves that it is the same call, or the same response without calls
}

// NewCopies knows no calls yet.
func NewCopies() *Copies { return &Copies{maphash.MakeSeed(), map[uint64]bool{}} }

// find marks what the conversations of b repeat of recordings that were read before, and remembers
// the rest of them.
func (k *Copies) find(b *builder) {
	var fresh []uint64
	for _, c := range b.list {
		ends := make([]int, len(c.Conv.Threads)) // how many steps of each thread are copies
		any := false
		for i, t := range c.Conv.Threads {
			ends[i] = k.copied(c.Conv.Format, t)
			any = any || ends[i] > 0
			for s := range t.steps() {
				for _, m := range k.marks(c.Conv.Format, s) {
					fresh = append(fresh, m.left...)
				}
			}
		}
		if !any {
			continue
		}
		if c.handed {
			c.Conv = copyConversation(nil, c.Conv) // the other one may be somebody else's
		}
		c.Conv.elsewhere(ends)
	}
	for _, mark := range fresh {
		k.known[mark] = true
	}
	for i, c := range b.said() {
		b.rec.Conversations[i] = c.Conv
	}
}

// copied counts the steps that t begins with and that another recording has: up to the last one that
// its ids prove, of those before the first that they prove to be new.
func (k *Copies) copied(format string, t *Thread) int {
	n, end := 0, 0
	for s := range t.steps() {
		n++
		for _, m := range k.marks(format, s) {
			if !slices.ContainsFunc(m.seen, func(mark uint64) bool { return k.known[mark] }) {
				return end
			}
			end = n
		}
	}
	return end
}

// A sameness is what a call, or a response without calls, is known by: any of seen says that it is the
// same one as another, of which any of left was remembered.
type sameness struct{ seen, left []uint64 }

// marks are what the calls of s, or s itself without any, are known by; nothing where nothing proves
// that they are the same as others.
func (k *Copies) marks(format string, s *Step) []sameness {
	one := func(m uint64) sameness { return sameness{[]uint64{m}, []uint64{m}} }
	if len(s.Calls) == 0 {
		switch size := s.Text.Size().Bytes; {
		case unique(s.ID, ""):
			return []sameness{one(k.mark(format, "response", s.ID, size))}
		case s.ID != "" && !s.Time.IsZero():
			return []sameness{one(k.mark(format, "response", s.ID, size, s.Time.UnixNano()))}
		}
		return nil
	}
	var list []sameness
	for _, c := range s.Calls {
		if c.Flags&(SyntheticID|noRealCall) != 0 {
			continue
		}
		id := c.ID + "\x00" + c.Tool
		size := []int64{c.Arguments.Size().Bytes, -1}
		if r := c.Result; r != nil && r.Recorded != nil {
			size[1] = r.Recorded.Bytes
		} else if r != nil {
			size[1] = r.Payload.Size().Bytes
		}
		mark := k.mark(format, "call", id, size...)
		if unique(c.ID, c.Tool) {
			m := one(mark)
			if c.Flags.Has(CopiedHistory) { // the original may come later, and is no copy of this one
				m.left = nil
			}
			list = append(list, m)
			continue
		}
		m := sameness{left: []uint64{mark}}
		if c.Flags.Has(CopiedHistory) { // the recording says itself that it is a copy
			m.seen = m.left
		}
		if s.ID != "" {
			of := k.mark(format, s.ID, id, append(size, s.Time.UnixNano())...)
			m.left, m.seen = append(m.left, of), append(m.seen, of)
		}
		if c.Flags.Has(CopiedHistory) {
			m.left = nil
		}
		list = append(list, m)
	}
	return list
}

// noRealCall are the flags of what stands among the calls and is none.
const noRealCall = OrphanResult | RepeatedResult

func (k *Copies) mark(format, kind, id string, figures ...int64) uint64 {
	var h maphash.Hash
	h.SetSeed(k.seed)
	for _, s := range []string{format, kind, id} {
		_, _ = h.WriteString(s)
		_ = h.WriteByte(0)
	}
	for _, n := range figures {
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
	}
	return h.Sum64()
}

// unique tells whether nobody makes the same id twice: it is long and has many different characters,
// besides the tool's name, which some have in it with a number.
func unique(id, tool string) bool {
	const long, different = 16, 8
	if tool != "" {
		id = strings.ReplaceAll(id, tool, "")
	}
	if len(id) < long {
		return false
	}
	var seen [256]bool
	n := 0
	for i := range len(id) {
		if !seen[id[i]] {
			seen[id[i]] = true
			n++
		}
	}
	return n >= different
}

// elsewhere says of the first steps of each thread, so many, that they count in another conversation:
// their calls, and what the provider reported for them.
func (c *Conversation) elsewhere(ends []int) {
	for i, t := range c.Threads {
		n := 0
		for s := range t.steps() {
			if n++; n > ends[i] {
				break
			}
			s.Copied = true
			for _, call := range s.Calls {
				call.Flags |= CopiedHistory | CountedElsewhere
			}
			if c.Usage != nil && s.Usage != nil {
				c.Usage = c.Usage.without(*s.Usage)
			}
			s.Usage = nil
		}
	}
}

// without is u less v; nil where nothing is left.
func (u *Usage) without(v Usage) *Usage {
	left := &Usage{Input: max(0, u.Input-v.Input), Cached: max(0, u.Cached-v.Cached), Output: max(0, u.Output-v.Output), LowerBound: u.LowerBound}
	if left.Input == 0 && left.Cached == 0 && left.Output == 0 {
		return nil
	}
	return left
}
