package engine

// A span is a range of a payload's bytes.
type span struct{ start, end int }

func (s span) len() int { return s.end - s.start }

// A recordsPlace is the array, or the folded map, that holds a payload's data.
type recordsPlace struct {
	span
	count int // its elements, or entries
}

// maxLevels is how deep locateRecords looks for arrays, so that its memory has a bound.
const maxLevels = 1_000_000

// locateRecords finds the array that holds the data of p, which is valid JSON: the largest by
// bytes (of several the first); while it has a single element which holds an array, the largest in
// that. Without any array it is the largest object that counts as a map. The span is empty where
// there is neither. The answer is that of Facts.Records.
func locateRecords(p []byte, mapKeys int) recordsPlace {
	stack := make([]locateFrame, 1, 16) // the first stands for what is around the root
	arrays := false
	text := scanner{p: p}
	for i := 0; i < len(p); {
		top := &stack[len(stack)-1]
		switch c := p[i]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
			i++
		case '{', '[':
			top.count++
			if len(stack) > maxLevels {
				i = skipValue(p, i)
				continue
			}
			arrays = arrays || c == '['
			stack = append(stack, locateFrame{start: i, object: c == '{'})
			i++
		case '}', ']':
			i++
			closed := *top
			stack = stack[:len(stack)-1]
			top = &stack[len(stack)-1]
			self := recordsPlace{span{closed.start, i}, closed.count}
			if !closed.object {
				if closed.count != 1 || closed.largest == 0 {
					closed.records = self
				}
				closed.largest = self.len()
			}
			if closed.largest > top.largest {
				top.largest, top.records = closed.largest, closed.records
			}
		case '"':
			end := text.str(i + 1)
			if top.object {
				if next := text.space(end); p[next] == ':' {
					i = next + 1
					continue
				}
			}
			top.count++
			i = end
		default:
			top.count++
			i = skipScalar(p, i)
		}
	}
	if arrays {
		return stack[0].records
	}
	return locateMap(p, mapKeys)
}

// locateMap finds the largest object that counts as a map, as a schema tells it.
func locateMap(p []byte, mapKeys int) recordsPlace {
	s := &scanner{p: p, o: ScanOptions{MapKeys: mapKeys}, any: anyNode()}
	if mapKeys <= 0 {
		s.o.MapKeys = defaultMapKeys
	}
	root := &node{}
	if !s.run(root) {
		return recordsPlace{}
	}
	var m *node
	if root.largestMap(s.o.MapKeys, &m); m == nil {
		return recordsPlace{}
	}
	return recordsPlace{span{m.largestAt, m.largestAt + m.largest}, s.countMembers(m.largestAt)}
}

// A locateFrame is what locateRecords knows of an array or object that it has not seen the end of.
type locateFrame struct {
	start, count int
	object       bool
	largest      int          // bytes of the largest array in here
	records      recordsPlace // what that array comes down to
}

// A spineStep is an array or object on the way from the root to the records.
type spineStep struct {
	start int
	key   span // in the step above, from quote to quote; empty in an array
	index int  // in the step above
}

// spineTo lists the arrays and objects that are open at the byte before the value at target, the
// root first, and last the value at target itself.
func spineTo(p []byte, target int) []spineStep {
	type frame struct {
		spineStep
		object bool
		count  int
		key    span // of the member that comes next
	}
	var stack []frame
	step := func(start int) spineStep {
		if len(stack) == 0 {
			return spineStep{start: start}
		}
		top := &stack[len(stack)-1]
		return spineStep{start: start, key: top.key, index: top.count}
	}
	for i := 0; i < target; {
		switch c := p[i]; c {
		case '{', '[':
			stack = append(stack, frame{spineStep: step(i), object: c == '{'})
			i++
		case '}', ']':
			stack = stack[:len(stack)-1]
			i++
		case ',':
			stack[len(stack)-1].count++
			i++
		case '"':
			end := skipString(p, i)
			stack[len(stack)-1].key = span{i, end} // a value's is overwritten by the next key
			i = end
		default:
			i++
		}
	}
	spine := make([]spineStep, 0, len(stack)+1)
	for _, f := range stack {
		if !f.object {
			f.key = span{}
		}
		spine = append(spine, f.spineStep)
	}
	return append(spine, step(target))
}
