package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"floodmark/history"
)

// Track over a payload of so many bytes that is offloaded, a tenth of it that comes back, and calls with ids
// from it, planted wrong and out of nowhere. Memory is to stay about that of the payload, and time to grow
// with it, not faster.
func BenchmarkTrack(b *testing.B) {
	for _, c := range []struct{ megabytes, calls int }{{1, 20}, {10, 20}, {95, 20}, {10, 2000}} {
		b.Run(fmt.Sprintf("%dMB-%dcalls", c.megabytes, c.calls), func(b *testing.B) {
			var text strings.Builder
			text.Grow(c.megabytes<<20 + 200)
			text.WriteByte('[')
			rows := 0
			for ; text.Len() < c.megabytes<<20; rows++ {
				if rows > 0 {
					text.WriteByte(',')
				}
				fmt.Fprintf(&text, `{"id":"ROW-%07d","note":"note number %d of all","sum":%d.25}`, rows, rows*7919, 1000+rows*31)
			}
			text.WriteByte(']')
			payload := text.String()
			calls := []*history.Call{asked(`{}`, payload), asked(`{"part":1}`, payload[:len(payload)/10])}
			for i := range c.calls {
				n := i * (rows / c.calls)
				calls = append(calls, asked(fmt.Sprintf(`{"id":"ROW-%07d","account_id":"ROW-%07d9","order_id":"ZZ-%05d"}`, n, n, i), "{}"))
			}
			conv := conversation(calls...)
			steps := make([]*history.Step, len(calls)) // one call each, so that the payload is there before the ids
			for i := range calls {
				steps[i] = &history.Step{Number: i + 1, Calls: calls[i : i+1]}
			}
			conv.Threads[0].Turns[0].Steps = steps
			p, err := Load("moveworks")
			if err != nil {
				b.Fatal(err)
			}
			r := NewReplayer(conv)
			run, err := r.Run(context.Background(), p, RunOptions{SkipExact: true})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(payload)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Track(context.Background(), p, run); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
