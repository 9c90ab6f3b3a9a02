package engine

import (
	"bytes"
	"encoding/json"
)

// A Policy is a named set of rules, as data. Field names in JSON are the public contract; their
// meaning, units and defaults are in DocumentSchema.
type Policy struct {
	Name     string     `json:"name"`
	Title    string     `json:"title"`
	Notes    []string   `json:"notes"`    // what the policy says only nearly, one sentence each
	Sources  []Citation `json:"sources"`  // where the numbers come from
	Fixed    bool       `json:"fixed"`    // the vendor's limits can't be changed: a changed value is "what if"
	Strategy Strategy   `json:"strategy"` // what becomes of a result that is over a limit

	Enabled      bool         `json:"enabled"`
	Estimator    Estimator    `json:"estimator"`
	Boundary     Boundary     `json:"boundary"`
	Limits       Limits       `json:"limits"`
	Applies      Applies      `json:"applies"`
	Structured   Structured   `json:"structured"`
	Preview      PreviewRules `json:"preview"`
	Schema       SchemaRules  `json:"schema"`
	Errors       ErrorRules   `json:"errors"`
	Sandbox      Sandbox      `json:"sandbox"`
	Package      PackageRules `json:"package"`
	Instructions InstrRules   `json:"instructions"`
	Unwrap       Unwrap       `json:"unwrap"`
	Retention    Retention    `json:"retention"`
	History      HistoryRules `json:"history"`
	Overrides    []Override   `json:"overrides"`
	Labels       []LabelRule  `json:"labels,omitempty"` // a document without labels does not name them

	// Changed lists the fields, dotted and sorted, in which this differs from the built-in policy of
	// the same name. Title and sources do not count.
	Changed []string `json:"-"`
	// WhatIf is Changed where the built-in policy is fixed: nobody can have these settings at the
	// vendor's.
	WhatIf []string `json:"-"`
}

// A Citation says where a number comes from.
type Citation struct {
	Fields []string `json:"fields"`         // dotted, "limits.per_result"; "preview" for all below it
	From   string   `json:"from"`           // the source in words
	Date   string   `json:"date,omitempty"` // of the source, YYYY-MM-DD
	Status string   `json:"status"`         // "documented", "code", or "ours" where no source gives a number
}

// Boundary says whether a size equal to a limit is over it.
type Boundary string

// Boundaries.
const (
	Exceeds Boundary = "exceeds" // equal is under
	Reaches Boundary = "reaches" // equal is over
)

// Structured says which payloads can be offloaded by their structure.
type Structured struct {
	Only bool `json:"only"` // only structured JSON is offloaded
	// MaxStringShare is the share of all bytes at which strings are the data: as much or more in
	// strings that hold JSON, or in one single string, is not structured.
	MaxStringShare float64 `json:"max_string_share"`
}

// SchemaRules say how a schema is made. A budget of 0 is no schema.
type SchemaRules struct {
	Budget  float64 `json:"budget"` // tokens
	MapKeys int     `json:"map_keys"`
}

// ErrorRules say what becomes of failed calls; nil treats them as any other result.
type ErrorRules struct {
	TruncateChars *int `json:"truncate_chars"` // UTF-16 code units
}

// Sandbox is where a policy keeps files.
type Sandbox struct {
	Required bool     `json:"required"` // without a sandbox, what would be offloaded is lost
	Enabled  bool     `json:"enabled"`
	Tools    []string `json:"tools"` // the sandbox's own tools: over the threshold a preview only
}

// Kinds of references to an offloaded payload.
const (
	VariableReference = "variable" // a variable of the code interpreter
	FileReference     = "file"     // a file in the sandbox
)

// PackageRules say what the package looks like.
type PackageRules struct {
	Reference   string `json:"reference"`    // VariableReference or FileReference
	Path        string `json:"path"`         // of the file, with NAME for the variable's name
	NoticeChars int    `json:"notice_chars"` // most UTF-16 units of notice and path together; 0 is no limit
	MustShrink  bool   `json:"must_shrink"`  // a package that is not smaller than its payload is not used
	OnLoss      OnLoss `json:"on_loss"`      // what enters where the store can't take the payload
}

// InstrRules name the key whose value is passed on as an instruction; empty for none.
type InstrRules struct {
	Key string `json:"key"`
}

// Unwrap says how far an envelope is opened.
type Unwrap struct {
	// MCP is what counts of an MCP result: "text" (its text parts) or "structured"
	// (structuredContent where there is one, else the text).
	MCP  string `json:"mcp"`
	Join string `json:"join"` // what is written between text parts
}

// Retention says how long the harness keeps what was offloaded; 0 is without limit. It changes no verdict:
// a later step that refers to a variable which was gone by then is warned as expired.
type Retention struct {
	Seconds int64 `json:"seconds"`
	Count   int   `json:"count"`
	Bytes   int64 `json:"bytes"`
}

// Document returns p as an indented JSON document that Parse reads back: every field (labels
// only where there are some), always in the same order.
func (p *Policy) Document() []byte {
	q := *p
	if q.Sources == nil {
		q.Sources = []Citation{}
	}
	for _, list := range []*[]string{&q.Notes, &q.Sandbox.Tools, &q.Applies.Tools, &q.Applies.Exempt, &q.History.Exempt, &q.History.LineTools} {
		if *list == nil {
			*list = []string{}
		}
	}
	if q.Overrides == nil {
		q.Overrides = []Override{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(q); err != nil {
		panic("engine: a policy with a number that JSON can't write: " + err.Error())
	}
	return b.Bytes()
}
