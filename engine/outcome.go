package engine

import "floodmark/history"

// A Verdict says what became of a result.
type Verdict string

// Verdicts, as in the project's words.
const (
	Inline      Verdict = "inline"       // entered exactly as returned
	Offloaded   Verdict = "offloaded"    // the package entered, the payload is a variable
	Rejected    Verdict = "rejected"     // over the hard limit: nothing entered, nothing is kept
	Truncated   Verdict = "truncated"    // a part entered, the rest is gone by design
	PreviewOnly Verdict = "preview-only" // a preview entered, nothing is kept by design
	Lost        Verdict = "lost"         // a preview entered, and the store could not take the payload
)

// Verdicts lists all of them in the order in which totals show them.
var Verdicts = []Verdict{Inline, Offloaded, Rejected, Truncated, PreviewOnly, Lost}

// A Measure is a size in bytes and in tokens by the policy's estimator, fractions kept.
type Measure struct {
	Bytes  int64   `json:"bytes"`
	Tokens float64 `json:"tokens"`
}

// An Outcome is what a policy made of one result, and why.
type Outcome struct {
	Call   *history.Call
	Thread *history.Thread
	Turn   int // the turn's number
	Step   int // the step's number in its turn
	Index  int // the call's place among those of its step, from 0; results without a call come behind
	Batch  int // calls in the step; a result without a call is none

	Verdict  Verdict // empty where the call has no result
	Original Measure // the payload as it arrived
	Inline   Measure // what entered the context for it
	Facts    *Facts  // of what is left after instructions were taken out; nil where the call has no result
	// Name is the variable's name, the same whether the result is offloaded or not.
	Name string
	// Label is the classification that the policy gives the variable; empty for none, and where nothing is kept.
	Label        string
	Package      *Package      // what entered in the payload's place; nil where Verdict is Inline or Rejected
	Cleared      *Clearing     // went from the context later; nil where it stays as it entered
	Instructions *Instructions // taken out and passed on; nil without
	Trace        []Check
	Warnings     []Warning
}

// Instructions are what a payload said to the model rather than gave as data.
type Instructions struct {
	Text  string // passed on as a system-level instruction
	Bytes int64  // of Text
}

// A Check is one line of a trace.
type Check struct {
	Check    string `json:"check"`
	Observed any    `json:"observed,omitempty"` // float64, int64 or string
	Limit    any    `json:"limit,omitempty"`
	Unit     string `json:"unit,omitempty"` // "share", or a Unit
	Result   string `json:"result"`
	Detail   string `json:"detail,omitempty"` // one sentence, where numbers do not say it
}

// A Warning is something that a person should know about a result, with its evidence.
type Warning struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Path   string `json:"path,omitempty"`   // jq path in the payload
	Offset *int64 `json:"offset,omitempty"` // byte in the payload
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// A Package is what enters the context in a payload's place.
type Package struct {
	Text    string // exactly what the model gets
	Preview *Preview
	Schema  *Schema // nil where the policy has none
	Path    string  // of the file that the notice names; empty for variables

	stays []span // in Text: the payload's parts that stand there as they are
	shown int64  // bytes of the payload in Text, where stays is not nil
}
