package history

import (
	"bytes"
	"regexp"
	"strings"
)

// A clineResult is a result that is written as text in the user's name: a header that names the
// tool, and what the tool gave back behind it or in the next texts.
type clineResult struct {
	tool    string
	at      Location
	time    value
	written value
	parts   []Part
	failed  bool
}

const clineFailed = "The tool execution failed with the following error"

func (r *clineResult) add(p Part) {
	if p.Size.Bytes == 0 {
		return
	}
	r.parts = append(r.parts, p)
	if text, err := p.Text(); err == nil && bytes.HasPrefix(text, []byte(clineFailed)) {
		r.failed = true
	}
}

func (r *clineResult) look(text value) {
	if strings.HasPrefix(head(text, len(clineFailed)), clineFailed) {
		r.failed = true
	}
}

// close hands the result to the call that it belongs to. Before models could call tools, calls
// were tags in what they wrote.
func (r *clineResult) close(t *clineTask) {
	if r == nil {
		return
	}
	if !t.waits(r.tool) {
		if arguments, ok := taggedCall(r.written.str(), r.tool); ok {
			s := t.lastStep()
			t.call(s, "", r.tool, Of(arguments), r.written.at()).Flags |= InvalidArguments
		}
	}
	t.result("", r.tool, &Result{Payload: newPayload(r.parts...), Error: r.failed, Failed: r.failed, At: r.at, Time: timeOf(r.time)})
}

// waits tells whether the newest step has a call of this tool without a result.
func (t *clineTask) waits(tool string) bool {
	if t.latest == nil {
		return false
	}
	for _, c := range t.latest.Calls {
		if c.Result == nil && c.Tool == tool {
			return true
		}
	}
	return false
}

// taggedCall finds what stands between the last tags of a tool in what a model wrote.
func taggedCall(text, tool string) (string, bool) {
	begin, end := "<"+tool+">", "</"+tool+">"
	i := strings.LastIndex(text, begin)
	if i < 0 {
		return "", false
	}
	text = text[i+len(begin):]
	if j := strings.Index(text, end); j >= 0 {
		text = text[:j]
	}
	return strings.TrimSpace(text), true
}

var clineHeaderText = regexp.MustCompile(`^\[([A-Za-z][A-Za-z0-9_-]*)(?: for '[^\n]*')?(?: [^\n\]']*)?\] Result:`)

// clineHeader tells whether a text begins with the header of a result: the tool's name, and where
// in the recorded string the result begins.
func clineHeader(v value) (tool string, from int, ok bool) {
	raw := v.raw()
	if !v.isText() || len(raw) < 2 || raw[1] != '[' {
		return "", 0, false
	}
	line := raw[1:min(len(raw)-1, 4096)]
	if i := bytes.Index(line, []byte(`\n`)); i >= 0 {
		line = line[:i]
	}
	m := clineHeaderText.FindSubmatchIndex(line)
	if m == nil {
		return "", 0, false
	}
	from = 1 + m[1]
	for bytes.HasPrefix(raw[from:], []byte(`\n`)) {
		from += 2
	}
	for raw[from] == ' ' {
		from++
	}
	return string(line[m[2]:m[3]]), from, true
}

// textFrom is the part of a string from a place in its recorded text on.
func textFrom(v value, from int) Part {
	raw := v.raw()[from : len(v.raw())-1]
	c := sourceText{src: v.d.src, off: v.offset() + int64(from), n: int64(len(raw)), escaped: v.node().escaped}
	p := Part{Kind: Text}
	if c.escaped {
		p.Size, c.replaced = unescapedSize(raw)
	} else {
		p.Size = Measure(raw)
	}
	p.data = c
	return p
}
