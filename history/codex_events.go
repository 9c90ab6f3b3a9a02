package history

// codexTotals are running totals of a session's usage.
type codexTotals struct {
	known                  bool
	input, cached, written int64
	output                 int64
}

// A codexOutcome is what an event says of a call beside the output that the model reads.
type codexOutcome struct {
	structured    *Payload
	error, failed bool
}

// event reads what the program tells its screen: mostly the same things once more.
func (c *codexSession) event(p, line value) {
	kind := p.get("type").str()
	switch kind {
	case "user_message":
		c.userEvent(p.get("message").payload(), p)
	case "task_started", "turn_started":
		c.boundary(p)
	case "thread_name_updated":
		c.conversation().Title = p.get("thread_name").str()
	case "token_count":
		c.usage(p.get("info"))
	case "mcp_tool_call_end":
		c.mcpOutcome(p.get("call_id").str(), p.get("result"))
	case "patch_apply_end":
		if p.get("success").kind() == boolean && !p.get("success").truth() {
			c.outcome(p.get("call_id").str(), codexOutcome{error: true, failed: true})
		}
	case "exec_command_end":
		if status := p.get("status"); status.is("failed") || status.is("declined") {
			c.outcome(p.get("call_id").str(), codexOutcome{error: true, failed: true})
		}
	case "item_completed":
		if item := p.get("item"); item.get("type").is("UserMessage") {
			c.userEvent(openAIContent(item.get("content")), item)
		}
	}
}

func (c *codexSession) userEvent(text Payload, at value) {
	c.ahead--
	if c.ahead < 0 {
		c.start(text, at.at())
	}
}

// mcpOutcome reads what an MCP server answered, which the model reads in the output.
func (c *codexSession) mcpOutcome(id string, result value) {
	o := codexOutcome{failed: result.get("Err").given()}
	answer := result.get("Ok")
	o.error = o.failed || answer.get("isError").truth()
	if s := answer.get("structuredContent"); s.given() {
		p := s.payload()
		o.structured = &p
	}
	c.outcome(id, o)
}

func (c *codexSession) outcome(id string, o codexOutcome) {
	if r := c.results[id]; r != nil {
		o.apply(r)
		return
	}
	c.outcomes[id] = o
}

func (o codexOutcome) apply(r *Result) {
	r.Error = r.Error || o.error
	r.Failed = r.Failed || o.failed
	if o.structured != nil {
		r.Structured = o.structured
		if r.Payload.Size().Bytes == 0 {
			r.Flags |= StructuredOnly
		}
	}
}

// usage reads the running totals, which are written more than once: what counts is their increase.
func (c *codexSession) usage(info value) {
	total := codexUsage(info.get("total_token_usage"))
	if !total.known {
		return
	}
	before := c.totals
	c.totals = total
	if last := codexUsage(info.get("last_token_usage")); last.known && (!before.known || total.input < before.input) {
		before = total.minus(last)
	} else if total.input < before.input {
		before = codexTotals{} // they began again
	}
	more := total.minus(before)
	if more.input <= 0 && more.output <= 0 {
		return
	}
	t := c.thread()
	t.open = false
	u := &Usage{Input: max(0, more.input-more.cached-more.written), Cached: max(0, more.cached+more.written), Output: max(0, more.output)}
	if s := t.latest; s != nil {
		s.Usage = s.Usage.Add(u)
		if !c.copying {
			c.conv.Conv.Usage = c.conv.Conv.Usage.Add(u)
		}
		return
	}
	if !c.copying {
		c.conv.Conv.Usage = c.conv.Conv.Usage.Add(u)
	}
}

func codexUsage(v value) codexTotals {
	t := codexTotals{known: v.isObject()}
	t.input, _ = v.get("input_tokens").int64()
	t.cached, _ = v.get("cached_input_tokens").int64()
	t.written, _ = v.get("cache_write_input_tokens").int64()
	t.output, _ = v.get("output_tokens").int64()
	return t
}

func (t codexTotals) minus(o codexTotals) codexTotals {
	return codexTotals{true, t.input - o.input, t.cached - o.cached, t.written - o.written, t.output - o.output}
}
