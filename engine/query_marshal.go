package engine

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

// Marshal writes a result as JSON on one line, numbers spelled as they were; with an indent, over
// several lines, so many spaces a level. Keys are sorted, as jq's library keeps no other order. An
// invalid byte in a string is written as U+FFFD. The text is as untrusted as the data: a terminal
// must not get it as it is.
func Marshal(v any, indent int) []byte {
	w := jsonWriter{indent: indent}
	w.write(v)
	return w.out
}

// A jsonWriter writes without recursion: a filter can nest a value as deep as memory goes.
type jsonWriter struct {
	out    []byte
	indent int
	open   []openValue
	orders []keyOrder // of the payloads that objects can come from; they keep theirs
	sorted bool       // an object that comes from none of them was written, with several keys
	poll   func()     // called for each element and member; nil for none
	most   int        // bytes; 0 for no limit
}

// write writes v; false where that would go over the limit.
func (w *jsonWriter) write(v any) bool {
	w.value(v)
	for len(w.open) > 0 {
		if w.most > 0 && len(w.out) > w.most {
			return false
		}
		if w.poll != nil {
			w.poll()
		}
		w.next()
	}
	return w.most == 0 || len(w.out) <= w.most
}

// keysOf are an object's keys as they are written.
func (w *jsonWriter) keysOf(object map[string]any) []string {
	for _, order := range w.orders {
		if keys := order.of(object); keys != nil {
			return keys
		}
	}
	keys := sortedKeys(object)
	w.sorted = w.sorted || len(keys) > 1 && !w.known(object)
	return keys
}

// known tells whether an object comes from a payload that has its keys sorted.
func (w *jsonWriter) known(object map[string]any) bool {
	for _, order := range w.orders {
		if order.has(object) {
			return true
		}
	}
	return false
}

type openValue struct {
	array  []any
	object map[string]any
	keys   []string // in the order of writing; nil for an array
	at     int
}

func (w *jsonWriter) value(v any) {
	switch v := v.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case int:
		w.out = strconv.AppendInt(w.out, int64(v), 10)
	case json.Number:
		w.out = append(w.out, v...)
	case string:
		w.string(v)
	case []any:
		if len(v) == 0 {
			w.out = append(w.out, "[]"...)
			return
		}
		w.out = append(w.out, '[')
		w.open = append(w.open, openValue{array: v})
	case map[string]any:
		if len(v) == 0 {
			w.out = append(w.out, "{}"...)
			return
		}
		keys := w.keysOf(v)
		w.out = append(w.out, '{')
		w.open = append(w.open, openValue{object: v, keys: keys})
	default: // *big.Int and float64
		text, _ := gojq.Marshal(v)
		w.out = append(w.out, text...)
	}
}

// next writes the next element or member of the innermost value, or its end.
func (w *jsonWriter) next() {
	o := &w.open[len(w.open)-1]
	end, closing := len(o.array), byte(']')
	if o.keys != nil {
		end, closing = len(o.keys), '}'
	}
	if o.at == end {
		w.open = w.open[:len(w.open)-1]
		w.newline()
		w.out = append(w.out, closing)
		return
	}
	if o.at > 0 {
		w.out = append(w.out, ',')
	}
	w.newline()
	o.at++
	if o.keys == nil {
		w.value(o.array[o.at-1])
		return
	}
	key := o.keys[o.at-1]
	w.string(key)
	w.out = append(w.out, ':')
	if w.indent > 0 {
		w.out = append(w.out, ' ')
	}
	w.value(o.object[key])
}

func (w *jsonWriter) newline() {
	if w.indent <= 0 {
		return
	}
	w.out = append(w.out, '\n')
	for range len(w.open) * w.indent {
		w.out = append(w.out, ' ')
	}
}

func (w *jsonWriter) string(s string) {
	const hex = "0123456789abcdef"
	w.out = append(w.out, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			if r, size := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		} else if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
			i++
			continue
		}
		w.out = append(w.out, s[from:i]...)
		switch c {
		case '"', '\\':
			w.out = append(w.out, '\\', c)
		case '\b':
			w.out = append(w.out, `\b`...)
		case '\f':
			w.out = append(w.out, `\f`...)
		case '\n':
			w.out = append(w.out, `\n`...)
		case '\r':
			w.out = append(w.out, `\r`...)
		case '\t':
			w.out = append(w.out, `\t`...)
		default:
			if c >= utf8.RuneSelf {
				w.out = append(w.out, "\ufffd"...)
			} else {
				w.out = append(w.out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
		}
		i++
		from = i
	}
	w.out = append(w.out, s[from:]...)
	w.out = append(w.out, '"')
}
