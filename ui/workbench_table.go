package ui

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Rows are drawn here, as they come into sight: the table components of the libraries lay out all of them,
// and draw text as it is.

// An answerTable is an array of objects, or several results that are objects, as rows and columns.
type answerTable struct {
	linesPane
	theme   *theme
	columns []tableColumn
	rows    [][]json.RawMessage // cells by column; nil where an object has no such key
	order   []int               // the rows as they are shown
	at      int                 // the chosen column
	first   int                 // the first column in sight
	by      int                 // sorted by this column; -1 for as it was
	dir     int                 // 1 up, -1 down, 0 as it was
}

type tableColumn struct {
	name    string
	cells   int
	numbers bool // all its values are numbers: they stand on the right
}

const (
	maxColumns = 200
	// cellWidth is the widest column; a longer value is cut.
	cellWidth = 32
	// measuredRows decide how wide columns are.
	measuredRows = 500
)

var errNoTable = errors.New("the result is not an array of objects")

// newAnswerTable reads results. Columns stand in the order in which the keys come first.
func newAnswerTable(ctx context.Context, results [][]byte, th *theme) (*answerTable, error) {
	t := &answerTable{theme: th, by: -1}
	index := map[string]int{}
	object := func(d *json.Decoder) error {
		row := make([]json.RawMessage, len(t.columns))
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return err
			}
			var value json.RawMessage
			if err := d.Decode(&value); err != nil {
				return err
			}
			name, _ := key.(string)
			i, ok := index[name]
			if !ok {
				if len(t.columns) == maxColumns {
					return errors.New("over " + strconv.Itoa(maxColumns) + " columns")
				}
				i = len(t.columns)
				index[name] = i
				t.columns = append(t.columns, tableColumn{name: name, numbers: true})
			}
			for len(row) <= i {
				row = append(row, nil)
			}
			row[i] = value
		}
		t.rows = append(t.rows, row)
		_, err := d.Token()
		return err
	}
	for _, r := range results {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := json.NewDecoder(bytes.NewReader(r))
		first, err := d.Token()
		switch {
		case err != nil:
			return nil, errNoTable
		case first == json.Delim('{'):
			if err := object(d); err != nil {
				return nil, err
			}
		case first == json.Delim('[') && len(results) == 1:
			for d.More() {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
					return nil, errNoTable
				}
				if err := object(d); err != nil {
					return nil, err
				}
			}
		default:
			return nil, errNoTable
		}
	}
	if len(t.rows) == 0 || len(t.columns) == 0 {
		return nil, errNoTable
	}
	t.measure()
	t.take(t.sorted(-1, 0), -1, 0)
	return t, nil
}

func (t *answerTable) measure() {
	for i := range t.columns {
		t.columns[i].cells = min(width(visible(t.columns[i].name))+2, cellWidth)
	}
	for n, row := range t.rows {
		for i, v := range row {
			c := &t.columns[i]
			if len(v) > 0 && !isNumber(v) && string(v) != "null" {
				c.numbers = false
			}
			if n < measuredRows {
				c.cells = max(c.cells, min(width(cellText(v)), cellWidth))
			}
		}
	}
}

func isNumber(v json.RawMessage) bool { return v[0] == '-' || v[0] >= '0' && v[0] <= '9' }

// cellText is a value as a cell shows it: a string as text, all else as JSON.
func cellText(v json.RawMessage) string {
	return visible(string(clipBytes([]byte(plainCell(v)), 4*cellWidth)))
}

func plainCell(v json.RawMessage) string {
	if len(v) > 0 && v[0] == '"' {
		var s string
		if json.Unmarshal(v, &s) == nil {
			return s
		}
	}
	return string(v)
}

func clipBytes(p []byte, n int) []byte {
	if len(p) <= n {
		return p
	}
	return append(bytes.ToValidUTF8(p[:n], nil), "…"...)
}

func (t *answerTable) setSize(w, h int) {
	t.rect = rect{W: w, H: max(h-1, 0)}
	t.scrollTo(t.top)
	t.column(0)
}

// column chooses another column, and brings it into sight.
func (t *answerTable) column(by int) {
	t.at = max(min(t.at+by, len(t.columns)-1), 0)
	t.first = min(t.first, t.at)
	for t.first < t.at {
		w := 0
		for _, c := range t.columns[t.first : t.at+1] {
			w += c.cells + 2
		}
		if w <= t.W {
			break
		}
		t.first++
	}
}

// nextOrder is the order after the one of the chosen column: up, down, as it was.
func (t *answerTable) nextOrder() int {
	if t.by != t.at {
		return 1
	}
	return map[int]int{1: -1, -1: 0, 0: 1}[t.dir]
}

// sorted is an order of the rows. It changes nothing: a job may call it.
func (t *answerTable) sorted(by, dir int) []int {
	rows := make([]int, len(t.rows))
	for i := range rows {
		rows[i] = i
	}
	if dir == 0 || by < 0 {
		return rows
	}
	keys := make([]sortKey, len(t.rows))
	for i, row := range t.rows {
		if by < len(row) {
			keys[i] = keyOfCell(row[by])
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return dir * keys[a].compare(keys[b]) })
	return rows
}

func (t *answerTable) take(order []int, by, dir int) {
	t.order, t.by, t.dir = order, by, dir
	t.lines(len(order), t.row)
}

// A sortKey orders values as jq does: null, false, true, numbers, strings, arrays, objects.
type sortKey struct {
	rank   int
	number float64
	text   string
}

func keyOfCell(v json.RawMessage) sortKey {
	switch {
	case len(v) == 0 || v[0] == 'n':
		return sortKey{}
	case v[0] == 'f':
		return sortKey{rank: 1}
	case v[0] == 't':
		return sortKey{rank: 2}
	case isNumber(v):
		n, _ := strconv.ParseFloat(string(v), 64) // out of range is an infinity, which sorts right
		return sortKey{rank: 3, number: n}
	case v[0] == '"':
		return sortKey{rank: 4, text: plainCell(v)}
	case v[0] == '[':
		return sortKey{rank: 5, text: string(v)}
	}
	return sortKey{rank: 6, text: string(v)}
}

func (k sortKey) compare(o sortKey) int {
	return cmp.Or(cmp.Compare(k.rank, o.rank), cmp.Compare(k.number, o.number), strings.Compare(k.text, o.text))
}

func (t *answerTable) row(i int) string {
	row := t.rows[t.order[i]]
	return t.cells(func(c int) string {
		if c < len(row) {
			return cellText(row[c])
		}
		return ""
	})
}

// cells draws the columns in sight.
func (t *answerTable) cells(text func(int) string) string {
	var b strings.Builder
	left := t.W
	for i := t.first; i < len(t.columns) && left > 0; i++ {
		c := t.columns[i]
		w := min(c.cells, left)
		if c.numbers {
			b.WriteString(padLeft(text(i), w))
		} else {
			b.WriteString(pad(text(i), w))
		}
		left -= w
		gap := min(2, left)
		b.WriteString(blank(gap))
		left -= gap
	}
	return b.String()
}

// view draws the heading and the rows in sight.
func (t *answerTable) view() []string {
	var b strings.Builder
	left := t.W
	for i := t.first; i < len(t.columns) && left > 0; i++ {
		c := t.columns[i]
		w := min(c.cells, left)
		name := visible(c.name)
		if t.by == i && t.dir != 0 {
			name += map[int]string{1: " ↑", -1: " ↓"}[t.dir]
		}
		cell := pad(name, w)
		if c.numbers {
			cell = padLeft(name, w)
		}
		paint := t.theme.strong
		if i == t.at {
			paint = t.theme.selected
		}
		left -= w
		gap := min(2, left)
		left -= gap
		b.WriteString(paint.on(cell) + blank(gap))
	}
	return append([]string{pad(b.String(), t.W)}, t.linesPane.View()...)
}

// position says which rows and columns are in sight.
func (t *answerTable) position() string {
	s := count(len(t.rows), "row") + " · column " + strconv.Itoa(t.at+1) + " of " + strconv.Itoa(len(t.columns))
	if p := t.linesPane.position(); p != "" {
		s += " · " + p
	}
	return s
}

// Key scrolls.
func (t *answerTable) Key(a action) (tea.Cmd, bool) { return t.linesPane.Key(a) }

// writeCSV writes the rows as they are shown, a heading first: see csvCell. A key that is not there is
// empty.
func (t *answerTable) writeCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	cells := make([]string, len(t.columns))
	for i, col := range t.columns {
		cells[i] = csvText(col.name)
	}
	if err := c.Write(cells); err != nil {
		return err
	}
	for _, i := range t.order {
		for k := range cells {
			cells[k] = ""
			if row := t.rows[i]; k < len(row) && string(row[k]) != "null" {
				cells[k] = csvCell(row[k])
			}
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
