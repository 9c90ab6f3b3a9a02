package engine

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// maxPathLevels is how many levels a path shows; a mark follows a deeper one. No decoder that
// could use a longer path opens such a payload.
const maxPathLevels = 10_000

// A mark remembers a place: its outermost levels, and where to go on from there. So a place costs
// the same at any depth, and its path is made for the places that are reported only.
type mark struct {
	offset int
	levels int
	outer  [6]level
	inner  int // the bracket inside the last of a full outer; 0 without one
}

// A level is one step of a path.
type level struct {
	at     int // an object's key by its opening quote, or an array's index
	object bool
}

// mark remembers the value or key at offset under the frames that are open.
func (s *scanner) mark(offset int) mark {
	m := mark{offset: offset}
	for m.levels < len(s.stack) && m.levels < len(m.outer) {
		f := &s.stack[m.levels]
		m.outer[m.levels] = level{f.at, f.object}
		m.levels++
	}
	if len(s.stack) > len(m.outer) {
		m.inner = s.stack[len(m.outer)].start
	}
	return m
}

// pathTo is the jq path of a place in a valid payload.
func pathTo(p []byte, m mark) string {
	levels := append([]level(nil), m.outer[:m.levels]...)
	if m.inner > 0 {
		levels = append(levels, walkTo(p, m.inner, m.offset)...)
	}
	return pathText(p, levels)
}

// walkTo goes from the bracket (or other value) at i to the value or key at offset, and returns
// the levels in between, one more than a path shows at most.
func walkTo(p []byte, i, offset int) []level {
	var levels []level
	depth := 0
	expectKey := false
	for i < offset || expectKey && i == offset {
		// Of the levels that are not kept, only the number matters.
		kept := depth == len(levels)
		switch c := p[i]; c {
		case '{', '[':
			expectKey = c == '{'
			if kept && depth <= maxPathLevels {
				levels = append(levels, level{object: expectKey})
			}
			depth++
			i++
		case '}', ']':
			if depth--; kept {
				levels = levels[:depth]
			}
			expectKey = false
			i++
		case ',':
			if kept {
				top := &levels[depth-1]
				expectKey = top.object
				if !top.object {
					top.at++
				}
			}
			i++
		case '"':
			if expectKey && kept {
				levels[depth-1].at = i
			}
			if i == offset {
				return levels
			}
			expectKey = false
			i = skipString(p, i)
		default:
			i++
		}
	}
	return levels
}

func pathText(p []byte, levels []level) string {
	if len(levels) == 0 {
		return "."
	}
	var b []byte
	for n, l := range levels {
		if n == maxPathLevels {
			b = append(b, "…"...)
			break
		}
		if !l.object {
			b = appendIndex(b, strconv.Itoa(l.at))
			continue
		}
		b = appendKey(b, string(unquote(nil, p[l.at:skipString(p, l.at)], false)))
	}
	return string(b)
}

// appendIndex adds [index] to a path, after a dot where it is the first step.
func appendIndex(path []byte, index string) []byte {
	if len(path) == 0 {
		path = append(path, '.')
	}
	path = append(path, '[')
	path = append(path, index...)
	return append(path, ']')
}

// appendKey adds a key to a path, as .key where jq takes it so, else as ["key"].
func appendKey(path []byte, key string) []byte {
	if isIdentifier(key) {
		return append(append(path, '.'), key...)
	}
	return appendIndex(path, string(appendQuoted(nil, key)))
}

func isIdentifier(key string) bool {
	for i := range len(key) {
		c := key[i]
		if c != '_' && c|0x20-'a' >= 26 && (i == 0 || c-'0' >= 10) {
			return false
		}
	}
	return key != ""
}

// appendQuoted adds text as a JSON string.
func appendQuoted(dst []byte, text string) []byte {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
