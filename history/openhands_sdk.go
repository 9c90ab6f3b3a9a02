package history

// sdkEvent reads an event of OpenHands' SDK.
func (t *openHandsThread) sdkEvent(v value) {
	switch v.get("kind").str() {
	case "SystemPromptEvent":
		t.system(typedContent(firstGiven(v.get("system_prompt", "text"), v.get("system_prompt"))))
		t.system(v.get("tools").payload())
	case "MessageEvent":
		content := typedContent(v.get("llm_message", "content"))
		if v.get("llm_message", "role").is("user") || v.get("source").is("user") {
			t.prompt(content, v.at())
			return
		}
		s := t.step(v.get("llm_response_id").str())
		s.Time = v.get("timestamp").time()
		t.text(s, v.get("llm_message", "reasoning_content").payload())
		t.text(s, content)
	case "ActionEvent":
		t.sdkCall(v)
	case "ObservationEvent":
		o := v.get("observation")
		content := firstGiven(o.get("content"), o.get("output"), o.get("error"), o)
		r := &Result{Payload: typedContent(content), Error: o.get("is_error").truth()}
		note := content
		for part := range content.elements() {
			note = part.get("text")
		}
		t.sdkResult(v, content, t.cut(r, note))
	case "AgentErrorEvent":
		t.sdkResult(v, v.get("error"), &Result{Payload: v.get("error").payload(), Error: true})
	case "UserRejectObservation":
		t.sdkResult(v, v.get("rejection_reason"), &Result{Payload: v.get("rejection_reason").payload(), Error: true})
	case "Condensation", "CondensationEvent", "CondensationSummaryEvent":
		t.compact(v.get("summary").payload())
	case "ConversationStateUpdateEvent":
		t.sdkState(v)
	}
}

func (t *openHandsThread) sdkCall(v value) {
	id := v.get("llm_response_id").str()
	s := t.step(id)
	if !t.answered[id] || id == "" {
		t.answered[id] = true
		s.Time = v.get("timestamp").time()
		t.text(s, v.get("reasoning_content").payload())
		t.text(s, typedContent(v.get("thought")))
	}
	name, arguments := chatCall(v.get("tool_call"))
	c := t.callWith(s, firstGiven(v.get("tool_call_id"), v.get("tool_call", "id")).str(),
		firstGiven(v.get("tool_name"), name).str(), firstGiven(arguments, v.get("action")), v.at())
	t.calls[v.get("id").str()] = c.ID
}

func (t *openHandsThread) sdkResult(v, content value, r *Result) {
	r.Failed, r.At, r.Time = r.Error, placeOf(content, v), v.get("timestamp").time()
	id := v.get("tool_call_id").str()
	if id == "" {
		id = t.calls[v.get("action_id").str()]
	}
	t.result(id, v.get("tool_name").str(), r)
}

// sdkState reads the running totals, of which the last one counts: of the agent's model and of any
// other that was used, to summarise for example.
func (t *openHandsThread) sdkState(v value) {
	totals := firstGiven(v.get("value", "usage_to_metrics"), v.get("value", "stats", "usage_to_metrics"))
	var sum *Usage
	for of, m := range totals.members() {
		sum = sum.Add(openHandsUsage(m.get("accumulated_token_usage")))
		if t.c.Conv.Model == "" && !of.is("condenser") {
			t.c.Conv.Model = m.get("model_name").str()
		}
	}
	if sum != nil {
		t.c.Conv.Usage = sum
	}
}
