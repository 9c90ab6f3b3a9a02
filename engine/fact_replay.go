package engine

import (
	"context"
	"slices"
)

// replays are what a replay with one setting decided, where facts are not enough to decide.
type replays struct {
	verdict, inline   []int64 // of a fact: its place in Verdicts, and quarters of a token
	context, original []int64 // of a step: what the model read, and would have read had all entered
}

// replay replays the conversation that was added last with each setting.
func (a *adding) replay(ctx context.Context) error {
	packages := a.r.cache.packages
	defer func() { a.r.cache.packages = packages }()
	for i, s := range a.settings {
		a.r.cache.packages = map[packageKey]*built{} // another setting's are other ones, and they may be large
		run, err := a.r.Run(ctx, s.policy, RunOptions{SkipExact: true, Fault: a.fault})
		if err != nil {
			return err
		}
		to := &a.columns[i].replays
		for _, step := range run.Steps {
			to.context, to.original = append(to.context, quarters(step.Model)), append(to.original, quarters(step.ModelOriginal))
			for _, o := range step.Calls {
				if o.Verdict == "" {
					continue
				}
				to.verdict = append(to.verdict, int64(slices.Index(Verdicts, o.Verdict)))
				to.inline = append(to.inline, quarters(o.Inline.Tokens))
			}
		}
	}
	return nil
}

// recall writes down what the replay with setting n decided.
func (d *Decisions) recall(c *Corpus, n int) {
	col := &c.columns[n]
	var inline, original, model, modelOriginal, peakStep, peakContext int64
	for i := range c.steps {
		s := &c.steps[i]
		step, brought := int64(0), int64(0)
		for f := s.first; f < s.first+s.count; f++ {
			d.verdicts[f], d.inline[f] = uint8(col.replays.verdict[f]), col.replays.inline[f]
			step += d.inline[f]
			if d.verdicts[f] != rejectedAt || !d.Policy.Estimator.Exact() {
				brought += col.original[f]
			}
		}
		d.stepInline[i], d.stepContext[i] = step, col.replays.context[i]
		peakStep, peakContext = max(peakStep, step), max(peakContext, d.stepContext[i])
		if !s.copied {
			inline, original = inline+step, original+brought
			model, modelOriginal = model+d.stepContext[i], modelOriginal+col.replays.original[i]
			d.count(c, s)
		}
	}
	d.OriginalTokens, d.ModelOriginal = inTokens(original), inTokens(modelOriginal)
	d.Point.InlineTokens, d.Point.ModelTokens = inTokens(inline), inTokens(model)
	d.Point.PeakStepTokens, d.Point.PeakContextTokens = inTokens(peakStep), inTokens(peakContext)
}
