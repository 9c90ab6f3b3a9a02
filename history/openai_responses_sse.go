package history

import (
	"context"
	"slices"
	"strings"
)

// openAIResponsesSSE reads streamed responses of the Responses API: an event a line, as JSON or as
// the data of an event stream.
var openAIResponsesSSE = &Format{
	Name:   "openai-responses-sse",
	Title:  "OpenAI Responses stream",
	How:    "events such as response.created and response.output_item.done",
	detect: detectResponsesSSE,
	read:   readResponsesSSE,
}

// responsesEvent tells whether v is an event of a streamed response.
func responsesEvent(v value) bool {
	return strings.HasPrefix(v.get("type").str(), "response.") &&
		(v.get("response").isObject() || v.get("item").isObject() || v.get("output_index").ok() || v.get("sequence_number").ok())
}

func detectResponsesSSE(s *sample) (int, string) {
	if slices.ContainsFunc(s.items(), responsesEvent) {
		return 95, "events of a streamed response, such as response.output_item.done"
	}
	return 0, ""
}

func readResponsesSSE(ctx context.Context, in *input, b *builder) error {
	s := &responsesStream{t: &responsesThread{threadBuilder: b.conversation("").thread(Main)}}
	for rec := range in.records(ctx) {
		list := []value{rec.value}
		if rec.isArray() {
			list = slices.Collect(rec.elements())
		}
		for _, v := range list {
			switch {
			case responsesEvent(v):
				s.event(v)
			case v.get("type").is("error"):
				b.problem(v.at(), "the stream ended with an error")
			default:
				b.problem(v.at(), "the record is no event of a response")
			}
		}
	}
	s.cut()
	return in.err()
}

// A responsesStream reads the events of responses that follow each other. Only what is complete
// counts: pieces of an item are told again as a whole.
type responsesStream struct {
	t     *responsesThread
	open  bool // a response was begun and is not complete
	items int  // of this response so far
	at    Location
}

func (s *responsesStream) event(v value) {
	response := v.get("response")
	switch v.get("type").str() {
	case "response.created":
		s.cut()
		s.open, s.items, s.at = true, 0, v.at()
		s.t.open, s.t.touched = false, nil
		if s.t.Thread.System.empty() {
			s.t.system(openAIContent(response.get("instructions")))
			s.t.system(response.get("tools").payload())
		}
	case "response.output_item.done":
		s.items++
		s.t.item(v.get("item"))
	case "response.completed", "response.incomplete", "response.failed":
		if s.items == 0 {
			for item := range response.get("output").elements() {
				s.t.item(item)
			}
		}
		s.end(v, response)
	}
}

// end notes what is told of a response at its end.
func (s *responsesStream) end(v, response value) {
	conv := s.t.c.Conv
	if conv.Model == "" {
		conv.Model = response.get("model").str()
	}
	usage := openAIUsage(response.get("usage"))
	conv.Usage = conv.Usage.Add(usage)
	if len(s.t.touched) == 1 {
		step := s.t.touched[0]
		step.ID, step.Usage, step.Time = response.get("id").str(), usage, response.get("created_at").time()
	}
	if v.get("type").is("response.failed") {
		s.t.c.b.problem(v.at(), "the response failed")
	}
	s.open, s.items = false, 0
	s.t.open, s.t.touched = false, nil
}

// cut reports a response without an end.
func (s *responsesStream) cut() {
	if s.open {
		s.t.c.b.problem(s.at, "the response that begins here has no end")
	}
	s.open = false
}
