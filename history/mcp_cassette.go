package history

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A cassette is recorded HTTP traffic: the YAML files that tests replay.
type cassette struct {
	src          *source
	interactions *yaml.Node
	lines        []int64 // where the lines begin
}

// An exchange is the JSON-RPC messages of a request's body or of its response's.
type exchange struct {
	messages   []rpcMessage
	connection string
	at         Location
	problems   []string
}

// cassetteMost is the largest cassette that is read, in bytes: YAML has to be held as a whole.
const cassetteMost = 64 << 20

// openCassette parses a source as a cassette. It is false for anything else, which it finds out
// without parsing as a rule.
func openCassette(src *source) (*cassette, bool) {
	if src == nil || src.size == 0 || src.size > cassetteMost {
		return nil, false
	}
	text := make([]byte, min(src.size, headSize))
	if !src.fill(text) || !cassetteHead(text) {
		return nil, false
	}
	text = make([]byte, src.size)
	var root yaml.Node
	if !src.fill(text) || yaml.Unmarshal(text, &root) != nil || len(root.Content) != 1 {
		return nil, false
	}
	c := &cassette{src: src, interactions: yamlKey(root.Content[0], "interactions"), lines: []int64{0}}
	for i, b := range text {
		if b == '\n' {
			c.lines = append(c.lines, int64(i+1))
		}
	}
	return c, c.interactions != nil && c.interactions.Kind == yaml.SequenceNode
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

// cassetteHead tells whether a text may be a cassette: a YAML mapping that has its key near the top.
func cassetteHead(p []byte) bool {
	if first := bytes.TrimLeft(p, " \t\r\n"); len(first) == 0 || first[0] == '{' || first[0] == '[' {
		return false
	}
	for line := range bytes.Lines(p) {
		if bytes.HasPrefix(line, []byte("interactions:")) {
			return true
		}
	}
	return false
}

// exchanges lists the JSON-RPC traffic of a cassette in its order.
func (c *cassette) exchanges() []exchange {
	var list []exchange
	for _, i := range c.interactions.Content {
		request, response := yamlKey(i, "request"), yamlKey(i, "response")
		asked := c.exchange(request)
		if len(asked.messages) == 0 {
			continue
		}
		asked.connection = hostOf(yamlKey(request, "uri"), yamlKey(request, "url"))
		answered := c.exchange(response)
		answered.connection = asked.connection
		list = append(list, asked, answered)
	}
	return list
}

// exchange reads the body of a request or of a response.
func (c *cassette) exchange(of *yaml.Node) exchange {
	var e exchange
	if of == nil {
		return e
	}
	node := yamlKey(of, "parsed_body")
	if node == nil {
		node = yamlKey(of, "body")
	}
	if inner := yamlKey(node, "string"); inner != nil {
		node = inner
	}
	if node == nil {
		return e
	}
	e.at = Location{File: c.src.name, Line: node.Line}
	if node.Line >= 1 && node.Line <= len(c.lines) {
		e.at.Offset = c.lines[node.Line-1]
	}
	if node.Kind != yaml.ScalarNode {
		e.add(c.src.name, yamlJSON(nil, node))
		return e
	}
	body, ok := scalarBytes(c.src.name, node)
	if !ok {
		e.problems = append(e.problems, "a body can't be decoded")
		return e
	}
	if start := bytes.TrimLeft(body, " \t\r\n"); len(start) > 0 && (start[0] == '{' || start[0] == '[') {
		e.add(c.src.name, body)
		return e
	}
	for _, data := range eventData(body) {
		e.add(c.src.name, data)
	}
	return e
}

// add takes a body that is JSON.
func (e *exchange) add(name string, text []byte) {
	src := memorySource(name, text)
	v, bad := parse(src, 0, 1, src.memory)
	if bad != nil {
		return
	}
	e.messages = append(e.messages, rpcMessages(v)...)
}

// eventData lists the data of an event stream's events.
func eventData(body []byte) [][]byte {
	var list [][]byte
	var data []byte
	end := func() {
		if len(data) > 0 {
			list = append(list, data)
		}
		data = nil
	}
	for line := range bytes.Lines(body) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			end()
			continue
		}
		if rest, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			if data != nil {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(rest, []byte(" "))...)
		}
	}
	end()
	return list
}

func hostOf(nodes ...*yaml.Node) string {
	for _, n := range nodes {
		if n == nil {
			continue
		}
		if u, err := url.Parse(n.Value); err == nil {
			return u.Host + u.Path
		}
	}
	return ""
}

// scalarBytes is the text of a scalar; binary ones may be compressed.
func scalarBytes(name string, n *yaml.Node) ([]byte, bool) {
	text := []byte(n.Value)
	if n.Tag == "!!binary" {
		plain, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
		if err != nil {
			return nil, false
		}
		text = plain
	}
	if !compressed(text) {
		return text, true
	}
	src, err := streamSource(name, bytes.NewReader(text))
	if err != nil {
		return nil, false
	}
	return src.slice(0, src.size), true
}

// yamlKey returns the value of a mapping's key, nil without one.
func yamlKey(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// yamlDepth is how deep a YAML value may be, and cassetteMost how large as JSON: aliases may lead
// back to what holds them, or name large values many times.
const yamlDepth = 200

// yamlJSON writes a YAML value as JSON, in its order and with its own spelling of numbers.
func yamlJSON(p []byte, n *yaml.Node) []byte { return yamlJSONAt(p, n, 0) }

func yamlJSONAt(p []byte, n *yaml.Node, depth int) []byte {
	if depth > yamlDepth || len(p) > cassetteMost {
		return append(p, "null"...)
	}
	switch n.Kind {
	case yaml.MappingNode:
		p = append(p, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				p = append(p, ',')
			}
			p = append(jsonString(p, n.Content[i].Value), ':')
			p = yamlJSONAt(p, n.Content[i+1], depth+1)
		}
		return append(p, '}')
	case yaml.SequenceNode:
		p = append(p, '[')
		for i, e := range n.Content {
			if i > 0 {
				p = append(p, ',')
			}
			p = yamlJSONAt(p, e, depth+1)
		}
		return append(p, ']')
	case yaml.AliasNode:
		return yamlJSONAt(p, n.Alias, depth+1)
	}
	switch tag := n.ShortTag(); {
	case tag == "!!null":
		return append(p, "null"...)
	case tag != "!!str" && valid([]byte(n.Value)):
		return append(p, n.Value...)
	}
	return jsonString(p, n.Value)
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
