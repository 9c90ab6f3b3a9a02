package history

// told reads a call that a message tells of, unless a tool's span told of it before.
func (t *traceThread) told(step func() *Step, p piece) {
	for _, k := range t.byID[p.id] {
		if k.inSpan && !k.inMessage && p.id != "" {
			k.inMessage = true
			return
		}
	}
	c := t.call(step(), p.id, p.tool, p.payload, p.at)
	if p.invalid {
		c.Flags |= InvalidArguments
	}
	if p.run {
		c.Flags |= ProviderExecuted
	}
	t.keep(&traceCall{Call: c, id: p.id, args: p.args, inMessage: true, answered: c.Result != nil})
}

func (t *traceThread) keep(k *traceCall) {
	t.calls = append(t.calls, k)
	t.byID[k.id] = append(t.byID[k.id], k)
}

// heard reads a result that a message tells of. Where a tool's span told of it, that holds: the
// message fills gaps.
func (t *traceThread) heard(p piece) {
	r := *p.result
	k, flag := t.asked(p)
	switch {
	case k == nil:
		t.result(p.id, p.tool, &r)
	case k.ran:
		k.answered = true
		switch {
		case blank(k.Result.Payload):
			k.Result.Payload, k.Result.At = r.Payload, r.At
		case p.id != "" && k.id != "" && samePayload(k.Result, &r):
			k.Flags &^= PairedByName // the ids agree with what the names said
		}
	default:
		k.answered = true
		k.Flags |= flag
		r.Error, r.Failed = r.Error || k.failed, r.Failed || k.failed
		t.answerTo(k, &r)
	}
}

// asked finds the call that a message's result answers: by its id, without one by order and name.
func (t *traceThread) asked(p piece) (*traceCall, Flags) {
	list, flag := t.byID[p.id], Flags(0)
	if p.id == "" {
		list, flag = t.calls, PairedByOrder
		if p.tool != "" {
			flag = PairedByName
		}
	}
	for _, k := range list {
		if !k.answered && (p.id != "" || p.tool == "" || k.Tool == p.tool) {
			return k, flag
		}
	}
	return nil, 0
}

// blank tells whether a payload is what tracers write where they know nothing.
func blank(p Payload) bool {
	if p.Size().Bytes > 4 || !p.empty() && !p.onlyText() {
		return false
	}
	b, err := p.Bytes()
	return err == nil && (len(b) == 0 || string(b) == "{}" || string(b) == "null" || string(b) == `""`)
}
