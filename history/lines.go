package history

import (
	"context"
	"iter"
)

// lines lists the records of a format that has one a line. The lines of a session may have been put
// into one array ("jq -s" does): then its elements are handed out, each with its own place.
func (in *input) lines(ctx context.Context) iter.Seq[record] {
	return func(yield func(record) bool) {
		for rec := range in.records(ctx) {
			if !rec.isArray() {
				if !yield(rec) {
					return
				}
				continue
			}
			for e := range rec.elements() {
				if !yield(record{value: e}) {
					return
				}
			}
		}
	}
}
