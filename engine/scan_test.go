package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// business makes an array of records as a business API returns them, of about size bytes.
func business(size int) []byte {
	r := rand.New(rand.NewPCG(7, 11))
	cities := []string{"Berlin", "São Paulo", "東京", "New York", "Oslo"}
	b := append(make([]byte, 0, size+1024), '[')
	for i := 0; len(b) < size; i++ {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"id":"ord_%08x","amount":%d.%02d,"currency":"EUR","category":"travel","status":"approved","created_at":"2025-%02d-%02dT08:%02d:00Z","closed_at":`,
			r.Uint32(), r.IntN(1000), r.IntN(100), 1+r.IntN(12), 1+r.IntN(28), r.IntN(60))
		if r.IntN(4) == 0 {
			b = append(b, "null"...)
		} else {
			b = fmt.Appendf(b, `"2026-%02d-01T00:00:00Z"`, 1+r.IntN(12))
		}
		b = fmt.Appendf(b, `,"customer":{"id":%d,"name":"Anna Schmidt","vip":%t,"address":{"city":%q,"zip":"%05d"}},"lines":[`,
			r.IntN(1e6), r.IntN(10) == 0, cities[r.IntN(len(cities))], r.IntN(1e5))
		for k := range 1 + r.IntN(3) {
			if k > 0 {
				b = append(b, ',')
			}
			b = fmt.Appendf(b, `{"sku":"SKU-%04d","qty":%d,"price":%d.%d}`, r.IntN(1e4), 1+r.IntN(9), r.IntN(99), r.IntN(10))
		}
		b = fmt.Appendf(b, `],"score":0.%06d`, r.IntN(1e6))
		if r.IntN(3) == 0 {
			b = append(b, `,"note":"the quarterly report shows a steady increase\n\"ok\""`...)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

func BenchmarkScan(b *testing.B) {
	for _, size := range []int{28_000, 1_000_000, 100_000_000} {
		p := business(size)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.SetBytes(int64(len(p)))
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("facts", func() { Scan(p, ScanOptions{Key: "display_instructions_for_model"}) })
		run("facts+shape", func() { Scan(p, ScanOptions{Shape: true}) })
		run("json.Valid", func() { json.Valid(p) })
		run("json.Unmarshal", func() {
			var v any
			if err := json.Unmarshal(p, &v); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// TestScanAgreesWithEncodingJSON holds Scan against another reader on damaged texts.
func TestScanAgreesWithEncodingJSON(t *testing.T) {
	seed := uint64(20261130)
	r := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	texts := []string{
		string(business(600)), ` {"a":[1,-2.5e+3,0],"b\u00e9":"\ud83d\ude00\ud800x","c":null,"d":true,"e":false,"":{}} `,
		"[\n\t\"\u00e9\u6771\U0001f600\", \"\\\\\\\"\\/\\b\\f\\n\\r\\t\", [[[]]], 1e400, 123456789012345678901234567\n]\r\n",
		`"text"`, `12.50`, `{"a":{"a":{"a":[{"b":1},{"b":2}]}}}`,
	}
	alphabet := []byte("{}[]\",:\\/ \n\t0123456789eE+-.truefalsn\x00\x1f\x7f\x80\xc0\xe2\x82\xac\xed\xa0\xf0\x9f\xffu")
	agreed := 0
	for range 60_000 {
		p := []byte(texts[r.IntN(len(texts))])
		for range r.IntN(4) {
			switch i := r.IntN(len(p)); r.IntN(4) {
			case 0:
				p[i] = alphabet[r.IntN(len(alphabet))]
			case 1:
				p = append(p[:i], p[i+1:]...)
			case 2:
				p = append(p[:i], append([]byte{alphabet[r.IntN(len(alphabet))]}, p[i:]...)...)
			case 3:
				p = p[:i]
			}
			if len(p) == 0 {
				p = []byte("x")
			}
		}
		f := Scan(p, ScanOptions{Shape: true})
		want := json.Valid(p) && utf8.Valid(p)
		if f.Valid != want {
			t.Fatalf("seed %d: %q: valid is %v, want %v (%v)", seed, p, f.Valid, want, f.Syntax)
		}
		if want {
			agreed++
			if d, n := depthAndDuplicates(p); f.Depth != d || f.Duplicates != n {
				t.Fatalf("seed %d: %q: depth %d, %d duplicates, want %d and %d", seed, p, f.Depth, f.Duplicates, d, n)
			}
		}
		var syntax *json.SyntaxError
		if err := json.Unmarshal(p, new(any)); errors.As(err, &syntax) && utf8.Valid(p) && !strings.Contains(err.Error(), "in literal") {
			offset := syntax.Offset - 1
			if atEnd := int64(len(p)); syntax.Offset == atEnd && f.Syntax.Offset == atEnd {
				offset = atEnd // encoding/json has no place for the end
			}
			if f.Syntax.Offset != offset {
				t.Fatalf("%q: error at %d (%s), want %d (%v)", p, f.Syntax.Offset, f.Syntax.Fault, offset, err)
			}
		}
	}
	if agreed < 5000 {
		t.Errorf("only %d of the texts were valid", agreed)
	}
}

func depthAndDuplicates(p []byte) (depth, duplicates int) {
	d := json.NewDecoder(bytes.NewReader(p))
	type open struct {
		keys map[string]bool
		key  bool
	}
	var stack []*open
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return depth, duplicates
		}
		switch token {
		case json.Delim('{'):
			if n := len(stack); n > 0 {
				stack[n-1].key = true
			}
			stack = append(stack, &open{map[string]bool{}, true})
		case json.Delim('['):
			if n := len(stack); n > 0 {
				stack[n-1].key = true
			}
			stack = append(stack, &open{})
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:len(stack)-1]
		default:
			if n := len(stack); n > 0 && stack[n-1].keys != nil {
				if top := stack[n-1]; top.key {
					if k := token.(string); top.keys[k] {
						duplicates++
					} else {
						top.keys[k] = true
					}
					top.key = false
				} else {
					top.key = true
				}
			}
		}
		depth = max(depth, len(stack))
	}
}
