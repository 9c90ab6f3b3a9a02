package ui

import (
	"floodmark/engine"
	"floodmark/history"
)

// The types in this file are the objects of values --json. Names are the public contract.

type valueJSON struct {
	File         string        `json:"file,omitempty"`
	Conversation string        `json:"conversation,omitempty"`
	Kind         string        `json:"kind"` // "argument"
	Call         string        `json:"call"`
	Tool         string        `json:"tool"`
	Turn         int           `json:"turn"`
	Step         int           `json:"step"`
	Path         string        `json:"path"`
	Value        string        `json:"value"`
	IDLike       bool          `json:"id_like"`
	Ground       engine.Ground `json:"ground"`
	First        *originJSON   `json:"first"`
	Seen         *originJSON   `json:"seen"`
	Near         []nearJSON    `json:"near,omitempty"`
}

type originJSON struct {
	Words   string `json:"words,omitempty"`
	Call    string `json:"call,omitempty"`
	Of      string `json:"of,omitempty"` // "arguments" or "result"
	Turn    int    `json:"turn"`
	Path    string `json:"path,omitempty"`
	Record  *int   `json:"record,omitempty"`
	Offset  int64  `json:"offset"`
	Visible bool   `json:"visible"`
}

type nearJSON struct {
	Kind  engine.NearKind `json:"kind"`
	Value string          `json:"value"`
	At    *originJSON     `json:"at"`
}

type rereadJSON struct {
	File         string         `json:"file"`
	Conversation string         `json:"conversation"`
	Kind         string         `json:"kind"` // "reread"
	From         string         `json:"from"`
	Variable     string         `json:"variable"`
	Call         string         `json:"call"`
	Share        float64        `json:"share"`
	Total        float64        `json:"total"`
	Tokens       float64        `json:"tokens"`
	Verdict      engine.Verdict `json:"verdict"`
}

type referenceJSON struct {
	File         string  `json:"file"`
	Conversation string  `json:"conversation"`
	Kind         string  `json:"kind"` // "reference"
	Variable     string  `json:"variable"`
	Turn         int     `json:"turn"`
	Step         int     `json:"step"`
	Call         string  `json:"call,omitempty"`
	How          string  `json:"how"`
	Expired      *string `json:"expired"`
	Newer        string  `json:"newer,omitempty"`
}

func valueObject(c *history.Conversation, a *engine.Argument) valueJSON {
	o := a.Outcome
	v := valueJSON{Kind: "argument", Call: o.Call.ID, Tool: o.Call.Tool, Turn: o.Turn, Step: o.Step, Path: a.Path, Value: a.Text, IDLike: a.IDLike,
		Ground: a.Ground, First: originObject(a.First), Seen: originObject(a.Seen)}
	if c != nil {
		v.File, v.Conversation = c.File, c.ID
	}
	for _, m := range a.Near {
		v.Near = append(v.Near, nearJSON{m.Kind, m.Text, originObject(&m.Origin)})
	}
	return v
}

func originObject(p *engine.Origin) *originJSON {
	if p == nil {
		return nil
	}
	v := &originJSON{Words: p.Words, Turn: p.Turn, Path: p.Path, Offset: p.Offset, Visible: p.Visible}
	if p.Record >= 0 {
		v.Record = &p.Record
	}
	if p.Outcome != nil {
		v.Call, v.Of = p.Outcome.Call.ID, "result"
		if p.Argument {
			v.Of = "arguments"
		}
	}
	return v
}

func rereadObject(c *history.Conversation, r *engine.Reread) rereadJSON {
	return rereadJSON{c.File, c.ID, "reread", r.From.Call.ID, r.From.Name, r.To.Call.ID, r.Share, r.Total, r.Tokens, r.To.Verdict}
}

func referenceObject(c *history.Conversation, r *engine.Reference, newer *engine.Outcome) referenceJSON {
	v := referenceJSON{File: c.File, Conversation: c.ID, Kind: "reference", Variable: r.Outcome.Name, Turn: r.Turn, Step: r.Step, How: r.How}
	if r.By != nil {
		v.Call = r.By.Call.ID
	}
	if r.Expired != "" {
		v.Expired = &r.Expired
	}
	if newer != nil {
		v.Newer = newer.Name
	}
	return v
}
