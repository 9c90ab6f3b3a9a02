package history

import (
	"context"
	"strings"
)

// openAIResponses reads items of the Responses API: arrays of them, requests, responses, pairs of
// both, and lines of any of these.
var openAIResponses = &Format{
	Name:   "openai-responses",
	Title:  "OpenAI Responses items",
	How:    "items with a type such as function_call and function_call_output that belong together by call_id",
	detect: detectResponses,
	read:   readResponses,
}

func detectResponses(s *sample) (int, string) {
	var pairs, responses, items, messages int
	look := func(list value) {
		n := 0
		for e := range list.elements() {
			if n++; n > 4*sampleRecords {
				return
			}
			switch responsesItem(e) {
			case itemCall, itemOutput:
				items++
			case itemMessage:
				messages++
			}
		}
	}
	for _, r := range s.records {
		look(r.value)
	}
	for _, v := range s.items() {
		request, response := responsesContainer(v)
		switch {
		case strings.HasPrefix(v.get("type").str(), "response."):
			// A stream's event: it repeats parts of a response.
		case v.get("responses_create_params").isObject() && response.ok():
			pairs++
		case response.get("object").is("response"):
			responses++
		case request.ok() || response.ok():
			look(request.get("input"))
			look(response.get("output"))
		case responsesItem(v) == itemCall, responsesItem(v) == itemOutput:
			items++
		case responsesItem(v) == itemMessage:
			messages++
		}
	}
	switch {
	case pairs > 0:
		return 95, "records with responses_create_params and a response"
	case responses > 0:
		return 90, "response objects with a list of output items"
	case items > 0:
		return 85, "items such as function_call and function_call_output, with a call_id"
	case messages > 0:
		return 60, "items of the type message with input_text or output_text"
	}
	return 0, ""
}

type itemKind int

const (
	itemOther itemKind = iota
	itemMessage
	itemCall
	itemOutput
	itemContained // a call that has its result in it
)

// responsesItem says what an item is, by its type and the keys that this type needs.
func responsesItem(v value) itemKind {
	switch t := v.get("type").str(); t {
	case "message":
		for part := range v.get("content").elements() {
			if p := part.get("type"); p.is("input_text") || p.is("output_text") {
				return itemMessage
			}
		}
	case "mcp_call", "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call":
		return itemContained
	default:
		switch id := v.get("call_id").given() || v.get("id").given(); {
		case id && strings.HasSuffix(t, "_call"):
			return itemCall
		case id && (strings.HasSuffix(t, "_call_output") || t == "tool_search_output"):
			return itemOutput
		}
	}
	return itemOther
}

// responsesContainer finds request and response in an object that has them.
func responsesContainer(v value) (request, response value) {
	for _, r := range []value{v.get("responses_create_params"), v.get("request", "body"), v.get("request"), v.get("body"), v} {
		if in := r.get("input"); in.isArray() || in.isText() {
			request = r
			break
		}
	}
	for _, r := range []value{v.get("response", "body"), v.get("response"), v} {
		if r.get("output").isArray() && !r.get("call_id").ok() {
			response = r
			break
		}
	}
	return request, response
}

func readResponses(ctx context.Context, in *input, b *builder) error {
	r := &responsesReader{b: b, repeats: newRepeats(), byResponse: map[string]*history{}}
	for rec := range in.records(ctx) {
		if !r.record(rec.value) {
			b.problem(rec.at(), "the record has no items")
		}
	}
	return in.err()
}

type responsesReader struct {
	b          *builder
	repeats    *repeats
	byResponse map[string]*history // by the id of their last response
	lines      *responsesThread    // of recordings with one item a line
}

// record reads whatever holds items; false where v has none.
func (r *responsesReader) record(v value) bool {
	request, response := responsesContainer(v)
	switch {
	case request.ok() || response.ok():
		r.conversation(v, request, response)
		return true
	case isItems(v):
		r.items(value{}, v, value{}, value{})
		return true
	case v.isArray():
		found := false
		for e := range v.elements() {
			switch {
			case e.isObject():
				found = r.record(e) || found
			case isItems(e):
				r.items(value{}, e, value{}, value{})
				found = true
			}
		}
		return found
	case v.get("type").isText() || v.get("role").isText():
		if r.lines == nil {
			r.lines = &responsesThread{threadBuilder: r.b.conversation("").thread(Main)}
		}
		r.lines.item(v)
		return true
	}
	return false
}

func isItems(v value) bool { return v.first().get("type").isText() || v.first().get("role").isText() }

func (r *responsesReader) conversation(about, request, response value) {
	t := r.items(about, request.get("input"), response.get("output"), firstGiven(request.get("previous_response_id"), response.get("previous_response_id")))
	conv := t.c.Conv
	if conv.Model == "" {
		conv.Model = firstGiven(response.get("model"), request.get("model")).str()
	}
	if t.Thread.System.empty() || t.fresh {
		t.system(openAIContent(firstGiven(request.get("instructions"), response.get("instructions"))))
		t.system(firstGiven(request.get("tools"), response.get("tools")).payload())
	}
	usage := openAIUsage(response.get("usage"))
	conv.Usage = conv.Usage.Add(usage)
	// One response is one step, unless a runner gathered several, with their outputs, in one.
	if len(t.touched) == 1 {
		s := t.touched[0]
		s.ID, s.Usage, s.Time = response.get("id").str(), usage, response.get("created_at").time()
	}
}

// items reads the input and output of one request, of which an earlier one may have had the
// beginning.
func (r *responsesReader) items(about, input, output, previous value) *responsesThread {
	var all []message
	for e := range input.elements() {
		all = append(all, r.message(e))
	}
	if input.isText() {
		all = append(all, r.repeats.message(input, false, input))
	}
	asked := len(all)
	for e := range output.elements() {
		all = append(all, r.message(e))
	}
	if repeated := sameStart(all, asked); repeated {
		all = all[asked:]
		asked = 0
	}
	h, known := r.repeats.find(all)
	t := &responsesThread{fresh: h == nil}
	if before := r.byResponse[previous.str()]; h == nil && before != nil && previous.given() {
		h, t.fresh = before, false
	}
	if h == nil {
		h = &history{thread: r.b.newConversation(firstGiven(about.get("conversation_id"), about.get("session_id"), about.get("custom_id"), about.get("id")).str()).thread(Main)}
	}
	r.repeats.extend(h, all)
	t.threadBuilder = h.thread
	for i, m := range all[known:] {
		if known+i == asked {
			t.open, t.touched = false, nil
		}
		t.item(m.value)
	}
	if id := about.get("response", "id"); id.isText() {
		r.byResponse[id.str()] = h
	} else if about.get("output").isArray() {
		r.byResponse[about.get("id").str()] = h
	}
	return t
}

// sameStart tells whether the output begins with all of the input again.
func sameStart(all []message, asked int) bool {
	if asked == 0 || len(all) < 2*asked {
		return false
	}
	for i, m := range all[:asked] {
		if m.hash != all[asked+i].hash {
			return false
		}
	}
	return true
}

// message is an item with what it is known by when it is sent again.
func (r *responsesReader) message(v value) message {
	role := v.get("role")
	return r.repeats.message(v, role.is("assistant") || !role.ok(),
		v.get("type"), role, v.get("content"), v.get("call_id"), v.get("name"), v.get("arguments"), v.get("output"), v.get("summary"))
}
