package engine

import (
	"bytes"
)

// sensitiveMark stands where something sensitive was.
func sensitiveMark(kind string) string { return "[redacted: " + kind + "]" }

// MaskSensitive is a text with a mark, as "[redacted: mail]", for each thing in it that looks like a secret or
// personal data. What is JSON may not be JSON afterwards.
func MaskSensitive(text string) string {
	found := Sensitives([]byte(text))
	if len(found) == 0 {
		return text
	}
	var b []byte
	end := 0
	for _, s := range found {
		b = append(append(b, text[end:s.Start]...), sensitiveMark(s.Kind)...)
		end = s.End
	}
	return string(append(b, text[end:]...))
}

// MaskSensitiveJSON is a valid JSON text with marks as MaskSensitive has them, and valid: a number becomes a
// string, and what lies over several strings is masked in each.
func MaskSensitiveJSON(p []byte) []byte {
	found := Sensitives(p)
	if len(found) == 0 {
		return p
	}
	var b []byte
	for i := 0; i < len(p); {
		end := tokenEnd(p, i)
		for len(found) > 0 && found[0].End <= i {
			found = found[1:]
		}
		if len(found) == 0 || found[0].Start >= end {
			b = append(b, p[i:end]...)
			i = end
			continue
		}
		switch {
		case p[i] == '"':
			b = appendMasked(b, p, i, end, found)
		case bytes.IndexByte([]byte("{}[]:, \t\r\n"), p[i]) >= 0:
			b = append(b, p[i])
		default: // a number: the words true, false and null are not sensitive
			b = append(append(append(b, '"'), sensitiveMark(found[0].Kind)...), '"')
		}
		i = end
	}
	return b
}

// appendMasked adds the string from i to end with marks. A find neither starts nor ends inside an escape: those
// of control characters end it, and no other escape is a part of what is looked for.
func appendMasked(b, p []byte, i, end int, found []Sensitive) []byte {
	at := i
	for _, s := range found {
		from, to := max(s.Start, i+1), min(s.End, end-1)
		if from >= end-1 {
			break
		}
		if from < at || from >= to {
			continue
		}
		b = append(append(b, p[at:from]...), sensitiveMark(s.Kind)...)
		at = to
	}
	return append(b, p[at:end]...)
}
