package ui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"floodmark/engine"
	"floodmark/history"

	"github.com/spf13/cobra"
)

// tuneOptions say what is swept, and what for.
type tuneOptions struct {
	replayOptions
	key                   string
	from, to              float64 // NaN where not given
	points                int
	values                []float64
	csv, facts, fromFacts bool
	goal                  string
	step, context, budget float64 // tokens
	window                float64 // tokens
	latency               float64 // seconds
	prices                string
	valuesText            string
	given                 []string // flags that were given, of those with a number
	byReplays             string   // why facts are not enough; found while collecting
}

func tuneCommand(s *Streams, c *common) *cobra.Command {
	o := tuneOptions{replayOptions: replayOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "tune [PATH…]",
		Short: "Sweep a threshold over a whole corpus, and recommend a value",
		Long: `Sweep a number of the policy over all results of the recordings: what each value would cost and save,
exactly as a replay with that value would, and which one serves a goal best.

What decisions need of a result is measured once and kept in the store; no variable is. --facts writes it
as JSON lines without payload text, --from-facts reads any number of such files in the place of recordings,
so that recordings can be measured where they lie and tuned in one place.

Goals: lowest-tokens (the fewest tokens in the context), fewest-offloads (the fewest results that do not
enter whole), most-visible (the most bytes that enter whole); each within --max-step-tokens,
--max-context-tokens and --budget. Where the vendor's limits are fixed, every other value is "what if", and the
advice is about the shape of the tools' output.`,
		Example: `  floodmark tune recordings/
  floodmark tune --policy trueforge --goal fewest-offloads --max-step-tokens 12000 recordings/
  floodmark tune --values 1000,2000,4000 --json session.jsonl
  floodmark tune --facts recordings/ > monday.facts
  floodmark tune --from-facts monday.facts`,
		ValidArgsFunction: completePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, flag := range []string{"from", "to", "max-step-tokens", "max-context-tokens", "budget", "window"} {
				if cmd.Flags().Changed(flag) {
					o.given = append(o.given, flag)
				}
			}
			return tune(cmd.Context(), s, &o, args)
		},
	}
	o.register(cmd)
	f := cmd.Flags()
	f.StringVar(&o.key, "key", "", "the number of the policy to sweep, dotted `KEY` (default "+engine.PerResultKey+", or history.over where that is the only limit)")
	f.Float64Var(&o.from, "from", 0, "sweep from this value, `N` (default what the recordings hold)")
	f.Float64Var(&o.to, "to", 0, "sweep to this value, `N` (default what the recordings hold)")
	f.IntVar(&o.points, "points", 20, "sweep over so many values, `N`")
	f.StringVar(&o.valuesText, "values", "", "sweep over these values, `N,N,…`")
	f.StringVar(&o.goal, "goal", "", "recommend for the goal `NAME`: "+joined(engine.Aims))
	f.Float64Var(&o.step, "max-step-tokens", 0, "a goal's limit: `N` tokens from the results of one step")
	f.Float64Var(&o.context, "max-context-tokens", 0, "a goal's limit: `N` tokens read at one step")
	f.Float64Var(&o.budget, "budget", 0, "a goal's limit: `N` tokens from all results together")
	f.Float64Var(&o.window, "window", 0, "the model's context in tokens, `N`: peaks as shares of it")
	f.Float64Var(&o.latency, "latency", 0, "seconds that one inspection takes, `N`, for the break-even")
	f.StringVar(&o.prices, "prices", "", "prices per million tokens, `FILE`: {\"currency\": \"USD\", \"input\": 3}")
	f.BoolVar(&o.csv, "csv", false, "the sweep as comma-separated values")
	f.BoolVar(&o.facts, "facts", false, "write the facts as JSON lines, and decide nothing")
	f.BoolVar(&o.fromFacts, "from-facts", false, "the PATHs are files that --facts wrote")
	cmd.MarkFlagsMutuallyExclusive("json", "csv", "facts")
	cmd.MarkFlagsMutuallyExclusive("values", "from")
	cmd.MarkFlagsMutuallyExclusive("values", "to")
	completeFlag(cmd, "goal", names(engine.Aims))
	return cmd
}

// check finds wrong values before anything is opened.
func (o *tuneOptions) check(paths []string) error {
	if o.goal != "" && !slices.Contains(names(engine.Aims), o.goal) {
		return unknownName("--goal", o.goal, names(engine.Aims))
	}
	for _, v := range []struct {
		flag  string
		value float64
	}{{"from", o.from}, {"to", o.to}, {"max-step-tokens", o.step}, {"max-context-tokens", o.context}, {"budget", o.budget}, {"window", o.window}, {"latency", o.latency}} {
		if !(v.value >= 0 && v.value < 1e15) {
			return usage("give a number of 0 or more", "--%s %v makes no sense", v.flag, v.value)
		}
		if v.value == 0 && slices.Contains(o.given, v.flag) && v.flag != "from" && v.flag != "to" {
			return usage("give a number of tokens over 0, or leave it out", "--%s 0 makes no sense", v.flag)
		}
	}
	if !slices.Contains(o.given, "from") {
		o.from = math.NaN()
	}
	if !slices.Contains(o.given, "to") {
		o.to = math.NaN()
	}
	const maxPoints = 100_000
	if o.points < 1 || o.points > maxPoints {
		return usage("give a number from 1 to 100,000", "--points %d makes no sense", o.points)
	}
	if o.valuesText != "" {
		for _, text := range strings.Split(o.valuesText, ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || !(v >= 0 && v < 1e15) {
				return usage("for example --values 1000,2000,4000", "--values has %q, which is not a number of 0 or more", text)
			}
			o.values = append(o.values, v)
		}
	}
	if o.fromFacts && len(paths) == 0 {
		return usage("name the files that floodmark tune --facts wrote, or - for standard input", "--from-facts without a file")
	}
	return nil
}

// engineGoal is the goal asked for. Without a name a limit for a step asks for the fewest offloads, else
// the fewest tokens are sought.
func (o *tuneOptions) engineGoal() engine.Goal {
	g := engine.Goal{Aim: engine.Aim(o.goal), MaxStepTokens: o.step, MaxContextTokens: o.context, Budget: o.budget}
	switch {
	case g.Aim != "":
	case o.step > 0 || o.context > 0 || o.budget > 0:
		g.Aim = engine.FewestOffloads
	default:
		g.Aim = engine.LowestTokens
	}
	return g
}

func tune(ctx context.Context, s *Streams, o *tuneOptions, paths []string) error {
	if err := o.check(paths); err != nil {
		return err
	}
	var prices *tokenPrices
	if o.prices != "" {
		var err error
		if prices, err = readPrices(o.prices); err != nil {
			return err
		}
	}
	n, err := newCorpus(s, &o.replayOptions)
	if err != nil {
		return err
	}
	facts, usage, err := o.collect(ctx, s, n, paths)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(s.Out)
	if o.facts {
		err = writeFacts(out, facts)
	} else {
		var t *tuning
		if t, err = o.tuning(ctx, n.policy, facts.Under(engine.Fault(o.fault))); err == nil {
			t.usage, t.prices = usage, prices
			err = t.write(out, s, o)
		}
	}
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return n.end()
}

// collect measures the recordings, or reads facts.
func (o *tuneOptions) collect(ctx context.Context, s *Streams, n *corpus, paths []string) (c *engine.Corpus, u *history.Usage, err error) {
	if o.key == "" {
		o.key = defaultKey(n.policy)
	}
	if o.to < o.from {
		return nil, nil, usage("--from has to be the lower", "%s can't be swept from %s to %s", o.key, figureOf(o.from), figureOf(o.to))
	}
	if o.fromFacts {
		c, err := readFacts(s, paths)
		return c, nil, err
	}
	policies, err := o.measuredFor(n.policy)
	if err != nil {
		return nil, nil, sweepFailure(err)
	}
	probe, err := engine.NewCorpus(policies...)
	switch {
	case err != nil:
		return nil, nil, sweepFailure(err)
	case probe.Replayed() && o.facts:
		return nil, nil, &failure{why: "facts are not enough for " + n.policy.Name + ": " + n.policy.ByReplays(), hint: "without --facts, tune replays the recordings"}
	case probe.Replayed():
		o.byReplays = replayedFor(policies)
	}
	say := n.takeTurns(s)
	var cache engine.FactCache
	if kept := openFactCache(o.store, len(paths) == 0, n.note); kept != nil {
		cache = kept
		defer func() { err = firstError(err, kept.Close()) }()
	}
	doing := "measuring: "
	if probe.Replayed() {
		doing = "replaying: "
	}
	m := newMeasuring(policies, cache, func(results int) { say(doing + count(results, "result")) })
	m.fault = engine.Fault(o.fault)
	err = n.each(ctx, paths, func(r *history.Recording) error {
		for _, c := range r.Conversations {
			if err := m.add(ctx, c); err != nil {
				return err
			}
		}
		return nil
	})
	c, measured := m.done()
	say("")
	return c, m.usage, firstError(err, measured)
}

// ladder are the values that the facts have to be measured for: those of a number that shapes packages.
func (o *tuneOptions) ladder(p *engine.Policy) []float64 {
	if !engine.ShapesFacts(o.key) {
		return nil
	}
	if len(o.values) > 0 {
		return o.values
	}
	if math.IsNaN(o.from) || math.IsNaN(o.to) {
		return o.around(p, shapedValues)
	}
	var values []float64
	if o.to > o.from { // whole steps: these are numbers of records, characters, tokens
		for i := range min(o.points, 50) {
			v := float64(int(o.from + (o.to-o.from)*float64(i)/float64(max(min(o.points, 50)-1, 1)) + 0.5))
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	return values
}

// defaultKey is the number that makes the difference: what one result may have, or when old results go.
func defaultKey(p *engine.Policy) string {
	if p.History.Active() && p.Limits.PerResult == nil {
		return "history.over"
	}
	return engine.PerResultKey
}

// measuredFor are the policies that facts are measured for, or, where facts are not enough, that are
// replayed: the policy as it is, and with each value of a ladder.
func (o *tuneOptions) measuredFor(p *engine.Policy) ([]*engine.Policy, error) {
	policies := []*engine.Policy{p}
	values, asked := o.ladder(p), len(o.values) > 0 || o.to >= o.from
	if !engine.ShapesFacts(o.key) {
		if values, asked = o.values, len(o.values) > 0; !asked {
			values = o.around(p, maxReplays)
		}
		replays := p.ByReplays() != ""
		for _, v := range values {
			q, err := p.SetNumber(o.key, v)
			replays = replays || err == nil && q.ByReplays() != ""
		}
		if !replays {
			values = nil
		}
	}
	for _, v := range values {
		switch q, err := p.SetNumber(o.key, v); {
		case err == nil:
			policies = append(policies, q)
		case asked:
			return nil, err
		}
	}
	return policies, nil
}

// replayedFor says why facts are not enough for one of these policies.
func replayedFor(policies []*engine.Policy) string {
	for _, p := range policies {
		if why := p.ByReplays(); why != "" {
			return why
		}
	}
	return ""
}

// maxReplays is the most values that are replayed where none are named: each takes a replay.
const maxReplays = 50

// shapedValues is the most values of a number that shapes packages where none are named: for each, all
// packages are made anew.
const shapedValues = 8

// around are at most so many values, evenly by their logarithm: from --from to --to, in the place of one that
// is not given an eighth of the policy's own number or four times that. There are none where the number shapes
// packages, and p has none that says how large it could be.
func (o *tuneOptions) around(p *engine.Policy, most int) []float64 {
	own := 8000.0
	if v, ok := p.Number(o.key); ok && v > 1 {
		own = v
	} else if engine.ShapesFacts(o.key) {
		return nil
	}
	low, high := o.from, o.to
	if math.IsNaN(low) {
		low = own / 8
		if high <= low {
			low = high / 8
		}
	}
	if math.IsNaN(high) {
		high = max(own, low) * 4
	}
	low = max(low, 1)
	high = max(high, low)
	n := min(o.points, most)
	var values []float64
	for i := range n {
		v := math.Round(low * math.Pow(high/low, float64(i)/float64(max(n-1, 1))))
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// readFacts reads files of facts as one corpus.
func readFacts(s *Streams, paths []string) (*engine.Corpus, error) {
	var parts []*engine.Corpus
	for _, path := range paths {
		in := s.In
		if path != "-" {
			f, err := os.Open(path)
			if err != nil {
				return nil, err
			}
			defer f.Close() // read only: there is nothing to lose
			in = f
		}
		c, err := engine.ReadFacts(in)
		var bad *engine.FactsError
		if errors.As(err, &bad) {
			return nil, &failure{what: fmt.Sprintf("%s:%d", path, bad.Line), why: bad.Reason, hint: "floodmark tune --facts writes such files"}
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, c)
	}
	c, err := engine.MergeFacts(parts...)
	return c, sweepFailure(err)
}

func writeFacts(out *bufio.Writer, c *engine.Corpus) error {
	w := &escapingWriter{w: out}
	if err := c.WriteFacts(w); err != nil {
		return err
	}
	return w.flush()
}

// sweepFailure is a policy's error with its hint.
func sweepFailure(err error) error {
	var p *engine.PolicyError
	if !errors.As(err, &p) {
		return err
	}
	return &failure{why: p.Error(), hint: p.Hint}
}

// A tuning is what a sweep found.
type tuning struct {
	policy    *engine.Policy
	key       string
	facts     *engine.Corpus
	now       *engine.Decisions
	sweep     []engine.Point
	best      *engine.Recommendation // nil for a field that has none
	goal      engine.Goal
	breakEven *engine.BreakEven
	shapes    []engine.ShapeAdvice // where the vendor's limits are fixed
	usage     *history.Usage       // reported, nil without
	prices    *tokenPrices         // nil without
	byReplays string               // why facts are not enough; empty where they are
}

func (o *tuneOptions) tuning(ctx context.Context, p *engine.Policy, facts *engine.Corpus) (*tuning, error) {
	t := &tuning{policy: p, key: o.key, facts: facts, goal: o.engineGoal(), byReplays: o.byReplays}
	var err error
	if t.now, err = facts.Decide(p); err != nil {
		return nil, sweepFailure(err)
	}
	if t.key == engine.PerResultKey || t.key == engine.CombinedKey {
		if t.best, err = facts.Recommend(ctx, p, t.key, t.goal); err != nil {
			return nil, sweepFailure(err)
		}
	}
	values := o.values
	if len(values) == 0 {
		if values, err = facts.SweepValues(p, t.key, o.from, o.to, o.points); err != nil {
			return nil, sweepFailure(err)
		}
		if !facts.Replayed() {
			values = t.landmarks(values, o.from, o.to)
		}
	}
	if t.sweep, err = facts.Sweep(ctx, p, t.key, values, engine.SweepOptions{StepTokens: o.step}); err != nil {
		return nil, sweepFailure(err)
	}
	if t.breakEven, err = facts.BreakEven(t.now); err != nil {
		return nil, err
	}
	if p.Fixed {
		if t.shapes, err = facts.Shapes(p); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// landmarks adds the policy's own value and the recommended one to those of a sweep, where they lie between
// the ends that were given; NaN is none.
func (t *tuning) landmarks(values []float64, from, to float64) []float64 {
	if t.best == nil {
		return values
	}
	values = slices.Clone(values)
	for _, v := range []float64{t.best.Now.Value, t.best.Best.Value} {
		if v >= 0 && !(v < from) && !(v > to) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}
