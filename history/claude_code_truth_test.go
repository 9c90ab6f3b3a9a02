package history

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// figures are what the truth file counts in one recording.
type figures struct {
	Conversations int     `json:"conversations"`
	Threads       int     `json:"threads"`
	Calls         int     `json:"calls"`
	Results       int     `json:"results"`
	Paired        int     `json:"paired"`
	Orphan        int     `json:"orphan"`
	Missing       int     `json:"missing"`
	Errors        int     `json:"errors"`
	Largest       []int64 `json:"largest"` // bytes, at most three, the largest first
	LargestBatch  int     `json:"largest_batch"`
	OutputTokens  *int64  `json:"output_tokens"`
}

func count(rec *Recording) figures {
	f := figures{Conversations: len(rec.Conversations), Largest: []int64{}}
	for _, c := range rec.Conversations {
		f.Threads += len(c.Threads)
		for _, k := range c.Calls() {
			if k.Flags.Has(OrphanResult) {
				f.Orphan++
			} else {
				f.Calls++
			}
			switch {
			case k.Result == nil:
				f.Missing++
				continue
			case !k.Flags.Has(OrphanResult):
				f.Paired++
			}
			f.Results++
			if k.Result.Error {
				f.Errors++
			}
			f.Largest = append(f.Largest, k.Result.Payload.Size().Bytes)
		}
		for _, t := range c.Threads {
			for _, u := range t.Turns {
				for _, s := range u.Steps {
					f.LargestBatch = max(f.LargestBatch, len(s.Calls))
				}
			}
		}
		if c.Usage != nil {
			f.OutputTokens = &c.Usage.Output
		}
	}
	slices.SortFunc(f.Largest, func(a, b int64) int { return int(b - a) })
	f.Largest = f.Largest[:min(3, len(f.Largest))]
	return f
}

// The truth file counts all inline sidechains of a file as one thread; here each subagent is one.
var threadsOf = map[string]int{
	"claude_code/cc_1.0.108_sidechains.jsonl":       3, // two Task calls that ran
	"claude_code/cc_1.0.98_inline_sidechains.jsonl": 6, // five Task calls that ran
}

func TestClaudeCodeRecordingsEqualTheTruth(t *testing.T) {
	dir := realRecordings(t)
	f, err := os.Open(filepath.Join(dir, "claude_code.truth.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	rows := 0
	for in.Scan() {
		rows++
		var row struct {
			figures
			File string          `json:"file"`
			Sure map[string]bool `json:"sure"`
			More struct {
				Unparsed int `json:"lines_that_do_not_parse"`
				Partial  int `json:"responses_whose_largest_value_is_1_to_10"`
			} `json:"more"`
		}
		if err := json.Unmarshal(in.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		t.Run(row.File, func(t *testing.T) {
			recs, err := Open(context.Background(), filepath.Join(dir, row.File), Options{})
			if err != nil || len(recs) != 1 {
				t.Fatalf("%d recordings, %v", len(recs), err)
			}
			rec := recs[0]
			if rec.Format != "claude-code" {
				t.Errorf("recognised as %s: %s", rec.Format, rec.Reason)
			}
			got, want := count(rec), row.figures
			if n, ok := threadsOf[row.File]; ok {
				want.Threads = n
			}
			check := func(key string, got, want any) {
				if key != "" && !row.Sure[key] {
					return
				}
				if g, w := asJSON(got), asJSON(want); g != w {
					t.Errorf("%s: %s, should be %s", key, g, w)
				}
			}
			check("conversations", got.Conversations, want.Conversations)
			check("threads", got.Threads, want.Threads)
			check("calls", got.Calls, want.Calls)
			check("results", got.Results, want.Results)
			check("paired", got.Paired, want.Paired)
			check("orphan", got.Orphan, want.Orphan)
			check("missing", got.Missing, want.Missing)
			check("errors", got.Errors, want.Errors)
			check("largest", got.Largest, want.Largest)
			check("largest_batch", got.LargestBatch, want.LargestBatch)
			// The sum is the same whether sure or not; where it isn't sure we must say so.
			check("", got.OutputTokens, want.OutputTokens)
			if u := rec.Conversations[0].Usage; u != nil && u.LowerBound != (row.More.Partial > 0) {
				t.Errorf("usage is a lower bound: %v, %d responses hold partial values", u.LowerBound, row.More.Partial)
			}
			if row.More.Unparsed > 0 {
				check("", len(rec.Problems), row.More.Unparsed)
			}
		})
	}
	if rows != 14 {
		t.Errorf("%d rows in the truth file, 14 expected", rows)
	}
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
