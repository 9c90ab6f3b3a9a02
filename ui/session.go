package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"sync"

	"floodmark/engine"
	"floodmark/history"
	"floodmark/store"
)

// A session is the data behind the explorer: conversations, the policy with its changes, the store.
// It draws nothing. What is slow is called from jobs.
type session struct {
	convs   []*conversation
	builtIn bool // they are those that the program carries with it
	settled int  // how many of convs are read completely

	policies []*engine.Policy
	chosen   int // index in policies
	rules
	facts map[string]*tuneFacts // by what they were measured for

	prices          *TokenPrices // of what the model reads; nil where they are not given
	latency, window float64      // seconds of one inspection, and the model's context in tokens; 0 where not given

	queries *engine.Queries // nil until a filter can be typed

	openStore  func() (*store.Store, string, error)
	storeMu    sync.Mutex
	store      *store.Store
	storeWhere string
	storeErr   error

	keepFacts bool // what Tune measures is kept in the store
	cache     *factCache
}

// A conversation is one of the recordings' conversations. One that is still being read is followed by
// others that share its replays.
type conversation struct {
	*history.Conversation
	recording *history.Recording
	results   int
	turns     int
	outdated  bool // a later state took its place
	*replays
}

// replays are what was measured of a conversation. One replayer runs policies, the other, the reader,
// makes payloads and previews: a threshold moves without waiting for a schema. Both are made when
// they are needed, for there may be tens of thousands of conversations.
type replays struct {
	mu       sync.Mutex
	replayer *engine.Replayer
	readMu   sync.Mutex
	reader   *engine.Replayer
}

func newConversation(r *history.Recording, c *history.Conversation, m *replays) *conversation {
	v := &conversation{Conversation: c, recording: r, replays: m}
	for _, t := range c.Threads {
		for _, u := range t.Turns {
			if u.Number > 0 {
				v.turns++
			}
			for _, s := range u.Steps {
				for _, call := range s.Calls {
					if call.Result != nil {
						v.results++
					}
				}
			}
		}
	}
	return v
}

// add takes in a recording. Where the one before was still being read, this is a later state of it,
// and conversations that changed since are outdated.
func (s *session) add(r *history.Recording) (outdated []*conversation) {
	before := s.convs[s.settled:]
	s.convs = s.convs[:s.settled:s.settled]
	for _, c := range r.Conversations {
		for len(before) > 0 && before[0].Ordinal < c.Ordinal {
			outdated = append(outdated, before[0])
			before = before[1:]
		}
		switch {
		case len(before) == 0 || before[0].Ordinal > c.Ordinal:
			s.convs = append(s.convs, newConversation(r, c, &replays{}))
			continue
		case before[0].Conversation == c:
			before[0].recording = r
			s.convs = append(s.convs, before[0])
		default:
			outdated = append(outdated, before[0])
			s.convs = append(s.convs, newConversation(r, c, before[0].replays))
		}
		before = before[1:]
	}
	for _, c := range outdated {
		c.outdated = true
	}
	if !r.Loading {
		s.settled = len(s.convs)
	}
	return outdated
}

// choose makes policy number i current; a changed threshold or estimator belongs to the old one and
// is forgotten.
func (s *session) choose(i int) {
	n := len(s.policies)
	s.chosen = (i%n + n) % n
	own := s.policies[s.chosen]
	s.rules = rules{policy: own, own: own, fault: s.fault, revision: s.revision + 1}
}

// suffer lets something go wrong on purpose, or nothing.
func (s *session) suffer(f engine.Fault) {
	s.fault = f
	s.revision++
}

// base is the policy that single changes are made to.
func (s *session) base(t tuned) *engine.Policy {
	if t.base != nil {
		return t.base
	}
	return s.own
}

// change sets what is changed of the chosen policy.
func (s *session) change(to tuned) error {
	var changes []string
	for field, limit := range map[string]*float64{"limits.per_result": to.perResult, "limits.combined": to.combined} {
		if limit != nil {
			changes = append(changes, field+"="+strconv.FormatFloat(*limit, 'f', -1, 64))
		}
	}
	if to.estimator != "" {
		changes = append(changes, "estimator="+string(to.estimator))
	}
	p := s.base(to)
	if len(changes) > 0 {
		var err error
		if p, err = p.Set(changes...); err != nil {
			return err
		}
	}
	s.policy, s.tuned = p, to
	s.revision++
	return nil
}

// run replays c under p. It keeps nothing.
func (c *conversation) run(ctx context.Context, p *engine.Policy, o engine.RunOptions) (*engine.Run, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.replayer = c.replayedBy(c.replayer)
	return c.replayer.Run(ctx, p, o)
}

// sum replays c under p for its totals only. Nothing of what it measures stays in memory, unless the
// conversation was opened before.
func (c *conversation) sum(ctx context.Context, p *engine.Policy, f engine.Fault) (engine.Totals, error) {
	c.mu.Lock()
	known := c.replayer
	c.mu.Unlock()
	var run *engine.Run
	var err error
	if known != nil {
		run, err = c.run(ctx, p, engine.RunOptions{Fault: f})
	} else {
		run, err = engine.NewReplayer(c.Conversation).Run(ctx, p, engine.RunOptions{Fault: f})
	}
	if err != nil {
		return engine.Totals{}, err
	}
	return run.Totals, nil
}

// read calls f with the reader, one at a time.
func (c *conversation) read(ctx context.Context, f func(*engine.Replayer) error) error {
	c.readMu.Lock()
	defer c.readMu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	c.reader = c.replayedBy(c.reader)
	return f(c.reader)
}

// replayedBy is r, or a new one, with c as it is now.
func (c *conversation) replayedBy(r *engine.Replayer) *engine.Replayer {
	if r == nil {
		return engine.NewReplayer(c.Conversation)
	}
	if r.Conversation() != c.Conversation {
		r.Grow(c.Conversation)
	}
	return r
}

// keep writes o's variable to the store and reads it back: stored is what the store gives, nil where
// there is no store. where says which store it is; gone is the tombstone in whose place the variable now
// is, nil without one, and is given once that is so, also with an error of the reading.
func (s *session) keep(ctx context.Context, c *conversation, p *engine.Policy, o *engine.Outcome, payload []byte) (stored []byte, where string, gone *store.Tombstone, err error) {
	st, where, err := s.variables()
	if err != nil || st == nil {
		return nil, where, nil, err
	}
	k := store.Key{Conversation: c.ID, Policy: p.Name, Name: o.Name}
	v := store.Variable{Key: k, Tool: o.Call.Tool, Call: o.Call.ID, Recording: c.File, Format: c.Format, Label: o.Label}
	t, wasGone, goneErr := st.Gone(k)
	_, err = st.Put(ctx, v, func(w io.Writer) error {
		_, err := w.Write(payload)
		return err
	})
	if err != nil {
		return nil, where, nil, err
	}
	if wasGone && goneErr == nil { // one that can't be read is replaced, too
		gone = &t
	}
	stored, err = st.Get(ctx, k)
	return stored, where, gone, err
}

// variables opens the store on first use, and says in words where it is. Where another process holds
// it, a private temporary one takes its place. Without a store both are nil.
func (s *session) variables() (*store.Store, string, error) {
	s.storeMu.Lock()
	defer s.storeMu.Unlock()
	if s.store != nil || s.storeErr != nil || s.openStore == nil {
		return s.store, s.storeWhere, s.storeErr
	}
	st, where, err := s.openStore()
	var locked *store.LockedError
	if errors.As(err, &locked) {
		s.keepFacts = false // nobody would find them there
		if st, err = store.Temporary(); err == nil {
			where = "a private store: another process holds " + filepath.Base(locked.Path)
		}
	}
	if st != nil && where == "" {
		where = st.Path()
	}
	s.store, s.storeWhere, s.storeErr = st, where, err
	return st, where, err
}

// factCache is where facts are kept; nil where they are not. It opens the store.
func (s *session) factCache() *factCache {
	keeps := func() bool {
		s.storeMu.Lock()
		defer s.storeMu.Unlock()
		return s.keepFacts
	}
	if !keeps() {
		return nil
	}
	st, _, err := s.variables()
	if err != nil || st == nil || !keeps() {
		return nil
	}
	s.storeMu.Lock()
	defer s.storeMu.Unlock()
	if s.cache == nil {
		s.cache = newFactCache(st, func(string) {}) // what is not kept is measured again
	}
	return s.cache
}

// close closes the store, if it was opened.
func (s *session) close() error {
	s.storeMu.Lock()
	defer s.storeMu.Unlock()
	if s.store == nil {
		return nil
	}
	err := s.store.Close()
	s.store = nil
	return err
}

// headBytes is how much of a payload is read where its whole is not wanted or would be too much.
const (
	titleBytes = 400
	// loadBytes is the largest payload that the explorer takes into memory whole; of a larger one
	// it shows the first loadBytes, and says so.
	loadBytes = 256 << 20
)

var errEnough = errors.New("enough")

type headWriter struct {
	b   []byte
	max int
	ctx context.Context
}

func (h *headWriter) Write(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	n := min(len(p), h.max-len(h.b))
	h.b = append(h.b, p[:n]...)
	if len(h.b) == h.max {
		return n, errEnough
	}
	return n, nil
}

// head reads at most n bytes of p. It ends with ctx.
func head(ctx context.Context, p history.Payload, n int) ([]byte, error) {
	h := &headWriter{max: n, ctx: ctx, b: make([]byte, 0, min(int64(n), p.Size().Bytes))}
	if n == 0 || p.Size().Bytes == 0 {
		return nil, nil
	}
	if _, err := p.WriteTo(h); err != nil && !errors.Is(err, errEnough) && len(h.b) < n {
		return h.b, err
	}
	return h.b, nil
}

// describe names what is not text in a payload, for people: "image/png, 20,113 bytes".
func describe(p history.Payload) string {
	s := ""
	for _, q := range p.Parts() {
		if q.Kind == history.Text {
			continue
		}
		name := q.Media
		if name == "" {
			name = string(q.Kind)
		}
		if s != "" {
			s += "; "
		}
		s += fmt.Sprintf("%s, %s", visible(name), bytesText(q.Blob))
	}
	return s
}
