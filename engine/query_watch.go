package engine

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// A run ends well before its limit on memory, since what it does then still takes some: an array that
// grows is copied, which no step of the library can be stopped in, and it and its copy, a quarter
// larger, are there together.
const (
	tightShare  = 0.6 // of the limit: from here on the collector leaves next to no garbage
	liveShare   = 0.6 // that the last collection found in use, at most
	objectShare = 0.8 // that objects take, those not yet collected too, at most
)

// watchHeap calls over when the heap has grown so far since the call that it could soon be larger by
// more than most bytes. It ends with ctx. Other work of the process counts too, since nothing tells
// whose memory it is.
func (q *Queries) watchHeap(ctx context.Context, most int64, over func()) {
	base := readHeap()
	defer q.heap.tighten(base.mapped + int64(tightShare*float64(most)))()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := readHeap()
		if now.objects-base.objects > int64(objectShare*float64(most)) || now.live-base.objects > int64(liveShare*float64(most)) {
			over()
			return
		}
	}
}

// A heapLimit has the collector work harder while runs are watched: by itself it lets the heap become
// twice what is in use. The zero value is ready for use.
type heapLimit struct {
	mu     sync.Mutex
	users  int
	before int64 // the limit without us, in bytes
}

// tighten sets a soft limit on the memory of the process, in bytes, until loosen is called. Of several
// the latest holds; one that the user has set (GOMEMLIMIT) is not raised.
func (l *heapLimit) tighten(bytes int64) (loosen func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users++; l.users == 1 {
		l.before = debug.SetMemoryLimit(-1)
	}
	debug.SetMemoryLimit(min(bytes, l.before))
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.users--; l.users == 0 {
			debug.SetMemoryLimit(l.before)
		}
	}
}

// A heapState is what the heap takes, in bytes.
type heapState struct {
	objects int64 // those not yet collected too
	live    int64 // found in use by the last collection
	mapped  int64 // all memory that the runtime has and has not given back
}

func readHeap() heapState {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	value := func(i int) int64 { return int64(min(samples[i].Value.Uint64(), math.MaxInt64)) }
	return heapState{objects: value(0), live: value(1), mapped: value(2) - value(3)}
}
