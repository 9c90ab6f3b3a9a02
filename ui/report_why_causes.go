package ui

import (
	"cmp"
	"slices"

	"floodmark/engine"
)

// A causeRow is what the results of one cause come to.
type causeRow struct {
	Cause    engine.Cause `json:"cause"`
	Results  int          `json:"results"`
	Original float64      `json:"original_tokens"`
	Inline   float64      `json:"inline_tokens"`
	Repaired int          `json:"repairs"` // results for which a repair was found
}

// causeRows counts findings by cause: those that need somebody first, of these the most frequent.
func causeRows(found []finding) []causeRow {
	rows := map[engine.Cause]*causeRow{}
	for _, f := range found {
		r := rows[f.Cause]
		if r == nil {
			r = &causeRow{Cause: f.Cause}
			rows[f.Cause] = r
		}
		r.Results++
		r.Original += f.Outcome.Original.Tokens
		r.Inline += f.Outcome.Inline.Tokens
		if f.Repair != nil {
			r.Repaired++
		}
	}
	var list []causeRow
	for _, c := range engine.Causes() {
		if r := rows[c]; r != nil {
			list = append(list, *r)
		}
	}
	slices.SortStableFunc(list, func(a, b causeRow) int {
		if a.Cause.Harmless() != b.Cause.Harmless() {
			if a.Cause.Harmless() {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.Results, a.Results)
	})
	return list
}

// causes writes the table of causes; with --json one object a cause.
func (w *whyReport) causes(list []causeRow, results int) error {
	if w.options.json {
		for _, r := range list {
			if err := writeJSON(w.out, r); err != nil {
				return err
			}
		}
		return nil
	}
	heads := []string{"cause", "results", "of all", "original tokens", "inline tokens", "repairs"}
	var rows [][]string
	for _, r := range list {
		rows = append(rows, []string{string(r.Cause), grouped(int64(r.Results)), percent(float64(r.Results), float64(results)),
			rounded(r.Original), rounded(r.Inline), grouped(int64(r.Repaired))})
	}
	if w.options.markdown {
		if err := w.markdownTable(heads, rows); err != nil {
			return err
		}
	} else if err := writeTable(w.out, heads, rows); err != nil {
		return err
	}
	if w.options.causes {
		return nil
	}
	return w.theme.write(w.out, "")
}
