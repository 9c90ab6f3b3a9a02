package ui

import (
	"fmt"

	"floodmark/engine"
)

// beside writes two results side by side: that of --call, or the most suspicious other, and that of
// --beside.
func (w *whyReport) beside(found []finding) error {
	var a, b *finding
	for i := range found {
		switch f := &found[i]; {
		case b == nil && f.Outcome.Call.ID == w.options.beside && f.Outcome.Call.ID != w.options.call:
			b = f
		case a == nil && (w.options.call == "" || f.Outcome.Call.ID == w.options.call):
			a = f
		case b == nil && f.Outcome.Call.ID == w.options.beside:
			b = f // an id that repeats
		}
	}
	if a == nil || b == nil {
		return notThere()
	}
	if w.options.json {
		if err := writeJSON(w.out, whyObject(*a)); err != nil {
			return err
		}
		return writeJSON(w.out, whyObject(*b))
	}
	heads := []string{"", "`" + a.Outcome.Call.ID + "`", "`" + b.Outcome.Call.ID + "`"}
	rows := besideRows(*a, *b)
	if w.options.markdown {
		return w.markdownTable(heads, rows)
	}
	heads[1], heads[2] = a.Outcome.Call.ID, b.Outcome.Call.ID
	if err := w.theme.write(w.out, fmt.Sprintf("policy %s, tokens by %s", policyTitle(w.policy), w.policy.Estimator), ""); err != nil {
		return err
	}
	return writeTable(w.out, heads, rows)
}

// besideRows compare two results: what they are, what became of them, and what each makes reachable.
func besideRows(a, b finding) [][]string {
	row := func(name string, of func(finding) string) []string { return []string{name, of(a), of(b)} }
	return [][]string{
		row("tool", func(f finding) string { return f.Outcome.Call.Tool }),
		row("shape", func(f finding) string { return shape(f.Outcome.Facts) }),
		row("original", func(f finding) string {
			return grouped(f.Outcome.Original.Bytes) + " bytes, " + tokens(f.Outcome.Original.Tokens)
		}),
		row("verdict", func(f finding) string { return verdictWord(f.Outcome) }),
		row("cause", func(f finding) string { return string(f.Cause) }),
		row("inline", func(f finding) string { return tokens(f.Outcome.Inline.Tokens) }),
		row("in context", func(f finding) string { return inContext(f.Outcome) }),
		row("reachable", func(f finding) string { return obtainable(f.Outcome) }),
	}
}

// inContext says what of a result entered the context.
func inContext(o *engine.Outcome) string {
	switch {
	case o.Verdict == "" || o.Verdict == engine.Rejected:
		return "nothing"
	case o.Package == nil:
		return "all of it"
	}
	s := "a preview"
	if v := o.Package.Preview; v != nil && v.Records >= 0 {
		s = fmt.Sprintf("%s of %s records", grouped(int64(v.Records)), grouped(int64(v.Of)))
	}
	if o.Package.Schema != nil {
		s += ", the schema"
	}
	return s
}

// obtainable says what of a result can be had beyond what entered the context.
func obtainable(o *engine.Outcome) string {
	switch o.Verdict {
	case engine.Inline:
		return "what is in the context, as text"
	case engine.Offloaded:
		if c := check(o, "store"); c != nil && c.Result != "kept" {
			return "nothing more: " + c.Result
		}
		if o.Facts != nil && o.Facts.Valid {
			return "all of it, in " + jqName(o.Name) + ", by query"
		}
		return "all of it, in " + jqName(o.Name) + ", as text"
	}
	return "nothing more"
}
