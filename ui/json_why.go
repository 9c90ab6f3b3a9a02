package ui

import (
	"floodmark/engine"
)

// The types in this file are one object of why --json, field by field in the order in which they are
// written. Names are the public contract.

type whyJSON struct {
	File         string           `json:"file"`
	Conversation string           `json:"conversation"`
	Thread       string           `json:"thread"`
	Call         string           `json:"call"`
	Tool         string           `json:"tool"`
	Turn         int              `json:"turn"`
	Step         int              `json:"step"`
	Verdict      engine.Verdict   `json:"verdict,omitempty"`
	Label        string           `json:"label,omitempty"`
	Cause        engine.Cause     `json:"cause"`
	Summary      string           `json:"summary"`
	Location     *spotJSON        `json:"location"`
	Detail       whyDetailJSON    `json:"detail"`
	Distance     *distanceJSON    `json:"distance"`
	Further      *distanceJSON    `json:"further,omitempty"`
	Exact        *exactJSON       `json:"exact,omitempty"`
	Newer        string           `json:"newer,omitempty"`
	Repair       *repairJSON      `json:"repair"`
	Field        *fieldJSON       `json:"field,omitempty"`
	Values       []valueJSON      `json:"values,omitempty"`
	Chain        *chainJSON       `json:"chain,omitempty"`
	Trace        []engine.Check   `json:"trace"`
	Warnings     []engine.Warning `json:"warnings"`
}

type spotJSON struct {
	Path   string `json:"path,omitempty"`
	Offset int64  `json:"offset"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type whyDetailJSON struct {
	Share     *float64 `json:"share"`
	LooksLike *string  `json:"looks_like"`
	Fault     *string  `json:"fault"`
}

type distanceJSON struct {
	To   *engine.Verdict `json:"to"` // null: not rejected, and what else is not known
	By   string          `json:"by"`
	Size *int64          `json:"size,omitempty"`
	Unit string          `json:"unit,omitempty"`
}

// An exactJSON is what a real tokenizer says of a payload near the limit.
type exactJSON struct {
	Estimator engine.Estimator `json:"estimator"`
	Tokens    float64          `json:"tokens"`
	Over      bool             `json:"over"`
}

// A fieldJSON is where a field is, and what of it the model could see.
type fieldJSON struct {
	Path      string    `json:"path"`
	Values    int       `json:"values"`
	Records   *int      `json:"records"`
	Record    *int      `json:"record"`
	First     *spotJSON `json:"first"`
	InSchema  bool      `json:"in_schema"`
	InPreview bool      `json:"in_preview"`
	Query     string    `json:"query"`
	Variable  string    `json:"variable,omitempty"`
}

type repairJSON struct {
	Filter       string         `json:"filter"`
	Verdict      engine.Verdict `json:"verdict"`
	InlineTokens beforeAfter    `json:"inline_tokens"`
	Mapper       *string        `json:"mapper"`
}

type beforeAfter struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

func whyObject(f finding) whyJSON {
	o := f.Outcome
	v := whyJSON{
		File: f.conv.File, Conversation: f.conv.ID, Thread: o.Thread.Name,
		Call: o.Call.ID, Tool: o.Call.Tool, Turn: o.Turn, Step: o.Step,
		Verdict: o.Verdict, Label: o.Label, Cause: f.Cause, Summary: summary(f.Diagnosis),
		Trace: notNil(o.Trace), Warnings: notNil(o.Warnings),
	}
	if at := f.At; at != nil {
		v.Location = &spotJSON{at.Path, at.Offset, at.Line, at.Column}
	}
	if f.Share >= 0 {
		v.Detail.Share = &f.Share
	}
	if f.LooksLike != "" {
		v.Detail.LooksLike = &f.LooksLike
	}
	if f.Syntax != nil {
		v.Detail.Fault = &f.Syntax.Fault
	}
	v.Distance, v.Further = distanceObject(f.Distance), distanceObject(f.Further)
	if e := f.Exact; e != nil {
		v.Exact = &exactJSON{e.Estimator, e.Tokens, e.Over}
	}
	v.Newer = f.Newer
	if r := f.Repair; r != nil {
		v.Repair = &repairJSON{r.Filter, r.Verdict, beforeAfter{r.Before, r.After}, nil}
		if r.Mapper != "" {
			v.Repair.Mapper = &r.Mapper
		}
	}
	for _, a := range f.values {
		v.Values = append(v.Values, valueObject(nil, a))
	}
	v.Chain = chainObject(f.chain)
	if f.field != nil {
		v.Field = fieldObject(f)
	}
	return v
}

func distanceObject(d *engine.Distance) *distanceJSON {
	if d == nil {
		return nil
	}
	v := &distanceJSON{By: change(d), Unit: d.Unit}
	if d.To != "" {
		v.To = &d.To
	}
	if d.Unit != "" {
		v.Size = &d.Size
	}
	return v
}

func fieldObject(f finding) *fieldJSON {
	s := f.field
	v := &fieldJSON{Path: s.Path, Values: s.With, InSchema: s.InSchema, InPreview: s.InPreview, Query: s.Query}
	if s.Records >= 0 {
		v.Records = &s.Records
	}
	if s.First != nil {
		v.First = &spotJSON{s.First.Path, s.First.Offset, s.First.Line, s.First.Column}
	}
	if s.Record >= 0 {
		v.Record = &s.Record
	}
	if f.Outcome.Verdict == engine.Offloaded {
		v.Variable = f.Outcome.Name
	}
	return v
}
