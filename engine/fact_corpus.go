package engine

import (
	"maps"

	"floodmark/history"
)

// A Fact is what decisions need to know of one result. It holds no payload text.
type Fact struct {
	File         string // the recording's name
	Conversation string // its id
	Thread       string // history.Main, or the subagent's id
	Agent        string // the subagent's type, empty for the main thread and where it is not recorded
	Role         string // RootRole or SubagentRole
	Tool, Call   string // the tool's name and the call's id, as recorded
	Turn, Step   int    // numbers in the thread and in the turn
	Index, Batch int    // the call's place in its step from 0, and the step's calls, as in Outcome
	Order        int    // the call's place in its conversation from 0, as history.Call.Order
	StepIndex    int    // of its step in the corpus, from 0

	Original history.Size // the payload as it arrived
	Size     history.Size // of what the rules measure: the payload less its instructions
	Lines    int
	Kind     Kind // empty where Unread
	Failed   bool // as history.Result.Failed
	// Shares of the bytes that are in strings that hold JSON, and in the largest string.
	JSONShare, StringShare float64

	// Tokens by the first policy that the corpus is measured for.
	Tokens       float64 // what the rules measure
	Instructions float64 // what was taken out and passed on; 0 without
	Package      float64 // what would enter in the payload's place were it offloaded; -1 where that was not measured

	// Copied: the result is in another conversation of the same folder too, and counts there.
	Copied bool
	// Unread: the payload was over the hard limit when the facts were collected, and nothing of it
	// but its size is known.
	Unread bool
}

// A FactStep is one step of a corpus. Its results are the facts from First on.
type FactStep struct {
	File, Conversation, Thread string
	Turn, Step                 int
	First, Count               int
	Copied                     bool // it is in another conversation of the same folder too, and counts there
}

// A Corpus is the facts of many conversations, in batch order: enough to decide under any policy whose
// payloads look as they did when the facts were collected. Once it is complete it is safe for use by
// several goroutines. A result takes about 250 bytes of memory, and 80 more for each further policy that
// the corpus is measured for.
type Corpus struct {
	settings []setting
	columns  []column // one a setting
	threads  []threadFact
	facts    []fact
	steps    []stepFact
	fault    Fault
	prepared *preparation
}

// A threadFact is one thread, and its conversation.
type threadFact struct {
	file, conversation, name, agent, role string
}

// A fact is what of a result does not depend on how tokens are counted.
type fact struct {
	// What decisions read comes first: a slider reads it of results that lie far apart in memory.
	failed, unread, valid bool
	step                  int32
	kind                  Kind
	jsonBytes, textBytes  int64 // in strings that hold JSON, and in the largest string; -1 where there is none
	size, original        history.Size
	index, batch, order   int32
	lines                 int
	tool, call            string
}

// A stepFact is one step. The context starts anew with it where reset is set: a thread begins, or the
// history was replaced by a summary.
type stepFact struct {
	thread       int32
	turn, number int32
	first, count int32 // its facts
	reset        bool
	copied       bool // counts in another conversation: of this one it shapes the context and the peaks only
}

// A column is what is counted in tokens, by one setting. Its unit is a quarter of a token: sums of
// whole numbers are exact, in any order.
type column struct {
	original []int64 // the payload as it arrived; 0 where it is unread and can't be estimated
	tokens   []int64 // what the rules measure
	stay     []int64 // what enters where the payload stays: with joiners
	whole    []int64 // what enters where the policy is off: with the instructions, too
	taken    []int64 // instructions
	// What the limits for one result, and the second ones, are compared with, in quarters of their units;
	// amount only where that is not tokens (byUnit).
	byUnit         bool
	amount, second []int64
	// What enters in the payload's place, by verdict; notMeasured, or entersWhole.
	offloaded, lost, preview, cut []int64
	replays                       replays
	before, after                 []int64 // a step: what enters the context ahead of it, and by its own text and calls
}

// measures are what the limits for one result are compared with.
func (c *column) measures() []int64 {
	if c.byUnit {
		return c.amount
	}
	return c.tokens
}

const (
	notMeasured = -1
	entersWhole = -2 // a failed call's text that is short enough
)

// Len is the number of facts: of results, those that another conversation counts among them.
func (c *Corpus) Len() int { return len(c.facts) }

// Counted is the number of results and of steps, each counted once however many recordings of a folder
// hold it.
func (c *Corpus) Counted() (results, steps int) {
	for i := range c.steps {
		if !c.steps[i].copied {
			results, steps = results+int(c.steps[i].count), steps+1
		}
	}
	return results, steps
}

// copied tells whether a fact counts elsewhere.
func (c *Corpus) copied(f *fact) bool { return c.steps[f.step].copied }

// Steps is the number of model responses, those without calls too.
func (c *Corpus) Steps() int { return len(c.steps) }

// At is the fact of result i.
func (c *Corpus) At(i int) Fact {
	f, s := &c.facts[i], &c.steps[c.facts[i].step]
	t, col := &c.threads[s.thread], &c.columns[0]
	return Fact{File: t.file, Conversation: t.conversation, Thread: t.name, Agent: t.agent, Role: t.role,
		Tool: f.tool, Call: f.call, Turn: int(s.turn), Step: int(s.number),
		Index: int(f.index), Batch: int(f.batch), Order: int(f.order), StepIndex: int(f.step),
		Original: f.original, Size: f.size, Lines: f.lines, Kind: f.kind, Failed: f.failed, Unread: f.unread, Copied: s.copied,
		JSONShare: shareOf(max(f.jsonBytes, 0), f.size.Bytes), StringShare: shareOf(max(f.textBytes, 0), f.size.Bytes),
		Tokens: inTokens(col.tokens[i]), Instructions: inTokens(col.taken[i]), Package: packageTokens(col.offloaded[i])}
}

func packageTokens(quarters int64) float64 {
	if quarters < 0 {
		return -1
	}
	return inTokens(quarters)
}

func shareOf(part, whole int64) float64 { return float64(part) / float64(max(whole, 1)) }

// StepAt is step i.
func (c *Corpus) StepAt(i int) FactStep {
	s := &c.steps[i]
	t := &c.threads[s.thread]
	return FactStep{File: t.file, Conversation: t.conversation, Thread: t.name, Turn: int(s.turn), Step: int(s.number),
		First: int(s.first), Count: int(s.count), Copied: s.copied}
}

// Under is c with a store that fails in this way, as RunOptions.Fault. A replayed corpus is replayed under the
// fault that it has when Add is called, and can be decided under no other.
func (c *Corpus) Under(f Fault) *Corpus {
	d := *c
	d.fault = f
	if len(c.steps) == 0 && c.Replayed() { // what Add is about to replay
		d.settings = nil
		for _, s := range c.settings {
			s.fields = maps.Clone(s.fields)
			s.fields[faultField] = string(f)
			d.settings = append(d.settings, s)
		}
	}
	return &d
}

// structure tells whether the data is in the structure, as Facts.Structure does.
func (f *fact) structure(maxShare float64) Structure {
	switch {
	case !f.valid:
		return NotJSON
	case f.kind == Scalar:
		return ScalarRoot
	case f.jsonBytes >= 0 && shareOf(f.jsonBytes, f.size.Bytes) >= maxShare:
		return StringifiedJSON
	case f.textBytes >= 0 && shareOf(f.textBytes, f.size.Bytes) >= maxShare:
		return RenderedText
	}
	return IsStructured
}

func inTokens(quarters int64) float64 { return float64(quarters) / quartersPerToken }

// quartersPerToken makes whole numbers of the fractions that the estimators keep.
const quartersPerToken = 4
