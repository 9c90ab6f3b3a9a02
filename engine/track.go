package engine

import (
	"context"

	"floodmark/history"
)

// A Ground says where a value of a call's arguments comes from.
type Ground string

// Grounds. Words are what a person or the recorder wrote: prompts, the system prompt, summaries.
const (
	FromWords    Ground = "words"    // a prompt, the system prompt or a summary has it
	FromResult   Ground = "result"   // an earlier result has it
	FromArgument Ground = "argument" // the model used it in an earlier call, and nothing had it before
	Loosely      Ground = "loosely"  // earlier texts have it in another spelling only: Near says in which
	Ungrounded   Ground = "ungrounded"
	// UnknownGround is no earlier text has it, and the recording has no words of a person, as a log of
	// MCP has none: they may have had it.
	UnknownGround Ground = "unknown"
	// TrivialGround is too short or too common to come from anywhere (true, 12, an empty text), or
	// too long to be one value (over 200 bytes).
	TrivialGround Ground = "trivial"
)

// An Origin is where a value stands in what came before a call.
type Origin struct {
	Thread     *history.Thread
	Turn, Step int      // Step 0: of the turn's prompt; both 0: of the system prompt
	Words      string   // "prompt", "system", "summary", or "package" for what a package says of itself; empty for results and arguments
	Outcome    *Outcome // of the result or package, or the call that used it; nil for other words
	Argument   bool     // in the call's arguments, not in its result
	Path       string   // jq path of the value, or of the key; empty where the text is not JSON
	Record     int      // the index in the innermost array around it, from 0; -1 without one
	Offset     int64    // byte in the text
	// Visible tells whether the model could read it there: not in a payload of which a package
	// entered that leaves it out.
	Visible bool

	object string // the path of the innermost object around it
	start  int64  // where that opens; -1 without one
	key    string // its key there
}

// A NearMiss is what stands in earlier texts in the place of a value that does not.
type NearMiss struct {
	Kind   NearKind
	Text   string // as it stands there
	Origin Origin
}

// A NearKind says how a value differs from one that exists.
type NearKind string

// Kinds of near misses. The first three are the same value in another spelling.
const (
	OtherCase     NearKind = "case"     // mia_li for Mia_Li
	OtherMarks    NearKind = "marks"    // W261 for #W-261
	OtherSpelling NearKind = "spelling" // the number 412.5 for 412.50
	Transposed    NearKind = "transposed"
	OneEdit       NearKind = "one-edit"     // one character more, less or another
	OtherRecord   NearKind = "other-record" // the id of one record, this value of another
)

func (k NearKind) sameValue() bool { return k == OtherCase || k == OtherMarks || k == OtherSpelling }

// An Argument is one value in a call's arguments: a string, or a number.
type Argument struct {
	Outcome *Outcome
	Path    string // jq path in the arguments
	Key     string // the innermost key over it, empty without one
	Text    string // a string decoded once; a number as it is spelled
	Number  bool
	// IDLike tells whether it looks like an id, that is: whether a person would be alarmed where
	// nothing had it before. See idLike.
	IDLike bool
	Ground Ground
	First  *Origin // where it stands first; nil where no earlier text has it
	Seen   *Origin // the first place where the model could read it; nil without
	Near   []NearMiss
}

// Suspicious tells whether a is warned: an id that nothing had before, or a value of another record than
// the id beside it.
func (a *Argument) Suspicious() bool {
	_, yes := a.warning()
	return yes
}

// A Reference is a later step that names a variable, or its file, or reads it back.
type Reference struct {
	Outcome *Outcome // whose variable it is
	Thread  *history.Thread
	Turn    int
	Step    int
	By      *Outcome // the call whose arguments name it, or whose result reads it back; nil where a text does
	How     string   // "argument", "text" or "read"
	Expired string   // why the variable was gone by then; empty where it was not
}

// A Reread is a later result that brings back what was offloaded.
type Reread struct {
	From, To *Outcome
	Share    float64 // of From's payload that To brings
	Total    float64 // of From's payload that To and earlier ones brought together
	Tokens   float64 // what To put into the context
	Most     bool    // Total reaches half with it, and it entered: warned as reread
}

// A Tracking is how values and variables went through a conversation.
type Tracking struct {
	Arguments  []*Argument // of all calls, in call order
	References []Reference // in the order of the steps
	Rereads    []Reread    // in call order
	// Superseded are the variables for which the same call later gave a newer one.
	Superseded map[*Outcome]*Outcome
	// Notes say what was left out: limits that were reached. One sentence each.
	Notes []string
}

// Of lists the arguments of one call.
func (t *Tracking) Of(c *history.Call) []*Argument {
	var list []*Argument
	for _, a := range t.Arguments {
		if a.Outcome.Call == c {
			list = append(list, a)
		}
	}
	return list
}

// Track follows values and variables through a run, and adds the warnings superseded, reread, expired,
// ungrounded and mixed-records to its outcomes. It reads every payload once more, twice where a value
// is ungrounded.
func (r *Replayer) Track(ctx context.Context, p *Policy, run *Run) (*Tracking, error) {
	defer r.cache.release()
	k := &tracker{r: r, p: p, run: run, ctx: ctx, t: &Tracking{Superseded: map[*Outcome]*Outcome{}}}
	k.events = k.order()
	for _, f := range []func() error{k.values, k.supersede, k.rereads, k.refer} {
		if err := f(); err != nil {
			return nil, err
		}
	}
	k.warn()
	return k.t, nil
}

// A tracker is a Tracking in the making.
type tracker struct {
	ctx    context.Context
	r      *Replayer
	p      *Policy
	run    *Run
	t      *Tracking
	events []event
	words  bool // a person's words are recorded
}
