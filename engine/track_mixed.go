package engine

import "bytes"

// mixed finds calls that take the id of one record and a value of another: an argument that stands under
// the same key in a record beside the id's, and not in the id's own, which has another value there.
func (g *gathering) mixed() error {
	for _, o := range g.run.Outcomes {
		list := g.of[o]
		for _, id := range list {
			if !id.IDLike || id.Ground != FromResult {
				continue
			}
			v := g.values[g.byText[id.Text]]
			if v.more {
				continue
			}
			for _, a := range list {
				if a == id || a.Key == "" || a.Ground != FromResult || parentPath(a.Path, a.Key) != parentPath(id.Path, id.Key) || !telling(a) {
					continue
				}
				if err := g.mixedPair(id, v, a); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// telling tells whether a value would hardly stand in two records by chance: an id, or a number or text
// with three digits.
func telling(a *Argument) bool {
	digits := 0
	for i := range len(a.Text) {
		if a.Text[i]-'0' < 10 {
			digits++
		}
	}
	return a.IDLike || digits >= 3 && !dateID.MatchString(a.Text)
}

// parentPath is a path without the key at its end.
func parentPath(path, key string) string {
	for _, end := range []string{"." + key, string(appendIndex(nil, string(appendQuoted(nil, key))))} {
		if len(path) >= len(end) && path[len(path)-len(end):] == end {
			return path[:len(path)-len(end)]
		}
	}
	return path
}

func (g *gathering) mixedPair(id *Argument, v *value, a *Argument) error {
	w := g.values[g.byText[a.Text]]
	if w.more {
		return nil
	}
	for _, p := range v.places {
		if before(p, id) && p.object != "" {
			for _, q := range w.places {
				if q.Outcome == p.Outcome && (q.object == p.object || q.key != a.Key) {
					return nil // one record has both, or the value stands elsewhere too
				}
			}
		}
	}
	for _, p := range v.places {
		if !before(p, id) || p.start < 0 || p.key == a.Key || p.Path == p.object {
			continue
		}
		for _, q := range w.places {
			if !before(q, a) || q.Outcome != p.Outcome || q.start < 0 || !siblings(p.object, q.object) {
				continue
			}
			b, err := g.r.Payload(g.p, p.Outcome)
			if err != nil {
				return err
			}
			if own, ok := member(b, int(p.start), a.Key); ok && own != a.Text {
				a.Near = append(a.Near, NearMiss{OtherRecord, own, p}, NearMiss{OtherRecord, a.Text, q})
				return nil
			}
		}
	}
	return nil
}

// before tells whether a place comes before the call that an argument is of.
func before(p Origin, a *Argument) bool {
	return p.Outcome != nil && p.Outcome.Call.Order < a.Outcome.Call.Order
}

// siblings tells whether two paths of objects differ in their last step only.
func siblings(a, b string) bool {
	return a != b && upTo(a) == upTo(b)
}

func upTo(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '[' || path[i] == '.' {
			return path[:i]
		}
	}
	return ""
}

// member is the scalar value of a key in the object that opens at start, a string decoded.
func member(p []byte, start int, key string) (string, bool) {
	depth, expectKey, found := 0, false, false
	for i := start; i < len(p); {
		switch c := p[i]; c {
		case '{', '[':
			if found {
				return "", false
			}
			depth++
			expectKey = c == '{'
			i++
		case '}', ']':
			if depth--; depth == 0 {
				return "", false
			}
			i++
		case ',':
			expectKey = depth == 1
			i++
		case '"':
			e := skipString(p, i)
			if found {
				return string(unquote(nil, p[i:e], false)), true
			}
			if expectKey && depth == 1 {
				found = keyText(p, i) == key
			}
			expectKey = false
			i = e
		case ' ', '\n', '\t', '\r', ':':
			i++
		default:
			e := i + max(bytes.IndexAny(p[i:], ",]} \n\r\t"), 1)
			if found {
				return string(p[i:e]), true
			}
			i = e
		}
	}
	return "", false
}
