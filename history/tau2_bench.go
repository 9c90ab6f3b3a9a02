package history

import "context"

// tau2Bench reads simulations of τ²-bench: files of them, single ones, and rollouts that have one
// as their result.
var tau2Bench = &Format{
	Name:   "tau2-bench",
	Title:  "τ²-bench simulations",
	How:    "simulations with a termination_reason and messages (or ticks), alone or in a list of simulations with their tasks",
	detect: detectTau2,
	read:   readTau2,
}

func detectTau2(s *sample) (int, string) {
	for _, v := range s.items() {
		switch {
		case v.get("simulations").isArray() && v.get("tasks").isArray():
			return 96, "simulations with their tasks"
		case isSimulation(v), isSimulation(v.get("result")):
			return 96, "simulations with a termination_reason and their messages"
		}
	}
	return 0, ""
}

func isSimulation(v value) bool {
	return v.get("termination_reason").ok() && v.get("task_id").given() && (isMessages(v.get("messages")) || v.get("ticks").isArray())
}

func readTau2(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		found := false
		for v := range oneOrMore(rec.value) {
			list := firstGiven(v.get("simulations"), v.get("result"), v)
			for sim := range oneOrMore(list) {
				if sim.get("messages").isArray() || sim.get("ticks").isArray() {
					readSimulation(b, v, sim)
					found = true
				}
			}
		}
		if !found {
			b.problem(rec.at(), "the record has no simulation")
		}
	}
	return in.err()
}

// A tau2Thread tells what the agent does from what the simulated user does: both may call tools.
type tau2Thread struct {
	agent *threadBuilder
	c     *convBuilder
}

// simulatedUser is the name of the thread of the calls that a simulated user makes.
const simulatedUser = "user"

func readSimulation(b *builder, about, sim value) {
	c := b.newConversation(wordOf(sim.get("id")))
	t := &tau2Thread{agent: c.thread(Main), c: c}
	c.Conv.Model = about.get("info", "agent_info", "llm").str()
	if title := wordOf(sim.get("task_id")); title != "" {
		c.Conv.Title = "task " + title
	}
	t.agent.system(firstGiven(sim.get("policy"), about.get("info", "environment_info", "policy")).payload())
	t.agent.system(about.get("responses_create_params", "tools").payload())
	for m := range sim.get("messages").elements() {
		t.message(m)
	}
	if !sim.get("messages").given() {
		for tick := range sim.get("ticks").elements() {
			t.tick(tick)
		}
	}
}

func (t *tau2Thread) message(m value) {
	switch role := m.get("role"); {
	case role.is("system"):
		t.agent.system(typedContent(m.get("content")))
	case role.is("assistant"):
		s := t.agent.step("")
		s.Time = m.get("timestamp").time()
		t.agent.text(s, typedContent(m.get("content")))
		s.Usage = openAIUsage(m.get("usage"))
		t.c.Conv.Usage = t.c.Conv.Usage.Add(s.Usage)
		if model := m.get("raw_data", "model"); t.c.Conv.Model == "" {
			t.c.Conv.Model = model.str()
		}
		t.calls(t.agent, s, m.get("tool_calls"))
	case role.is("user") && m.get("tool_calls").first().ok():
		user := t.user()
		s := user.step("")
		s.Time = m.get("timestamp").time()
		user.text(s, typedContent(m.get("content")))
		t.calls(user, s, m.get("tool_calls"))
	case role.is("user"):
		t.agent.prompt(typedContent(m.get("content")), m.at())
	case role.is("tool") && m.get("tool_messages").isArray():
		for one := range m.get("tool_messages").elements() {
			t.result(one)
		}
	case role.is("tool"):
		t.result(m)
	default:
		t.c.b.problem(m.at(), "a message has no known role")
	}
}

// user is the thread of the simulated user's calls, whose results the agent never reads.
func (t *tau2Thread) user() *threadBuilder {
	u := t.c.thread(simulatedUser)
	u.Thread.Agent = "simulated user"
	return u
}

func (t *tau2Thread) calls(th *threadBuilder, s *Step, list value) {
	for call := range list.elements() {
		name, arguments := chatCall(call)
		th.callWith(s, call.get("id").str(), name.str(), arguments, call.at())
	}
}

func (t *tau2Thread) result(m value) {
	th := t.agent
	if m.get("requestor").is("user") {
		th = t.user()
	}
	r := chatResult(m)
	r.Error = m.get("error").truth()
	r.Failed = r.Error
	th.result(m.get("id").str(), "", r)
}

// tick reads a slice of a spoken conversation. Speech goes on over many ticks, so only what is said
// as text, and calls, make a step.
func (t *tau2Thread) tick(tick value) {
	for _, who := range []string{"user", "agent"} {
		chunk, calls := tick.get(who+"_chunk"), tick.get(who+"_tool_calls")
		th := t.agent
		said := chunk.get("content").isText() && len(chunk.get("content").inner()) > 0
		if calls.first().ok() || said && who == "agent" {
			if who == "user" {
				th = t.user()
			}
			s := th.step("")
			s.Time = tick.get("timestamp").time()
			if said {
				th.text(s, chunk.get("content").payload())
			}
			t.calls(th, s, calls)
		} else if said {
			t.agent.prompt(chunk.get("content").payload(), chunk.at())
		}
		for m := range tick.get(who + "_tool_results").elements() {
			t.result(m)
		}
	}
}
