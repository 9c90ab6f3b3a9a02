package engine

import "bytes"

// stringValue counts the string value from the quote at i to the one before e.
func (s *scanner) stringValue(i, e int) {
	n := int64(e - i)
	s.strs.Count++
	s.strs.Bytes += n
	if n > s.strs.Largest.Bytes {
		s.strs.Largest = StringPlace{Offset: int64(i), Bytes: n}
		s.largest = s.mark(i)
	}
	switch s.p[i+1] {
	case '{', '[', ' ', '\\':
	default:
		return // no JSON inside begins like this
	}
	decodings := holdsJSON(s.p[i:e])
	if decodings == 0 {
		return
	}
	s.strs.JSONCount++
	s.strs.JSONBytes += n
	if n > s.strs.LargestJSON.Bytes {
		s.strs.LargestJSON = StringPlace{Offset: int64(i), Bytes: n}
		s.strs.Decodings = decodings
		s.json = s.mark(i)
	}
}

// holdsJSON says how often a string has to be decoded until an object or array stands there; 0
// where none ever does. Every decoding at least halves the escapes, so there are few.
func holdsJSON(quoted []byte) (decodings int) {
	for decodings = 1; ; decodings++ {
		text := quoted[1 : len(quoted)-1]
		if bytes.IndexByte(text, '\\') >= 0 {
			text = unquote(make([]byte, 0, len(text)), quoted, false)
		}
		text = bytes.Trim(text, " \t\r\n")
		if len(text) < 2 {
			return 0
		}
		switch text[0] {
		case '{', '[':
			if last := text[len(text)-1]; last != text[0]+2 || !valid(text) {
				return 0
			}
			return decodings
		case '"':
			if s := (scanner{p: text}); s.str(1) != len(text) {
				return 0
			}
			quoted = text
		default:
			return 0
		}
	}
}
