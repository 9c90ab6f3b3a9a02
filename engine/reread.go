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
	ways    [2]unitSet // by values, and by runs of words
}

// A unitSet is a sample of the units of a payload, with the weight of those that came back.
type unitSet struct {
	weight map[uint64]float64
	total  float64
	back   map[uint64]bool
	shared float64
}

// rereads compares every result with what was offloaded before it.
func (k *tracker) rereads() error {
	var originals []*original
	where := [2]map[uint64][]int{{}, {}}
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
			u := contentUnits(b, o.Facts.Valid)
			k.compare(o, originals, where, u)
			if o.Verdict == Offloaded {
				n := len(originals)
				originals = append(originals, &original{o, [2]unitSet{u[0].set(), u[1].set()}})
				for way := range where {
					for h := range originals[n].ways[way].weight {
						where[way][h] = append(where[way][h], n)
					}
				}
			}
		}
	}
	return nil
}

// compare adds what of each original o brings back.
func (k *tracker) compare(o *Outcome, originals []*original, where [2]map[uint64][]int, u [2]units) {
	type sum struct{ now, fresh [2]float64 }
	sums := map[int]*sum{}
	for way := range where {
		seen := map[uint64]bool{}
		for _, h := range u[way].hashes {
			if seen[h] {
				continue
			}
			seen[h] = true
			for _, n := range where[way][h] {
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
		}
	}
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
		if newer := k.t.Superseded[from.outcome]; newer != nil && newer.Call.Order < o.Call.Order {
			continue // the same again: what comes back is the newer one's
		}
		r.Most = o.Verdict == Inline && (r.Share >= mostShare || r.Total >= mostShare && before < mostShare)
		k.t.Rereads = append(k.t.Rereads, r)
	}
}
