package ui

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"sync"

	"floodmark/engine"
	"floodmark/history"
	"floodmark/store"
)

// A measuring collects the facts of conversations, several at a time, and puts them together in the
// order in which the conversations came.
type measuring struct {
	policies []*engine.Policy
	cache    engine.FactCache // nil: nothing is kept
	said     func(results int)

	fault engine.Fault // under which is replayed what facts are not enough for
	slots chan struct{}
	wait  sync.WaitGroup
	mu    sync.Mutex // guards what follows
	parts []*engine.Corpus
	err   error // the first
	sum   int   // results measured
	usage *history.Usage
}

// newMeasuring makes one that measures for these policies. said is told how many results are measured.
func newMeasuring(policies []*engine.Policy, cache engine.FactCache, said func(int)) *measuring {
	return &measuring{policies: policies, cache: cache, said: said, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// add starts with a conversation as soon as there is room, and returns then.
func (m *measuring) add(ctx context.Context, c *history.Conversation) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case m.slots <- struct{}{}:
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		<-m.slots
		return m.err
	}
	m.usage = m.usage.Add(c.Usage)
	at := len(m.parts)
	m.parts = append(m.parts, nil)
	m.wait.Go(func() {
		defer func() { <-m.slots }()
		part, err := engine.NewCorpus(m.policies...)
		if err == nil {
			part = part.Under(m.fault)
			err = part.Add(ctx, engine.NewReplayer(c), m.cache)
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if err != nil {
			if m.err == nil {
				m.err = fmt.Errorf("%s: %w", c.File, err)
			}
			return
		}
		m.parts[at] = part
		m.sum += part.Len()
		m.said(m.sum)
	})
	return nil
}

// done waits for all that was started.
func (m *measuring) done() (*engine.Corpus, error) {
	m.wait.Wait()
	if m.err != nil {
		return nil, m.err
	}
	if len(m.parts) == 0 {
		return engine.NewCorpus(m.policies...)
	}
	return engine.MergeFacts(m.parts...)
}

// takeTurns lets several goroutines tell of what they do, one at a time, and returns what shows progress. A
// note takes the place of the progress that is shown.
func (c *corpus) takeTurns(s *Streams) func(string) {
	var turn sync.Mutex
	show := s.progress(c.o.common)
	note, progress, fail := c.note, c.progress, c.fail
	c.note = func(text string) {
		turn.Lock()
		defer turn.Unlock()
		show("")
		note(text)
	}
	c.progress = func(path, words string) {
		turn.Lock()
		defer turn.Unlock()
		progress(path, words)
	}
	c.fail = func(err error) {
		turn.Lock()
		defer turn.Unlock()
		show("")
		fail(err)
	}
	return func(text string) {
		turn.Lock()
		defer turn.Unlock()
		show(text)
	}
}

// A factCache keeps facts in a store, many in one transaction. What goes wrong with it is said once, and
// costs time only.
type factCache struct {
	store *store.Store
	note  func(string)

	mu      sync.Mutex
	waiting []store.Fact
	byKey   map[string][]byte // of those that wait
	failed  bool
}

// factsAtOnce is how many facts go into one transaction: a commit takes about as long as measuring a
// hundred payloads.
const factsAtOnce = 4096

func newFactCache(s *store.Store, note func(string)) *factCache {
	return &factCache{store: s, note: note, byKey: map[string][]byte{}}
}

// Get finds a fact; nil where there is none.
func (c *factCache) Get(key []byte) []byte {
	c.mu.Lock()
	v, failed := c.byKey[string(key)], c.failed
	c.mu.Unlock()
	if v != nil || failed {
		return v
	}
	values, err := c.store.Facts(key)
	if err != nil {
		c.fail(err)
		return nil
	}
	return values[0]
}

// Put keeps a fact, sooner or later.
func (c *factCache) Put(key, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = append(c.waiting, store.Fact{Key: bytes.Clone(key), Value: value})
	c.byKey[string(key)] = value
	if len(c.waiting) >= factsAtOnce {
		c.flush()
	}
}

// flush writes what waits; mu is held.
func (c *factCache) flush() {
	if !c.failed {
		if err := c.store.PutFacts(c.waiting); err != nil {
			c.failed = true
			c.note("facts are not kept: " + err.Error())
		}
	}
	c.waiting = nil
	clear(c.byKey)
}

func (c *factCache) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.failed {
		c.failed = true
		c.note("facts kept earlier are not used: " + err.Error())
	}
}

// write writes what waits.
func (c *factCache) write() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flush()
}

// Close writes what waits and closes the store.
func (c *factCache) Close() error {
	c.write()
	return c.store.Close()
}

// openFactCache opens the cache in the store that --store names; nil where nothing is to be kept, and where
// the store can't be opened, which is said: facts can always be measured again.
func openFactCache(path string, builtin bool, note func(string)) *factCache {
	if builtin || path == noStore {
		return nil
	}
	s, err := openStore(path, false, 0)
	if err != nil {
		note("facts are not kept: " + err.Error())
		return nil
	}
	return newFactCache(s, note)
}
