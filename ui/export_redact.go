package ui

import (
	"fmt"

	"floodmark/engine"
	"floodmark/history"
)

// redactedHistory are copies of conversations without any text: what was said, asked and given back is replaced by its
// size, and what looks sensitive in names is masked. original finds the call that a copy was made of.
func redactedHistory(conversations []*history.Conversation) (copies []*history.Conversation, original map[*history.Call]*history.Call) {
	original = map[*history.Call]*history.Call{}
	for _, c := range conversations {
		copied := *c
		copied.ID, copied.Title, copied.Threads = engine.MaskSensitive(c.ID), "", nil
		for _, t := range c.Threads {
			thread := *t
			thread.Name, thread.Agent = engine.MaskSensitive(t.Name), engine.MaskSensitive(t.Agent)
			thread.System, thread.Turns = sizeInstead(t.System), nil
			for _, u := range t.Turns {
				turn := *u
				turn.Prompt, turn.Steps = sizeInstead(u.Prompt), nil
				for _, s := range u.Steps {
					step := *s
					step.Text, step.Summary, step.Calls = sizeInstead(s.Text), sizeInstead(s.Summary), nil
					for _, call := range s.Calls {
						step.Calls = append(step.Calls, redactedCall(call))
						original[step.Calls[len(step.Calls)-1]] = call
					}
					turn.Steps = append(turn.Steps, &step)
				}
				thread.Turns = append(thread.Turns, &turn)
			}
			copied.Threads = append(copied.Threads, &thread)
		}
		copies = append(copies, &copied)
	}
	return copies, original
}

func redactedCall(c *history.Call) *history.Call {
	call := *c
	call.ID, call.Tool = engine.MaskSensitive(c.ID), engine.MaskSensitive(c.Tool)
	if n := c.Arguments.Size().Bytes; n > 0 {
		call.Arguments = history.Of(fmt.Sprintf(`{"left_out_bytes":%d}`, n))
	}
	if c.Result != nil {
		r := *c.Result
		r.Payload, r.Structured = sizeInstead(c.Result.Payload), nil
		call.Result = &r
	}
	return &call
}

// sizeInstead says how large a text was; one without parts stays so.
func sizeInstead(p history.Payload) history.Payload {
	if len(p.Parts()) == 0 {
		return p
	}
	return history.Of(fmt.Sprintf("[left out: %s]", bytesLong(p.Size().Bytes)))
}

// leftOutResult says in a result's place what it was and what became of it, without its text.
func leftOutResult(o *engine.Outcome) string {
	s := fmt.Sprintf("[left out: %s", bytesLong(o.Original.Bytes))
	if f := o.Facts; f != nil {
		s += ", " + shape(f)
	}
	s += "; " + string(o.Verdict)
	if o.Verdict == engine.Offloaded {
		s += " to " + engine.MaskSensitive(jqName(o.Name))
	}
	return s + fmt.Sprintf(", %s entered]", bytesLong(o.Inline.Bytes))
}

func bytesLong(bytes int64) string { return inUnits(grouped(bytes), "bytes") }
