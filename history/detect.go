package history

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
)

// A sample is what formats are recognised by: the first records of a recording and its last one.
type sample struct {
	records []record
	whole   bool      // there is one record only, an undamaged document
	tape    *tape     // of recorded HTTP traffic: what is in its bodies counts then, not the record
	damage  []Problem // of a YAML document
	prose   proseCount
	broken  bool // it begins with a JSON object or array that is damaged, of which nothing is complete
}

const (
	sampleRecords = 64      // how many records are looked at
	sampleBytes   = 8 << 20 // how much text they may have in all; one record may have more
)

// takeSample reads the sample of a source.
func takeSample(ctx context.Context, src *source) (*sample, error) {
	r, err := newRecordReader(ctx, src)
	if err != nil {
		return nil, err
	}
	defer r.close()
	s := &sample{}
	if v, problems, ok := yamlDocument(src); ok {
		s.records, s.whole, s.damage = []record{{value: v}}, true, problems
		s.tape, _ = openTape(v)
		return s, nil
	}
	damage := false
	r.problem = func(Location, string) { damage = true }
	r.other = s.prose.line
	size := 0
	for rec := range r.all() {
		only := len(s.records) == 0 && r.atEnd(r.behind(rec))
		rec.d.text = r.rest()[r.behind(rec)-len(rec.d.text):][:len(rec.d.text)] // reading on moved it
		s.prose.record(rec)
		if only && !damage {
			s.records = []record{rec} // the reader is done with it, so it needs no copy
			s.whole = true
			s.tape, _ = openTape(rec.value)
			return s, r.failed
		}
		if n := len(rec.raw()); size+n > sampleBytes && len(s.records) > 0 || len(s.records) == sampleRecords {
			last, ok := lastRecord(src)
			if ok {
				s.records = append(s.records, last)
			}
			return s, r.failed
		}
		size += len(rec.raw())
		s.records = append(s.records, rec.keep())
	}
	s.broken = damage && len(s.records) == 0 && beginsAsJSON(src)
	if len(s.records) == 1 {
		s.tape, _ = openTape(s.records[0].value)
	}
	return s, r.failed
}

// beginsAsJSON tells whether a text's first character, white space aside, opens an object or an array.
func beginsAsJSON(src *source) bool {
	r, done, err := src.section(0, min(src.size, 256))
	if err != nil {
		return false
	}
	defer done()
	p := make([]byte, min(src.size, 256))
	n, _ := readFull(r, p)
	text := bytes.TrimLeft(bytes.TrimPrefix(p[:n], utf8BOM), " \t\r\n")
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// keep copies a record, so that it outlives the next one.
func (r record) keep() record {
	d := *r.d
	d.text = slices.Clone(d.text)
	d.nodes = slices.Clone(d.nodes)
	d.breaks = slices.Clone(d.breaks)
	return record{value{&d, r.i}, slices.Clone(r.prefix), r.partial}
}

// lastRecord is the last line of a source, where it is a record of usual size.
func lastRecord(src *source) (record, bool) {
	const most = 1 << 20
	from := max(0, src.size-most)
	r, done, err := src.section(from, src.size-from)
	if err != nil {
		return record{}, false
	}
	defer done()
	p := make([]byte, src.size-from)
	if _, err := readFull(r, p); err != nil {
		return record{}, false
	}
	text := strings.TrimRight(string(p), " \t\r\n")
	i := strings.LastIndexByte(text, '\n') + 1
	if i == 0 {
		return record{}, false
	}
	v, bad := parse(src, from+int64(i), 0, []byte(text[i:]))
	return record{value: v}, bad == nil && (v.isObject() || v.isArray())
}

// items lists the values that a format looks at: the records, and where they are arrays, the first
// elements of these.
func (s *sample) items() []value {
	var list []value
	if s.tape != nil {
		return nil
	}
	for _, r := range s.records {
		if !r.isArray() {
			list = append(list, r.value)
			continue
		}
		n := 0
		for e := range r.elements() {
			if n++; n > sampleRecords {
				break
			}
			list = append(list, e)
		}
	}
	return list
}

// detect picks the format of a sample: the highest score, and of equal ones the first in order.
func detect(s *sample) (*Format, string) {
	var best *Format
	var high int
	var why string
	for _, f := range formats {
		if score, reason := f.detect(s); score > high {
			best, high, why = f, score, reason
		}
	}
	return best, why
}

// named finds a format by the name that --format has.
func named(name string) (*Format, error) {
	var names []string
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return nil, &OpenError{Path: name, Reason: "no recording format has this name", Hint: "the formats are " + strings.Join(names, ", ")}
}

// describe says what the records of an unknown format look like: keys only, never values.
func (s *sample) describe() string {
	items := s.items()
	if s.tape != nil {
		return s.tape.describe()
	}
	switch {
	case len(items) > 0:
	case len(s.records) > 0:
		return "its lists are empty"
	case s.broken:
		return "the JSON it begins with is cut or damaged, and nothing of it is complete"
	default:
		return "it has no JSON objects or arrays"
	}
	var keys []string
	for _, v := range items {
		for _, k := range v.keys() {
			if !slices.Contains(keys, k) && plainKey(k) && len(keys) < 8 {
				keys = append(keys, k)
			}
		}
	}
	if len(keys) == 0 {
		return "its records have no keys"
	}
	return fmt.Sprintf("its records have the keys %s", strings.Join(keys, ", "))
}

// plainKey tells whether a key is a name: data that serves as a key is not shown.
func plainKey(k string) bool {
	if k == "" || len(k) > 40 {
		return false
	}
	return strings.IndexFunc(k, func(r rune) bool {
		return !(r == '_' || r == '-' || r == '.' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) < 0
}
