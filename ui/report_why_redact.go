package ui

import (
	"regexp"
	"slices"
	"strings"

	"floodmark/engine"
)

// quotedKey is a key in a path that is not a plain word, or a text in a filter.
var quotedKey = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// withoutText takes quoted texts out of a path, a filter or a sentence. What is left are shapes, sizes
// and key names that are plain words and look like no secret.
func withoutText(s string) string {
	return engine.MaskSensitive(quotedKey.ReplaceAllString(s, `"…"`))
}

// evidenceInDetail are the warnings whose sentence can quote the payload.
var evidenceInDetail = []string{engine.WarnUngrounded, engine.WarnReread, engine.WarnMixed}

// redacted is f without any text of the payload.
func redacted(f finding) finding {
	d := *f.Diagnosis
	f.values, f.conv = nil, redactedPlace(f.conv)
	d.Outcome = redactedOutcome(d.Outcome)
	d.Newer = engine.MaskSensitive(d.Newer)
	if d.At != nil {
		at := *d.At
		at.Path = withoutText(at.Path)
		d.At = &at
	}
	if d.Distance != nil {
		distance := *d.Distance
		distance.Path = withoutText(distance.Path)
		d.Distance = &distance
	}
	if d.Repair != nil {
		r := *d.Repair
		r.Filter, r.Mapper = redactedFilter(r.Filter), withoutText(r.Mapper)
		d.Repair = &r
	}
	f.Diagnosis, f.excerpt = &d, ""
	if f.field != nil {
		s := *f.field
		s.Query = withoutText(s.Query)
		if s.First != nil {
			at := *s.First
			at.Path = withoutText(at.Path)
			s.First = &at
		}
		f.field = &s
	}
	return f
}

// ownTexts are what filters of repairs quote that is no payload's.
var ownTexts = []string{`"\n"`, `"\r\n"`, `""`, `","`, `"\t"`, `";"`, `"|"`, `"'"`, `"\""`, `"\\S"`, `"[\(.)]"`, `"\"\(.)\""`, "\"```\"", `"json"`, `"\ufeff"`,
	`"null"`, `"true"`, `"false"`, `"None"`, `"True"`, `"False"`, `"NaN"`, `"//"`, `"/*"`, `"*/"`, `"#"`, `",]"`, `",}"`, `"]"`, `"}"`, `"\\n"`, `"\\t"`,
	`"^\\s*[\\[{]"`, `"}{"`, `"},{"`}

// redactedFilter keeps what a repair's filter quotes of its own.
func redactedFilter(filter string) string {
	return quotedKey.ReplaceAllStringFunc(filter, func(text string) string {
		if slices.Contains(ownTexts, text) {
			return text
		}
		return `"…"`
	})
}

// shapeEvidence is what a redacted ticket shows in an excerpt's place.
func shapeEvidence(o *engine.Outcome) string {
	if o.Facts == nil {
		return ""
	}
	s := o.Facts.Strings
	parts := []string{shape(o.Facts)}
	if s.Count > 0 {
		parts = append(parts, count(s.Count, "string")+" with "+percent(float64(s.Bytes), float64(o.Facts.Size.Bytes))+" of the bytes")
	}
	return strings.Join(parts, "; ")
}

// redactedOutcome is o without any text of the payload; what looks sensitive in the names of tools, calls and
// variables is masked. Its call is a copy, which a replayer does not know.
func redactedOutcome(from *engine.Outcome) *engine.Outcome {
	o := *from
	call := *o.Call
	call.Tool, call.ID = engine.MaskSensitive(call.Tool), engine.MaskSensitive(call.ID)
	o.Call, o.Name = &call, engine.MaskSensitive(o.Name)
	o.Trace = slices.Clone(o.Trace)
	for i := range o.Trace {
		c := &o.Trace[i]
		c.Detail = withoutText(c.Detail)
		if s, ok := c.Observed.(string); ok {
			c.Observed = withoutText(s)
		}
	}
	o.Warnings = slices.Clone(o.Warnings)
	for i := range o.Warnings {
		w := &o.Warnings[i]
		w.Path, w.Detail = withoutText(w.Path), withoutText(w.Detail)
		if slices.Contains(evidenceInDetail, w.Code) {
			w.Detail = "left out"
		}
	}
	return &o
}
