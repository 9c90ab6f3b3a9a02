package engine

import (
	"fmt"
	"strings"
)

// A Starter is a filter to begin with, made for one payload from its outline.
type Starter struct {
	Title  string
	Filter string
}

const (
	// starterFields is how many fields of a kind get a starter.
	starterFields = 2
	// starterRecords is how many records "the first" are, as in a preview.
	starterRecords = 3
)

// Starters makes filters that a person would begin with: the shape, how many records there are, the first
// ones, what a field holds and how often, the largest by a number. records is the path of the array that
// holds the data, as Facts.RecordsPath; empty without one.
func (o *Outline) Starters(records string) []Starter {
	list := []Starter{{"the shape", Shaping(records)}}
	at := o.at(records)
	items := at.elements()
	if records == "" || items == nil {
		if o.Is("object") {
			list = append(list, Starter{"the keys", "keys"})
		}
		return append(list, Starter{"every path to a value", "[paths(scalars) | map(tostring) | join(\".\")] | unique"})
	}
	values, all := elementsOf(records), records
	if !at.Is("array") || at.Is("object") {
		all = "[" + values + "]"
	}
	list = append(list,
		Starter{"count", through(records, "length")},
		Starter{fmt.Sprintf("the first %d", starterRecords), fmt.Sprintf("%s | .[:%d]", all, starterRecords)})
	fields := items.plainFields("", nil, 2)
	for _, f := range first(fields, starterFields, grouping) {
		list = append(list,
			Starter{"the different values of " + f.label, fmt.Sprintf("[%s | %s] | unique", values, f.path)},
			Starter{"how many of each " + f.label, fmt.Sprintf("%s | group_by(%s) | map({value: (.[0] | %s), count: length}) | sort_by(-.count)", all, f.path, f.path)})
	}
	for _, f := range first(fields, starterFields, summing) {
		list = append(list,
			Starter{"the 10 largest by " + f.label, fmt.Sprintf("%s | sort_by(%s) | reverse | .[:10]", all, f.path)},
			Starter{"the sum of " + f.label, fmt.Sprintf("[%s | %s | numbers] | add", values, f.path)})
	}
	groups, numbers := first(fields, 1, grouping), first(fields, 1, summing)
	if len(groups) > 0 && len(numbers) > 0 {
		g, n := groups[0], numbers[0]
		list = append(list, Starter{"the sum of " + n.label + " by " + g.label,
			fmt.Sprintf("%s | group_by(%s) | map({value: (.[0] | %s), sum: (map(%s) | add)}) | sort_by(-.sum)", all, g.path, g.path, n.path)})
	}
	if len(fields) > 1 {
		var members []string
		for _, f := range fields[:min(len(fields), 4)] {
			members = append(members, string(Marshal(f.label, 0))+": "+f.path)
		}
		list = append(list, Starter{"a table of a few fields", fmt.Sprintf("[%s | {%s}]", values, strings.Join(members, ", "))})
	}
	return list
}

// Shaping is a filter for what a payload is: its type, how many elements or keys it has, its keys, and the
// number of records.
func Shaping(records string) string {
	if records == "" {
		return "{type: type, length: length, keys: (if type == \"object\" then keys else null end)}"
	}
	return fmt.Sprintf("{type: type, length: length, keys: (if type == \"object\" then keys else null end), records: (%s)}", through(records, "length"))
}

// Searching is a filter for the records that hold a text anywhere, in any case (A to Z); without records
// it gives the paths to the strings that do.
func (o *Outline) Searching(records, text string) string {
	quoted := string(Marshal(strings.ToLower(text), 0))
	at := o.at(records)
	if records == "" || at.elements() == nil {
		return fmt.Sprintf("[paths(scalars | tostring | ascii_downcase | contains(%s))]", quoted)
	}
	return fmt.Sprintf("[%s | select(any(.. | scalars; tostring | ascii_downcase | contains(%s)))]", elementsOf(records), quoted)
}

// through is a filter on what stands at a path.
func through(path, filter string) string {
	if path == "." {
		return filter
	}
	return path + " | " + filter
}

// elementsOf is the filter for all elements at a path.
func elementsOf(path string) string {
	if path == "." {
		return ".[]"
	}
	return path + "[]"
}

// at follows a path of Facts through o.
func (o *Outline) at(path string) *Outline {
	f := newFollower(o, nil)
	for _, w := range filterWords(path) {
		f.read(w)
	}
	return f.base()
}

// A plainField is a field of records that holds a scalar, with its path in a record.
type plainField struct {
	label, path string
	*OutlineField
}

// plainFields are the fields with scalars, those of inner objects behind their own.
func (o *Outline) plainFields(path string, list []plainField, depth int) []plainField {
	for _, f := range fieldsOf(o) {
		at := string(appendKey([]byte(path), f.Name))
		if f.Is("object") || f.Is("array") {
			continue
		}
		list = append(list, plainField{strings.TrimPrefix(at, "."), at, f})
	}
	if depth > 1 {
		for _, f := range fieldsOf(o) {
			if f.Is("object") && f.Always {
				list = f.plainFields(string(appendKey([]byte(path), f.Name)), list, depth-1)
			}
		}
	}
	return list
}

// grouping tells whether records fall into groups by a field.
func grouping(f plainField) bool {
	return len(f.Few) > 1 && len(f.Few) < f.seen && !f.Is("number")
}

// summing tells whether a field holds numbers worth adding.
func summing(f plainField) bool {
	return len(f.Types) == 1 && f.Is("number") && !strings.HasSuffix(f.label, "id")
}

// first are the first n fields of a kind.
func first(fields []plainField, n int, kind func(plainField) bool) []plainField {
	var list []plainField
	for _, f := range fields {
		if len(list) < n && kind(f) {
			list = append(list, f)
		}
	}
	return list
}
