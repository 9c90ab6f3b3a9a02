package history

import (
	"context"
	"strings"
)

// gptmeLog reads conversations of gptme: a message a line. Calls are blocks of code in the model's
// text; results are the messages of the program that follow.
var gptmeLog = &Format{
	Name:   "gptme",
	Title:  "gptme conversation",
	How:    "lines of messages with a timestamp, of which some are pinned or hidden, or have metadata with usage",
	detect: detectGptme,
	read:   readGptme,
}

func detectGptme(s *sample) (int, string) {
	marked := 0
	for _, v := range s.items() {
		if !v.get("role").isText() || !v.get("content").isText() || !v.get("timestamp").isText() ||
			v.get("tool_calls").ok() || v.get("tool_call_id").ok() {
			continue
		}
		if v.get("pinned").kind() == boolean || v.get("hide").kind() == boolean || v.get("metadata", "usage").isObject() || v.get("call_id").ok() {
			marked++
		}
	}
	if marked == 0 {
		return 0, ""
	}
	return 85, "messages with a timestamp that are pinned or hidden, or have metadata with usage"
}

func readGptme(ctx context.Context, in *input, b *builder) error {
	c := b.conversation("")
	g := &gptmeThread{threadBuilder: c.thread(Main)}
	for rec := range in.records(ctx) {
		for m := range oneOrMore(rec.value) {
			g.message(m)
		}
	}
	return in.err()
}

type gptmeThread struct {
	*threadBuilder
	answer *Step       // the last that the model gave, while no person wrote
	open   []gptmeCall // its blocks of code that were not run so far
}

type gptmeCall struct {
	tool      string
	arguments Payload
	at        Location
}

func (g *gptmeThread) message(m value) {
	content := m.get("content")
	switch role := m.get("role"); {
	case role.is("user"):
		g.answer, g.open = nil, nil
		g.prompt(content.payload(), m.at())
	case role.is("assistant"):
		s := g.step("")
		s.Time = m.get("timestamp").time()
		g.text(s, content.payload())
		s.Usage = gptmeUsage(m.get("metadata", "usage"))
		conv := g.c.Conv
		conv.Usage = conv.Usage.Add(s.Usage)
		if conv.Model == "" {
			conv.Model = m.get("metadata", "model").str()
		}
		g.answer, g.open = s, nil
		for _, f := range fences(content) {
			tool, _, _ := strings.Cut(f.word, " ")
			g.open = append(g.open, gptmeCall{tool, excerpt(content, f.from, f.to), excerptAt(content, f.from)})
		}
	case role.is("tool"), role.is("system") && g.answer != nil:
		g.ran(m, content)
	case role.is("system"):
		g.system(content.payload())
	default:
		g.c.b.problem(m.at(), "a message has no known role")
	}
}

// ran reads a result: only a block of code that was run is a call.
func (g *gptmeThread) ran(m, content value) {
	r := &Result{Payload: content.payload(), At: placeOf(content, m), Time: m.get("timestamp").time()}
	id := m.get("call_id").str()
	if len(g.open) == 0 || g.answer == nil {
		r.Arrival = g.c.b.results
		g.c.b.results++
		g.orphan(id, "", r)
		return
	}
	call := g.open[0]
	g.open = g.open[1:]
	c := g.call(g.answer, id, call.tool, call.arguments, call.at)
	g.result(c.ID, "", r)
	if id == "" {
		c.Flags |= PairedByOrder
	}
}

func gptmeUsage(v value) *Usage {
	if !v.isObject() {
		return nil
	}
	n := func(key string) int64 { i, _ := v.get(key).int64(); return i }
	return &Usage{Input: n("input_tokens"), Cached: n("cache_read_tokens") + n("cache_creation_tokens"), Output: n("output_tokens")}
}
