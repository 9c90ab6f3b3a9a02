package history

import (
	"slices"
	"time"
)

// A modelAPI reads the bodies of one vendor's API, as recorded traffic has them.
type modelAPI interface {
	// format is the name of the format whose bodies these are.
	format() string
	// asked returns the messages of a request; false where the exchange is with another API.
	asked(r *repeats, x *exchange) ([]message, bool)
	// answered returns what a request was answered with; the zero reply where it was not.
	answered(x *exchange) reply
	// on starts reading the messages of a conversation into t.
	on(t *threadBuilder) apiThread
}

// An apiThread reads the messages of an API into a thread.
type apiThread interface {
	// begin reads what a request says beside its messages: system prompt and tool definitions.
	begin(request value)
	// message reads one message.
	message(m value)
	// calls lists the calls in a message that the harness has to answer.
	calls(m value) []namedCall
}

// A reply is what a model answered.
type reply struct {
	given     bool
	id, model string
	time      time.Time
	usage     *Usage // nil where the provider reported none
	calls     []namedCall
	add       func(t apiThread) // reads it into the thread that t reads into
}

// A namedCall is what calls are compared by.
type namedCall struct{ id, tool string }

// sameCalls compares what a model answered with what its client sent back: the same tools in the
// same order. Clients give calls ids of their own where the model gave none; ids tells whether both
// have the same ones.
func sameCalls(a, b []namedCall) (tools, ids bool) {
	tools = slices.EqualFunc(a, b, func(x, y namedCall) bool { return x.tool == y.tool })
	return tools, slices.Equal(a, b)
}

// messagesReply is the reply that consists of these messages.
func messagesReply(t apiThread, list ...value) reply {
	r := reply{given: len(list) > 0}
	for _, m := range list {
		r.calls = append(r.calls, t.calls(m)...)
	}
	r.add = func(t apiThread) {
		for _, m := range list {
			t.message(m)
		}
	}
	return r
}

// modelAPIs lists the APIs in the order in which they are asked whether a body is theirs: those that
// can be told by a body's own keys come first.
var modelAPIs = []modelAPI{
	geminiAPI{},
	bedrockAPI{},
	agentTraceAPI{},
	cohereAPI{},
	anthropicAPI{},
	responsesAPI{},
	chatAPI{},
}

// apiOf finds the API that an exchange is with, and what it asked; nil for any other traffic.
func apiOf(r *repeats, x *exchange) (modelAPI, []message) {
	for _, a := range modelAPIs {
		if asked, ok := a.asked(r, x); ok {
			return a, asked
		}
	}
	return nil, nil
}

// of counts the exchanges with models' APIs, and those with the one whose bodies are of this format.
func (t *tape) of(format string) (all, one int) {
	r := newRepeats()
	for i := range t.exchanges {
		if a, _ := apiOf(r, &t.exchanges[i]); a != nil {
			all++
			if a.format() == format {
				one++
			}
		}
	}
	return all, one
}
