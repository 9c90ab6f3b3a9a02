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
	Cause        engine.Cause     `json:"cause"`
	Summary      string           `json:"summary"`
	Location     *spotJSON        `json:"location"`
	Detail       whyDetailJSON    `json:"detail"`
	Distance     *distanceJSON    `json:"distance"`
	Repair       *repairJSON      `json:"repair"`
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
	To engine.Verdict `json:"to"`
	By string         `json:"by"`
}

type repairJSON struct {
	Filter       string         `json:"filter"`
	Verdict      engine.Verdict `json:"verdict"`
	InlineTokens beforeAfter    `json:"inline_tokens"`
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
		Verdict: o.Verdict, Cause: f.Cause, Summary: summary(f.Diagnosis),
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
	if d := f.Distance; d != nil {
		v.Distance = &distanceJSON{d.To, change(d)}
	}
	if r := f.Repair; r != nil {
		v.Repair = &repairJSON{r.Filter, r.Verdict, beforeAfter{r.Before, r.After}}
	}
	return v
}
