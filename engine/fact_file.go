package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"floodmark/history"
)

// The lines of a facts file: a header, and for each thread a line, followed by one for each of its steps.
// Files one after another in one are a facts file, too.
type factsLine struct {
	Version  int                          `json:"floodmark_facts,omitempty"`
	Unit     string                       `json:"unit,omitempty"`
	Settings []map[string]json.RawMessage `json:"settings,omitempty"`
	Thread   *threadLine                  `json:"thread,omitempty"`
	Step     *stepLine                    `json:"step,omitempty"`
}

type threadLine struct {
	File         string `json:"file"`
	Conversation string `json:"conversation"`
	Name         string `json:"name"`
	Agent        string `json:"agent,omitempty"`
	Role         string `json:"role"`
}

type stepLine struct {
	Turn    int32        `json:"turn"`
	Number  int32        `json:"step"`
	Reset   bool         `json:"reset,omitempty"`
	Copied  bool         `json:"counted_elsewhere,omitempty"`
	Before  []int64      `json:"before"` // one a setting
	After   []int64      `json:"after"`
	Results []resultLine `json:"results,omitempty"`
}

type resultLine struct {
	Tool     string      `json:"tool"`
	Call     string      `json:"call"`
	Index    int32       `json:"index"`
	Batch    int32       `json:"batch"`
	Order    int32       `json:"order"`
	Failed   bool        `json:"failed,omitempty"`
	Unread   bool        `json:"unread,omitempty"`
	Original sizeLine    `json:"original"`
	Payload  payloadFact `json:"payload"`
}

type sizeLine struct {
	Bytes int64 `json:"bytes"`
	Chars int64 `json:"chars"`
	UTF16 int64 `json:"utf16"`
}

const factsUnit = "quarters of a token"

// maxFactsLine is the most bytes of a line of a facts file: a step with a hundred thousand results is
// about 40 MB.
const maxFactsLine = 256 << 20

// WriteFacts writes c as JSON lines that ReadFacts reads. There is no payload text in them: names of files,
// tools and agents (what looks sensitive in these two is masked), ids and numbers. Error: w's, or *PolicyError for a replayed corpus, which has nothing to write.
func (c *Corpus) WriteFacts(w io.Writer) error {
	b := bufio.NewWriter(w)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if c.Replayed() {
		return &PolicyError{Reason: "facts are not enough: " + c.settings[0].policy.ByReplays(), Hint: "tune with the recordings"}
	}
	header := factsLine{Version: factsVersion, Unit: factsUnit}
	for _, s := range c.settings {
		fields := map[string]json.RawMessage{}
		for k, v := range s.fields {
			fields[k] = json.RawMessage(v)
		}
		header.Settings = append(header.Settings, fields)
	}
	if err := e.Encode(header); err != nil {
		return err
	}
	masked := maskedNames{}
	thread := int32(-1)
	for i := range c.steps {
		if s := &c.steps[i]; s.thread != thread {
			thread = s.thread
			t := &c.threads[thread]
			if err := e.Encode(factsLine{Thread: &threadLine{t.file, t.conversation, t.name, masked.of(t.agent), t.role}}); err != nil {
				return err
			}
		}
		if err := e.Encode(factsLine{Step: c.stepLine(i, masked)}); err != nil {
			return err
		}
	}
	return b.Flush()
}

// maskedNames are names as MaskSensitive has them: there are few of them, and looking takes a while.
type maskedNames map[string]string

func (m maskedNames) of(name string) string {
	masked, known := m[name]
	if !known {
		masked = MaskSensitive(name)
		m[name] = masked
	}
	return masked
}

func (c *Corpus) stepLine(i int, masked maskedNames) *stepLine {
	s := &c.steps[i]
	l := &stepLine{Turn: s.turn, Number: s.number, Reset: s.reset, Copied: s.copied}
	for n := range c.columns {
		l.Before, l.After = append(l.Before, c.columns[n].before[i]), append(l.After, c.columns[n].after[i])
	}
	for j := s.first; j < s.first+s.count; j++ {
		f := &c.facts[j]
		r := resultLine{Tool: masked.of(f.tool), Call: f.call, Index: f.index, Batch: f.batch, Order: f.order, Failed: f.failed, Unread: f.unread,
			Original: sizeLine{f.original.Bytes, f.original.Chars, f.original.UTF16},
			Payload: payloadFact{Bytes: f.size.Bytes, Chars: f.size.Chars, UTF16: f.size.UTF16, Lines: f.lines, Kind: f.kind, Valid: f.valid,
				JSON: f.jsonBytes, Text: f.textBytes}}
		for n := range c.columns {
			r.Payload.Counts = append(r.Payload.Counts, c.columns[n].at(j))
		}
		l.Results = append(l.Results, r)
	}
	return l
}

func (c *column) at(i int32) tokenCounts {
	n := tokenCounts{c.original[i], c.tokens[i], c.stay[i], c.whole[i], c.taken[i], c.offloaded[i], c.lost[i], c.preview[i], c.cut[i], c.second[i], 0}
	if c.byUnit {
		n.Amount = c.amount[i]
	}
	return n
}

// A FactsError says what is wrong with a facts file.
type FactsError struct {
	Line   int // from 1
	Reason string
}

func (e *FactsError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// ReadFacts reads facts that WriteFacts wrote. Error: *FactsError, or r's.
func ReadFacts(r io.Reader) (*Corpus, error) {
	c := &Corpus{prepared: &preparation{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxFactsLine)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if reason := c.readLine(lines.Bytes()); reason != "" {
			return nil, &FactsError{n, reason}
		}
	}
	if err := lines.Err(); err == bufio.ErrTooLong {
		return nil, &FactsError{n + 1, fmt.Sprintf("is longer than %d MB", maxFactsLine>>20)}
	} else if err != nil {
		return nil, err
	}
	if len(c.settings) == 0 {
		return nil, &FactsError{1, "is not there: the file is empty"}
	}
	return c, nil
}

// readLine reads one line; it returns what is wrong with it.
func (c *Corpus) readLine(b []byte) (reason string) {
	var l factsLine
	if err := json.Unmarshal(b, &l); err != nil {
		return "is not a line of a facts file: " + err.Error()
	}
	switch {
	case l.Version != 0:
		return c.readHeader(&l)
	case len(c.settings) == 0:
		return `is not the header of a facts file, {"floodmark_facts": …}`
	case l.Thread != nil:
		t := l.Thread
		c.threads = append(c.threads, threadFact{t.File, t.Conversation, t.Name, t.Agent, t.Role})
		return ""
	case l.Step != nil && len(c.threads) > 0:
		return c.readStep(l.Step)
	}
	return "is neither a thread nor a step of one"
}

func (c *Corpus) readHeader(l *factsLine) string {
	if l.Version != factsVersion || l.Unit != factsUnit || len(l.Settings) == 0 {
		return fmt.Sprintf("has facts of version %d in %q; this program reads version %d", l.Version, l.Unit, factsVersion)
	}
	var d Corpus
	d.prepared = &preparation{}
	for _, fields := range l.Settings {
		s := setting{fields: map[string]string{}}
		for k, v := range fields {
			s.fields[k] = string(v)
		}
		d.settings, d.columns = append(d.settings, s), append(d.columns, column{byUnit: s.byUnit()})
	}
	if len(c.settings) == 0 {
		c.settings, c.columns = d.settings, d.columns
		c.prepared.orders = make([]order, len(c.settings))
		return ""
	}
	if err := c.sameSettings(&d); err != nil {
		return err.Error()
	}
	return ""
}

func (c *Corpus) readStep(l *stepLine) string {
	thread := int32(len(c.threads) - 1)
	starts := len(c.steps) == 0 || c.steps[len(c.steps)-1].thread != thread
	switch n := len(c.settings); {
	case len(l.Before) != n || len(l.After) != n:
		return fmt.Sprintf("has figures for %d settings, and the header names %d", len(l.Before), n)
	case starts && !l.Reset:
		return "is in the middle of a thread, whose beginning is missing: facts are parted between files, not within one"
	case len(c.facts)+len(l.Results) > math.MaxInt32:
		return "is one result too many"
	}
	c.steps = append(c.steps, stepFact{thread: thread, turn: l.Turn, number: l.Number, first: int32(len(c.facts)), count: int32(len(l.Results)), reset: l.Reset, copied: l.Copied})
	for n := range c.columns {
		c.columns[n].before, c.columns[n].after = append(c.columns[n].before, l.Before[n]), append(c.columns[n].after, l.After[n])
	}
	for i := range l.Results {
		r := &l.Results[i]
		f := fact{tool: r.Tool, call: r.Call, step: int32(len(c.steps) - 1), index: r.Index, batch: r.Batch, order: r.Order, failed: r.Failed, unread: r.Unread,
			original: history.Size{Bytes: r.Original.Bytes, Chars: r.Original.Chars, UTF16: r.Original.UTF16}}
		r.Payload.describe(&f)
		if len(r.Payload.Counts) != len(c.columns) {
			return fmt.Sprintf("has a result with figures for %d settings, and the header names %d", len(r.Payload.Counts), len(c.columns))
		}
		c.facts = append(c.facts, f)
		for n, k := range r.Payload.Counts {
			if min(k.Original, k.Tokens, k.Stay, k.Whole, k.Taken) < 0 || min(k.Offloaded, k.Lost, k.Preview, k.Cut) < entersWhole {
				return "has a negative size"
			}
			c.columns[n].add(k)
		}
	}
	return ""
}

// sameSettings refuses facts that were measured with something else. Error: *PolicyError.
func (c *Corpus) sameSettings(d *Corpus) error {
	if len(c.settings) != len(d.settings) {
		return &PolicyError{Field: "facts", Reason: fmt.Sprintf("for %d settings can't be put beside facts for %d", len(d.settings), len(c.settings))}
	}
	for i := range c.settings {
		if field := c.settings[i].differs(d.settings[i], anyField); field != "" {
			return &PolicyError{Field: field, Reason: fmt.Sprintf("was %s for some of the facts and %s for others", c.settings[i].fields[field], d.settings[i].fields[field]),
				Hint: "collect them with the same policy"}
		}
	}
	return nil
}

// MergeFacts makes one corpus of several, in this order. A conversation must not be in two of them. Error:
// *PolicyError where they were measured with different settings.
func MergeFacts(parts ...*Corpus) (*Corpus, error) {
	c := &Corpus{prepared: &preparation{}}
	for i, d := range parts {
		if i == 0 {
			c.settings, c.columns, c.fault = d.settings, make([]column, len(d.columns)), d.fault
			for n := range c.columns {
				c.columns[n].byUnit = d.columns[n].byUnit
			}
			c.prepared.orders = make([]order, len(c.settings))
		}
		if err := c.sameSettings(d); err != nil {
			return nil, err
		}
		threads, steps, facts := int32(len(c.threads)), int32(len(c.steps)), int32(len(c.facts))
		c.threads = append(c.threads, d.threads...)
		for _, s := range d.steps {
			s.thread += threads
			s.first += facts
			c.steps = append(c.steps, s)
		}
		for _, f := range d.facts {
			f.step += steps
			c.facts = append(c.facts, f)
		}
		for n := range c.columns {
			c.columns[n].join(&d.columns[n])
		}
	}
	return c, nil
}

func (c *column) join(d *column) {
	to, from := c.all(), d.all()
	for i := range to {
		*to[i] = append(*to[i], *from[i]...)
	}
}

func (c *column) all() []*[]int64 {
	return []*[]int64{&c.original, &c.tokens, &c.stay, &c.whole, &c.taken, &c.offloaded, &c.lost, &c.preview, &c.cut, &c.before, &c.after, &c.amount, &c.second,
		&c.replays.verdict, &c.replays.inline, &c.replays.context, &c.replays.original}
}
