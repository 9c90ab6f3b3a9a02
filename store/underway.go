package store

import "sync"

// Intakes are the payloads whose pieces are in the file and that nobody has yet: GC leaves them alone.
type intakes struct {
	mu  sync.Mutex
	ids map[uint64]bool
}

func (i *intakes) add(id uint64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ids == nil {
		i.ids = map[uint64]bool{}
	}
	i.ids[id] = true
}

func (i *intakes) done(id uint64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.ids, id)
}

func (i *intakes) has(id uint64) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.ids[id]
}
