package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxQueryDepth is the most levels of arrays and objects that a query's input can have: the jq
// library recurses into values.
const maxQueryDepth = 10_000

// A DepthError says that a payload is nested too deeply to be queried.
type DepthError struct{ Levels int }

func (e *DepthError) Error() string {
	return fmt.Sprintf("nested too deeply for jq: %d levels, at most %d", e.Levels, maxQueryDepth)
}

// A NumberError says that a payload holds a number too long to calculate with.
type NumberError struct{ Digits int }

func (e *NumberError) Error() string {
	return fmt.Sprintf("a number is too long for jq: %d characters, at most %d", e.Digits, maxDigits)
}

// Decode turns a payload into the values that Run works on: number spelling and integers of any
// size are kept, of several members with one key the last counts, and a surrogate escape without
// its other half becomes U+FFFD. A payload that is not JSON (RFC 8259 in valid UTF-8, no byte order
// mark) is a string, as it is. Error: *DepthError, *NumberError. The values hold one copy of the
// payload.
func Decode(p []byte) (any, error) {
	d, err := decode(context.Background(), string(p))
	if err != nil {
		return nil, err
	}
	return d.root, nil
}

// A decodedPayload is a payload's values with the order of its objects' keys.
type decodedPayload struct {
	root  any
	order keyOrder
	read  int64 // bytes of the payload
	size  int64 // bytes of memory, estimated
}

// decode decodes a payload. It ends with ctx, whose error it returns.
func decode(ctx context.Context, text string) (d *decodedPayload, err error) {
	defer recoverStop(&err)
	plain := &decodedPayload{root: text, read: int64(len(text)), size: int64(len(text))}
	valid, err := validText(ctx, text)
	if !valid {
		return plain, err
	}
	r := filterRun{ctx: ctx}
	j := jsonDecoder{text: text, poll: r.poll}
	if !j.run() {
		return plain, nil
	}
	if err := j.problem(); err != nil {
		return nil, err
	}
	return &decodedPayload{j.values[0], j.order, plain.read, plain.read + j.size}, nil
}

// validText tells whether text is UTF-8, a piece at a time as long as ctx goes on.
func validText(ctx context.Context, text string) (bool, error) {
	const piece = 1 << 20
	for text != "" {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		end := min(piece, len(text))
		for back := 0; end < len(text) && back < utf8.UTFMax && !utf8.RuneStart(text[end]); back++ {
			end--
		}
		if !utf8.ValidString(text[:end]) {
			return false, nil
		}
		text = text[end:]
	}
	return true, nil
}

// A jsonDecoder reads one JSON text without recursion. Values of arrays and objects that have not
// ended wait on a stack, so that each gets the room it needs at once.
type jsonDecoder struct {
	text    string
	poll    func() // called for each value, and ever so often within a long string
	at      int
	values  []any
	keys    []string
	open    []openInput
	deepest int
	longest int // number, in characters
	order   keyOrder
	size    int64         // bytes of memory of the values, estimated
	boxes   []boxedString // strings of a long text that came lately, as values
}

type boxedString struct {
	text  string
	value any
}

// problem is why values that are JSON can't be worked on.
func (d *jsonDecoder) problem() error {
	switch {
	case d.deepest > maxQueryDepth:
		return &DepthError{d.deepest}
	case d.longest > maxDigits:
		return &NumberError{d.longest}
	}
	return nil
}

type openInput struct {
	object       bool
	values, keys int // lengths of the stacks at the start
}

// run tells whether text is JSON; if so its value is the only one in values, unless it is nested
// too deeply.
func (d *jsonDecoder) run() bool {
	for {
		// A value comes next.
		d.space()
		if d.at == len(d.text) {
			return false
		}
		switch c := d.text[d.at]; c {
		case '{', '[':
			d.at++
			d.open = append(d.open, openInput{c == '{', len(d.values), len(d.keys)})
			d.deepest = max(d.deepest, len(d.open))
			d.space()
			if d.at == len(d.text) {
				return false
			}
			if d.text[d.at] != c+2 {
				if c == '{' && !d.key() {
					return false
				}
				continue
			}
		case '"':
			s, ok := d.string()
			if !ok {
				return false
			}
			d.pushString(s)
		default:
			if !d.scalar(c) {
				return false
			}
		}
		// What follows a value: the ends of what it is in, then a comma or the end of the text.
		for {
			d.space()
			if len(d.open) == 0 {
				return d.at == len(d.text)
			}
			if d.at == len(d.text) {
				return false
			}
			in := &d.open[len(d.open)-1]
			c := d.text[d.at]
			if c == ',' {
				d.at++
				if in.object && !d.key() {
					return false
				}
				break
			}
			if in.object && c != '}' || !in.object && c != ']' {
				return false
			}
			d.at++
			d.close()
		}
	}
}

// close makes the value of the innermost array or object.
func (d *jsonDecoder) close() {
	in := d.open[len(d.open)-1]
	d.open = d.open[:len(d.open)-1]
	values := d.values[in.values:]
	var v any
	if in.object {
		keys := d.keys[in.keys:]
		object := make(map[string]any, len(keys))
		for i, key := range keys {
			object[key] = values[i]
		}
		d.order.keep(object, keys)
		d.keys = d.keys[:in.keys]
		d.size += 48 + 40*int64(max(8, len(keys)))
		v = object
	} else {
		array := make([]any, len(values))
		copy(array, values)
		d.size += 24 + 16*int64(len(array))
		v = array
	}
	d.values = d.values[:in.values]
	d.push(v)
}

// pushString adds a string. One that came lately is the same value again, which saves its memory.
func (d *jsonDecoder) pushString(s string) {
	if d.boxes == nil && len(d.text) > 64<<10 {
		d.boxes = make([]boxedString, 512)
	}
	if len(s) > 32 || len(s) == 0 || d.boxes == nil {
		d.size += 16
		d.push(s)
		return
	}
	h := uint32(len(s))
	for i := range len(s) {
		h = h*31 + uint32(s[i])
	}
	box := &d.boxes[h%512]
	if box.text != s {
		d.size += 16
		*box = boxedString{s, s}
	}
	d.push(box.value)
}

// push adds a value; below the deepest level that jq takes only the count matters.
func (d *jsonDecoder) push(v any) {
	d.poll()
	if d.deepest > maxQueryDepth {
		v = nil
	}
	d.values = append(d.values, v)
}

func (d *jsonDecoder) space() {
	for d.at < len(d.text) {
		switch d.text[d.at] {
		case ' ', '\n', '\t', '\r':
			d.at++
		default:
			return
		}
	}
}

// key reads a key and its colon.
func (d *jsonDecoder) key() bool {
	d.space()
	if d.at == len(d.text) || d.text[d.at] != '"' {
		return false
	}
	key, ok := d.string()
	if !ok {
		return false
	}
	d.space()
	if d.at == len(d.text) || d.text[d.at] != ':' {
		return false
	}
	d.at++
	d.keys = append(d.keys, key)
	return true
}

func (d *jsonDecoder) scalar(c byte) bool {
	literal := func(word string, v any) bool {
		if len(d.text)-d.at < len(word) || d.text[d.at:d.at+len(word)] != word {
			return false
		}
		d.at += len(word)
		d.push(v)
		return true
	}
	switch c {
	case 't':
		return literal("true", true)
	case 'f':
		return literal("false", false)
	case 'n':
		return literal("null", nil)
	}
	return d.number()
}

// number reads a number. One that an int spells the same way becomes an int, any other keeps its
// text.
func (d *jsonDecoder) number() bool {
	start, plain := d.at, true
	digits := func() int {
		from := d.at
		for d.at < len(d.text) && d.text[d.at] >= '0' && d.text[d.at] <= '9' {
			d.at++
		}
		return d.at - from
	}
	is := func(a, b byte) bool { return d.at < len(d.text) && (d.text[d.at] == a || d.text[d.at] == b) }
	if is('-', '-') {
		d.at++
	}
	zero := is('0', '0')
	if n := digits(); n == 0 || zero && n > 1 {
		return false
	}
	if is('.', '.') {
		d.at++
		plain = false
		if digits() == 0 {
			return false
		}
	}
	if is('e', 'E') {
		d.at++
		plain = false
		if is('+', '-') {
			d.at++
		}
		if digits() == 0 {
			return false
		}
	}
	text := d.text[start:d.at]
	d.longest = max(d.longest, len(text))
	d.size += 16
	if plain && len(text) <= 18 && text != "-0" {
		n, _ := strconv.Atoi(text)
		d.push(n)
	} else {
		d.push(json.Number(text))
	}
	return true
}

// string reads a string; without escapes it is a part of the text.
func (d *jsonDecoder) string() (string, bool) {
	start := d.at + 1
	i := start
	// Eight bytes at a time as long as none of them ends the string, is escaped or has no place in it.
	for i+8 <= len(d.text) && plain8(d.text[i:i+8]) {
		i += 8
	}
	for ; i < len(d.text); i++ {
		switch c := d.text[i]; {
		case c == '"':
			d.at = i + 1
			return d.text[start:i], true
		case c == '\\':
			return d.escaped(start, i)
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// escaped reads the rest of a string from its first escape on.
func (d *jsonDecoder) escaped(start, i int) (string, bool) {
	out := append(make([]byte, 0, i-start+32), d.text[start:i]...)
	for i < len(d.text) {
		d.poll()
		c := d.text[i]
		switch {
		case c == '"':
			d.at = i + 1
			return string(out), true
		case c < ' ':
			return "", false
		case c != '\\':
			from := i
			for i++; i+8 <= len(d.text) && plain8(d.text[i:i+8]); {
				i += 8
			}
			out = append(out, d.text[from:i]...)
			continue
		}
		if i++; i == len(d.text) {
			return "", false
		}
		switch c := d.text[i]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, ok := d.hex(i + 1)
			if !ok {
				return "", false
			}
			i += 4
			if utf16.IsSurrogate(r) {
				low := rune(0)
				if i+2 < len(d.text) && d.text[i+1] == '\\' && d.text[i+2] == 'u' {
					low, _ = d.hex(i + 3)
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			return "", false
		}
		i++
	}
	return "", false
}

// hex reads four hexadecimal digits.
func (d *jsonDecoder) hex(at int) (rune, bool) {
	if at+4 > len(d.text) {
		return 0, false
	}
	n, err := strconv.ParseUint(d.text[at:at+4], 16, 16)
	return rune(n), err == nil
}

// plain8 tells whether eight bytes hold neither a quote, a backslash nor a control character.
func plain8(s string) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	quote, slash := w^(ones*'"'), w^(ones*'\\')
	return ((quote-ones)&^quote|(slash-ones)&^slash|(w-ones*' ')&^w)&highs == 0
}
