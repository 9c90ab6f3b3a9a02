package ui

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"

	"floodmark/engine"
	"floodmark/history"
	"floodmark/store"
)

// replayJSON reports a replay as one JSON object a line.
type replayJSON struct {
	out      io.Writer
	policy   *engine.Policy
	extras   extras
	keeper   *keeper
	conv     *history.Conversation
	replayer *engine.Replayer
}

func (j *replayJSON) conversation(c *history.Conversation, r *engine.Replayer) error {
	j.conv, j.replayer = c, r
	return nil
}

func (j *replayJSON) result(o *engine.Outcome) error {
	if o.Call.Result == nil {
		place := placeOf(j.conv, o)
		if j.extras.redact {
			place.redact()
			o = redactedOutcome(o)
		}
		return writeJSON(j.out, callJSON{
			placeJSON: place,
			Policy:    j.policy.Name,
			Warnings:  notNil(o.Warnings),
			Flags:     o.Call.Flags.Names(),
			At:        atOf(j.conv, o.Call.At),
		})
	}
	v, err := j.object(o)
	if err != nil {
		return err
	}
	if j.extras.redact {
		v.redact(redactedOutcome(o))
	}
	return writeJSON(j.out, v)
}

func (j *replayJSON) object(o *engine.Outcome) (*resultJSON, error) {
	r := o.Call.Result
	v := &resultJSON{
		placeJSON: placeOf(j.conv, o),
		Error:     r.Error,
		Policy:    j.policy.Name,
		WhatIf:    j.policy.WhatIf,
		Changed:   j.changed(),
		Verdict:   o.Verdict,
		Original:  originalJSON{Measure: o.Original, Estimator: j.policy.Estimator},
		Inline:    inlineJSON{Measure: o.Inline},
		Trace:     notNil(o.Trace),
		Warnings:  notNil(o.Warnings),
		Flags:     (o.Call.Flags | r.Flags).Names(),
		At:        atOf(j.conv, r.At),
	}
	if f := o.Facts; f != nil {
		v.Original.Lines, v.Original.Kind = f.Lines, f.Kind
		if f.Records >= 0 {
			v.Original.Records = &f.Records
		}
	}
	kept, isKept := j.keeper.take(o.Name)
	var err error
	if v.Original.SHA256, err = j.sum(o, kept); err != nil {
		return nil, err
	}
	if r.Recorded != nil && r.Recorded.Bytes != o.Original.Bytes {
		v.Recorded = &recordedJSON{r.Recorded.Bytes}
	}
	if i := o.Instructions; i != nil {
		v.Instructions = &instructionsJSON{i.Text, i.Bytes}
	}
	if o.Verdict == engine.Offloaded {
		if !isKept {
			kept.Bytes = o.Facts.Size.Bytes
			if kept.SHA256, err = j.ofPayload(o); err != nil {
				return nil, err
			}
		}
		v.Variable = &variableJSON{o.Name, kept.Bytes, kept.SHA256, o.Label}
	}
	return v, j.add(v, o)
}

// changed are the fields that the policy's user has changed and may change.
func (j *replayJSON) changed() []string {
	if len(j.policy.WhatIf) > 0 {
		return nil
	}
	return j.policy.Changed
}

// sum is the hash of what arrived. Where the rules saw all of it, it is that of what was kept or is
// in memory still.
func (j *replayJSON) sum(o *engine.Outcome, kept store.Variable) (string, error) {
	switch {
	case o.Facts == nil || o.Instructions != nil:
		return j.policy.Original(o.Call.Result).SHA256()
	case kept.SHA256 != "":
		return kept.SHA256, nil
	}
	return j.ofPayload(o)
}

// ofPayload is the hash of what o's rules measured, and its variable holds.
func (j *replayJSON) ofPayload(o *engine.Outcome) (string, error) {
	p, err := j.replayer.Payload(j.policy, o)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(p)
	return hex.EncodeToString(sum[:]), nil
}

// add adds to v what --text, --schema and --preview ask for.
func (j *replayJSON) add(v *resultJSON, o *engine.Outcome) error {
	if j.extras.text {
		text, err := j.replayer.InlineText(j.policy, o)
		if err != nil {
			return err
		}
		s := string(text)
		v.Inline.Text = &s
	}
	if j.extras.schema {
		v.Schema = new(json.RawMessage)
		*v.Schema = json.RawMessage("null")
		schema, err := j.replayer.Schema(j.policy, o)
		if err != nil {
			return err
		}
		if schema != nil {
			*v.Schema = schema.JSON
		}
	}
	if j.extras.preview {
		preview, err := j.replayer.Preview(j.policy, o)
		if err != nil {
			return err
		}
		v.Preview = new(string)
		if preview != nil {
			*v.Preview = preview.Text
		}
	}
	return nil
}

func (j *replayJSON) totals(t engine.Totals, skipped int) error {
	v := totalsJSON{
		Results:       t.Results,
		Verdicts:      verdictCounts(t.Verdicts),
		Original:      t.Original,
		Inline:        t.Inline,
		Model:         modelJSON{t.Model},
		PeakStep:      t.PeakStep,
		PeakContext:   t.PeakContext,
		NoResult:      t.NoResult,
		Copied:        t.Copied,
		Skipped:       skipped,
		Policy:        j.policy.Name,
		Estimator:     string(j.policy.Estimator),
		WarningCounts: t.Warnings,
	}
	if v.WarningCounts == nil {
		v.WarningCounts = map[string]int{}
	}
	if u := t.Reported; u != nil {
		v.Reported = &usageJSON{u.Input, u.Cached, u.Output, u.LowerBound}
	}
	return writeJSON(j.out, struct {
		Totals totalsJSON `json:"totals"`
	}{v})
}

// redact takes the text of the payload out of v, with o redacted already.
func (v *resultJSON) redact(o *engine.Outcome) {
	v.placeJSON.redact()
	v.Trace, v.Warnings = notNil(o.Trace), notNil(o.Warnings)
	if v.Variable != nil {
		v.Variable.Name = o.Name
	}
	if v.Instructions != nil {
		v.Instructions.Text = "left out"
	}
	if v.Schema != nil {
		*v.Schema = engine.MaskSensitiveJSON(*v.Schema)
	}
}

// redact masks what looks sensitive in names that a recording gives.
func (p *placeJSON) redact() {
	for _, name := range []*string{&p.Conversation, &p.Thread, &p.Call, &p.Tool} {
		*name = engine.MaskSensitive(*name)
	}
}
