package engine

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
)

// A Sighting says where in a payload a field is, and what of it the model could see.
type Sighting struct {
	Path    string // as asked for
	Records int    // elements of the array that holds the data; -1 without one
	With    int    // values at the path, null not counted
	// First is the key of the first of them; nil where there is none. Record is the element that it
	// is in, from 0; -1 outside the records.
	First  *Spot
	Record int
	// InSchema and InPreview tell whether what entered the context shows the field: its name in the
	// schema, a value in the preview. Of a payload that entered whole, both are true.
	InSchema, InPreview bool
	// Query finds all values, in the variable where there is one. It is empty without values.
	Query string
}

// See finds a field in o's payload. path is a jq path, with [] for every element as in
// ".items[].owner"; a name without a dot is looked for at any depth. It writes nothing. Error:
// *QueryError for a path that jq cannot read, *DepthError, ctx's.
func (r *Replayer) See(ctx context.Context, p *Policy, o *Outcome, path string) (*Sighting, error) {
	find, all := fieldFilters(path)
	places, err := Compile(find)
	if err != nil {
		return nil, err
	}
	s := &Sighting{Path: path, Records: -1, Record: -1}
	if o.Facts == nil || !o.Facts.Valid {
		return s, nil
	}
	s.Records = o.Facts.Records
	payload, err := r.Payload(p, o)
	if err != nil {
		return nil, err
	}
	first, n, err := sightings(ctx, places, payload)
	if err != nil || n == 0 {
		return s, err
	}
	s.With, s.Query = n, all
	s.First = &Spot{Path: pathOf(first), Offset: int64(offsetOf(payload, first))}
	s.First.Line, s.First.Column = lineOf(payload, s.First.Offset)
	s.Record = elementAt(payload, locateRecords(payload, p.Schema.MapKeys).span, int(s.First.Offset))
	if o.Verdict == Inline {
		s.InSchema, s.InPreview = true, true
	}
	if o.Package == nil {
		return s, nil
	}
	if v := o.Package.Preview; v != nil && v.JSON != nil {
		_, seen, err := sightings(ctx, places, v.JSON)
		if err != nil {
			return nil, err
		}
		s.InPreview = seen > 0
	} else if key, ok := first[len(first)-1].(string); ok && v != nil {
		s.InPreview = strings.Contains(v.Text, string(appendQuoted(nil, key)))
	}
	if o.Package.Schema != nil {
		var document any
		if err := json.Unmarshal(o.Package.Schema.JSON, &document); err != nil {
			return nil, err
		}
		s.InSchema = schemaShows(document, first)
	}
	return s, nil
}

// fieldFilters make of what was asked for a filter that gives the paths of its values, and one that
// gives the values.
func fieldFilters(path string) (find, all string) {
	if strings.ContainsAny(path, ".[") {
		if !strings.HasPrefix(path, ".") {
			path = "." + path
		}
		return "path(" + path + " | values)", path + " | values"
	}
	key := string(appendQuoted(nil, path))
	return "paths(. != null) | select(.[-1] == " + key + ")", ".. | objects | " + string(appendKey(nil, path)) + " | values"
}

// sightings runs a filter that gives paths: the first that ends in a step, and how many. Values that
// the path does not fit, a number where it asks for a key, end the search.
func sightings(ctx context.Context, places *Query, payload []byte) (first []any, n int, err error) {
	input, err := Decode(payload)
	if err != nil {
		return nil, 0, err
	}
	// An error is data that the path does not fit: what was found before it counts.
	_ = places.Run(ctx, input, nil, func(v any) bool {
		steps, ok := v.([]any)
		if !ok || len(steps) == 0 {
			return true
		}
		if n == 0 {
			first = steps
		}
		n++
		return true
	})
	if ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	return first, n, nil
}

// pathOf writes the steps of a jq path.
func pathOf(steps []any) string {
	var b []byte
	for _, step := range steps {
		switch step := step.(type) {
		case string:
			b = appendKey(b, step)
		case int:
			b = appendIndex(b, strconv.Itoa(step))
		}
	}
	return string(b)
}

// offsetOf is the byte at which the member or element begins that steps lead to, in a valid payload:
// of a member its key. Of several members with one key the last counts.
func offsetOf(p []byte, steps []any) int {
	value := skipSpace(p, 0)
	begins := value
	for _, step := range steps {
		eachChild(p, value, func(index, begin, at int) bool {
			key, named := step.(string)
			if named && p[begin] == '"' && begin != at && string(unquote(nil, p[begin:skipString(p, begin)], false)) == key {
				begins, value = begin, at
			}
			if i, ok := step.(int); ok && i == index {
				begins, value = begin, at
				return false
			}
			return true
		})
	}
	return begins
}

// eachChild visits the members or elements of the object or array at i: their number, where they
// begin, and where their value does.
func eachChild(p []byte, i int, visit func(index, begin, value int) bool) {
	object := p[i] == '{'
	if !object && p[i] != '[' {
		return
	}
	i = skipSpace(p, i+1)
	for index := 0; i < len(p) && p[i] != '}' && p[i] != ']'; index++ {
		begin := i
		if object {
			i = skipSpace(p, skipSpace(p, skipString(p, i))+1)
		}
		if !visit(index, begin, i) {
			return
		}
		if i = skipSpace(p, skipValue(p, i)); i < len(p) && p[i] == ',' {
			i = skipSpace(p, i+1)
		}
	}
}

// elementAt is the number of the element of the array in which an offset lies, -1 for none.
func elementAt(p []byte, array span, offset int) int {
	in := -1
	if array.len() == 0 || offset <= array.start || offset >= array.end {
		return in
	}
	eachChild(p, array.start, func(index, begin, _ int) bool {
		if begin > offset {
			return false
		}
		in = index
		return true
	})
	return in
}

// schemaShows tells whether a schema says something of the place that steps lead to.
func schemaShows(schema any, steps []any) bool {
	s, _ := schema.(map[string]any)
	if len(steps) == 0 {
		return s != nil
	}
	if several, ok := s["anyOf"].([]any); ok {
		for _, one := range several {
			if schemaShows(one, steps) {
				return true
			}
		}
	}
	if key, ok := steps[0].(string); ok {
		properties, _ := s["properties"].(map[string]any)
		if property, ok := properties[key]; ok {
			return schemaShows(property, steps[1:])
		}
		// The keys of a map are not in a schema, what they have in common is.
		return len(steps) > 1 && schemaShows(s["additionalProperties"], steps[1:])
	}
	return schemaShows(s["items"], steps[1:])
}
