package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// inWrites gives a payload as a source does that has it in memory or mapped.
func inWrites(b []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		for rest := b; len(rest) > 0; {
			n := min(len(rest), 64<<10)
			if _, err := w.Write(rest[:n]); err != nil {
				return err
			}
			rest = rest[n:]
		}
		return nil
	}
}

func rawWrite(b *testing.B, path string, payload []byte) time.Duration {
	start := time.Now()
	f, err := os.Create(path)
	if err == nil {
		_, err = f.Write(payload)
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// BenchmarkPut100MB stores 100 MB of JSON and writes the same bytes to a plain file in turn: the
// metric x-raw is the ratio of the medians, heap-MB the most that the heap grew by.
func BenchmarkPut100MB(b *testing.B) {
	payload := records(100_000_000)
	sum := sha256.Sum256(payload)
	for _, announced := range []bool{false, true} {
		b.Run(fmt.Sprintf("announced=%v", announced), func(b *testing.B) {
			var raw, put, get []time.Duration
			var peak atomic.Uint64
			dir := b.TempDir()
			for b.Loop() {
				raw = append(raw, rawWrite(b, filepath.Join(dir, "raw"), payload))
				os.Remove(filepath.Join(dir, "raw"))
				s := opened(b, filepath.Join(dir, "variables.db"))
				runtime.GC()
				stop := watchHeap(&peak)
				v := named("x_1")
				if announced {
					v.SHA256 = hex.EncodeToString(sum[:])
				}
				start := time.Now()
				if _, err := s.Put(context.Background(), v, inWrites(payload)); err != nil {
					b.Fatal(err)
				}
				put = append(put, time.Since(start))
				stop()
				start = time.Now()
				if _, err := s.Get(context.Background(), v.Key); err != nil {
					b.Fatal(err)
				}
				get = append(get, time.Since(start))
				s.Close()
				os.Remove(s.Path())
			}
			b.ReportMetric(median(put).Seconds()/median(raw).Seconds(), "x-raw")
			b.ReportMetric(float64(median(raw).Milliseconds()), "raw-ms")
			b.ReportMetric(float64(median(put).Milliseconds()), "put-ms")
			b.ReportMetric(float64(median(get).Milliseconds()), "get-ms")
			b.ReportMetric(float64(peak.Load())/1e6, "heap-MB")
		})
	}
}

// watchHeap notes the most that the heap grows by until stop.
func watchHeap(peak *atomic.Uint64) (stop func()) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	base, done, ended := m.HeapInuse, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for tick := time.NewTicker(2 * time.Millisecond); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
				runtime.ReadMemStats(&m)
				if m.HeapInuse > base && m.HeapInuse-base > peak.Load() {
					peak.Store(m.HeapInuse - base)
				}
			}
		}
	}()
	return func() { close(done); <-ended }
}

func median(d []time.Duration) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}

// BenchmarkPut30KB is the cost of one of many variables, alone and in batches.
func BenchmarkPut30KB(b *testing.B) {
	payload := records(30_000)
	vary := func(i int) []byte { return append(fmt.Appendf(nil, "[%d,", i), payload[1:]...) }
	b.Run("alone", func(b *testing.B) {
		s := opened(b, at(b))
		i := 0
		for b.Loop() {
			mustPut(b, s, named(fmt.Sprintf("x_%d", i)), vary(i))
			i++
		}
	})
	b.Run("batch", func(b *testing.B) {
		s := opened(b, at(b))
		batch := s.Batch()
		i := 0
		for b.Loop() {
			if err := batch.Put(context.Background(), named(fmt.Sprintf("x_%d", i)), giving(vary(i))); err != nil {
				b.Fatal(err)
			}
			i++
			if batch.Full() {
				if _, err := batch.Commit(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		}
		if _, err := batch.Commit(context.Background()); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("again", func(b *testing.B) {
		s := opened(b, at(b))
		mustPut(b, s, named("x_1"), payload)
		for b.Loop() {
			mustPut(b, s, named("x_1"), payload)
		}
	})
	b.Run("get", func(b *testing.B) {
		s := opened(b, at(b))
		mustPut(b, s, named("x_1"), payload)
		for b.Loop() {
			if _, err := s.Get(context.Background(), named("x_1").Key); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkOpen opens a store of 10,000 variables of 30 KB.
func BenchmarkOpen(b *testing.B) {
	path := at(b)
	s := opened(b, path)
	batch := s.Batch()
	for i := range 10_000 {
		p := records(30_000)
		if err := batch.Put(context.Background(), named(fmt.Sprintf("x_%d", i)), giving(append(fmt.Appendf(nil, "[%d,", i), p[1:]...))); err != nil {
			b.Fatal(err)
		}
		if batch.Full() || i == 9_999 {
			if _, err := batch.Commit(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	}
	s.Close()
	for b.Loop() {
		opened(b, path).Close()
	}
}

// opened is a store that waits for the disk, as everybody's does.
func opened(b *testing.B, path string) *Store {
	b.Helper()
	s, err := Open(path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}
