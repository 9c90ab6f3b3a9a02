package history

import (
	"cmp"
	"slices"
	"time"
)

// Traces are spans: a tree of what ran inside what. Spans that talked to a model say what was said,
// each of them with all that was said before; spans of tools hold a result once more. All trace
// formats collect spans here, which become conversations when all of them are known.

// A spanKind says what ran in a span.
type spanKind uint8

const (
	otherSpan spanKind = iota
	modelSpan
	toolSpan
	agentSpan
)

// A span is what one span of a trace says, without its document.
type span struct {
	trace, id, parent string
	session           string // of the conversation, empty where it is not recorded
	kind              spanKind
	name              string
	agent             string // of an agent's span, its name
	start, end        time.Time
	model, response   string
	usage             *Usage
	in, out           []piece
	at                Location

	// Of a tool's span:
	callID, tool string
	arguments    Payload
	args, inner  uint64 // of the arguments, and of what they are in a wrapper; 0 for none
	given        bool   // the arguments are recorded
	invalid      bool
	result       *Result // nil where the span has none
	failed       bool
	failure      Payload // what is recorded of the failure

	up      *span
	covered bool // what is said here is said by spans inside this one too
	billed  bool // what is reported here is reported by spans inside this one too
}

// traces collects the spans of a recording.
type traces struct {
	*pieceReader
	b     *builder
	spans []*span
	title map[string]string // of conversations, by trace
}

func newTraces(b *builder) *traces {
	t := &traces{newPieceReader(), b, nil, map[string]string{}}
	t.cut = func(at Location) {
		b.problem(at, "the recorder cut a list of messages: what is complete of it is read")
	}
	return t
}

func (t *traces) add(s *span) { t.spans = append(t.spans, s) }

// finish makes conversations of the spans: one a session, or one a trace.
func (t *traces) finish() {
	t.tree()
	var order []string
	groups := map[string][]*span{}
	sessions := t.sessions()
	for _, s := range t.spans {
		key := sessions[s.trace]
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], s)
	}
	for _, key := range order {
		spans := groups[key]
		if !slices.ContainsFunc(spans, func(s *span) bool { return s.start.IsZero() }) {
			slices.SortStableFunc(spans, func(a, b *span) int { return a.start.Compare(b.start) })
		}
		c := &traceConversation{traces: t, c: t.b.newConversation(key), threads: map[string]*traceThread{}}
		for _, s := range spans {
			c.c.Conv.Title = cmp.Or(c.c.Conv.Title, t.title[s.trace])
			c.c.Conv.Model = cmp.Or(c.c.Conv.Model, s.model)
			c.span(s)
		}
		c.settle()
	}
}

// sessions names the conversation of each trace: by its session, where a span of it has one.
func (t *traces) sessions() map[string]string {
	names := map[string]string{}
	for _, s := range t.spans {
		if s.session != "" && names[s.trace] == "" {
			names[s.trace] = s.session
		}
	}
	for _, s := range t.spans {
		if names[s.trace] == "" {
			names[s.trace] = s.trace
		}
	}
	return names
}

// tree finds each span's parent, and which spans only repeat those inside them. A tool's span is a
// border: what an agent does in a tool is not what its caller says.
func (t *traces) tree() {
	byID := map[string]*span{}
	for _, s := range t.spans {
		byID[s.trace+" "+s.id] = s
	}
	for _, s := range t.spans {
		if up := byID[s.trace+" "+s.parent]; s.parent != "" && up != s {
			s.up = up
		}
	}
	for _, s := range t.spans {
		said, reported := s.speaks(), s.usage != nil
		if !said && !reported {
			continue
		}
		for up, n := s.up, 0; up != nil && up.kind != toolSpan && n < spanDepth; up, n = up.up, n+1 {
			up.covered = up.covered || said
			up.billed = up.billed || reported
		}
	}
}

// spanDepth is how many spans are climbed: parents that go round in a ring end there.
const spanDepth = 256

func (s *span) speaks() bool {
	return (s.kind == modelSpan || s.kind == agentSpan) && len(s.in)+len(s.out) > 0
}

// home is the innermost agent's span around s, or tool's where that is nearer; nil without one.
func (s *span) home() *span {
	from := s.up
	if s.kind == agentSpan {
		from = s
	}
	for up, n := from, 0; up != nil && n < spanDepth; up, n = up.up, n+1 {
		if up.kind == agentSpan || up.kind == toolSpan {
			return up
		}
	}
	return nil
}

// inTool tells whether s runs inside a tool's span.
func (s *span) inTool() bool {
	for up, n := s.up, 0; up != nil && n < spanDepth; up, n = up.up, n+1 {
		if up.kind == toolSpan {
			return true
		}
	}
	return false
}
