package history

import "context"

// atif reads trajectories in the Agent Trajectory Interchange Format.
var atif = &Format{
	Name:   "atif",
	Title:  "ATIF trajectory",
	How:    "a schema_version that begins with ATIF- and steps",
	detect: detectATIF,
	read:   readATIF,
}

func detectATIF(s *sample) (int, string) {
	for _, v := range s.items() {
		if begins(v.get("schema_version"), "ATIF-") && v.get("steps").isArray() {
			return 96, "a schema_version of ATIF and steps"
		}
	}
	return 0, ""
}

func readATIF(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		for v := range oneOrMore(rec.value) {
			if !v.get("steps").isArray() {
				b.problem(v.at(), "the record has no steps")
				continue
			}
			c := b.newConversation(firstGiven(v.get("session_id"), v.get("trajectory_id")).str())
			c.Conv.Model = v.get("agent", "model_name").str()
			t := &atifThread{threadBuilder: c.thread(Main)}
			t.trajectory(v)
			if total := atifUsage(v.get("final_metrics"), "total_"); total != nil {
				c.Conv.Usage = total
			}
		}
	}
	return in.err()
}

// atifUsage reads tokens; nil where none were counted.
func atifUsage(v value, prefix string) *Usage {
	n := func(key string) int64 { i, _ := v.get(prefix + key).int64(); return i }
	in, out, cached := n("prompt_tokens"), n("completion_tokens"), n("cached_tokens")
	if in == 0 && out == 0 {
		return nil
	}
	return &Usage{Input: max(0, in-cached), Cached: cached, Output: out}
}

// An atifThread reads the steps of a trajectory.
type atifThread struct {
	*threadBuilder
	depth int
}

// mostSubagents is how deep trajectories may hold those of their subagents.
const mostSubagents = 8

func (t *atifThread) trajectory(v value) {
	t.system(v.get("agent", "tool_definitions").payload())
	for step := range v.get("steps").elements() {
		t.read(step)
	}
	for sub := range v.get("subagent_trajectories").elements() {
		name := firstGiven(sub.get("trajectory_id"), sub.get("session_id")).str()
		if t.depth == mostSubagents || name == "" || name == Main || !sub.get("steps").isArray() {
			t.c.b.problem(sub.at(), "a subagent's trajectory has no id or no steps")
			continue
		}
		child := t.c.thread(name)
		child.Thread.Agent = sub.get("agent", "name").str()
		(&atifThread{child, t.depth + 1}).trajectory(sub)
	}
}

func (t *atifThread) read(step value) {
	message, calls, results := step.get("message"), step.get("tool_calls"), step.get("observation", "results")
	switch source := step.get("source"); {
	case source.is("system"):
		t.system(typedContent(message))
	case source.is("user"):
		t.prompt(typedContent(message), step.at())
	default:
		s := t.step("")
		s.Time = step.get("timestamp").time()
		t.text(s, step.get("reasoning_content").payload())
		t.text(s, typedContent(message))
		copied := step.get("is_copied_context").truth() // counted where it was copied from
		for call := range calls.elements() {
			c := t.callWith(s, call.get("tool_call_id").str(), call.get("function_name").str(), call.get("arguments"), call.at())
			if copied {
				c.Flags |= CopiedHistory
			}
		}
		if !copied {
			s.Usage = atifUsage(step.get("metrics"), "")
			t.c.Conv.Usage = t.c.Conv.Usage.Add(s.Usage)
		}
	}
	for v := range results.elements() {
		content := v.get("content")
		r := &Result{Payload: typedContent(content), At: placeOf(content, v), Time: step.get("timestamp").time()}
		id := v.get("source_call_id").str()
		switch {
		case id != "" || calls.first().ok():
			t.result(id, "", r) // without an id it is what all calls of the step gave
		case content.given():
			// What the harness says of a step without calls: the model reads it like a message.
			t.text(t.lastStep(), r.Payload)
		}
	}
}
