package history

import "strings"

// An openCodeThread reads messages into a thread.
type openCodeThread struct {
	*threadBuilder
	m       *openCodeMessageOf
	step    *Step // the one that goes on; nil before the first and between two
	asksFor bool  // the last message asked the model for a summary of the history
}

func (t *openCodeThread) message(m *openCodeMessageOf) {
	t.m, t.step = m, nil
	if t.byPerson() {
		t.person()
		return
	}
	conv := t.c.Conv
	if conv.Model == "" {
		conv.Model = firstGiven(m.info.get("modelID"), m.info.get("model", "modelID")).str()
	}
	counted := false
	var last *Step
	for _, p := range m.parts {
		switch p.get("type").str() {
		case "step-start":
			t.step = nil
			t.current()
		case "text", "reasoning":
			t.text(t.current(), newPayload(textParts(p.get("text"))...))
		case "tool":
			t.tool(p.value)
		case "step-finish":
			s := t.current()
			s.Usage = openCodeUsage(p.get("tokens"))
			conv.Usage = conv.Usage.Add(s.Usage)
			counted, t.step = true, nil
			last = s
			continue
		}
		if t.step != nil {
			last = t.step
		}
	}
	if u := openCodeUsage(m.info.get("tokens")); !counted && u != nil { // the same figures as the steps have
		if last == nil {
			last = t.current()
		}
		last.Usage = u
		conv.Usage = conv.Usage.Add(u)
	}
	if summary, ok := t.summary(); ok {
		t.compact(summary) // the response read the whole history, the next one reads this
	}
	t.asksFor = false
}

// summary is the text of a response that takes the history's place.
func (t *openCodeThread) summary() (Payload, bool) {
	var text Payload
	calls := false
	for _, p := range t.m.parts {
		switch p.get("type").str() {
		case "text":
			text = text.join(newPayload(textParts(p.get("text"))...))
		case "tool":
			calls = true
		}
	}
	return text, t.m.info.get("summary").truth() || t.asksFor && !calls
}

// byPerson tells who wrote a message. Without its row the parts tell: a person's has no steps.
func (t *openCodeThread) byPerson() bool {
	if role := t.m.info.get("role"); role.isText() {
		return role.is("user")
	}
	for _, p := range t.m.parts {
		switch p.get("type").str() {
		case "step-start", "step-finish", "tool", "reasoning":
			return false
		}
	}
	return true
}

func (t *openCodeThread) person() {
	var parts []Part
	for _, p := range t.m.parts {
		switch p.get("type").str() {
		case "text":
			parts = append(parts, textParts(p.get("text"))...)
		case "file":
			parts = append(parts, openCodeFile(p.value))
		case "compaction":
			t.asksFor = true
		}
	}
	if len(parts) > 0 {
		t.prompt(newPayload(parts...), t.m.at)
	}
}

func openCodeFile(v value) Part {
	media, kind := v.get("mime").str(), Document
	if strings.HasPrefix(media, "image/") {
		kind = Image
	}
	return firstGiven(v.get("url"), v).blob(kind, media)
}

// current is the step that goes on, or a new one.
func (t *openCodeThread) current() *Step {
	if t.step == nil {
		t.step = t.threadBuilder.step("")
		t.step.ID, t.step.Time = t.m.id, t.m.info.get("time", "created").time()
	}
	return t.step
}

func (t *openCodeThread) tool(p value) {
	state := p.get("state")
	c := t.callWith(t.current(), p.get("callID").str(), p.get("tool").str(), state.get("input"), p.at())
	out, failed := state.get("output"), state.get("status").is("error")
	if failed {
		out = firstGiven(state.get("error"), out)
	} else if !state.get("status").is("completed") {
		return
	}
	r := &Result{Payload: out.payload(), At: placeOf(out, p), Time: state.get("time", "end").time(), Error: failed, Failed: failed}
	for file := range state.get("attachments").elements() {
		r.Payload = r.Payload.join(newPayload(openCodeFile(file)))
	}
	about := state.get("metadata")
	if about.get("truncated").truth() {
		r.Flags |= TruncatedByRecorder
	}
	if about.get("outputPath").isText() {
		r.Flags |= OffloadedByRecorder
	}
	t.result(c.ID, "", r)
}

// openCodeUsage reads tokens; nil where all are zero, which is what local models report.
func openCodeUsage(v value) *Usage {
	n := func(keys ...string) int64 { i, _ := v.get(keys...).int64(); return i }
	u := Usage{Input: n("input"), Cached: n("cache", "read") + n("cache", "write"), Output: n("output") + n("reasoning")}
	if u == (Usage{}) {
		return nil
	}
	return &u
}
