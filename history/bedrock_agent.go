package history

import "strings"

// agentTraceAPI is the runtime of Bedrock's agents: the service itself runs the loop of model and
// tools, and streams a trace of it.
type agentTraceAPI struct{}

func (agentTraceAPI) format() string { return "bedrock-agent" }

func (agentTraceAPI) asked(r *repeats, x *exchange) ([]message, bool) {
	in := x.request.whole.get("inputText")
	for _, e := range x.response.events {
		if in.isText() && e.get("trace").isObject() {
			return []message{r.message(in, false, in)}, true
		}
	}
	return nil, false
}

func (agentTraceAPI) answered(x *exchange) reply {
	r := reply{given: true}
	r.add = func(t apiThread) {
		trace := &agentTrace{t: t.(agentThread).t, agents: map[string]string{}}
		for _, e := range x.response.events {
			if e.get("trace").isObject() {
				trace.event(e.value)
			}
		}
	}
	for _, e := range x.response.events {
		call := e.get("trace", "orchestrationTrace", "invocationInput")
		if call.isObject() {
			r.calls = append(r.calls, namedCall{call.get("traceId").str(), call.get("invocationType").str()})
		}
	}
	return r
}

func (agentTraceAPI) on(t *threadBuilder) apiThread { return agentThread{t} }

// An agentThread reads what a person asks an agent.
type agentThread struct{ t *threadBuilder }

func (agentThread) begin(value)             {}
func (a agentThread) message(m value)       { a.t.prompt(m.payload(), m.at()) }
func (agentThread) calls(value) []namedCall { return nil }

// An agentTrace reads the events of a run. The agent that was asked is the main thread, each of its
// collaborators a thread of its own.
type agentTrace struct {
	t      *threadBuilder
	main   string            // the agent that was asked
	agents map[string]string // names of collaborators by their id
}

func (a *agentTrace) event(v value) {
	id := v.get("agentId").str()
	if a.main == "" {
		a.main = id
	}
	t := a.t
	if id != a.main {
		t = a.t.c.thread(id)
		t.Thread.Agent = a.agents[id]
	}
	o := v.get("trace", "orchestrationTrace")
	for k, part := range o.members() {
		switch k.str() {
		case "modelInvocationInput":
			s := t.step(part.get("traceId").str())
			s.Time = v.get("eventTime").time()
			if conv := t.c.Conv; conv.Model == "" {
				conv.Model = part.get("foundationModel").str()
			}
		case "modelInvocationOutput":
			s := t.step(part.get("traceId").str())
			t.text(s, part.get("rawResponse", "content").payload())
			s.Usage = bedrockUsage(part.get("metadata", "usage"))
			t.c.Conv.Usage = t.c.Conv.Usage.Add(s.Usage)
		case "invocationInput":
			a.call(t, part)
		case "observation":
			a.result(t, part)
		}
	}
	if failure := v.get("trace", "failureTrace"); failure.isObject() {
		t.c.b.problem(failure.at(), "the agent's run failed")
	}
}

// call reads what the agent invokes; the trace's id of that step is the call's.
func (a *agentTrace) call(t *threadBuilder, v value) {
	var tool string
	var arguments value
	for k, in := range v.members() {
		switch k.str() {
		case "actionGroupInvocationInput":
			tool = firstGiven(in.get("function"), in.get("apiPath"), in.get("actionGroupName")).str()
			arguments = firstGiven(in.get("parameters"), in.get("requestBody"))
		case "knowledgeBaseLookupInput":
			tool, arguments = "knowledge_base", in.get("text")
		case "codeInterpreterInvocationInput":
			tool, arguments = "code_interpreter", in.get("code")
		case "agentCollaboratorInvocationInput":
			tool, arguments = in.get("agentCollaboratorName").str(), in.get("input", "text")
			a.ask(in, tool)
		}
	}
	if tool == "" {
		return
	}
	id := v.get("traceId").str()
	c := t.call(t.step(id), id, tool, arguments.payload(), v.at())
	c.Flags |= ProviderExecuted
}

// ask starts a turn of a collaborator with what it is asked.
func (a *agentTrace) ask(in value, name string) {
	_, alias, ok := strings.Cut(in.get("agentCollaboratorAliasArn").str(), ":agent-alias/")
	id, _, _ := strings.Cut(alias, "/")
	if !ok || id == "" || id == a.main {
		return
	}
	a.agents[id] = name
	if text := in.get("input", "text"); text.isText() {
		a.t.c.thread(id).prompt(text.payload(), text.at())
	}
}

// result reads what an invocation came to. A trace's other observations are no results: a final
// answer, or the service asking the model again.
func (a *agentTrace) result(t *threadBuilder, v value) {
	for k, out := range v.members() {
		r := &Result{Flags: ProviderExecuted, Time: out.get("metadata", "endTime").time()}
		var text value
		switch k.str() {
		case "actionGroupInvocationOutput":
			text = out.get("text")
		case "knowledgeBaseLookupOutput":
			text = out.get("retrievedReferences")
		case "codeInterpreterInvocationOutput":
			text = out.get("executionOutput")
			if failure := out.get("executionError"); failure.given() && !failure.is("") {
				text, r.Error, r.Failed = failure, true, true
			}
		case "agentCollaboratorInvocationOutput":
			text = firstGiven(out.get("output", "text"), out.get("output", "returnControlPayload"))
		default:
			continue
		}
		r.Payload, r.At = text.payload(), placeOf(text, out)
		t.result(v.get("traceId").str(), "", r)
	}
}
