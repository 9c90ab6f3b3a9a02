package ui

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"time"

	"floodmark/engine"
	"floodmark/history"
	"floodmark/store"
)

// A ledger writes a report's lines once what they say is true: a line that names a variable, and all
// behind it, wait until the variable is committed. Many variables share one wait for the disk.
type ledger struct {
	out    *bufio.Writer
	keeper *keeper
	now    func() time.Time

	held  bytes.Buffer // lines that wait
	since time.Time    // when the first began to
	open  []*entry     // the conversations that they are of; the last may be going on
}

// An entry is a conversation of which lines wait.
type entry struct {
	conv   *history.Conversation
	said   int // outcomes whose lines were written for good
	lines  int // and all outcomes that had their line
	totals *engine.Totals
}

// heldAtMost is how long a line waits for others to share its commit.
const heldAtMost = 250 * time.Millisecond

// Write takes a report's text.
func (l *ledger) Write(p []byte) (int, error) { return l.held.Write(p) }

// settle writes what waits, where no variable is missing or it is time to commit them. now says that
// it is time in any case.
func (l *ledger) settle(ctx context.Context, now bool) error {
	if l.keeper.waiting() {
		if l.since.IsZero() {
			l.since = l.now()
		}
		if !now && !l.keeper.full() && l.now().Sub(l.since) < heldAtMost {
			return nil
		}
		if err := l.keeper.commit(ctx); err != nil {
			return err
		}
	}
	l.since = time.Time{}
	if _, err := l.held.WriteTo(l.out); err != nil {
		return err
	}
	for _, e := range l.open {
		e.said = e.lines
	}
	return l.out.Flush()
}

// done returns the entries that are complete, and forgets them.
func (l *ledger) done() []*entry {
	n := 0
	for n < len(l.open) && l.open[n].totals != nil && l.open[n].said == l.open[n].lines {
		n++
	}
	done := l.open[:n]
	l.open = l.open[n:]
	return done
}

// A keeper keeps variables in a store for the engine, and remembers what it kept.
type keeper struct {
	store *store.Store
	batch *store.Batch              // nil: each variable is committed by itself
	put   int                       // variables that wait in the batch
	kept  map[string]store.Variable // of the conversation at hand, by name, until somebody asks
	fails error                     // why the last commit failed

	due   []store.Tombstone // of variables that wait in the batch
	again []store.Tombstone // in whose place a variable was stored
}

// newKeeper keeps in s; nil keeps nothing.
func newKeeper(s *store.Store) *keeper {
	k := &keeper{store: s, kept: map[string]store.Variable{}}
	if s != nil {
		k.batch = s.Batch()
	}
	return k
}

// Keep is told of a variable by the engine. An error means that it is lost, and nothing else is.
func (k *keeper) Keep(ctx context.Context, v engine.Variable, write func(io.Writer) error) error {
	s := store.Variable{
		Key:       store.Key{Conversation: v.Conversation.ID, Policy: v.Policy, Name: v.Name},
		Bytes:     v.Bytes,
		Tool:      v.Call.Tool,
		Call:      v.Call.ID,
		Recording: v.Conversation.File,
		Format:    v.Conversation.Format,
		Label:     v.Label,
	}
	gone, wasGone, err := k.store.Gone(s.Key)
	wasGone = wasGone && err == nil // one that can't be read is replaced, too, and no variable is lost for it
	if k.batch == nil {
		kept, err := k.store.Put(ctx, s, write)
		if err == nil {
			k.kept[v.Name] = kept
		}
		if err == nil && wasGone {
			k.again = append(k.again, gone)
		}
		return err
	}
	if err := k.batch.Put(ctx, s, write); err != nil {
		return err
	}
	k.put++
	if wasGone {
		k.due = append(k.due, gone)
	}
	s.SHA256 = k.batch.SHA256()
	k.kept[v.Name] = s
	return nil
}

// take is what was kept under a name; ok is false where nothing was.
func (k *keeper) take(name string) (v store.Variable, ok bool) {
	v, ok = k.kept[name]
	delete(k.kept, name)
	return v, ok
}

func (k *keeper) waiting() bool { return k.put > 0 }
func (k *keeper) full() bool    { return k.batch.Full() }

// commit stores what waits. With an error nothing of it is stored, and from then on each variable is
// committed by itself: so it turns out which of them is lost.
func (k *keeper) commit(ctx context.Context) error {
	due := k.due
	k.put, k.due = 0, nil
	if _, err := k.batch.Commit(ctx); err != nil {
		k.batch, k.fails = nil, err
		return err
	}
	k.again = append(k.again, due...)
	return nil
}
