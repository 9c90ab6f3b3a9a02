package ui

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"floodmark/engine"
	"floodmark/history"

	"github.com/spf13/cobra"
)

// checkOptions say what must not be.
type checkOptions struct {
	replayOptions
	step, result float64 // tokens, 0 for no limit
	deny         []string
}

func checkCommand(s *Streams, c *common) *cobra.Command {
	o := checkOptions{replayOptions: replayOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "check [PATH…]",
		Short: "A gate for CI: exit 1 where a step, a result or a warning is not allowed",
		Long: `Replay the recordings and hold them to limits: no step whose results bring more than --max-step-tokens into
the context, no result that brings more than --max-result-tokens, no warning with a code given with --deny.
Each offender is a line, and the exit code is 1 where there is one. It keeps nothing.`,
		Example: `  floodmark check --max-step-tokens 20000 recordings/
  floodmark check --policy trueforge --deny lost --deny large-plaintext session.jsonl
  floodmark check --max-result-tokens 8000 --json recordings/`,
		ValidArgsFunction: completePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			// A variable that is not set makes a limit of 0, and must not open the gate.
			for flag, limit := range map[string]float64{"max-step-tokens": o.step, "max-result-tokens": o.result} {
				if cmd.Flags().Changed(flag) && limit == 0 {
					return usage("give a number of tokens over 0, or leave it out", "--%s 0 makes no sense", flag)
				}
			}
			return holdTo(cmd.Context(), s, &o, args)
		},
	}
	o.register(cmd)
	f := cmd.Flags()
	f.Float64Var(&o.step, "max-step-tokens", 0, "at most `N` tokens from the results of one step")
	f.Float64Var(&o.result, "max-result-tokens", 0, "at most `N` tokens from one result")
	f.StringArrayVar(&o.deny, "deny", nil, "no warning with this `CODE` (repeatable)")
	completeFlag(cmd, "deny", warningCodes)
	return cmd
}

// warningCodes are what --deny takes.
var warningCodes = []string{engine.WarnLargePlaintext, engine.WarnStringified, engine.WarnRendered, engine.WarnInvalidJSON, engine.WarnNear,
	engine.WarnEstimator, engine.WarnCombined, engine.WarnPackageLarger, engine.WarnLost, engine.WarnSandbox, engine.WarnUnreadable,
	engine.WarnExpired, engine.WarnNoResult, engine.WarnOrphanResult, engine.WarnSensitive,
	engine.WarnSuperseded, engine.WarnReread, engine.WarnUngrounded, engine.WarnMixed}

func (o *checkOptions) check() error {
	for _, code := range o.deny {
		if !slices.Contains(warningCodes, code) {
			return unknownName("--deny", code, warningCodes)
		}
	}
	for flag, limit := range map[string]float64{"max-step-tokens": o.step, "max-result-tokens": o.result} {
		if !(limit >= 0) {
			return usage("give a number of tokens", "--%s %v makes no sense", flag, limit)
		}
	}
	if o.step == 0 && o.result == 0 && len(o.deny) == 0 {
		return usage("give --max-step-tokens, --max-result-tokens or --deny", "check has nothing to hold the recordings to")
	}
	return nil
}

// An offender is a step, a result or a warning that is not allowed.
type offender struct {
	File         string   `json:"file"`
	Conversation string   `json:"conversation"`
	Thread       string   `json:"thread"`
	Turn         int      `json:"turn"`
	Step         int      `json:"step"`
	Rule         string   `json:"rule"`           // max-step-tokens, max-result-tokens or deny
	Call         string   `json:"call,omitempty"` // empty for a step
	Tool         string   `json:"tool,omitempty"`
	Tokens       *float64 `json:"tokens,omitempty"`
	Limit        *float64 `json:"limit,omitempty"`
	Code         string   `json:"code,omitempty"` // of the warning
	Detail       string   `json:"detail,omitempty"`
}

// checkTotals end the report.
type checkTotals struct {
	Policy     string  `json:"policy"`
	Results    int     `json:"results"`
	Steps      int     `json:"steps"`
	Offenders  int     `json:"offenders"`
	PeakStep   float64 `json:"peak_step_tokens"`
	PeakResult float64 `json:"peak_result_tokens"`
}

func holdTo(ctx context.Context, s *Streams, o *checkOptions, paths []string) error {
	if err := o.check(); err != nil {
		return err
	}
	n, err := newCorpus(s, &o.replayOptions)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(s.Out)
	c := &checking{o: o, policy: n.policy, out: out, theme: s.theme()}
	c.totals.Policy = n.policy.Name
	err = n.each(ctx, paths, func(r *history.Recording) error {
		for _, conv := range r.Conversations {
			if err := c.conversation(ctx, conv); err != nil {
				return fmt.Errorf("%s: %w", r.Name, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := c.end(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := n.end(); err != nil {
		return err // what could not be read was not checked
	}
	if c.totals.Offenders > 0 {
		return &failure{why: "something is not allowed", code: exitFound, silent: true}
	}
	return nil
}

// checking is a check on its way through the recordings.
type checking struct {
	o      *checkOptions
	policy *engine.Policy
	out    io.Writer
	theme  *theme
	totals checkTotals
}

func (c *checking) conversation(ctx context.Context, conv *history.Conversation) error {
	o := engine.RunOptions{Fault: engine.Fault(c.o.fault), SkipExact: !slices.Contains(c.o.deny, engine.WarnEstimator) && !slices.Contains(c.o.deny, engine.WarnSensitive), Track: slices.ContainsFunc(c.o.deny, engine.Tracked)}
	run, err := engine.NewReplayer(conv).Run(ctx, c.policy, o)
	if err != nil {
		return err
	}
	c.totals.Results += run.Totals.Results
	for i := range run.Steps {
		step := &run.Steps[i]
		if countedElsewhere(step) {
			continue
		}
		c.totals.Steps++
		c.totals.PeakStep = max(c.totals.PeakStep, step.Inline)
		place := offender{File: conv.File, Conversation: conv.ID, Thread: step.Thread.Name, Turn: step.Turn, Step: step.Step}
		if limit := c.o.step; limit > 0 && step.Inline > limit {
			f := place
			f.Rule, f.Tokens, f.Limit = "max-step-tokens", &step.Inline, &limit
			f.Detail = fmt.Sprintf("%s brought %s tokens, over %s", count(len(step.Calls), "result"), besideLimit(step.Inline, limit), rounded(limit))
			if err := c.offends(f); err != nil {
				return err
			}
		}
		for _, outcome := range step.Calls {
			if err := c.result(place, outcome); err != nil {
				return err
			}
		}
	}
	return nil
}

// countedElsewhere tells whether a step is held to the limits in another conversation of the folder: it has
// calls, and all of them are copies.
func countedElsewhere(step *engine.StepSize) bool {
	for _, o := range step.Calls {
		if !o.Call.Flags.Has(history.CountedElsewhere) {
			return false
		}
	}
	return len(step.Calls) > 0
}

func (c *checking) result(place offender, outcome *engine.Outcome) error {
	place.Call, place.Tool = outcome.Call.ID, outcome.Call.Tool
	tokens := outcome.Inline.Tokens
	c.totals.PeakResult = max(c.totals.PeakResult, tokens)
	if limit := c.o.result; limit > 0 && tokens > limit {
		f := place
		f.Rule, f.Tokens, f.Limit = "max-result-tokens", &tokens, &limit
		f.Detail = fmt.Sprintf("%s with %s tokens, over %s", outcome.Verdict, besideLimit(tokens, limit), rounded(limit))
		if err := c.offends(f); err != nil {
			return err
		}
	}
	for _, w := range outcome.Warnings {
		if !slices.Contains(c.o.deny, w.Code) {
			continue
		}
		f := place
		f.Rule, f.Code, f.Detail = "deny", w.Code, w.Detail
		if err := c.offends(f); err != nil {
			return err
		}
	}
	return nil
}

func (c *checking) offends(f offender) error {
	c.totals.Offenders++
	if c.o.json {
		return writeJSON(c.out, f)
	}
	what := f.Rule
	if f.Code != "" {
		what = f.Code
	}
	where := fmt.Sprintf("%s: turn %d, step %d", f.File, f.Turn, f.Step)
	if f.Tool != "" {
		where += fmt.Sprintf(", %s (%s)", f.Tool, f.Call)
	}
	if f.Thread != history.Main {
		where += ", subagent " + f.Thread
	}
	return c.theme.write(c.out, fmt.Sprintf("%s  %s: %s", c.theme.bad.on(visible(what)), visible(where), visible(f.Detail)))
}

func (c *checking) end() error {
	if c.o.json {
		return writeJSON(c.out, struct {
			Totals checkTotals `json:"totals"`
		}{c.totals})
	}
	verdict := "nothing is over"
	if c.totals.Offenders > 0 {
		verdict = count(c.totals.Offenders, "offender")
	}
	return c.theme.write(c.out, fmt.Sprintf("%s in %s under %s: %s; the largest step has %s tokens, the largest result %s",
		count(c.totals.Results, "result"), count(c.totals.Steps, "step"), visible(c.policy.Name), verdict, rounded(c.totals.PeakStep), rounded(c.totals.PeakResult)))
}
