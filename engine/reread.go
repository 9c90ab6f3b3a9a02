package engine

import "floodmark/history"

// What counts as bringing back: half of an offloaded payload is most of it, a twentieth is worth a line in
// the chain. Both are ours.
const (
	mostShare  = 0.5
	shownShare = 0.05
)

// An original is an offloaded payload that later results are compared with.
type original struct {
	outcome *Outcome
	ways    [unitWays]unitSet
}

// rereads compares every result with what was offloaded before it.
func (k *tracker) rereads() error {
	var originals []*original
	where := [unitWays]map[uint64][]int{{}, {}}
	for i := range k.events {
		for _, o := range k.events[i].results {
			if err := k.ctx.Err(); err != nil {
				return err
			}
			if o.Verdict == "" || o.Verdict == Rejected || o.Facts == nil || o.Call.Flags.Has(history.CountedElsewhere) {
				continue
			}
			if len(originals) == 0 && o.Verdict != Offloaded {
				continue
			}
			b, err := k.r.Payload(k.p, o)
			if err != nil {
				return err
			}
			var own *original
			if o.Verdict == Offloaded {
				own = &original{o, [unitWays]unitSet{newUnitSet(), newUnitSet()}}
			}
			k.compare(o, b, own, originals, where)
			if own == nil {
				continue
			}
			for way := range where {
				for h := range own.ways[way].weight {
					where[way][h] = append(where[way][h], len(originals))
				}
			}
			originals = append(originals, own)
		}
	}
	return nil
}

// compare adds what of each original o's payload brings back, and fills own, where o's payload is to be one.
func (k *tracker) compare(o *Outcome, payload []byte, own *original, originals []*original, where [unitWays]map[uint64][]int) {
	type sum struct{ now, fresh [unitWays]float64 }
	sums := map[int]*sum{}
	seen := [unitWays]map[uint64]bool{{}, {}} // of the units that an original has: so they are few
	eachUnit(payload, o.Facts.Valid, func(way int, h uint64, size int) {
		if own != nil {
			own.ways[way].add(h, size)
		}
		list := where[way][h]
		if list == nil || seen[way][h] {
			return
		}
		seen[way][h] = true
		for _, n := range list {
			s := sums[n]
			if s == nil {
				s = &sum{}
				sums[n] = s
			}
			set := &originals[n].ways[way]
			s.now[way] += set.weight[h]
			if !set.back[h] && o.Verdict == Inline {
				set.back[h] = true
				s.fresh[way] += set.weight[h]
			}
		}
	})
	var found []Reread
	for n, from := range originals {
		s := sums[n]
		if s == nil {
			continue
		}
		r := Reread{From: from.outcome, To: o, Tokens: o.Inline.Tokens}
		before := 0.0
		for way := range from.ways {
			set := &from.ways[way]
			if set.total == 0 {
				continue
			}
			before = max(before, set.shared/set.total)
			set.shared += s.fresh[way]
			r.Share = max(r.Share, s.now[way]/set.total)
			r.Total = max(r.Total, set.shared/set.total)
		}
		if r.Share < shownShare {
			continue
		}
		r.Most = o.Verdict == Inline && (r.Share >= mostShare || r.Total >= mostShare && before < mostShare)
		found = append(found, r)
	}
	for _, r := range found {
		if !k.newerBrings(r, found) {
			k.t.Rereads = append(k.t.Rereads, r)
		}
	}
}

// newerBrings tells whether what r brings back is the newer variable's of the same call: the result has
// most of it from there too. A newer payload that says something else takes nothing from the older one.
func (k *tracker) newerBrings(r Reread, found []Reread) bool {
	for newer := k.t.Superseded[r.From]; newer != nil; newer = k.t.Superseded[newer] {
		for _, other := range found {
			if other.From == newer && other.bytes() >= mostShare*r.bytes() {
				return true
			}
		}
	}
	return false
}

// bytes is about how much of the payload came back.
func (r Reread) bytes() float64 { return r.Share * float64(r.From.Facts.Size.Bytes) }
