package history

// An adkSession reads the events of a session of the Agent Development Kit into a thread. Agents
// hand over to each other within it.
type adkSession struct {
	geminiThread
	usage map[string]*Usage // by event id, where the session logs requests beside its events
}

func (a *adkSession) read(v value) {
	conv := a.c.Conv
	a.usage = map[string]*Usage{}
	for log := range v.get("event_logs").elements() {
		request, response := log.get("model_request"), log.get("model_response")
		if conv.Model == "" {
			conv.Model = request.get("model").str()
			a.system(geminiSystem(request.get("config", "system_instruction")))
			a.system(request.get("config", "tools").payload())
		}
		if u := geminiUsage(response.get("usage_metadata")); u != nil {
			a.usage[log.get("event_id").str()] = u
		}
	}
	for e := range v.get("events").elements() {
		a.event(e)
	}
}

// geminiSystem is a system instruction: a text, or a content.
func geminiSystem(v value) Payload {
	if v.get("parts").isArray() {
		v = v.get("parts")
	}
	return geminiPayload(v)
}

func (a *adkSession) event(e value) {
	if by := e.get("actions", "compaction"); by.given() {
		a.compact(geminiPayload(geminiField(by, "compactedContent", "compacted_content").get("parts")))
		return
	}
	if e.get("partial").truth() || e.get("options", "partial").truth() {
		return // the whole of it follows
	}
	content := e.get("content")
	parts := content.get("parts")
	if !parts.isArray() {
		return
	}
	if content.get("role").is("user") || e.get("author").is("user") {
		a.answers(parts, e)
		return
	}
	s := a.step("")
	s.ID, s.Time = e.get("id").str(), e.get("timestamp").time()
	s.Usage = geminiUsage(geminiField(e, "usageMetadata", "usage_metadata"))
	if s.Usage == nil {
		s.Usage = a.usage[s.ID]
	}
	a.c.Conv.Usage = a.c.Conv.Usage.Add(s.Usage)
	if a.c.Conv.Model == "" {
		a.c.Conv.Model = geminiField(e, "modelVersion", "model_version").str()
	}
	a.model(s, parts)
}

// answers reads an event in the user's name: responses of functions, or what a person wrote.
func (a *adkSession) answers(parts, e value) {
	before := a.c.b.results
	a.user(parts)
	for _, c := range a.answeredSince(before) {
		c.Result.Time = e.get("timestamp").time()
	}
}

// answeredSince lists the calls whose results arrived from number n on.
func (a *adkSession) answeredSince(n int) []*Call {
	var list []*Call
	if len(a.Thread.Turns) == 0 {
		return nil
	}
	for _, s := range a.Thread.Turns[len(a.Thread.Turns)-1].Steps {
		for _, c := range s.Calls {
			if c.Result != nil && c.Result.Arrival >= n {
				list = append(list, c)
			}
		}
	}
	return list
}
