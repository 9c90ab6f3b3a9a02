package ui

import (
	"fmt"
	"slices"
	"strings"

	"floodmark/engine"
	"floodmark/history"
)

// redactedPlace is a conversation as reports name it, what looks sensitive masked.
func redactedPlace(c *history.Conversation) *history.Conversation {
	named := *c
	named.File, named.ID = engine.MaskSensitive(c.File), engine.MaskSensitive(c.ID)
	return &named
}

// redactedAudit are lines without any text of a recording; what looks sensitive in names is masked.
func redactedAudit(lines []engine.AuditLine) []engine.AuditLine {
	for i := range lines {
		l := &lines[i]
		l.Summary, l.Unknown = withoutText(l.Summary), slices.Clone(l.Unknown)
		for k := range l.Unknown {
			l.Unknown[k] = withoutText(l.Unknown[k])
		}
		for k := range l.Evidence {
			e := &l.Evidence[k]
			e.Tool, e.File, e.Conversation, e.Call = engine.MaskSensitive(e.Tool), engine.MaskSensitive(e.File), engine.MaskSensitive(e.Conversation), engine.MaskSensitive(e.Call)
			e.Detail = withoutText(e.Detail)
			if code, _, ok := strings.Cut(e.Detail, ": "); ok && slices.Contains(evidenceInDetail, code) {
				e.Detail = code + ": left out"
			}
		}
	}
	return lines
}

// redactedCompared is a compared result with what looks sensitive in names masked, and what stands in the place of the
// texts.
func redactedCompared(r *engine.ComparedResult) (*engine.ComparedResult, func(int) (string, error)) {
	named := *r
	call, thread := *r.Call, *r.Thread
	call.Tool, call.ID = engine.MaskSensitive(call.Tool), engine.MaskSensitive(call.ID)
	thread.Name, thread.Agent = engine.MaskSensitive(thread.Name), engine.MaskSensitive(thread.Agent)
	named.Call, named.Thread = &call, &thread
	return &named, func(i int) (string, error) {
		return fmt.Sprintf("[left out: %s]", bytesLong(r.Sights[i].Inline.Bytes)), nil
	}
}
