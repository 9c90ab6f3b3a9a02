package history

import (
	"bytes"
	"context"
	"slices"
)

// sweAgent reads trajectories of SWE-agent. The results are the observations of the trajectory's
// steps; the messages in history say what the model was told first, and which tools it called.
var sweAgent = &Format{
	Name:   "swe-agent",
	Title:  "SWE-agent trajectory",
	How:    "a trajectory of steps with action, observation and thought, or the history of messages with agent and message_type",
	detect: detectSWEAgent,
	read:   readSWEAgent,
}

func detectSWEAgent(s *sample) (int, string) {
	for _, v := range s.items() {
		step, message := v.get("trajectory").first(), v.get("history")
		if step.get("action").isText() && step.get("observation").ok() && step.get("thought").ok() {
			return 95, "a trajectory of steps with action, observation and thought"
		}
		for m := range message.elements() {
			if m.get("role").isText() && m.get("agent").isText() && (m.get("message_type").isText() || m.get("action").isText()) {
				return 92, "a history of messages with agent, message_type and action"
			}
		}
	}
	return 0, ""
}

func readSWEAgent(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		for v := range oneOrMore(rec.value) {
			steps, list := v.get("trajectory"), v.get("history")
			if !steps.isArray() && !list.isArray() {
				b.problem(v.at(), "the record has neither a trajectory nor a history")
				continue
			}
			c := b.newConversation("")
			c.Conv.Usage = sweUsage(v.get("info", "model_stats"))
			t := &sweThread{threadBuilder: c.thread(Main)}
			if steps.first().ok() {
				t.trajectory(steps, list)
			} else {
				t.history(list)
			}
		}
	}
	return in.err()
}

// sweUsage reads the totals of a run; nil where nothing was billed.
func sweUsage(v value) *Usage {
	sent, _ := v.get("tokens_sent").int64()
	received, _ := v.get("tokens_received").int64()
	if sent == 0 && received == 0 {
		return nil
	}
	return &Usage{Input: sent, Output: received}
}

type sweThread struct{ *threadBuilder }

// command is the tool of a run in which the model writes one command line into its answer.
const command = "bash"

// trajectory reads the steps. Each of them made one call: by the model's own tool calls, which only
// the history has, else by a command in its text.
func (t *sweThread) trajectory(steps, list value) {
	var answers []value
	for m := range list.elements() {
		switch {
		case m.get("is_demo").truth():
		case m.get("role").is("assistant"):
			answers = append(answers, m)
		case len(answers) == 0:
			t.opening(m)
		}
	}
	for step := range steps.elements() {
		action := step.get("action")
		var calls value
		// An answer that was asked for again is in one of the two lists only.
		if i := slices.IndexFunc(answers, func(m value) bool { return bytes.Equal(m.get("action").raw(), action.raw()) }); i >= 0 {
			calls = answers[i].get("tool_calls")
			answers = answers[i+1:]
		}
		s := t.step("")
		t.text(s, firstGiven(step.get("thought"), step.get("response")).payload())
		observation := step.get("observation")
		r := &Result{Payload: typedContent(observation), At: placeOf(observation, step)}
		id := t.calls(s, calls, action)
		if id != "" && observation.given() {
			t.result(id, "", r)
		}
	}
}

// calls adds the calls of a step, or the command that is one, and returns the id of the first.
func (t *sweThread) calls(s *Step, list, action value) string {
	first := ""
	for call := range list.elements() {
		name, arguments := chatCall(call)
		c := t.callWith(s, call.get("id").str(), name.str(), arguments, call.at())
		if first == "" {
			first = c.ID
		}
	}
	if first == "" && action.isText() && len(action.inner()) > 0 {
		first = t.call(s, "", command, action.payload(), action.at()).ID
	}
	return first
}

// opening reads what the model was told before it answered.
func (t *sweThread) opening(m value) {
	switch content := typedContent(m.get("content")); {
	case m.get("role").is("system"):
		t.system(content)
	case m.get("role").is("user"):
		t.prompt(content, m.at())
	}
}

// history reads the messages of a run without a trajectory.
func (t *sweThread) history(list value) {
	open := "" // the call that the next message answers
	for m := range list.elements() {
		content := m.get("content")
		switch role := m.get("role"); {
		case m.get("is_demo").truth():
		case role.is("assistant"):
			s := t.step("")
			t.text(s, typedContent(firstGiven(m.get("thought"), content)))
			open = t.calls(s, m.get("tool_calls"), m.get("action"))
		case role.is("tool"):
			id := firstGiven(m.get("tool_call_ids").first(), m.get("tool_call_id")).str()
			t.result(id, "", chatResult(m))
			open = ""
		case role.is("user") && open != "":
			t.result(open, "", chatResult(m))
			open = ""
		default:
			t.opening(m)
		}
	}
}
