package ui

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"floodmark/engine"
)

// The facts of all conversations that are open are collected once for a policy, in the background and
// some at a time, and kept as long as the explorer runs. The Tune screen decides from what is there.

// tuneFacts are the facts that were collected for a policy, and what is known of them so far.
type tuneFacts struct {
	policies []*engine.Policy // what the corpus is measured for, the main one first
	fault    engine.Fault     // under which it is replayed, where facts are not enough
	corpus   *engine.Corpus
	convs    []*conversation // those that the corpus holds, in its order
	first    []int           // of each of them, its first fact
	failed   []string        // conversations that can't be read, with the reason; nothing of them is in the corpus
	tried    int             // of session.convs, those that were tried
}

// newTuneFacts starts without any conversation.
func newTuneFacts(fault engine.Fault, policies ...*engine.Policy) (*tuneFacts, error) {
	f := &tuneFacts{policies: policies, fault: fault}
	var err error
	f.corpus, err = f.empty()
	return f, err
}

// empty is a corpus for the same policies, without any conversation.
func (f *tuneFacts) empty() (*engine.Corpus, error) {
	c, err := engine.NewCorpus(f.policies...)
	if err != nil {
		return nil, err
	}
	return c.Under(f.fault), nil
}

// progress says how far measuring is, of so many conversations.
func (f *tuneFacts) progress(total int) string {
	doing := "measuring"
	if f.corpus.Replayed() {
		doing = "replaying"
	}
	return fmt.Sprintf("%s %s of %s…", doing, grouped(int64(f.tried)), grouped(int64(total)))
}

// conversation is the one that fact i belongs to.
func (f *tuneFacts) conversation(i int) *conversation {
	at, exact := slices.BinarySearch(f.first, i)
	if !exact {
		at--
	}
	// Conversations without a result have the first fact of the one that follows.
	for at+1 < len(f.first) && f.first[at+1] == i {
		at++
	}
	if at < 0 || at >= len(f.convs) {
		return nil
	}
	return f.convs[at]
}

// A portion is the least and the most results that one job measures: the screen follows at short
// steps first, and then the merging must not take more than the measuring.
const (
	leastPortion = 100
	mostPortion  = 4000
)

// portion is the next conversations to be measured: about a quarter of what is there.
func (f *tuneFacts) portion(convs []*conversation) []*conversation {
	most := min(max(f.corpus.Len()/4, leastPortion), mostPortion)
	n := 0
	for i, c := range convs[min(f.tried, len(convs)):] {
		if n += max(c.results, 1); n >= most {
			return convs[f.tried : f.tried+i+1]
		}
	}
	return convs[min(f.tried, len(convs)):]
}

// with measures more conversations, several at once, and returns facts that hold them too; f stays as
// it is. kept, where it is not nil, has facts of other times. Error: ctx's.
func (f *tuneFacts) with(ctx context.Context, more []*conversation, kept *factCache) (*tuneFacts, error) {
	var cache engine.FactCache
	if kept != nil {
		cache = kept
		defer kept.write()
	}
	parts := make([]*engine.Corpus, len(more))
	errs := make([]error, len(more))
	next := make(chan int)
	var workers sync.WaitGroup
	var broken any
	var once sync.Once
	for range min(runtime.GOMAXPROCS(0), len(more)) {
		workers.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					once.Do(func() { broken = r })
					for range next { // whoever hands out work is not left waiting
					}
				}
			}()
			for i := range next {
				if parts[i], errs[i] = f.empty(); errs[i] == nil {
					errs[i] = more[i].facts(ctx, parts[i], cache)
				}
			}
		})
	}
	for i := range more {
		next <- i
	}
	close(next)
	workers.Wait()
	if broken != nil {
		panic(broken) // the job tells
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g := &tuneFacts{policies: f.policies, fault: f.fault, convs: slices.Clip(f.convs), first: slices.Clip(f.first), failed: slices.Clip(f.failed), tried: f.tried + len(more)}
	at := f.corpus.Len()
	merged := []*engine.Corpus{f.corpus}
	for i, c := range more {
		if errs[i] != nil {
			g.failed = append(g.failed, fmt.Sprintf("%s: %v", c.File, errs[i]))
			continue
		}
		g.convs, g.first = append(g.convs, c), append(g.first, at)
		at += parts[i].Len()
		merged = append(merged, parts[i])
	}
	var err error
	g.corpus, err = engine.MergeFacts(merged...)
	return g, err
}

// facts adds what is measured of c to a corpus. Nothing of it stays in memory, unless the
// conversation was opened before.
func (c *conversation) facts(ctx context.Context, to *engine.Corpus, cache engine.FactCache) error {
	c.mu.Lock()
	if c.replayer != nil {
		defer c.mu.Unlock()
		c.replayer = c.replayedBy(c.replayer)
		return to.Add(ctx, c.replayer, cache)
	}
	c.mu.Unlock()
	return to.Add(ctx, engine.NewReplayer(c.Conversation), cache)
}
