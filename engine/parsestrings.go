package engine

import (
	"bytes"
	"encoding/json"
)

// ParseStrings returns valid JSON with every string value whose decoded, trimmed text is wholly a
// JSON object or array replaced by that, as often as it takes: what a payload would be had the
// strings been parsed at the source. All else keeps its bytes.
func ParseStrings(p []byte) []byte {
	out := make([]byte, 0, len(p))
	var stack []byte
	key := false // the next string is a key
	for i := 0; i < len(p); i++ {
		switch c := p[i]; c {
		case '{', '[':
			stack = append(stack, c)
			key = c == '{'
		case '}', ']':
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		case ',':
			key = len(stack) > 0 && stack[len(stack)-1] == '{'
		case ':':
			key = false
		case '"':
			end := skipString(p, i)
			if key {
				out = append(out, p[i:end]...)
			} else {
				out = append(out, unquoteJSON(p[i:end])...)
			}
			i = end - 1
			continue
		}
		out = append(out, p[i])
	}
	return out
}

// unquoteJSON is the JSON in a string, itself parsed; the string where it holds none.
func unquoteJSON(quoted []byte) []byte {
	inner := quoted
	for {
		var text string
		if json.Unmarshal(inner, &text) != nil {
			return quoted
		}
		inner = bytes.TrimSpace([]byte(text))
		if len(inner) == 0 {
			return quoted
		}
		switch inner[0] {
		case '"':
			continue
		case '{', '[':
			if f := Scan(inner, ScanOptions{}); f.Valid {
				return ParseStrings(inner)
			}
		}
		return quoted
	}
}
