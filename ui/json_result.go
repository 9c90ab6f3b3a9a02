package ui

import (
	"encoding/json"

	"floodmark/engine"
	"floodmark/history"
)

// The types in this file are one object of replay --json, field by field in the order in which they
// are written. Names are the public contract.

type placeJSON struct {
	File         string `json:"file"`
	Format       string `json:"format"`
	Conversation string `json:"conversation"`
	Thread       string `json:"thread"`
	Turn         int    `json:"turn"`
	Step         int    `json:"step"`
	Index        int    `json:"index"`
	Batch        int    `json:"batch"`
	Call         string `json:"call"`
	Tool         string `json:"tool"`
}

// callJSON is a call without a result.
type callJSON struct {
	placeJSON
	Policy   string           `json:"policy"`
	Warnings []engine.Warning `json:"warnings"`
	Flags    []string         `json:"flags,omitempty"`
	At       atJSON           `json:"at"`
}

type resultJSON struct {
	placeJSON
	Error        bool              `json:"error"`
	Policy       string            `json:"policy"`
	WhatIf       []string          `json:"what_if,omitempty"` // changed fields of a policy that has no settings
	Changed      []string          `json:"changed,omitempty"` // changed fields of any other built-in policy
	Verdict      engine.Verdict    `json:"verdict"`
	Original     originalJSON      `json:"original"`
	Recorded     *recordedJSON     `json:"recorded,omitempty"`
	Inline       inlineJSON        `json:"inline"`
	Variable     *variableJSON     `json:"variable"`
	Instructions *instructionsJSON `json:"instructions"`
	Schema       *json.RawMessage  `json:"schema,omitempty"`
	Preview      *string           `json:"preview,omitempty"`
	Trace        []engine.Check    `json:"trace"`
	Warnings     []engine.Warning  `json:"warnings"`
	Flags        []string          `json:"flags,omitempty"`
	At           atJSON            `json:"at"`
}

type originalJSON struct {
	engine.Measure
	Estimator engine.Estimator `json:"estimator"`
	Lines     int              `json:"lines"`
	Kind      engine.Kind      `json:"kind"`
	Records   *int             `json:"records"`
	SHA256    string           `json:"sha256"`
}

type recordedJSON struct {
	Bytes int64 `json:"bytes"`
}

type inlineJSON struct {
	engine.Measure
	Text *string `json:"text,omitempty"`
}

type variableJSON struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Label  string `json:"label,omitempty"`
}

type instructionsJSON struct {
	Text  string `json:"text"`
	Bytes int64  `json:"bytes"`
}

type atJSON struct {
	File   string `json:"file,omitempty"` // where it is not the recording itself
	Line   int    `json:"line"`
	Offset int64  `json:"offset"`
}

type totalsJSON struct {
	Results       int            `json:"results"`
	Verdicts      verdictCounts  `json:"verdicts"`
	Original      engine.Measure `json:"original"`
	Inline        engine.Measure `json:"inline"`
	Model         modelJSON      `json:"model"`
	Reported      *usageJSON     `json:"reported"`
	PeakStep      float64        `json:"peak_step_tokens"`
	PeakContext   float64        `json:"peak_context_tokens"`
	NoResult      int            `json:"no_result"`
	Copied        int            `json:"counted_elsewhere,omitempty"`
	Skipped       int            `json:"skipped_lines"`
	Policy        string         `json:"policy"`
	Estimator     string         `json:"estimator"`
	WarningCounts map[string]int `json:"warnings"`
}

type modelJSON struct {
	Tokens float64 `json:"tokens"`
}

type usageJSON struct {
	Input      int64 `json:"input"`
	Cached     int64 `json:"cached"`
	Output     int64 `json:"output"`
	LowerBound bool  `json:"lower_bound"`
}

// verdictCounts writes the verdicts that occur, in the order of engine.Verdicts.
type verdictCounts map[engine.Verdict]int

func (v verdictCounts) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, verdict := range engine.Verdicts {
		if v[verdict] == 0 {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		pair, err := json.Marshal(map[engine.Verdict]int{verdict: v[verdict]})
		if err != nil {
			return nil, err
		}
		b = append(b, pair[1:len(pair)-1]...)
	}
	return append(b, '}'), nil
}

func placeOf(c *history.Conversation, o *engine.Outcome) placeJSON {
	return placeJSON{
		File: c.File, Format: c.Format, Conversation: c.ID, Thread: o.Thread.Name,
		Turn: o.Turn, Step: o.Step, Index: o.Index, Batch: o.Batch,
		Call: o.Call.ID, Tool: o.Call.Tool,
	}
}

func atOf(c *history.Conversation, at history.Location) atJSON {
	a := atJSON{Line: at.Line, Offset: at.Offset}
	if at.File != c.File {
		a.File = at.File
	}
	return a
}

// notNil makes an empty list of none, so that it is written as [].
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
