package engine

import (
	"context"
	"fmt"

	"floodmark/history"
)

// An AuditAnswer is what recordings and a policy say to a line of the production checklist.
type AuditAnswer string

// Answers.
const (
	Holds      AuditAnswer = "yes"
	Fails      AuditAnswer = "no"
	CannotTell AuditAnswer = "cannot-tell" // neither the recordings nor the policy say it
)

// An AuditLine is one of the seven lines of the checklist in section 12 of "Large Tool Responses,
// Explained", with its answer.
type AuditLine struct {
	Name     string      `json:"line"` // one of AuditNames
	Asks     string      `json:"asks"` // what the line wants, in a few words
	Answer   AuditAnswer `json:"answer"`
	Summary  string      `json:"summary"`  // one sentence with the numbers
	Evidence []Evidence  `json:"evidence"` // the largest first, at most maxEvidence
	More     int         `json:"more"`     // pieces of evidence that were left out
	Figures  AuditCounts `json:"figures"`
	// Unknown says what of the line a recording can't tell, one sentence each.
	Unknown []string `json:"cannot_tell"`
}

// AuditCounts are a line's numbers by name; the names end in their units.
type AuditCounts map[string]float64

// Evidence is what an answer rests on. It holds no payload text.
type Evidence struct {
	Detail       string `json:"detail"`
	Tool         string `json:"tool,omitempty"`
	File         string `json:"file,omitempty"`
	Conversation string `json:"conversation,omitempty"`
	Call         string `json:"call,omitempty"`
	weight       float64
}

// AuditNames are the lines in the checklist's order.
var AuditNames = []string{"source", "thresholds", "faults", "inspection", "sizes", "privacy", "authority"}

// maxEvidence is how many pieces of evidence a line keeps.
const maxEvidence = 5

// An Audit goes through a corpus, conversation by conversation, and answers the checklist for one
// policy. What it keeps grows with the number of tools, not with that of results. It is safe for use by
// one goroutine at a time.
type Audit struct {
	policy        *Policy
	totals        Totals
	conversations int
	tools         map[string]*toolUse
	thresholds    thresholdEvidence
	faults        []*FaultSums // by Faults
	evidence      map[string]*evidenceList
	inspection    inspectionEvidence
	offloaded     offloadedEvidence
}

// NewAudit begins an audit of p.
func NewAudit(p *Policy) *Audit {
	a := &Audit{policy: p, tools: map[string]*toolUse{}, evidence: map[string]*evidenceList{}}
	for range Faults {
		a.faults = append(a.faults, &FaultSums{})
	}
	for _, name := range AuditNames {
		a.evidence[name] = &evidenceList{}
	}
	return a
}

// Add takes in the conversation that r replays. An error is as of Run.
func (a *Audit) Add(ctx context.Context, r *Replayer) error {
	run, faults, err := r.FaultRuns(ctx, a.policy, Faults, RunOptions{Track: true})
	if err != nil {
		return err
	}
	a.conversations++
	a.totals.Add(run.Totals)
	used := usedResults(run.Tracking)
	for _, o := range run.Outcomes {
		if o.Call.Flags.Has(history.CountedElsewhere) {
			continue
		}
		a.addUse(r.conv, o, used[o])
		a.addOffloaded(r.conv, o)
		a.addWarnings(r.conv, o)
	}
	a.addSteps(r.conv, run)
	a.addReads(r.conv)
	a.addRereads(run.Tracking)
	for i, f := range faults {
		a.faults[i].Add(f.FaultSums)
		if i == 0 {
			a.addUnreachable(r.conv, f)
		}
	}
	return nil
}

// Policy is the one that is audited.
func (a *Audit) Policy() *Policy { return a.policy }

// Conversations is how many were taken in, Totals what the policy made of them.
func (a *Audit) Conversations() int { return a.conversations }

// Totals are those of a healthy run over all conversations.
func (a *Audit) Totals() Totals { return a.totals }

// Lines are the seven answers, in the order of AuditNames.
func (a *Audit) Lines() []AuditLine {
	lines := []AuditLine{a.sourceLine(), a.thresholdLine(), a.faultLine(), a.inspectionLine(), a.sizesLine(), a.privacyLine(), a.authorityLine()}
	for i := range lines {
		l := &lines[i]
		l.Name = AuditNames[i]
		e := a.evidence[l.Name]
		l.Evidence, l.More = append([]Evidence{}, e.kept...), e.more
		if l.Unknown == nil {
			l.Unknown = []string{}
		}
	}
	return lines
}

// at is evidence that stands at a call.
func at(c *history.Conversation, call *history.Call, weight float64, format string, args ...any) Evidence {
	return Evidence{Detail: fmt.Sprintf(format, args...), Tool: call.Tool, File: c.File, Conversation: c.ID, Call: call.ID, weight: weight}
}

// An evidenceList keeps the weightiest pieces, of equals the first.
type evidenceList struct {
	kept []Evidence
	more int
}

func (l *evidenceList) add(e Evidence) {
	i := len(l.kept)
	for i > 0 && l.kept[i-1].weight < e.weight {
		i--
	}
	l.kept = append(l.kept, Evidence{})
	copy(l.kept[i+1:], l.kept[i:])
	l.kept[i] = e
	if len(l.kept) > maxEvidence {
		l.kept = l.kept[:maxEvidence]
		l.more++
	}
}
