package history

// tool reads a tool's span: the result of a call that a message told of, or a call of its own.
func (c *traceConversation) tool(s *span) {
	t := c.thread(s)
	k, flag := t.ranBy(s)
	if k == nil {
		for _, other := range c.order {
			if k == nil && s.callID != "" {
				k, flag = other.ranBy(s)
			}
			if k != nil {
				t = other
			}
		}
	}
	if k == nil {
		k = t.ownCall(s)
	}
	k.Flags |= flag
	k.inSpan = true
	k.failed, k.failure, k.span = s.failed, s.failure, s
	if s.result == nil || k.answered && blank(s.result.Payload) {
		if k.Result != nil && s.failed {
			k.Result.Error, k.Result.Failed = true, true
		}
		return
	}
	k.ran = true
	if k.Result != nil {
		r := *s.result
		r.Arrival, r.Error, r.Failed = k.Result.Arrival, r.Error || k.Result.Error, r.Failed || k.Result.Failed
		*k.Result = r
		return
	}
	t.open = false
	t.answerTo(k, s.result)
}

// answerTo pairs a result with this very call.
func (t *traceThread) answerTo(k *traceCall, r *Result) {
	r.Arrival = t.c.b.results
	t.c.b.results++
	if r.Payload.replaced() {
		r.Flags |= ReplacedSurrogates
	}
	t.answer(t.pairing(k.ID), k.Call, r)
}

// ranBy finds the call that a tool's span ran: by its id; where one of the two has none, by name
// and arguments, else by name.
func (t *traceThread) ranBy(s *span) (*traceCall, Flags) {
	if s.callID != "" {
		for _, k := range t.byID[s.callID] {
			if !k.inSpan {
				return k, 0
			}
		}
	}
	var byName, byArguments *traceCall
	for _, k := range t.calls {
		switch {
		case k.inSpan, k.Tool != s.tool, s.callID != "" && k.id != "":
		case byArguments == nil && s.given && (k.args == s.args || k.args == s.inner):
			byArguments = k
		case byName == nil && !k.answered:
			byName = k
		}
	}
	if byArguments != nil {
		return byArguments, PairedByName
	}
	if byName != nil {
		return byName, PairedByName
	}
	return nil, 0
}

// ownCall is the call of a tool's span that no message tells of.
func (t *traceThread) ownCall(s *span) *traceCall {
	c := t.call(t.lastStep(), s.callID, s.tool, s.arguments, s.at)
	if s.invalid {
		c.Flags |= InvalidArguments
	}
	k := &traceCall{Call: c, id: s.callID, args: s.args, answered: c.Result != nil}
	t.keep(k)
	return k
}

// settle gives calls that failed without any result what is recorded of the failure.
func (c *traceConversation) settle() {
	for _, t := range c.order {
		for _, k := range t.calls {
			if k.failed && k.Result == nil {
				t.answerTo(k, &Result{Payload: k.failure, Error: true, Failed: true, At: k.span.at, Time: k.span.end})
			}
		}
	}
}
