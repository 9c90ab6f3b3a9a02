package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"floodmark/history"
)

// supersede finds the variables for which the same call, with equal arguments, later gave a newer one
// in the same thread, without the history being replaced in between.
func (k *tracker) supersede() error {
	type key struct {
		thread *history.Thread
		tool   string
		args   string
	}
	last := map[key]*Outcome{}
	for i := range k.events {
		e := &k.events[i]
		if e.compacted {
			for at := range last {
				if at.thread == e.thread {
					delete(last, at)
				}
			}
		}
		for _, o := range e.results {
			if o.Verdict != Offloaded || o.Call.Flags.Has(history.OrphanResult) {
				continue
			}
			b, err := o.Call.Arguments.Bytes()
			if err != nil {
				return err
			}
			at := key{o.Thread, o.Call.Tool, equalArguments(b)}
			if old := last[at]; old != nil {
				k.t.Superseded[old] = o
			}
			last[at] = o
		}
	}
	return nil
}

// equalArguments is a text that is the same for arguments that are the same JSON value: white space,
// the order of keys and escapes make no difference. Of what is not JSON it is the text itself.
func equalArguments(b []byte) string {
	if !valid(b) {
		return string(b)
	}
	var lines []string
	w := pather{p: b}
	eachLeaf(b, func(l leafAt) {
		q := Origin{Offset: int64(l.start)}
		w.place(&q)
		text := string(b[l.start:l.end])
		if l.number {
			text = canonical(text)
		} else {
			text = string(appendQuoted(nil, string(unquote(nil, b[l.start:l.end], false))))
		}
		lines = append(lines, q.Path+"\t"+text)
	})
	// What eachLeaf leaves out (true, null, what is empty) is told apart by the words of the text.
	rest := bytes.Count(b, []byte("true"))<<16 | bytes.Count(b, []byte("false"))<<8 | bytes.Count(b, []byte("null"))
	slices.Sort(lines)
	return fmt.Sprintf("%d\n%s", rest, strings.Join(lines, "\n"))
}

// A held variable is one that the harness keeps, until its retention lets go of it.
type held struct {
	*Outcome
	at   time.Time
	kept bool   // its result came
	gone string // why it is gone; empty while it is there
}

// refer finds the later steps that name a variable, its file, or read it back, and which of these came when
// the policy's retention had let go of it. Times are the recording's; there is no clock.
func (k *tracker) refer() error {
	var list []*held
	index := map[*Outcome]*held{}
	match := newMatcher()
	for _, o := range k.run.Outcomes {
		if o.Verdict != Offloaded {
			continue
		}
		h := &held{Outcome: o}
		index[o] = h
		for _, name := range k.namesOf(o) {
			match.add(name, len(list))
		}
		list = append(list, h)
	}
	if len(list) == 0 {
		return nil
	}
	back := map[*Outcome][]Reread{}
	for _, r := range k.t.Rereads {
		back[r.To] = append(back[r.To], r)
	}
	there := 0       // how many of kept are gone
	var kept []*held // in the order in which their results came
	for i := range k.events {
		e := &k.events[i]
		for _, o := range e.results {
			for _, r := range back[o] {
				k.reference(Reference{Outcome: r.From, Thread: o.Thread, Turn: o.Turn, Step: o.Step, By: o, How: "read"}, index[r.From], resultTime(o))
			}
			if h := index[o]; h != nil {
				h.at, h.kept = resultTime(o), true
				kept = append(kept, h)
				there = k.evict(kept, there)
			}
		}
		if e.step == nil {
			continue
		}
		look := func(p history.Payload, by *Outcome, how string) error {
			b, err := p.Bytes()
			if err != nil {
				return err
			}
			named := map[int]bool{}
			match.find(b, func(n, _, _ int) {
				if h := list[n]; !named[n] && h.kept {
					named[n] = true
					k.reference(Reference{Outcome: h.Outcome, Thread: e.thread, Turn: e.turn, Step: e.step.Number, By: by, How: how}, h, stepTime(e))
				}
			})
			return nil
		}
		if err := look(e.payload, nil, "text"); err != nil {
			return err
		}
		for _, o := range e.calls {
			if err := look(o.Call.Arguments, o, "argument"); err != nil {
				return err
			}
		}
	}
	return nil
}

// namesOf are the ways in which a step can name a variable.
func (k *tracker) namesOf(o *Outcome) []string {
	names := []string{o.Name}
	if q := JQName(o.Name); q != o.Name {
		names = append(names, q)
	}
	if o.Package != nil && o.Package.Path != "" {
		names = append(names, o.Package.Path)
	}
	return names
}

func (k *tracker) reference(r Reference, h *held, now time.Time) {
	if r.Expired = h.gone; r.Expired == "" && k.p.Retention.Seconds > 0 && !h.at.IsZero() && !now.IsZero() {
		if age := now.Sub(h.at); age > time.Duration(k.p.Retention.Seconds)*time.Second {
			r.Expired = fmt.Sprintf("%s after its result, %s after the retention time", period(age), period(age-time.Duration(k.p.Retention.Seconds)*time.Second))
		}
	}
	k.t.References = append(k.t.References, r)
}

// evict lets go of the oldest variables, in the order of the replay, while there are too many or they are too
// large.
func (k *tracker) evict(kept []*held, from int) int {
	limit := k.p.Retention
	var bytes int64
	for _, h := range kept[from:] {
		bytes += h.Facts.Size.Bytes
	}
	for from < len(kept) {
		switch {
		case limit.Count > 0 && len(kept)-from > limit.Count:
			kept[from].gone = fmt.Sprintf("%s later: only %d are kept", plural(len(kept)-from-1, "variable", "variables"), limit.Count)
		case limit.Bytes > 0 && bytes > limit.Bytes:
			kept[from].gone = fmt.Sprintf("the variables came to %s: only %s are kept", counted(bytes, "byte"), counted(limit.Bytes, "byte"))
		default:
			return from
		}
		bytes -= kept[from].Facts.Size.Bytes
		from++
	}
	return from
}

func resultTime(o *Outcome) time.Time {
	if o.Call.Result == nil {
		return time.Time{}
	}
	return o.Call.Result.Time
}

// stepTime is when a response was made; where the recording does not say, when its first result came.
func stepTime(e *event) time.Time {
	if !e.step.Time.IsZero() {
		return e.step.Time
	}
	for _, o := range e.calls {
		if t := resultTime(o); !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// period writes a span of time in its two largest units.
func period(d time.Duration) string {
	units := []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}}
	var words []string
	for _, u := range units {
		if n := int64(d / u.of); n > 0 && len(words) < 2 {
			words = append(words, counted(n, u.name))
			d -= time.Duration(n) * u.of
		} else if len(words) > 0 {
			break
		}
	}
	if len(words) == 0 {
		return "less than a second"
	}
	return strings.Join(words, " ")
}
