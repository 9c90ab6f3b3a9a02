package ui

import (
	"io"

	"floodmark/engine"
	"floodmark/history"
)

// The types in this file are the objects of compare --json. Names are the public contract.

// compareJSON reports a comparison as one JSON object a line: each result, and the totals last.
type compareJSON struct {
	out    io.Writer
	labels []string
	texts  bool // add inline.text
}

type comparedResultJSON struct {
	placeJSON
	Differs  bool        `json:"differs"`
	Policies []sightJSON `json:"policies"`
}

type sightJSON struct {
	Policy      string         `json:"policy"`
	Verdict     engine.Verdict `json:"verdict"`
	Original    engine.Measure `json:"original"`
	Inline      inlineJSON     `json:"inline"`
	Notice      bool           `json:"notice_only,omitempty"` // a warning entered, and no preview
	Cleared     *clearedJSON   `json:"cleared,omitempty"`     // where it went later
	Seen        int64          `json:"seen_bytes"`
	Retrievable int64          `json:"retrievable_bytes"`
	Gone        int64          `json:"lost_bytes"`
}

// clearedJSON says before the response of which step a result went.
type clearedJSON struct {
	Turn   int     `json:"turn"`
	Step   int     `json:"step"`
	Tokens float64 `json:"tokens"` // of what stays
}

func (j *compareJSON) result(c *history.Conversation, r *engine.ComparedResult, text func(int) (string, error)) error {
	v := comparedResultJSON{
		placeJSON: placeJSON{File: c.File, Format: c.Format, Conversation: c.ID, Thread: r.Thread.Name,
			Turn: r.Turn, Step: r.Step, Index: r.Index, Batch: r.Batch, Call: r.Call.ID, Tool: r.Call.Tool},
		Differs: r.Differs(),
	}
	for i, s := range r.Sights {
		one := sightJSON{Policy: j.labels[i], Verdict: s.Verdict, Original: s.Original, Inline: inlineJSON{Measure: s.Inline}, Notice: s.Notice,
			Seen: s.Seen, Retrievable: s.Retrievable, Gone: s.Gone}
		if c := s.Cleared; c != nil {
			one.Cleared = &clearedJSON{c.Turn, c.Step, c.Tokens}
		}
		if j.texts {
			t, err := text(i)
			if err != nil {
				return err
			}
			one.Inline.Text = &t
		}
		v.Policies = append(v.Policies, one)
	}
	return writeJSON(j.out, v)
}

type comparedTotalsJSON struct {
	Conversations int                  `json:"conversations"`
	Results       int                  `json:"results"`
	Differ        int                  `json:"differ"`
	Policies      []comparedPolicyJSON `json:"policies"`
	Recorded      recordedJSONTotals   `json:"recorded"`
	NoResult      int                  `json:"no_result"`
	Skipped       int                  `json:"skipped_lines"`
}

type comparedPolicyJSON struct {
	Policy      string          `json:"policy"`
	Strategy    engine.Strategy `json:"strategy"`
	WhatIf      []string        `json:"what_if,omitempty"`
	Changed     []string        `json:"changed,omitempty"`
	Estimator   string          `json:"estimator"`
	Verdicts    verdictCounts   `json:"verdicts"`
	Original    engine.Measure  `json:"original"`
	Inline      engine.Measure  `json:"inline"`
	Model       modelJSON       `json:"model"`
	PeakStep    float64         `json:"peak_step_tokens"`
	PeakContext float64         `json:"peak_context_tokens"`
	Seen        int64           `json:"seen_bytes"`
	Retrievable int64           `json:"retrievable_bytes"`
	Gone        int64           `json:"lost_bytes"`
	Cleared     *allClearedJSON `json:"cleared,omitempty"` // where some went later
}

// allClearedJSON says how many results went later, and how many bytes of their payloads with them.
type allClearedJSON struct {
	Results int   `json:"results"`
	Bytes   int64 `json:"bytes"`
	Gone    int64 `json:"lost_bytes"` // of these, what can't be read back
}

// recordedJSONTotals are the strategies that the recordings themselves show, in counts.
type recordedJSONTotals struct {
	Summarised int `json:"summarised"`
	Offloaded  int `json:"offloaded"`
	Retrieved  int `json:"retrieved"`
	Truncated  int `json:"truncated"`
}

func (j *compareJSON) totals(sum *comparedTotals) error {
	r := sum.recorded
	v := comparedTotalsJSON{Conversations: sum.conversations, Results: sum.results, Differ: sum.differ, Skipped: sum.skipped,
		Recorded: recordedJSONTotals{r.Compactions, r.Offloaded, r.Reads, r.Truncated}}
	for i, p := range sum.policies {
		t := p.Totals
		v.NoResult = t.NoResult // the same under each
		changed := p.Policy.Changed
		if len(p.Policy.WhatIf) > 0 {
			changed = nil
		}
		var cleared *allClearedJSON
		if p.Cleared > 0 {
			cleared = &allClearedJSON{p.Cleared, p.ClearedBytes, p.ClearedGone}
		}
		v.Policies = append(v.Policies, comparedPolicyJSON{
			Policy: j.labels[i], Strategy: p.Policy.InEffect(), WhatIf: p.Policy.WhatIf, Changed: changed,
			Estimator: string(p.Policy.Estimator), Verdicts: verdictCounts(t.Verdicts), Original: t.Original, Inline: t.Inline,
			Model: modelJSON{t.Model}, PeakStep: t.PeakStep, PeakContext: t.PeakContext,
			Seen: p.Seen, Retrievable: p.Retrievable, Gone: p.Gone, Cleared: cleared})
	}
	return writeJSON(j.out, struct {
		Totals comparedTotalsJSON `json:"totals"`
	}{v})
}
