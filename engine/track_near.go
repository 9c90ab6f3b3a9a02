package engine

import (
	"slices"
	"strings"
)

// maxNear is how many near misses of one value are kept, the nearest kinds first.
const maxNear = 3

// A lookalike is a value that no earlier text has, with what looks like it.
type lookalike struct {
	value   string
	folded  string // letters and digits only, in lower case
	number  string // canonical, of a number
	waiting []*Argument
	near    []NearMiss
	known   map[string]bool
}

// nearest looks, for each id that nothing has, for what looks like it in what came before its first use.
func (g *gathering) nearest() error {
	byText := map[string]*lookalike{}
	for _, a := range g.t.Arguments {
		if !a.IDLike || a.Ground != Ungrounded && a.Ground != UnknownGround || byText[a.Text] != nil {
			continue
		}
		l := &lookalike{value: a.Text, folded: folded(a.Text), known: map[string]bool{}, waiting: []*Argument{a}}
		if a.Number {
			l.number = canonical(a.Text)
		}
		byText[a.Text] = l
	}
	if len(byText) == 0 {
		return nil
	}
	index := newLookalikeIndex(byText)
	for i := range g.events {
		if err := g.ctx.Err(); err != nil {
			return err
		}
		e := &g.events[i]
		switch {
		case e.words != "":
			if e.payload.Size().Bytes == 0 {
				continue
			}
			b, err := e.payload.Bytes()
			if err != nil {
				return err
			}
			lookFor(index, b, false, Origin{Thread: e.thread, Turn: e.turn, Words: e.words, Visible: true, Record: -1})
		case e.step == nil:
			for _, o := range e.results {
				if o.Verdict == "" || o.Verdict == Rejected {
					continue
				}
				b, err := g.r.Payload(g.p, o)
				if err != nil {
					return err
				}
				q := placeOf(o)
				q.Visible = o.Verdict == Inline
				lookFor(index, b, o.Facts != nil && o.Facts.Valid, q)
			}
		default:
			for _, o := range e.calls {
				for _, a := range g.of[o] {
					if l := byText[a.Text]; l != nil {
						l.settle(a)
					}
				}
			}
		}
	}
	return nil
}

// settle gives an argument what was found until now.
func (l *lookalike) settle(a *Argument) {
	if !a.IDLike || a.Ground != Ungrounded && a.Ground != UnknownGround {
		return
	}
	slices.SortStableFunc(l.near, func(x, y NearMiss) int { return nearness(x.Kind) - nearness(y.Kind) })
	a.Near = slices.Clone(l.near)
	if len(a.Near) > 0 && a.Near[0].Kind.sameValue() {
		a.Ground = Loosely
	}
}

func nearness(k NearKind) int {
	return slices.Index([]NearKind{OtherCase, OtherMarks, OtherSpelling, Transposed, OneEdit, OtherRecord}, k)
}

// maxMarks is how many marks more or fewer the same value may have elsewhere (#W-261 for W261).
const maxMarks = 3

// lookFor compares the tokens of a text with the values that they may be near to.
func lookFor(index *lookalikeIndex, b []byte, structured bool, at Origin) {
	w := pather{p: b}
	eachToken(b, func(from, end int) {
		index.candidates(b[from:end], func(l *lookalike) {
			token := string(b[from:end])
			kind := l.compare(token, folded(token))
			if kind == "" || l.known[token] || len(l.near) >= maxNear && !kind.sameValue() && kind != Transposed {
				return
			}
			l.known[token] = true
			q := at
			q.Offset = int64(from)
			if structured {
				w.place(&q)
			}
			l.near = append(l.near, NearMiss{kind, token, q})
			if len(l.near) > maxNear {
				slices.SortStableFunc(l.near, func(x, y NearMiss) int { return nearness(x.Kind) - nearness(y.Kind) })
				l.near = l.near[:maxNear]
			}
		})
	})
}

// eachToken gives the runs of letters, digits and the marks inside ids.
func eachToken(p []byte, do func(from, end int)) {
	for i := 0; i < len(p); i++ {
		if !asciiWord(p[i]) && !(p[i] == '#' && i+1 < len(p) && asciiWord(p[i+1])) {
			continue
		}
		from := i
		if afterEscape(p, i+1) && p[i-1] == '\\' {
			continue // the letter of an escape
		}
		for i++; i < len(p) && (asciiWord(p[i]) || inID(p[i]) && i+1 < len(p) && asciiWord(p[i+1])); i++ {
		}
		do(from, i)
	}
}

func inID(c byte) bool { return strings.IndexByte("-.@:#+/%", c) >= 0 }

// compare says in which way token is nearly the value; empty where it is not.
func (l *lookalike) compare(token, fold string) NearKind {
	switch {
	case token == l.value:
		return "" // it stands inside something longer, or comes later
	case strings.EqualFold(token, l.value):
		return OtherCase
	case fold == l.folded && len(fold) >= minFolded:
		return OtherMarks
	case l.number != "" && canonical(token) == l.number:
		return OtherSpelling
	case transposed(token, l.value):
		return Transposed
	case oneEdit(token, l.value):
		return OneEdit
	}
	return ""
}

// minFolded is how many letters and digits a value has to have so that others with other marks are the same.
const minFolded = 4

// folded are the letters and digits of a text, in lower case.
func folded(text string) string {
	b := make([]byte, 0, len(text))
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 0x80, c-'0' < 10, 'a' <= c && c <= 'z':
			b = append(b, c)
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		}
	}
	return string(b)
}

// transposed tells whether two neighbours are exchanged.
func transposed(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// oneEdit tells whether one byte more, less or another makes b of a.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(a) && a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}
