package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// A model is what a store ought to hold: payloads by key, and the keys in the order of storing.
type model struct {
	payloads map[Key][]byte
	order    []Key
	gone     map[Key]Why
}

func (m *model) put(k Key, b []byte) {
	if old, ok := m.payloads[k]; ok && string(old) == string(b) {
		return
	}
	m.remove(k, "")
	m.payloads[k] = b
	m.order = append(m.order, k)
}

// remove takes k away for a reason; without one it makes way for another payload.
func (m *model) remove(k Key, why Why) {
	if _, ok := m.payloads[k]; ok || why == "" {
		delete(m.gone, k)
		if why != "" {
			m.gone[k] = why
		}
	}
	delete(m.payloads, k)
	m.order = slices.DeleteFunc(m.order, func(o Key) bool { return o == k })
}

// TestAStoreActsLikeAMap does things at random to a store and to a map. FLOODMARK_SEED repeats a run.
func TestAStoreActsLikeAMap(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("FLOODMARK_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("FLOODMARK_SEED=%d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	path, ctx := at(t), context.Background()
	// With a clock that stands still, what was used last is what was stored last.
	open := func() *Store {
		s := mustOpen(t, path)
		s.now = func() time.Time { return noon }
		return s
	}
	s := open()
	m := &model{payloads: map[Key][]byte{}, gone: map[Key]Why{}}
	keys := make([]Key, 12)
	for i := range keys {
		keys[i] = Key{Conversation: fmt.Sprintf("c/%d", i%3), Policy: []string{"moveworks", "trueforge"}[i%2], Name: fmt.Sprintf("x_%d", i%4)}
	}
	payload := func() []byte {
		n := []int{0, 1, 500, 30_000, 1<<20 - 1, 1 << 20, 1<<20 + 1, 3 << 20}[r.IntN(8)]
		if r.IntN(30) == 0 {
			n = 17<<20 + r.IntN(1<<20)
		}
		if r.IntN(2) == 0 {
			return records(n)
		}
		return noise(r.Uint64N(4), n)
	}
	b := s.Batch()
	var inBatch []func()
	commit := func() {
		if _, err := b.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		for _, f := range inBatch {
			f()
		}
		inBatch = nil
	}
	steps := 200
	if testing.Short() {
		steps = 60
	}
	for step := range steps {
		k := keys[r.IntN(len(keys))]
		switch r.IntN(13) {
		case 0, 1, 2:
			p := payload()
			mustPut(t, s, Variable{Key: k}, p)
			m.put(k, p)
		case 3, 4:
			p := payload()
			if err := b.Put(ctx, Variable{Key: k}, giving(p)); err != nil {
				t.Fatal(err)
			}
			inBatch = append(inBatch, func() { m.put(k, p) })
		case 5:
			commit()
		case 6:
			_, err := s.Remove(k, false)
			if _, ok := m.payloads[k]; ok != (err == nil) || err != nil && reason(err) != m.gone[k] {
				t.Fatalf("step %d: remove %s: %v", step, k, err)
			}
			m.remove(k, Removed)
		case 7:
			want, ok := m.payloads[k]
			if !ok {
				if _, err := s.Get(ctx, k); err == nil || reason(err) != m.gone[k] {
					t.Fatalf("step %d: %s: %v, want %s", step, k, err, m.gone[k])
				}
				continue
			}
			wantPayload(t, s, k, want)
		case 8:
			var want []Key
			for _, o := range slices.Backward(m.order) {
				if o.Name == k.Name {
					want = append(want, o)
				}
			}
			found, _ := s.Find(k.Name)
			if !slices.EqualFunc(found, want, func(v Variable, k Key) bool { return v.Key == k }) {
				t.Fatalf("step %d: %s finds %v, want %v", step, k.Name, found, want)
			}
		case 9:
			commit()
			s.Close()
			s = open()
			b = s.Batch()
		case 10: // with a batch that is open
			if _, err := s.Compact(ctx); err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
		case 11:
			keep := 1 + r.IntN(len(keys))
			dryRun := r.IntN(3) == 0
			evicted := m.order[:max(0, len(m.order)-keep)]
			report := mustGC(t, s, Retention{Count: keep}, dryRun)
			if !slices.EqualFunc(report.Removed, evicted, func(t Tombstone, k Key) bool { return t.Key == k }) || report.Leftovers != 0 {
				t.Fatalf("step %d: keeping %d removed %v, want %v", step, keep, report.Removed, evicted)
			}
			for _, k := range slices.Clone(evicted) {
				if !dryRun {
					m.remove(k, Evicted)
				}
			}
		case 12:
			stones, err := s.Tombstones()
			if err != nil || len(stones) != len(m.gone) {
				t.Fatalf("step %d: %d tombstones, want %d, %v", step, len(stones), len(m.gone), err)
			}
			for _, stone := range stones {
				if m.gone[stone.Key] != stone.Why {
					t.Fatalf("step %d: %s is %s, want %s", step, stone.Key, stone.Why, m.gone[stone.Key])
				}
			}
		}
	}
	commit()
	all, err := s.List()
	if err != nil || len(all) != len(m.payloads) {
		t.Fatalf("%d variables, want %d, %v", len(all), len(m.payloads), err)
	}
	for k, want := range m.payloads {
		wantPayload(t, s, k, want)
	}
	if r := mustCheck(t, s); r.Damaged != nil || r.Leftovers != 0 {
		t.Errorf("%+v", r)
	}
	for k := range m.payloads {
		if _, err := s.Remove(k, false); err != nil {
			t.Fatal(err)
		}
	}
	if n := piecesIn(t, s); n != 0 {
		t.Errorf("%d pieces are left of nothing", n)
	}
}

// reason is why err says that a variable is gone; empty where it never was.
func reason(err error) Why {
	var removed *RemovedError
	var expired *ExpiredError
	switch {
	case errors.As(err, &removed):
		return removed.Tombstone.Why
	case errors.As(err, &expired):
		return Expired
	}
	return ""
}
