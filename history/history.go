// Package history reads recorded conversations: files, folders and standard input in the
// formats that agents, tracers and gateways write; and writes them again in some of these.
//
// A recording becomes conversations of threads, turns, steps and calls. Payloads stay where they
// are until somebody asks for them; what is kept in memory is where each one lies and how large it is.
package history

import (
	"iter"
	"time"
)

// A Recording is one opened file or stream.
type Recording struct {
	Name          string          // the path as given, "-" for standard input
	Format        string          // the format's name, "openai-chat" for example
	Reason        string          // why this format was recognised, one sentence
	Conversations []*Conversation // in the order in which they begin in the recording
	Problems      []Problem       // what could not be used, in file order
	// Partial: the recording is one document, and a damaged one. What was complete before the damage
	// is here, what stands behind it is not.
	Partial bool
	// Loading: more of it is being read. A call without a result may still get one.
	Loading bool
}

// A Problem is a part of a recording that could not be used and was passed over.
type Problem struct {
	At     Location
	Reason string // one line; never holds payload text
}

// A Location says where something lies in a recording.
type Location struct {
	File   string // the path as given; a side file's own path where the payload came from one
	Line   int    // from 1, in the decompressed text
	Offset int64  // bytes from the start of the decompressed text, after a byte order mark
}

// A Conversation is turns in order.
type Conversation struct {
	ID      string // the recording's own id, else one derived from its first 64 KiB and Ordinal
	File    string // the recording's name
	Format  string // the format's name
	Ordinal int    // from 0, among the conversations of its recording
	Title   string // the recording's own title, empty without one
	Model   string // the model's name as recorded, empty where it is not
	Threads []*Thread
	Usage   *Usage // what the provider reported in all; nil where the recording has nothing
}

// Main is the name of a conversation's first thread.
const Main = "main"

// A Thread is the main line of a conversation, or one subagent's.
type Thread struct {
	Name   string  // Main, or the subagent's id
	Agent  string  // the subagent's type, empty where it is not recorded
	System Payload // the system prompt and tool definitions, as far as they were recorded
	Turns  []*Turn
}

// steps lists the steps of all turns.
func (t *Thread) steps() iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for _, u := range t.Turns {
			for _, s := range u.Steps {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// Subagent tells whether t is a subagent's thread.
func (t *Thread) Subagent() bool { return t.Name != Main }

// A Turn starts at a message that a person (or the parent agent) wrote.
type Turn struct {
	Number int     // from 1 in its thread; 0 is what precedes the first message
	Prompt Payload // what the person wrote, without parts where Number is 0
	Steps  []*Step
	At     Location
	// Compacted marks a turn whose prompt is the first message after the recorder replaced the
	// history by a summary: what came earlier in the thread is no longer read by the model.
	Compacted bool
}

// A Step is one model response and the results of the calls that it made.
type Step struct {
	Number int     // from 1 in its turn
	ID     string  // the response's own id, empty without one
	Text   Payload // what the model wrote, its reasoning included as far as recorded
	Calls  []*Call // in call order; the results of these are a batch
	Time   time.Time
	Usage  *Usage // what the provider reported for this response; nil without
	// Compacted marks the first response after the recorder replaced the history by Summary: what
	// came earlier in the thread is no longer read, but for prompts of turns that are Compacted
	// themselves, or came after one. Not all formats say so; some mark the turn only.
	Compacted bool
	Summary   Payload // without parts where it was not recorded
	// Copied marks a response that is in another conversation of the same folder too, and counts
	// there: Usage is nil, and its calls are CountedElsewhere.
	Copied bool
}

// A Call is a tool call and, where the recording has it, its result.
//
// A result without a call (an orphan) is a Call too, so that nothing is lost: its flags say so.
type Call struct {
	ID        string  // as recorded; not unique, not even within a conversation
	Tool      string  // as recorded
	Arguments Payload // JSON as a rule, as recorded; may be empty or broken
	Result    *Result // nil where there is none
	Order     int     // from 0, call order in the recording
	At        Location
	Flags     Flags
}

// A Result is what a tool gave back for a call.
type Result struct {
	Payload Payload
	// Structured is MCP's structuredContent as JSON; nil where the result has none. It is kept
	// beside the payload; a policy says which of the two the model gets.
	Structured *Payload
	// Error is the recording's own error flag. Failed says that the call failed in the sense of a
	// policy: unknown tool, exception, protocol error, or a format's error flag except MCP's
	// isError, which is an answer.
	Error, Failed bool
	Flags         Flags
	At            Location
	Time          time.Time
	Arrival       int // from 0, order of arrival in the recording
	// Recorded is the size of the text as the message holds it, where Payload was completed from a
	// side file; nil otherwise.
	Recorded *Size
}

// Flags tell what is unusual about a call or a result.
type Flags uint32

// What Flags can say. Pairing sets the first group, formats the second.
const (
	NoResult            Flags = 1 << iota // the call has no result in this recording
	OrphanResult                          // the result belongs to no call of this recording
	ResultBeforeCall                      // the result stands before its call
	IDReused                              // an earlier call of the conversation had the same id
	RepeatedResult                        // a further, different result for a call that had one
	SyntheticID                           // the recording gave no id; ours is made from the place
	PairedByOrder                         // no id: paired by order within the step
	PairedByName                          // no id: paired by order and tool name
	ProviderExecuted                      // the provider ran the tool, not the harness
	TruncatedByRecorder                   // the recorder cut the payload
	OffloadedByRecorder                   // the recorder kept the payload elsewhere
	OffloadUnconfirmed                    // a side file exists, but the message holds the whole text
	ReplacedSurrogates                    // an escape without its half became U+FFFD in the payload
	InvalidArguments                      // the arguments are not JSON
	CopiedHistory                         // the recorder copied the call from the conversation that this one was forked from
	StructuredOnly                        // the payload has no text: what the tool said is in Structured
	CountedElsewhere                      // the call is in another conversation of the same folder too, and counts there
)

var flagNames = [...]string{"no-result", "orphan-result", "result-before-call", "id-reused", "repeated-result",
	"synthetic-id", "paired-by-order", "paired-by-name", "provider-executed", "truncated-by-recorder",
	"offloaded-by-recorder", "offload-unconfirmed", "replaced-surrogates", "invalid-arguments", "copied-history",
	"structured-only", "counted-elsewhere"}

// Has tells whether all of g is set in f.
func (f Flags) Has(g Flags) bool { return f&g == g }

// Names lists what is set, in a fixed order.
func (f Flags) Names() []string {
	var s []string
	for i, n := range flagNames {
		if f&(1<<i) != 0 {
			s = append(s, n)
		}
	}
	return s
}

// Usage is what a provider said it billed, in tokens.
type Usage struct {
	Input      int64 // without what Cached counts
	Cached     int64 // read from or written to the provider's cache
	Output     int64
	LowerBound bool // some responses hold partial values only
}

// Calls lists all calls of c in the order in which they were recorded.
func (c *Conversation) Calls() []*Call {
	var calls []*Call
	for _, t := range c.Threads {
		for _, u := range t.Turns {
			for _, s := range u.Steps {
				calls = append(calls, s.Calls...)
			}
		}
	}
	sortCalls(calls)
	return calls
}
