package engine

import "strconv"

// A leafAt is a string or number in a JSON text.
type leafAt struct {
	start, end int // with its quotes
	key        int // the innermost key over it, by its quote; -1 without one
	number     bool
}

// eachLeaf gives the strings and numbers of a valid JSON text, in order; keys are none.
func eachLeaf(p []byte, do func(leafAt)) {
	s := scanner{p: p}
	type open struct {
		object bool
		key    int
	}
	var stack []open
	expectKey := false
	for i := 0; i < len(p); {
		switch c := p[i]; {
		case c == '{' || c == '[':
			key := -1
			if len(stack) > 0 {
				key = stack[len(stack)-1].key
			}
			stack = append(stack, open{c == '{', key})
			expectKey = c == '{'
			i++
		case c == '}' || c == ']':
			stack = stack[:len(stack)-1]
			expectKey = false
			i++
		case c == ',':
			expectKey = stack[len(stack)-1].object
			i++
		case c == '"':
			e := s.str(i + 1)
			if expectKey {
				stack[len(stack)-1].key = i
				expectKey = false
			} else {
				do(leafAt{i, e, keyOver(stack, func(o open) int { return o.key }), false})
			}
			i = e
		case c == '-' || c-'0' < 10:
			e, _ := s.number(i)
			do(leafAt{i, e, keyOver(stack, func(o open) int { return o.key }), true})
			i = e
		default:
			i++
		}
	}
}

func keyOver[T any](stack []T, key func(T) int) int {
	if len(stack) == 0 {
		return -1
	}
	return key(stack[len(stack)-1])
}

// A pather finds the paths of places in a valid JSON text, one after the other in rising order, in one
// walk over the text.
type pather struct {
	p         []byte
	i         int
	expectKey bool
	open      []openAt
}

// An openAt is an array or object that is open where the walk stands.
type openAt struct {
	level
	start int
}

// to walks to the value or key that holds the byte at offset, and says which arrays and objects are
// open there.
func (w *pather) to(offset int) []openAt {
	p := w.p
	for w.i < len(p) && (w.i < offset || w.i == offset && p[w.i] == '"') {
		switch c := p[w.i]; c {
		case '{', '[':
			w.expectKey = c == '{'
			w.open = append(w.open, openAt{level{object: w.expectKey}, w.i})
			w.i++
		case '}', ']':
			w.open = w.open[:len(w.open)-1]
			w.expectKey = false
			w.i++
		case ',':
			top := &w.open[len(w.open)-1]
			if w.expectKey = top.object; !top.object {
				top.at++
			}
			w.i++
		case '"':
			e := skipString(p, w.i)
			if w.expectKey {
				w.open[len(w.open)-1].at = w.i
				w.expectKey = false
			}
			w.i = e
		default:
			w.i++
		}
	}
	return w.open
}

// place fills in where in the text q stands.
func (w *pather) place(q *Origin) {
	open := w.to(int(q.Offset))
	q.Record, q.start = -1, -1
	levels := make([]level, len(open))
	for n, o := range open {
		levels[n] = o.level
		switch {
		case !o.object:
			q.Record = o.at
		case o.at > 0: // else no key was read yet
			q.start = int64(o.start)
			q.object = pathText(w.p, levels[:n])
			q.key = keyText(w.p, o.at)
		default:
			levels = levels[:n]
			q.Path = pathText(w.p, levels)
			return
		}
	}
	q.Path = pathText(w.p, levels)
}

func keyText(p []byte, at int) string {
	return string(unquote(nil, p[at:skipString(p, at)], false))
}

// argumentLeaves lists the values in a call's arguments; none where they are not JSON.
func argumentLeaves(o *Outcome, b []byte) []*Argument {
	if !valid(b) {
		return nil
	}
	var list []*Argument
	w := pather{p: b}
	eachLeaf(b, func(l leafAt) {
		q := Origin{Offset: int64(l.start)}
		w.place(&q)
		a := &Argument{Outcome: o, Path: q.Path, Number: l.number, Text: string(b[l.start:l.end])}
		if l.key >= 0 {
			a.Key = keyText(b, l.key)
		}
		if !l.number {
			a.Text = string(unquote(nil, b[l.start:l.end], false))
		}
		a.IDLike = idLike(a.Key, a.Text, a.Number)
		list = append(list, a)
	})
	return list
}

// canonical is a number without what its spelling adds: 412.50 is 412.5, 4.125e2 stays.
func canonical(number string) string {
	f, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return number
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
