package engine

import (
	"context"
	"slices"
	"sync"
	"unsafe"
)

// A dataCache keeps decoded payloads under a budget, the least recently used going first.
type dataCache struct {
	budget int64
	mu     sync.Mutex
	kept   []keptData // the most recently used last
	// loading holds one place for each payload being decoded, so that two panes decode it once.
	loading map[string]chan struct{}
}

type keptData struct {
	key  string
	data *decodedPayload
}

func newDataCache(budget int64) *dataCache {
	return &dataCache{budget: budget, loading: map[string]chan struct{}{}}
}

// get is a source's payload decoded, and whether it was before. A source without a key is not kept.
func (c *dataCache) get(ctx context.Context, source QuerySource) (data *decodedPayload, cached bool, err error) {
	if source.Load == nil {
		return &decodedPayload{}, false, nil // null
	}
	if source.Key == "" {
		data, err = loadData(ctx, source)
		return data, false, err
	}
	for {
		c.mu.Lock()
		if i := slices.IndexFunc(c.kept, func(k keptData) bool { return k.key == source.Key }); i >= 0 {
			k := c.kept[i]
			c.kept = append(slices.Delete(c.kept, i, i+1), k)
			c.mu.Unlock()
			return k.data, true, nil
		}
		other := c.loading[source.Key]
		if other == nil {
			c.loading[source.Key] = make(chan struct{})
			c.mu.Unlock()
			break
		}
		c.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
	defer func() { // whatever becomes of the load, those that wait for it go on
		c.mu.Lock()
		defer c.mu.Unlock()
		close(c.loading[source.Key])
		delete(c.loading, source.Key)
	}()
	if data, err = loadData(ctx, source); err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.kept = append(c.kept, keptData{source.Key, data})
		size := int64(0)
		for i := len(c.kept) - 1; i >= 0; i-- {
			if size += c.kept[i].data.size; size > c.budget && i < len(c.kept)-1 {
				c.kept = slices.Clone(c.kept[i+1:])
				break
			}
		}
	}
	return data, false, err
}

// loadData decodes a payload in place: nobody else has it, and its strings are parts of it.
func loadData(ctx context.Context, source QuerySource) (*decodedPayload, error) {
	payload, err := source.Load(ctx)
	if err != nil {
		return nil, err
	}
	return decode(ctx, unsafe.String(unsafe.SliceData(payload), len(payload)))
}
