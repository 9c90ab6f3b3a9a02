package ui

import (
	"fmt"
	"strings"

	"floodmark/engine"
)

// fieldSentences say where the field is that was asked for, what of it the model could see, and how
// to find it.
func fieldSentences(f finding) []string {
	s, o := f.field, f.Outcome
	if s.First == nil {
		if o.Facts != nil && !o.Facts.Valid {
			return []string{fmt.Sprintf("%s: the payload is not JSON, it has no fields", s.Path)}
		}
		return []string{fmt.Sprintf("%s: no value in the payload", s.Path)}
	}
	where := fmt.Sprintf("%s: %s, the first at %s, byte %s", s.Path, count(s.With, "value"), s.First.Path, grouped(s.First.Offset))
	if s.Record >= 0 {
		where += fmt.Sprintf(", in record %s of %s", grouped(int64(s.Record+1)), grouped(int64(s.Records)))
	}
	list := []string{where}
	switch o.Verdict {
	case engine.Inline:
		return append(list, "the payload entered whole: every value was in the context")
	case engine.Offloaded:
		list = append(list, fmt.Sprintf("%s, %s", shows("the schema", s.InSchema), shows("the preview", s.InPreview)),
			"it is reachable: "+fieldQuery(f))
	default:
		list = append(list, shows("the preview", s.InPreview)+", and there is no variable to find it in")
	}
	if !s.InPreview {
		list = append(list, "the preview starts with the first records: put what matters most first, or filter before this step")
	}
	return list
}

func shows(what string, yes bool) string {
	if yes {
		return what + " shows it"
	}
	return what + " does not show it"
}

// fieldQuery is the command that finds the field's values in the variable.
func fieldQuery(f finding) string {
	return "floodmark query " + f.Outcome.Name + " " + shellQuoted(f.field.Query)
}

// shellQuoted writes a filter as one word of a shell.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
