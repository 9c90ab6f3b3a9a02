package ui

import (
	"io"

	"floodmark/engine"
)

// auditDocument is "floodmark audit --json": one object.
type auditDocument struct {
	Policy        string             `json:"policy"`
	WhatIf        []string           `json:"what_if,omitempty"`
	Changed       []string           `json:"changed,omitempty"`
	Estimator     string             `json:"estimator"`
	Conversations int                `json:"conversations"`
	Results       int                `json:"results"`
	Skipped       int                `json:"skipped_lines"`
	Lines         []engine.AuditLine `json:"lines"`
}

func auditJSON(out io.Writer, a *engine.Audit, lines []engine.AuditLine, skipped int) error {
	p := a.Policy()
	d := auditDocument{Policy: p.Name, WhatIf: p.WhatIf, Estimator: string(p.Estimator), Conversations: a.Conversations(),
		Results: a.Totals().Results, Skipped: skipped, Lines: lines}
	if len(p.WhatIf) == 0 {
		d.Changed = p.Changed
	}
	return writeJSON(out, d)
}
