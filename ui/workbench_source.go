package ui

import (
	"context"
	"fmt"
	"sync"

	"floodmark/engine"
	"floodmark/store"
)

// runner is for one place where filters are typed; all of them share what is decoded.
func (s *session) runner() *engine.Runner {
	if s.queries == nil {
		s.queries = engine.NewQueries(queryCacheBytes)
	}
	return s.queries.Runner()
}

// sources gives payloads to filters, and remembers what is known of each once it was read. Jobs use it.
type sources struct {
	limits engine.QueryLimits // of each filter

	mu    sync.Mutex
	known map[string]sourceFacts
	again map[string]store.Tombstone // in whose place a variable was stored again: said as long as this is shown
}

// sourceFacts are what reading a payload tells.
type sourceFacts struct {
	note    string // where the variable is kept, or why it is not
	bytes   int64
	compact int64 // on one line
}

func newSources() *sources {
	return &sources{limits: typedLimits(), known: map[string]sourceFacts{}, again: map[string]store.Tombstone{}}
}

// sourceKey names a payload as it is queried: another verdict is another key, since then it is kept anew.
func sourceKey(s selection, o *engine.Outcome) string {
	return fmt.Sprintf("%s\x00%s\x00%d\x00%s\x00%s\x00%s\x00%d", s.conv.File, s.conv.ID, s.conv.Ordinal, s.policy.Name, o.Name, o.Verdict, o.Original.Bytes)
}

// note says where a payload is kept; ok is false while it was not read.
func (c *sources) note(key string) (note string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.known[key]
	return f.note, ok
}

func (c *sources) facts(key string) sourceFacts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[key]
}

func (c *sources) learn(key string, f sourceFacts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[key] = f
}

// keptWord says that a variable is kept, and of one that was gone that it is there again, since gone or earlier.
func (c *sources) keptWord(key string, gone *store.Tombstone) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if gone != nil {
		c.again[key] = *gone
	}
	if t, ok := c.again[key]; ok {
		return goneWords(t) + ", now kept again"
	}
	return "kept"
}

// of is a result's payload for filters. One that is offloaded is written to the store, and what is queried
// is what the store gives back.
func (c *sources) of(d *deps, s selection, o *engine.Outcome) engine.QuerySource {
	key := sourceKey(s, o)
	return engine.QuerySource{Key: key, Load: func(ctx context.Context) ([]byte, error) {
		return c.load(ctx, d, s, o)
	}}
}

// load reads a result's payload.
func (c *sources) load(ctx context.Context, d *deps, s selection, o *engine.Outcome) ([]byte, error) {
	var payload []byte
	err := s.conv.read(ctx, func(r *engine.Replayer) (err error) {
		payload, err = r.Payload(s.policy, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	f := sourceFacts{bytes: int64(len(payload))}
	if o.Verdict == engine.Offloaded {
		stored, note, gone, err := d.session.keep(ctx, s.conv, s.policy, o, payload)
		kept := c.keptWord(sourceKey(s, o), gone)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			f.note = "not kept: " + visible(err.Error())
		case stored == nil:
			f.note = "kept nowhere: there is no store"
		default:
			payload, f.note = stored, kept+" in "+visible(note)
		}
	}
	f.compact = engine.CompactBytes(payload, o.Facts != nil && o.Facts.Valid)
	c.learn(sourceKey(s, o), f)
	return payload, ctx.Err()
}

// ofKept is a variable that was kept of a filter's result.
func (s *session) ofKept(v *store.Variable) engine.QuerySource {
	return engine.QuerySource{Key: v.Key.String() + "\x00" + v.SHA256, Load: func(ctx context.Context) ([]byte, error) {
		st, _, err := s.variables()
		if err != nil {
			return nil, err
		}
		return st.Get(ctx, v.Key)
	}}
}
