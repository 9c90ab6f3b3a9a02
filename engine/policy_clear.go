package engine

import "strconv"

// A Clearing says that a result that entered is gone from the context from a step on.
type Clearing struct {
	Turn, Step int     // before the response of which it goes
	Tokens     float64 // of what stays of it, by the policy's estimator
	Text       string  // exactly what stays
}

// An entered result is one that a thread's context still holds.
type entered struct {
	*Outcome
	turn, step int // counted in the thread
}

// A clearer lets results go from one thread's context, as the policy's history rules say.
type clearer struct {
	r       *Replayer
	p       *Policy
	results []entered
	larger  map[*Outcome]bool // what would take their place is not smaller, or all of it
}

func (c *clearer) add(o *Outcome, turn, step int) {
	if o.Verdict != "" && o.Verdict != Rejected {
		c.results = append(c.results, entered{o, turn, step})
	}
}

// before clears what goes before the response of a step, of a context of so many tokens. It returns
// how many fewer those are then.
func (c *clearer) before(turn, step int, s *StepSize, context float64) (float64, error) {
	h := c.p.History
	if !h.Active() {
		return 0, nil
	}
	list, sum := c.clearable(turn, step)
	measured := context
	if h.Measure == Clearable {
		measured = sum
	}
	if measured < *h.Over || measured == *h.Over && h.Boundary != Reaches {
		return 0, nil
	}
	saved := 0.0
	for _, o := range list {
		less, err := c.clear(o, s, measured)
		if err != nil {
			return 0, err
		}
		saved += less
	}
	return saved, nil
}

// clearable are the results that may go, the oldest first, with their tokens.
func (c *clearer) clearable(turn, step int) (list []*Outcome, sum float64) {
	h := c.p.History
	newer := 0.0
	stays := len(c.results)
	for i := len(c.results) - 1; i >= 0; i-- { // the newest tokens
		newer += c.results[i].tokensNow()
		if newer > h.KeepTokens {
			break
		}
		stays = i
	}
	stays = min(stays, len(c.results)-h.KeepResults)
	for i, e := range c.results {
		if i >= stays || e.Cleared != nil || e.turn > turn-h.KeepTurns || e.step >= step-h.KeepSteps || toolMatches(h.Exempt, e.Call.Tool) {
			continue
		}
		if e.Facts != nil && h.MinSize > 0 && sizeOf(e.Facts.Size, c.p.Preview.Unit) <= h.MinSize {
			continue
		}
		list, sum = append(list, e.Outcome), sum+e.Inline.Tokens
	}
	return list, sum
}

func (o *Outcome) tokensNow() float64 {
	if o.Cleared != nil {
		return o.Cleared.Tokens
	}
	return o.Inline.Tokens
}

// clear puts a few characters, or a word, in a result's place.
func (c *clearer) clear(o *Outcome, s *StepSize, measured float64) (float64, error) {
	h := c.p.History
	if c.larger[o] {
		return 0, nil
	}
	text, all, err := c.left(o)
	if err != nil {
		return 0, err
	}
	if all {
		c.larger[o] = true
		return 0, nil
	}
	if h.Kept {
		text += "\n[The complete result is in the file\n" + c.p.Package.file(o.Name) + "\n]"
	}
	tokens := c.p.Estimator.Of([]byte(text))
	if h.MustShrink && tokens >= o.Inline.Tokens {
		c.larger[o] = true
		return 0, nil
	}
	o.Cleared = &Clearing{Turn: s.Turn, Step: s.Step, Tokens: tokens, Text: text}
	detail := "it entered whole, and went before step " + strconv.Itoa(s.Step) + " of turn " + strconv.Itoa(s.Turn) + ": "
	if h.Kept {
		detail += "it can be read back"
	} else {
		detail += "it can't be read back"
	}
	verdict := len(o.Trace) - 1
	o.Trace = append(o.Trace[:verdict:verdict], Check{Check: "history", Observed: measured, Limit: *h.Over, Unit: string(Tokens), Result: "cleared", Detail: detail}, o.Trace[verdict])
	return o.Inline.Tokens - tokens, nil
}

// left is what stays of a result in its place; all says that this is the whole result, which no line is left
// out of.
func (c *clearer) left(o *Outcome) (text string, all bool, err error) {
	h := c.p.History
	byLines := toolMatches(h.LineTools, o.Call.Tool)
	if !byLines && h.HeadChars+h.TailChars == 0 || byLines && h.HeadLines+h.TailLines == 0 {
		return "[An old result was cleared from the context.]", false, nil
	}
	b, err := c.r.InlineText(c.p, o)
	if err != nil {
		return "", false, err
	}
	if !byLines {
		return bothEnds(b, h.HeadChars, h.TailChars, c.p.Preview), false, nil
	}
	r := c.p.Preview
	r.HeadLines, r.TailLines, r.LineChars = h.HeadLines, h.TailLines, 0
	v := endLinesPreview(b, r, -1)
	return v.Text, v.Whole, nil
}

func bothEnds(b []byte, head, tail int, r PreviewRules) string {
	e := ends{unitHead(b, head, r.Unit), unitTail(b, tail, r.Unit)}
	if e.head >= e.tail {
		return string(b)
	}
	return e.preview(b, r).Text
}
