package history

import (
	"maps"
	"slices"
	"strings"
)

// A messageStream puts the events of streamed responses together: blocks come in pieces, and
// several responses may follow each other.
type messageStream struct {
	t        *anthropicThread
	step     *Step
	open     map[int64]*streamBlock // blocks that go on, by index
	reported bool                   // the usage of the whole response was reported
}

// A streamBlock is a block of which pieces may still come.
type streamBlock struct {
	call     bool
	id, tool string
	at       Location
	flags    Flags
	whole    Payload // what the first event had of it
	pieces   strings.Builder
}

func (s *messageStream) event(v value) {
	switch v.get("type").str() {
	case "message_start":
		s.finish()
		s.start(v.get("message"))
	case "content_block_start":
		s.begin(v)
	case "content_block_delta":
		s.piece(v)
	case "content_block_stop":
		if i, ok := v.get("index").int64(); ok {
			s.close(i)
		}
	case "message_delta":
		s.reported = true
		s.report(usageOf(v.get("usage")))
	case "error":
		s.t.c.b.problem(v.at(), "the stream ended with an error")
	}
}

// start begins a response. Some recordings have the whole of it in its first event.
func (s *messageStream) start(m value) {
	if conv := s.t.c.Conv; conv.Model == "" {
		conv.Model = m.get("model").str()
	}
	s.step, s.reported = s.t.step(""), m.get("stop_reason").given()
	s.step.ID = m.get("id").str()
	s.report(usageOf(m.get("usage")))
	for b := range m.get("content").elements() {
		s.t.block(s.step, b, m)
	}
}

// report notes usage: the events of one response repeat it with larger values.
func (s *messageStream) report(u *Usage) {
	if u == nil {
		return
	}
	if s.response().Usage == nil {
		s.step.Usage = u
	} else {
		s.step.Usage.largest(u)
	}
}

// response is the current one; a recording may begin in the middle of it.
func (s *messageStream) response() *Step {
	if s.step == nil {
		s.step = s.t.step("")
	}
	return s.step
}

func (s *messageStream) begin(v value) {
	b, step := v.get("content_block"), s.response()
	i, _ := v.get("index").int64()
	s.close(i)
	switch kindOf(b) {
	case resultBlock:
		s.t.block(step, b, value{})
	case callBlock:
		input := b.get("input")
		block := &streamBlock{call: true, id: b.get("id").str(), tool: b.get("name").str(), at: b.at(),
			whole: input.payload()}
		if byProvider(b) {
			block.flags |= ProviderExecuted
		}
		s.open[i] = block
	default:
		s.open[i] = &streamBlock{whole: proseOf(b)}
	}
}

func (s *messageStream) piece(v value) {
	i, _ := v.get("index").int64()
	block := s.open[i]
	if block == nil {
		block = &streamBlock{}
		s.open[i] = block
	}
	switch d := v.get("delta"); d.get("type").str() {
	case "text_delta":
		block.pieces.WriteString(d.get("text").str())
	case "thinking_delta":
		block.pieces.WriteString(d.get("thinking").str())
	case "input_json_delta":
		block.pieces.WriteString(d.get("partial_json").str())
	}
}

// close adds block i as far as it came.
func (s *messageStream) close(i int64) {
	block := s.open[i]
	if block == nil {
		return
	}
	delete(s.open, i)
	pieces := block.pieces.String()
	if !block.call {
		p := block.whole
		if pieces != "" {
			p = p.join(Of(pieces))
		}
		s.t.text(s.response(), p)
		return
	}
	arguments := block.whole
	if pieces != "" {
		arguments = Of(pieces)
		if !valid([]byte(pieces)) {
			block.flags |= InvalidArguments
		}
	}
	s.t.call(s.response(), block.id, block.tool, arguments, block.at).Flags |= block.flags
}

// finish ends a response, also one that was cut.
func (s *messageStream) finish() {
	for _, i := range slices.Sorted(maps.Keys(s.open)) {
		s.close(i)
	}
	if s.step == nil {
		return
	}
	if u := s.step.Usage; u != nil {
		u.LowerBound = !s.reported
		s.t.c.Conv.Usage = s.t.c.Conv.Usage.Add(u)
	}
	s.step = nil
}
