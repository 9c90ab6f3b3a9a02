package history

// done says that the conversation is complete as far as the format knows, and that the format keeps
// none of its turns, steps and calls. What building it took is given back. Should it go on after all,
// reopen comes first.
func (c *convBuilder) done() {
	for _, t := range c.threads {
		if len(t.waiting) > 0 {
			return // a call may still come for a result
		}
		for _, p := range t.pairs {
			if p.early != nil || len(p.more) > 0 {
				return
			}
		}
	}
	c.finish()
	c.handed = true
	c.used = nil
	for _, t := range c.threads {
		t.steps, t.pairs, t.waiting, t.home, t.latest, t.made = nil, nil, nil, nil, nil, nil
	}
}

// reopen makes a conversation that was done go on: in a copy, for the first one may be somebody
// else's by now.
func (c *convBuilder) reopen() {
	if !c.handed {
		return
	}
	c.handed = false
	c.used = map[string]bool{}
	c.Conv = copyConversation(nil, c.Conv)
	kept := map[string]*Thread{}
	for _, t := range c.Conv.Threads {
		kept[t.Name] = t
	}
	for _, t := range c.threads {
		thread := kept[t.Thread.Name]
		if thread == nil { // nothing was said in it
			copied := *t.Thread
			thread = &copied
			c.Conv.Threads = append(c.Conv.Threads, thread)
		}
		*t = *newThreadBuilder(c, thread)
		t.reindex()
	}
}

// reindex finds out again what is known of the thread's calls.
func (t *threadBuilder) reindex() {
	for _, u := range t.Thread.Turns {
		clear(t.steps)
		t.latest = nil
		for _, s := range u.Steps {
			if t.latest = s; s.ID != "" {
				t.steps[s.ID] = s
			}
			for _, call := range s.Calls {
				t.home[call] = s
				t.c.used[call.ID] = true
				if call.Flags.Has(OrphanResult) {
					continue
				}
				if p := t.pairing(call.ID); call.Result == nil {
					p.open = append(p.open, call)
				} else {
					p.closed = call
				}
			}
		}
	}
}
