package history

import (
	"bytes"
	"encoding/json"
	"sort"

	"go.yaml.in/yaml/v3"
)

// yamlMost is the largest YAML recording that is read, in bytes: YAML has to be held as a whole.
const yamlMost = 64 << 20

// yamlKeys are the top-level keys of YAML recordings.
var yamlKeys = []string{"interactions", "conversations", "log"}

// yamlDocument reads a source as a YAML recording and makes one JSON value of it. It is false for
// anything else, which it finds out without parsing as a rule. Items of a damaged document that are
// complete are kept; problems say what was lost.
func yamlDocument(src *source) (v value, problems []Problem, ok bool) {
	if src == nil || src.size == 0 || src.size > yamlMost {
		return value{}, nil, false
	}
	text := make([]byte, min(src.size, headSize))
	if !src.fill(text) || yamlKeyOf(text) == "" {
		return value{}, nil, false
	}
	text = make([]byte, src.size)
	if !src.fill(text) {
		return value{}, nil, false
	}
	w := &yamlWriter{name: src.name, lines: lineStarts(text)}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err == nil {
		if len(root.Content) != 1 || root.Content[0].Kind != yaml.MappingNode {
			return value{}, nil, false
		}
		w.write(root.Content[0], 0)
	} else if problems, ok = w.items(text, yamlKeyOf(text)); !ok {
		return value{}, nil, false
	}
	return w.value(), problems, true
}

// fill reads the beginning of s into p.
func (s *source) fill(p []byte) bool {
	r, done, err := s.section(0, int64(len(p)))
	if err != nil {
		return false
	}
	defer done()
	n, err := readFull(r, p)
	return err == nil && n == len(p)
}

// yamlBegins tells whether the first line that says something is a key's or a mark of YAML's:
// source code that has a cassette in it begins otherwise.
func yamlBegins(p []byte) bool {
	for line := range bytes.Lines(p) {
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		return bytes.IndexByte(line, ':') > 0 || bytes.HasPrefix(line, []byte("---")) || line[0] == '%'
	}
	return false
}

// yamlKeyOf is the key of a YAML recording that stands at the top level, near the top; empty where
// there is none.
func yamlKeyOf(p []byte) string {
	if first := bytes.TrimLeft(p, " \t\r\n"); len(first) == 0 || first[0] == '{' || first[0] == '[' {
		return ""
	}
	if !yamlBegins(p) {
		return ""
	}
	for line := range bytes.Lines(p) {
		for _, key := range yamlKeys {
			if rest, ok := bytes.CutPrefix(line, []byte(key+":")); ok && len(bytes.TrimSpace(rest)) == 0 {
				return key
			}
		}
	}
	return ""
}

// lineStarts lists where the lines of a text begin.
func lineStarts(text []byte) []int64 {
	starts := []int64{0}
	for i, b := range text {
		if b == '\n' {
			starts = append(starts, int64(i+1))
		}
	}
	return starts
}

// A yamlWriter makes JSON of YAML values, in their order and with their own spelling of numbers,
// and remembers the lines that they came from.
type yamlWriter struct {
	name   string
	lines  []int64 // where the lines of the recording begin
	first  int     // the lines before the text that is being written
	out    []byte
	places []place
}

// value parses what was written.
func (w *yamlWriter) value() value {
	src := memorySource(w.name, w.out)
	src.places = w.places
	v, bad := parse(src, 0, 1, src.memory)
	if bad != nil { // the writer writes JSON only
		return value{}
	}
	return v
}

// items reads a list of which not all can be parsed item by item.
func (w *yamlWriter) items(text []byte, key string) ([]Problem, bool) {
	var problems []Problem
	start, prefix := itemLines(text, w.lines, key)
	w.out = append(w.out, '{', '"')
	w.out = append(append(w.out, key...), '"', ':', '[')
	found := false
	for k, line := range start {
		end := int64(len(text))
		if k+1 < len(start) {
			end = w.lines[start[k+1]]
		}
		var root yaml.Node
		err := yaml.Unmarshal(text[w.lines[line]:end], &root)
		if err != nil || len(root.Content) != 1 || len(root.Content[0].Content) == 0 || len(prefix) == 0 {
			problems = append(problems, Problem{Location{w.name, line + 1, w.lines[line]}, "an item of the list is not valid YAML"})
			continue
		}
		if found {
			w.out = append(w.out, ',')
		}
		found = true
		w.first = line
		w.write(root.Content[0].Content[0], 0)
	}
	w.out = append(w.out, ']', '}')
	return problems, found
}

// itemLines finds the lines, from 0, in which the items of a top-level list begin.
func itemLines(text []byte, lines []int64, key string) (start []int, prefix []byte) {
	for i := range lines {
		line := text[lines[i]:]
		if prefix == nil {
			if i > 0 && bytes.HasPrefix(text[lines[i-1]:], []byte(key+":")) {
				dash := bytes.IndexByte(line, '-')
				if dash < 0 || len(bytes.TrimSpace(line[:dash])) > 0 {
					return nil, nil
				}
				prefix = line[:dash+1]
				start = append(start, i)
			}
			continue
		}
		if bytes.HasPrefix(line, prefix) {
			start = append(start, i)
		}
	}
	return start, prefix
}

// yamlDepth is how deep a YAML value may be, and yamlMost how large as JSON: aliases may lead back
// to what holds them, or name large values many times.
const yamlDepth = 200

// binaryKey marks a binary scalar: {"!!binary": "its base64"}.
const binaryKey = "!!binary"

func (w *yamlWriter) write(n *yaml.Node, depth int) {
	w.mark(n.Line)
	if depth > yamlDepth || len(w.out) > yamlMost {
		w.out = append(w.out, "null"...)
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		w.out = append(w.out, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.out = append(jsonString(w.out, n.Content[i].Value), ':')
			w.write(n.Content[i+1], depth+1)
		}
		w.out = append(w.out, '}')
		return
	case yaml.SequenceNode:
		w.out = append(w.out, '[')
		for i, e := range n.Content {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.write(e, depth+1)
		}
		w.out = append(w.out, ']')
		return
	case yaml.AliasNode:
		w.write(n.Alias, depth+1)
		return
	}
	switch tag := n.ShortTag(); {
	case tag == "!!null":
		w.out = append(w.out, "null"...)
	case tag == "!!binary":
		w.out = append(jsonString(append(w.out, `{"`+binaryKey+`":`...), n.Value), '}')
	case tag != "!!str" && valid([]byte(n.Value)):
		w.out = append(w.out, n.Value...)
	default:
		w.out = jsonString(w.out, n.Value)
	}
}

// mark remembers that what follows stands in this line, from 1.
func (w *yamlWriter) mark(line int) {
	line += w.first
	if line < 1 || line > len(w.lines) {
		return
	}
	if n := len(w.places); n > 0 && w.places[n-1].at.Line == line {
		return
	}
	w.places = append(w.places, place{int64(len(w.out)), Location{w.name, line, w.lines[line-1]}})
}

func jsonString(p []byte, s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // a string is always encoded
		return append(p, `""`...)
	}
	return append(p, bytes.TrimSuffix(b.Bytes(), newline)...)
}

// A place says where the text of a source, from one byte on, lies in the recording that it was
// taken out of.
type place struct {
	from int64
	at   Location
}

// placeOf is where the byte at off lies in the recording, for sources with places.
func (s *source) placeOf(off int64) Location {
	i := sort.Search(len(s.places), func(i int) bool { return s.places[i].from > off })
	return s.places[max(0, i-1)].at
}
