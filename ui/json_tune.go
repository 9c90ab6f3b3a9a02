package ui

import (
	"encoding/csv"
	"io"
	"strconv"

	"floodmark/engine"
)

// tuneJSON is the object of tune --json.
type tuneJSON struct {
	Policy    string        `json:"policy"`
	Estimator string        `json:"estimator"`
	Key       string        `json:"key"`
	ByReplays string        `json:"by_replays,omitempty"` // why facts were not enough: each value was replayed
	WhatIf    bool          `json:"what_if"`              // the vendor's limits are fixed: other values can't be had there
	Results   int           `json:"results"`
	Steps     int           `json:"steps"`
	Sweep     []pointJSON   `json:"sweep"`
	Best      *bestJSON     `json:"recommendation"` // null for a field that has none
	Now       pointJSON     `json:"now"`            // the policy as it is
	Costs     tuneCostsJSON `json:"costs"`
	Shapes    []shapeJSON   `json:"shapes,omitempty"`
}

type pointJSON struct {
	Value       *float64      `json:"value"` // null where the policy has no such limit
	Verdicts    verdictCounts `json:"verdicts"`
	Inline      float64       `json:"inline_tokens"`
	Model       float64       `json:"model_tokens"`
	PeakStep    float64       `json:"peak_step_tokens"`
	PeakContext float64       `json:"peak_context_tokens"`
	Visible     int64         `json:"visible_bytes"`
	StepsOver   *int          `json:"steps_over,omitempty"` // with --max-step-tokens
	Money       *float64      `json:"model_money,omitempty"`
	Window      *float64      `json:"peak_context_share,omitempty"` // of --window
}

type bestJSON struct {
	pointJSON
	Goal       string             `json:"goal"`
	Limits     map[string]float64 `json:"limits"`
	Met        bool               `json:"met"`
	Near       int                `json:"near"`
	Knee       *pointJSON         `json:"knee"` // null where the curve has none
	Why        string             `json:"why"`
	HeldUp     string             `json:"held_up_by,omitempty"` // the step that no value brings within the goal
	Thin       string             `json:"thin,omitempty"`
	SavedModel float64            `json:"saved_model_tokens"` // against the policy as it is
}

type tuneCostsJSON struct {
	Original      float64        `json:"original_tokens"`
	Inline        float64        `json:"inline_tokens"`
	Model         float64        `json:"model_tokens"`
	ModelOriginal float64        `json:"model_tokens_had_all_entered"`
	Reported      *usageJSON     `json:"reported"`
	Currency      string         `json:"currency,omitempty"`
	BreakEven     *breakEvenJSON `json:"break_even"` // null where nothing is offloaded
}

type breakEvenJSON struct {
	Offloads    int               `json:"offloads"`
	Saved       float64           `json:"saved_model_tokens"`
	Step        float64           `json:"step_tokens"`
	Later       float64           `json:"later_steps"`
	Inspections []inspectionsJSON `json:"inspections"`
}

// inspectionsJSON is how many inspections of an offload, each bringing so many tokens, cost what it saves.
type inspectionsJSON struct {
	Tokens      float64  `json:"tokens"`
	Inspections float64  `json:"inspections"`
	Seconds     *float64 `json:"seconds,omitempty"` // that they take, with --latency
}

type shapeJSON struct {
	Tool    string  `json:"tool"`
	Results int     `json:"results_over"`
	Whole   int     `json:"entered_whole"`
	Tokens  float64 `json:"entered_whole_tokens"`
	Gain    float64 `json:"gain_tokens"`
	Cause   string  `json:"cause"`
	Advice  string  `json:"advice"`
}

// inspectionSizes are the sizes for which the break-even is told, in tokens: a line, a page, a full preview,
// a read of a file as agents' tools cap it.
var inspectionSizes = []float64{100, 500, 2000, 10_000}

func (t *tuning) json(p engine.Point, o *tuneOptions) pointJSON {
	v := pointJSON{Verdicts: verdictCounts{}, Inline: p.InlineTokens, Model: p.ModelTokens, PeakStep: p.PeakStepTokens,
		PeakContext: p.PeakContextTokens, Visible: p.VisibleBytes}
	if p.Value >= 0 {
		v.Value = &p.Value
	}
	for i, verdict := range engine.Verdicts {
		if p.Verdicts[i] > 0 {
			v.Verdicts[verdict] = p.Verdicts[i]
		}
	}
	if o.step > 0 {
		v.StepsOver = &p.StepsOver
	}
	if t.prices != nil {
		money := t.prices.of(p.ModelTokens)
		v.Money = &money
	}
	if o.window > 0 {
		share := p.PeakContextTokens / o.window
		v.Window = &share
	}
	return v
}

func (t *tuning) writeJSON(out io.Writer, o *tuneOptions) error {
	results, steps := t.facts.Counted()
	v := tuneJSON{Policy: t.policy.Name, Estimator: string(t.policy.Estimator), Key: t.key, WhatIf: t.policy.Fixed,
		Results: results, Steps: steps, Sweep: []pointJSON{}, Now: t.json(t.nowPoint(), o), Costs: t.costs(o)}
	if t.facts.Replayed() {
		v.ByReplays = t.byReplays
	}
	for _, p := range t.sweep {
		v.Sweep = append(v.Sweep, t.json(p, o))
	}
	if b := t.best; b != nil {
		v.Best = &bestJSON{pointJSON: t.json(b.Best, o), Goal: string(b.Goal.Aim), Limits: map[string]float64{}, Met: b.Met, Near: b.Near, Why: b.Why, HeldUp: b.HeldUp, Thin: b.Thin,
			SavedModel: b.Now.ModelTokens - b.Best.ModelTokens}
		for name, limit := range map[string]float64{"max_step_tokens": b.Goal.MaxStepTokens, "max_context_tokens": b.Goal.MaxContextTokens, "budget": b.Goal.Budget} {
			if limit > 0 {
				v.Best.Limits[name] = limit
			}
		}
		if b.Knee.Value >= 0 {
			knee := t.json(b.Knee, o)
			v.Best.Knee = &knee
		}
	}
	for _, s := range t.shapes {
		v.Shapes = append(v.Shapes, shapeJSON{s.Tool, s.Results, s.Whole, s.WholeTokens, s.Gain, string(s.Cause), s.Advice})
	}
	return writeJSON(out, v)
}

// nowPoint is the policy as it is, with its own value.
func (t *tuning) nowPoint() engine.Point {
	if t.best != nil {
		return t.best.Now
	}
	p := t.now.Point
	p.Value = -1
	return p
}

func (t *tuning) costs(o *tuneOptions) tuneCostsJSON {
	c := tuneCostsJSON{Original: t.now.OriginalTokens, Inline: t.now.Point.InlineTokens, Model: t.now.Point.ModelTokens, ModelOriginal: t.now.ModelOriginal}
	if u := t.usage; u != nil {
		c.Reported = &usageJSON{u.Input, u.Cached, u.Output, u.LowerBound}
	}
	if t.prices != nil {
		c.Currency = t.prices.Currency
	}
	if b := t.breakEven; b.Offloads > 0 {
		c.BreakEven = &breakEvenJSON{Offloads: b.Offloads, Saved: b.Saved, Step: b.Step, Later: b.Later}
		for _, size := range inspectionSizes {
			i := inspectionsJSON{Tokens: size, Inspections: b.Inspections(size)}
			if o.latency > 0 {
				seconds := i.Inspections * o.latency
				i.Seconds = &seconds
			}
			c.BreakEven.Inspections = append(c.BreakEven.Inspections, i)
		}
	}
	return c
}

// writeCSV writes the sweep, one value a line, under the names that --json has.
func (t *tuning) writeCSV(out io.Writer, o *tuneOptions) error {
	w := csv.NewWriter(out)
	head := []string{"value"}
	for _, v := range engine.Verdicts {
		head = append(head, string(v))
	}
	head = append(head, "inline_tokens", "model_tokens", "peak_step_tokens", "peak_context_tokens", "visible_bytes")
	if o.step > 0 {
		head = append(head, "steps_over")
	}
	if err := w.Write(head); err != nil {
		return err
	}
	for _, p := range t.sweep {
		row := []string{exactly(p.Value)}
		for _, n := range p.Verdicts {
			row = append(row, strconv.Itoa(n))
		}
		row = append(row, exactly(p.InlineTokens), exactly(p.ModelTokens), exactly(p.PeakStepTokens), exactly(p.PeakContextTokens), strconv.FormatInt(p.VisibleBytes, 10))
		if o.step > 0 {
			row = append(row, strconv.Itoa(p.StepsOver))
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// exactly writes a number with all its digits and no exponent.
func exactly(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
