package engine

import (
	"fmt"

	"floodmark/history"
)

// Limits of what is followed, so that a conversation of any size takes little memory.
const (
	maxValues = 20_000 // different values in arguments
	maxPlaces = 16     // places of one value whose records are remembered
)

// A value is a text that some call's arguments hold, and where it stood so far.
type value struct {
	text        string
	idLike      bool
	number      bool
	first, seen *Origin
	places      []Origin // in results, for telling records apart
	more        bool     // there are more places than that
}

// A gathering is the values of a conversation on the way through its events.
type gathering struct {
	*tracker
	values []*value
	byText map[string]int
	of     map[*Outcome][]*Argument
	match  *matcher
}

// values finds out where each value of the arguments comes from.
func (k *tracker) values() error {
	g := &gathering{tracker: k, byText: map[string]int{}, of: map[*Outcome][]*Argument{}, match: newMatcher()}
	for _, o := range k.run.Outcomes {
		if o.Call.Flags.Has(history.OrphanResult) {
			continue
		}
		b, err := o.Call.Arguments.Bytes()
		if err != nil {
			return err
		}
		g.of[o] = argumentLeaves(o, b)
		k.t.Arguments = append(k.t.Arguments, g.of[o]...)
		for _, a := range g.of[o] {
			g.add(a)
		}
	}
	if len(g.values) == maxValues {
		k.t.Notes = append(k.t.Notes, fmt.Sprintf("the arguments hold more than %d different values: the rest was not followed", maxValues))
	}
	for i := range k.events {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		if err := g.event(&k.events[i]); err != nil {
			return err
		}
	}
	if err := g.nearest(); err != nil {
		return err
	}
	return g.mixed()
}

// add makes room for an argument's value.
func (g *gathering) add(a *Argument) {
	if trivial(a.Text, a.Number) {
		a.Ground = TrivialGround
		return
	}
	n, ok := g.byText[a.Text]
	if !ok {
		if len(g.values) == maxValues {
			a.Ground = TrivialGround
			return
		}
		n = len(g.values)
		g.byText[a.Text] = n
		g.values = append(g.values, &value{text: a.Text, number: a.Number})
		g.match.add(a.Text, n)
	}
	g.values[n].idLike = g.values[n].idLike || a.IDLike
}

// event takes in what one event brings: first what was returned before it, then what a response asks for.
func (g *gathering) event(e *event) error {
	switch {
	case e.words != "":
		return g.text(e.payload, Origin{Thread: e.thread, Turn: e.turn, Words: e.words, Visible: true})
	case e.step == nil:
		for _, o := range e.results {
			if err := g.result(o); err != nil {
				return err
			}
		}
		return nil
	}
	for _, o := range e.calls {
		for _, a := range g.of[o] {
			g.ground(a)
		}
	}
	for _, o := range e.calls { // those of one response do not know of each other
		for _, a := range g.of[o] {
			if n, ok := g.byText[a.Text]; ok && a.Ground != TrivialGround && g.values[n].first == nil {
				p := placeOf(o)
				p.Argument, p.Path, p.Visible = true, a.Path, true
				g.values[n].first, g.values[n].seen = &p, &p
			}
		}
	}
	return nil
}

func placeOf(o *Outcome) Origin {
	return Origin{Thread: o.Thread, Turn: o.Turn, Step: o.Step, Outcome: o, Record: -1, start: -1}
}

// ground says where an argument comes from, by what there was until now.
func (g *gathering) ground(a *Argument) {
	n, ok := g.byText[a.Text]
	if !ok || a.Ground == TrivialGround {
		return
	}
	v := g.values[n]
	a.First, a.Seen = v.first, v.seen
	switch {
	case v.first == nil && g.tracker.words:
		a.Ground = Ungrounded
	case v.first == nil:
		a.Ground = UnknownGround
	case v.first.Argument:
		a.Ground = FromArgument
	case v.first.Words != "":
		a.Ground = FromWords
	default:
		a.Ground = FromResult
	}
}

// text looks for values in words.
func (g *gathering) text(p history.Payload, at Origin) error {
	if p.Size().Bytes == 0 {
		return nil
	}
	b, err := p.Bytes()
	if err != nil {
		return err
	}
	at.Record, at.start = -1, -1
	g.match.find(b, func(n, from, _ int) {
		v := g.values[n]
		if v.seen == nil {
			q := at
			q.Offset = int64(from)
			v.seen = &q
			if v.first == nil {
				v.first = &q
			}
		}
	})
	return nil
}

// result looks for values in a result: in the payload, and in what of it the model got.
func (g *gathering) result(o *Outcome) error {
	if o.Verdict == "" || o.Verdict == Rejected {
		return nil // nothing of it entered, and nothing is kept
	}
	b, err := g.r.Payload(g.p, o)
	if err != nil {
		return err
	}
	var got map[int]bool // values in the package; nil where the payload entered whole
	if o.Verdict != Inline {
		got = map[int]bool{}
		text := ""
		if o.Package != nil {
			text = o.Package.Text
		}
		g.match.find([]byte(text), func(n, _, _ int) { got[n] = true })
	}
	w := pather{p: b}
	structured := o.Facts != nil && o.Facts.Valid
	g.match.find(b, func(n, from, _ int) {
		v := g.values[n]
		visible := got == nil || got[n]
		if len(v.places) == maxPlaces {
			v.more = true
			if v.seen != nil || !visible {
				return
			}
		}
		q := placeOf(o)
		q.Offset, q.Visible = int64(from), visible
		if structured {
			w.place(&q)
		}
		if len(v.places) < maxPlaces {
			v.places = append(v.places, q)
		}
		if v.first == nil {
			v.first = &q
		}
		if v.seen == nil && visible {
			v.seen = &q
		}
	})
	for n := range got { // what the package says of itself: the variable's name, the file's path
		if v := g.values[n]; v.first == nil {
			q := placeOf(o)
			q.Words, q.Visible = "package", true
			v.first, v.seen = &q, &q
		}
	}
	if o.Instructions != nil {
		return g.text(history.Of(o.Instructions.Text), Origin{Thread: o.Thread, Turn: o.Turn, Step: o.Step, Words: "system", Visible: true})
	}
	return nil
}
