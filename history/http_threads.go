package history

import (
	"bytes"
	"context"
	"slices"
	"time"
)

// Recorded traffic repeats a conversation with each request. A chain is the requests of one
// conversation: each goes on where the one before it ended, with the model's answer and more.
type chain struct {
	api   modelAPI
	turns []*chainTurn
}

// A chainTurn is one request of a chain with its reply.
type chainTurn struct {
	x        *exchange
	asked    []message
	reply    reply
	from     int    // how many of asked the turns before it have
	copied   int    // how many messages behind asked the next request has as copy of the reply
	hash     uint64 // of asked
	withIDs  bool   // the copy has the reply's own ids
	byAnswer bool   // it goes on by the id of the reply before it, without repeating anything
}

// readTraffic reads the conversations with models out of recorded traffic.
func readTraffic(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		t, ok := in.tapeOf(rec)
		if !ok {
			b.problem(rec.at(), "the record is no recorded HTTP traffic")
			continue
		}
		for _, c := range chains(t, b) {
			c.read(b)
		}
	}
	return in.err()
}

// chains puts the exchanges with models' APIs together, in the order of their first request.
func chains(t *tape, b *builder) []*chain {
	l := &linker{repeats: newRepeats(), leaves: map[uint64][]*chain{}, byReply: map[string]*chain{}}
	for i := range t.exchanges {
		x := &t.exchanges[i]
		api, asked := apiOf(l.repeats, x)
		for _, half := range []body{x.request, x.response} {
			if half.problem != "" && (api != nil || half.at == x.request.at) {
				b.problem(half.at, half.problem)
			}
		}
		if api == nil {
			continue
		}
		if answer := x.response.values(); len(answer) > 0 && l.repeats.again(answer[0].get("id"), append(answer, x.request.whole)...) {
			continue
		}
		l.add(api, &chainTurn{x: x, asked: asked, reply: api.answered(x)})
	}
	return l.withoutSideCalls()
}

// A linker finds the chain that a request goes on with.
type linker struct {
	repeats *repeats
	list    []*chain
	leaves  map[uint64][]*chain // by the hash of what their last request asked
	byReply map[string]*chain   // by the id of their last reply
}

func (l *linker) add(api modelAPI, t *chainTurn) {
	c := l.previous(t)
	if c == nil {
		c = l.repeated(api, t)
	}
	if c == nil {
		c = &chain{api: api}
		l.list = append(l.list, c)
	} else {
		last := c.turns[len(c.turns)-1]
		l.leaves[last.hash] = slices.DeleteFunc(l.leaves[last.hash], func(o *chain) bool { return o == c })
	}
	c.turns = append(c.turns, t)
	t.hash = 0
	for _, m := range t.asked {
		t.hash = l.repeats.mark(t.hash, m)
	}
	l.leaves[t.hash] = append(l.leaves[t.hash], c)
	if t.reply.id != "" {
		l.byReply[t.reply.id] = c
	}
}

// previous finds the chain that a request names the last reply of.
func (l *linker) previous(t *chainTurn) *chain {
	id := t.x.request.whole.get("previous_response_id").str()
	c := l.byReply[id]
	if id == "" || c == nil {
		return nil
	}
	t.byAnswer = true
	return c
}

// repeated finds the chain of which a request repeats all: what it asked last, and the answer.
func (l *linker) repeated(api modelAPI, t *chainTurn) *chain {
	var found *chain
	var hash uint64
	reader := api.on(nil)
	for i := 0; i <= len(t.asked); i++ {
		for _, c := range slices.Backward(l.leaves[hash]) {
			last := c.turns[len(c.turns)-1]
			if c.api != api || i == 0 || len(last.asked) != i {
				continue
			}
			copied, ids, ok := last.copiedIn(reader, t.asked, i)
			if !ok {
				continue
			}
			found = c
			t.from = i + copied
			last.copied, last.withIDs = copied, ids
			if ids {
				break
			}
		}
		if i < len(t.asked) {
			hash = l.repeats.mark(hash, t.asked[i])
		}
	}
	return found
}

// copiedIn tells how many messages from i on are a copy of the reply. A request that had no reply is
// repeated without one.
func (t *chainTurn) copiedIn(reader apiThread, messages []message, i int) (n int, ids, ok bool) {
	var calls []namedCall
	for ; i+n < len(messages) && messages[i+n].answer; n++ {
		calls = append(calls, reader.calls(messages[i+n].value)...)
	}
	if !t.reply.given {
		return n, false, true
	}
	tools, ids := sameCalls(t.reply.calls, calls)
	return n, ids, n > 0 && tools
}

// withoutSideCalls leaves out single requests without tools, where others have calls: titles and
// the like, which are no conversations.
func (l *linker) withoutSideCalls() []*chain {
	if !slices.ContainsFunc(l.list, (*chain).hasCalls) {
		return l.list
	}
	return slices.DeleteFunc(l.list, func(c *chain) bool {
		return len(c.turns) == 1 && !c.hasCalls() && !hasTools(c.turns[0].x.request.whole)
	})
}

func (c *chain) hasCalls() bool {
	reader := c.api.on(nil)
	return slices.ContainsFunc(c.turns, func(t *chainTurn) bool {
		return len(t.reply.calls) > 0 || slices.ContainsFunc(t.asked, func(m message) bool { return len(reader.calls(m.value)) > 0 })
	})
}

func hasTools(request value) bool {
	for _, key := range []string{"tools", "toolConfig", "functions", "mcp_servers", "enableTrace"} {
		if request.get(key).given() {
			return true
		}
	}
	return false
}

// read reads a chain as one conversation.
func (c *chain) read(b *builder) {
	tb := b.newConversation("").thread(Main)
	t := c.api.on(tb)
	t.begin(c.turns[0].x.request.whole)
	conv := tb.c.Conv
	for i, turn := range c.turns {
		if conv.Model == "" {
			conv.Model = firstWord(turn.reply.model, turn.x.request.whole.get("model").str(), turn.x.model())
		}
		last := c.lastOf(i)
		for k := turn.from; k < len(turn.asked); k++ {
			t.message(sameText(turn.asked[k].value, last.asked[k].value))
		}
		var copied []message
		if i+1 < len(c.turns) && !c.turns[i+1].byAnswer {
			next := c.turns[i+1]
			copied = next.asked[next.from-turn.copied : next.from]
		}
		turn.answer(tb, t, copied)
	}
}

// lastOf is the last request that repeats all that request i asked.
func (c *chain) lastOf(i int) *chainTurn {
	for i+1 < len(c.turns) && !c.turns[i+1].byAnswer {
		i++
	}
	return c.turns[i]
}

// sameText is later where both have the same text: then payloads hold on to the last request alone,
// which has all of them, and not to each request's body.
func sameText(v, later value) value {
	if bytes.Equal(v.raw(), later.raw()) {
		return later
	}
	return v
}

// answer reads what the model answered: as it answered it, or as the client sent it back, where its
// calls have other ids there, for the results have these too.
func (turn *chainTurn) answer(tb *threadBuilder, t apiThread, copied []message) {
	before := tb.latest
	if turn.reply.given && (len(copied) == 0 || turn.withIDs) {
		turn.reply.add(t)
	} else {
		for _, m := range copied {
			t.message(m.value)
		}
	}
	s := tb.latest
	if !turn.reply.given || s == nil || s == before {
		return
	}
	if s.ID == "" {
		s.ID = turn.reply.id
	}
	if s.Time.IsZero() {
		s.Time = firstTime(turn.reply.time, turn.x.when)
	}
	if s.Usage == nil && turn.reply.usage != nil {
		s.Usage = turn.reply.usage
		tb.c.Conv.Usage = tb.c.Conv.Usage.Add(s.Usage)
	}
}

func firstWord(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

func firstTime(list ...time.Time) time.Time {
	for _, t := range list {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}
