package history

import (
	"slices"
	"time"
)

// user takes a line that a person, the parent agent, a tool or the harness wrote.
func (s *claudeSession) user(t *claudeThread, v, content value) {
	results := 0
	for b := range content.elements() {
		if kindOf(b) == resultBlock {
			results++
		}
	}
	for b := range content.elements() {
		if kindOf(b) != resultBlock {
			continue
		}
		var alone value
		if results == 1 {
			alone = v.get("toolUseResult")
		}
		s.result(t, b, alone, v.get("timestamp").time())
	}
	if results > 0 {
		t.heardOf = v.get("uuid").str()
	}
	switch {
	case v.get("isCompactSummary").truth():
		summary, _ := promptOf(content)
		t.compact(summary)
	case v.get("isMeta").truth(), v.get("isVisibleInTranscriptOnly").truth():
	default:
		if p, ok := promptOf(content); ok {
			t.ask(p, content.at(), begins(content, "<command-name>", "<bash-input>"))
			if t.Thread.Subagent() && s.agents[t.name] == "" {
				s.agents[t.name] = s.jobs[s.fingerprint(content)]
			}
		}
	}
}

// queued takes what a person wrote while the model was at work.
func (s *claudeSession) queued(v value, thread string) {
	a := v.get("attachment")
	if !a.get("type").is("queued_command") {
		return
	}
	if p, ok := promptOf(a.get("prompt")); ok && !s.seen(v, a) {
		s.thread(thread, v).ask(p, a.get("prompt").at(), false)
	}
}

// assistant takes a line of a model's response: one block of it as a rule.
func (s *claudeSession) assistant(t *claudeThread, v, content value) {
	m := v.get("message")
	if v.get("isApiErrorMessage").truth() || m.get("model").is("<synthetic>") {
		return // the program wrote it, not the model
	}
	if s.conv.Conv.Model == "" {
		s.conv.Conv.Model = m.get("model").str()
	}
	if agent := v.get("attributionAgent"); agent.isText() && t.Thread.Subagent() {
		s.agents[t.name] = agent.str()
	}
	t.heard()
	when := v.get("timestamp").time()
	response := s.report(t, v, m)
	if content.isText() {
		t.text(s.step(t, response, when), content.payload())
	}
	for b := range content.elements() {
		switch kindOf(b) {
		case callBlock:
			s.call(t, response, b, when)
		case resultBlock:
			s.result(t, b, value{}, when)
		default:
			t.text(s.step(t, response, when), proseOf(b))
		}
	}
}

// report notes the usage of a response, of which v is a line, and says which one it is.
func (s *claudeSession) report(t *claudeThread, v, m value) claudeResponse {
	u := usageOf(m.get("usage"))
	r := claudeResponse{thread: t.name, message: m.get("id").str(), request: v.get("requestId").str()}
	switch {
	case r.request != "":
	case r.message != "":
		r.run = s.run(t, r, u, v)
	default:
		r.line = v.get("uuid").str()
	}
	if u == nil {
		return r
	}
	if known := s.usage[r]; known != nil {
		known.largest(u)
	} else {
		s.usage[r] = u
	}
	return r
}

// run counts the responses of one message id: the next one begins in another turn, or where all
// calls have their results and something else went in, or the line v follows the results, or a line
// with a time does not say what went in, as the program's own lines do. Without any of these it may
// be a response that goes on while its calls run.
func (s *claudeSession) run(t *claudeThread, r claudeResponse, u *Usage, v value) int {
	before, known := t.runs[r.message]
	now := claudeRun{number: before.number}
	if n := len(t.Thread.Turns); n > 0 {
		now.turn = t.Thread.Turns[n-1].Number
	}
	r.run = before.number
	step, reported := t.steps[r], s.usage[r]
	another := u.fed() != reported.fed() && u != nil && reported != nil ||
		u.fed() == Usage{} && reported.fed() == Usage{} && v.get("timestamp").isText() ||
		t.heardOf != "" && v.get("parentUuid").is(t.heardOf)
	if known && (before.turn != now.turn || another && step != nil && step.answered()) {
		now.number++
	}
	t.runs[r.message] = now
	return now.number
}

// fed is what of u went into the response; nothing where u is nil.
func (u *Usage) fed() Usage {
	if u == nil {
		return Usage{}
	}
	return Usage{Input: u.Input, Cached: u.Cached}
}

// answered tells whether s has calls, and each its result.
func (s *Step) answered() bool {
	return len(s.Calls) > 0 && !slices.ContainsFunc(s.Calls, func(c *Call) bool { return c.Result == nil })
}

// step returns the step of a response, which may go on after the results of its first calls.
func (s *claudeSession) step(t *claudeThread, r claudeResponse, when time.Time) *Step {
	step := t.steps[r]
	if step == nil {
		step = t.threadBuilder.step("")
		step.ID, step.Time = r.message, when
		t.steps[r] = step
	}
	return step
}

// call takes a call, unless the block only repeats one: some programs write what is still open
// with each response, and a resume writes everything again.
func (s *claudeSession) call(t *claudeThread, r claudeResponse, b value, when time.Time) {
	input := b.get("input")
	c := claudeBlock{response: r, id: b.get("id").str(), tool: b.get("name").str(), at: b.at(), time: when}
	arguments, isJSON := input.arguments()
	if c.arguments = arguments; !isJSON {
		c.flags |= InvalidArguments
	}
	if byProvider(b) {
		c.flags |= ProviderExecuted
	}
	if kind := input.get("subagent_type"); kind.isText() {
		s.jobs[s.fingerprint(input.get("prompt"))] = kind.str()
	}
	mark := s.fingerprint(b.get("name"), input)
	if known := t.calls[c.id]; known != nil && c.id != "" && known.mark == mark {
		known.again = &c
		return
	}
	t.calls[c.id] = &claudeCall{mark: mark, open: true}
	s.add(t, &c)
}

func (s *claudeSession) add(t *claudeThread, c *claudeBlock) {
	call := t.threadBuilder.call(s.step(t, c.response, c.time), c.id, c.tool, c.arguments, c.at)
	call.Flags |= c.flags
}

// result takes the result block b. structured is what the line says about it besides.
func (s *claudeSession) result(t *claudeThread, b, structured value, when time.Time) {
	id := b.get("tool_use_id").str()
	r := blockResult(b)
	r.Time = when
	s.side.complete(s.b, r, id, b.get("content"), structured)
	if c := t.calls[id]; c != nil && id != "" {
		if !c.open && c.again != nil && !when.Equal(c.result) {
			s.add(t, c.again) // the id was used once more after all
		}
		c.open, c.again, c.result = false, nil, when
	}
	t.threadBuilder.result(id, "", r)
}
