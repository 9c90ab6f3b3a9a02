package engine

import "sort"

// A Preview is the part of a payload that enters the context.
type Preview struct {
	// Text is the preview as the model gets it: for records valid JSON, followed by a line
	// "path: left out n unit" for each thing left out; for head-tail both ends with a mark between.
	Text    string
	JSON    []byte // the valid JSON part of Text, without white space between tokens; nil for head-tail
	Records int    // records kept; -1 where the preview is not of records
	Of      int    // records in the payload
	Path    string // of the records; empty where the preview is not of records
	LeftOut []Omission
	Whole   bool // nothing is left out

	label string // what stands above it; empty where that follows from the fields above
}

// An Omission is something that is not in a preview. N counts the nearest thing only: a field that
// is left out counts as one, whatever it holds.
type Omission struct {
	Path string // [] stands for several elements
	N    int64
	Unit string // "records", "items", "chars" (Unicode code points), "fields"
}

// PreviewOptions are the preview fields of a policy.
type PreviewOptions struct {
	Records, StringChars, InnerItems int
	Budget                           float64 // tokens by Estimator, 0 for no limit
	Estimator                        Estimator
	MapKeys                          int // as in ScanOptions
	// Redact puts marks in the place of what looks like a secret or personal data; the budget holds with them.
	Redact bool
}

// RecordsPreview keeps the first records of the array that holds the data, and the fields around
// it. The payload must be valid JSON with an object or an array as root.
//
// Every part that is kept has the bytes of the payload: keys in their order, numbers and escapes as
// written; only white space between tokens goes. Over the budget, which the whole text has to meet,
// there are fewer records, at last one. Then the deepest fields go, the last ones first. Depth
// counts from the record, and for the fields around the records from the object on the way to them:
// what stands beside the records is as near as a record's own fields, which are kept before it. In
// the end {} or [] remains, even if the budget has no room for the lines below it.
func RecordsPreview(p []byte, o PreviewOptions) *Preview {
	t := growPreview(p, o)
	fits := func(v *Preview) bool {
		return v != nil && (o.Budget <= 0 || !o.Estimator.Over([]byte(v.Text), o.Budget, false))
	}
	t.rank(t.kept)
	best := t.draft(len(t.nodes), previewLines)
	if fits(best) {
		return best
	}
	best = largest(1, t.kept-1, func(records int) *Preview {
		t.rank(records)
		return t.draft(len(t.nodes), previewLines)
	}, fits)
	if best != nil {
		return best
	}
	t.rank(1)
	best = largest(1, len(t.nodes), func(nodes int) *Preview { return t.draft(nodes, previewLines) }, fits)
	if best != nil {
		return best
	}
	return t.draft(1, 1)
}

// largest makes the preview of the largest number from low to high that fits, given that a preview
// of less is smaller; nil where none fits.
func largest(low, high int, draft func(int) *Preview, fits func(*Preview) bool) *Preview {
	var best *Preview
	sort.Search(high-low+1, func(i int) bool {
		v := draft(low + i)
		if fits(v) {
			best = v
			return false
		}
		return true
	})
	return best
}
