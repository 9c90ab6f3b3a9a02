package engine

import (
	"context"
	"runtime"
	"runtime/metrics"
	"time"
)

// watchHeap calls over when the heap has grown by more than most bytes since the call. What a
// collection would free does not count, unless it is as much again: then there is no time to lose.
// It ends with ctx. Other work of the process counts too, since nothing tells whose memory it is.
func watchHeap(ctx context.Context, most int64, over func()) {
	base, next := heapBytes(), int64(0)
	next = base + most
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := heapBytes()
		if now <= next {
			continue
		}
		if now < base+2*most {
			runtime.GC()
			now = heapBytes()
		}
		if now > base+most {
			over()
			return
		}
		next = min(now+most, base+2*most)
	}
}

// heapBytes is what objects take on the heap, those not yet collected too.
func heapBytes() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
