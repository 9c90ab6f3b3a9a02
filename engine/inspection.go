package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// An InspectionKind is a step of the recovery pattern: narrow a payload down instead of reading it.
type InspectionKind string

// Kinds of steps. The first two are no filters.
const (
	PrefixStep InspectionKind = "prefix" // the payload's first bytes, as they are
	SchemaStep InspectionKind = "schema" // its schema
	ShapeStep  InspectionKind = "shape"  // type, keys, number of records
	SearchStep InspectionKind = "search" // the records that hold a text
	FilterStep InspectionKind = "filter" // any other filter
	KeepStep   InspectionKind = "keep"   // the last result becomes a variable; nothing enters the context
)

// StoppedByHand is what InspectionStep.Stopped says of a run that somebody ended.
const StoppedByHand = "hand"

// An InspectionStep is one look into a variable: what it read, and what it would put into the context.
type InspectionStep struct {
	Kind     InspectionKind `json:"kind"`
	Filter   string         `json:"filter,omitempty"` // jq; empty for PrefixStep and SchemaStep
	Read     int64          `json:"read_bytes"`       // of the payload, and of the other variables that the filter names
	Returned Measure        `json:"returned"`         // one line a result, as a model would get it
	Results  int            `json:"results"`
	// Found tells that it gave something other than null and empty arrays, objects and strings. Whether
	// an extraction succeeds and what it costs are two figures.
	Found   bool   `json:"found"`
	Problem string `json:"problem,omitempty"` // why it failed; may show a part of the data
	Stopped string `json:"stopped,omitempty"` // the limit at which it was ended, or StoppedByHand
	Kept    string `json:"kept,omitempty"`    // the variable that KeepStep made

	// Over tells that what it returned is over the threshold: it would be offloaded again.
	Over bool `json:"over"`
	// Share is what it returned of the payload, by bytes of JSON on one line; Reread that this is more
	// than half: the query brings the payload back into the context.
	Share  float64 `json:"share"`
	Reread bool    `json:"reread"`
}

// rereadShare is the share of a payload over which a step brings most of it back.
const rereadShare = 0.5

// An Inspection is the ledger of what was looked at in a variable, in order.
type Inspection struct {
	Conversation string    `json:"conversation"`
	Variable     string    `json:"variable"`
	Policy       string    `json:"policy"`
	Estimator    Estimator `json:"estimator"`
	Threshold    *float64  `json:"threshold"` // tokens per result; null without one
	// Whole is the payload, had it entered; Package what entered in its place, nothing where the whole did.
	Whole   Measure          `json:"whole"`
	Package Measure          `json:"package"`
	Compact int64            `json:"compact_bytes"` // of the payload on one line: what Share is a share of
	Steps   []InspectionStep `json:"steps"`
}

// WouldOffload tells whether a result of so many tokens is over the threshold per result, as an estimate
// where that is in another unit.
func (p *Policy) WouldOffload(tokens float64) bool {
	limit := p.Limits.PerResultTokens()
	return p.Enabled && limit != nil && (tokens > *limit || tokens == *limit && p.Boundary == Reaches)
}

// NewInspection begins the ledger of o's payload under p. compact is the size of the payload on one line,
// see CompactBytes.
func NewInspection(p *Policy, conversation string, o *Outcome, compact int64) *Inspection {
	n := &Inspection{Conversation: conversation, Variable: o.Name, Policy: p.Name, Estimator: p.Estimator,
		Threshold: p.Limits.PerResultTokens(), Whole: o.Original, Compact: compact}
	if o.Package != nil {
		n.Package = o.Inline
	}
	return n
}

// Add adds a step. Over, Share and Reread are found out by p's rules.
func (n *Inspection) Add(p *Policy, s InspectionStep) InspectionStep {
	s.Over = p.WouldOffload(s.Returned.Tokens)
	s.Share = 0
	if n.Compact > 0 && s.Kind != SchemaStep {
		s.Share = float64(s.Returned.Bytes) / float64(n.Compact)
	}
	s.Reread = s.Share > rereadShare
	n.Steps = append(n.Steps, s)
	return s
}

// InspectionTotals are the sums of a ledger. Every row of it is a step, and counts in one of Found, Empty,
// Failed, Stopped and Kept.
type InspectionTotals struct {
	Steps    int     `json:"steps"`
	Found    int     `json:"found"`   // steps that gave something
	Empty    int     `json:"empty"`   // that ran and gave nothing
	Failed   int     `json:"failed"`  // that failed
	Stopped  int     `json:"stopped"` // that were ended at a limit or by hand, whatever they had given
	Kept     int     `json:"kept"`    // that made a variable of a result: nothing entered the context
	Over     int     `json:"over"`
	Reread   int     `json:"reread"`
	Returned Measure `json:"returned"` // by all steps
	// Entered is the package with all that was returned: what stands against Inspection.Whole.
	Entered Measure `json:"entered"`
	// Left is how many tokens more may be returned before the whole payload would have been cheaper; below
	// zero from then on. StepsLeft is for how many steps of the mean size that is, kept ones left out; -1
	// where no step returned anything.
	Left      float64 `json:"left_tokens"`
	StepsLeft int     `json:"left_steps"`
}

// Totals sums up the first n steps.
func (n *Inspection) Totals(steps int) InspectionTotals {
	t := InspectionTotals{Entered: n.Package, StepsLeft: -1}
	for _, s := range n.Steps[:min(max(steps, 0), len(n.Steps))] {
		t.Steps++
		switch {
		case s.Kind == KeepStep:
			t.Kept++
			continue // nothing enters the context
		case s.Problem != "":
			t.Failed++
		case s.Stopped != "":
			t.Stopped++
		case s.Found:
			t.Found++
		default:
			t.Empty++
		}
		if s.Over {
			t.Over++
		}
		if s.Reread {
			t.Reread++
		}
		t.Returned.Bytes += s.Returned.Bytes
		t.Returned.Tokens += s.Returned.Tokens
	}
	t.Entered.Bytes += t.Returned.Bytes
	t.Entered.Tokens += t.Returned.Tokens
	t.Left = n.Whole.Tokens - t.Entered.Tokens
	if t.Returned.Tokens > 0 {
		t.StepsLeft = int(max(t.Left*float64(t.Steps-t.Kept)/t.Returned.Tokens, 0))
	}
	return t
}

// Counts says in words how many steps there were, and what became of them.
func (t InspectionTotals) Counts() string {
	s := "1 step"
	if t.Steps != 1 {
		s = figureText(float64(t.Steps)) + " steps"
	}
	s += ": " + figureText(float64(t.Found)) + " found something, " + figureText(float64(t.Empty)) + " nothing, " + figureText(float64(t.Failed)) + " failed"
	if t.Stopped > 0 {
		s += ", " + figureText(float64(t.Stopped)) + " stopped"
	}
	if t.Kept > 0 {
		s += ", " + figureText(float64(t.Kept)) + " kept"
	}
	return s
}

// An InspectionError says why a document is no ledger.
type InspectionError struct{ Reason string }

func (e *InspectionError) Error() string { return "not an inspection ledger: " + e.Reason }

// maxInspectionSteps is the most steps that a document is read with.
const maxInspectionSteps = 10_000

// ReadInspection reads the JSON of an Inspection. Error: *InspectionError, or r's.
func ReadInspection(r io.Reader) (*Inspection, error) {
	text, err := io.ReadAll(io.LimitReader(r, 64<<20))
	if err != nil {
		return nil, err
	}
	var n Inspection
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&n); err != nil {
		return nil, &InspectionError{err.Error()}
	}
	if n.Variable == "" || len(n.Steps) > maxInspectionSteps {
		return nil, &InspectionError{fmt.Sprintf("it needs a variable, and has %d steps of at most %d", len(n.Steps), maxInspectionSteps)}
	}
	for i, s := range n.Steps {
		switch s.Kind {
		case PrefixStep, SchemaStep, ShapeStep, SearchStep, FilterStep, KeepStep:
		default:
			return nil, &InspectionError{fmt.Sprintf("step %d has the kind %q", i+1, s.Kind)}
		}
	}
	return &n, nil
}

// CompactBytes is the size of a JSON text without the white space between its parts; of another text
// that of the text as a JSON string, about.
func CompactBytes(p []byte, valid bool) int64 {
	if !valid {
		return int64(len(p)) + 2
	}
	n, quoted := int64(0), false
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case quoted && c == '\\':
			i++
			n += 2
		case c == '"':
			quoted = !quoted
			n++
		case quoted || c != ' ' && c != '\n' && c != '\t' && c != '\r':
			n++
		}
	}
	return n
}

// Empties tells whether a result as JSON says nothing: null, or an empty array, object or string.
func Empties(result []byte) bool {
	switch string(bytes.TrimSpace(result)) {
	case "", "null", "[]", "{}", `""`, "[null]":
		return true
	}
	return false
}
