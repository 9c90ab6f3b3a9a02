package ui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"time"

	"floodmark/engine"
	"floodmark/history"
	"floodmark/store"

	"github.com/spf13/cobra"
)

// extras are what --text, --schema and --preview add to each object of replay --json.
type extras struct {
	text, schema, preview bool
	track                 bool
	redact                bool // leave out payload text
}

func replayCommand(s *Streams, c *common) *cobra.Command {
	o := replayOptions{common: c}
	var x extras
	cmd := &cobra.Command{
		Use:   "replay [PATH…]",
		Short: "Run the engine over every result: one line each, and totals",
		Long: `Run the engine over every result of the recordings: one line each, and totals. With --json one JSON
object a result, and the totals as the last one.

What is offloaded is kept as a variable in the store; a result's line is printed once its variable is
committed. Without a PATH the built-in recordings are replayed, and their variables are gone at the end.`,
		Example: `  floodmark replay session.jsonl
  floodmark replay --json --policy trueforge session.jsonl
  floodmark replay --set limits.per_result=4000 --store none recordings/`,
		ValidArgsFunction: completePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			if (x.text || x.schema || x.preview) && !o.json {
				return usage("add --json", "--text, --schema and --preview belong to --json")
			}
			return replayWith(cmd.Context(), s, &o, x, args)
		},
	}
	o.register(cmd)
	cmd.Flags().BoolVar(&x.text, "text", false, "with --json: add inline.text, exactly what entered the context")
	cmd.Flags().BoolVar(&x.schema, "schema", false, "with --json: add the payload's schema")
	cmd.Flags().BoolVar(&x.track, "track", false, "follow values and variables too: superseded, reread, expired, ungrounded, mixed-records")
	cmd.Flags().BoolVar(&x.redact, "redact", false, "leave out payload text: sizes, shapes, verdicts, and keys that do not look sensitive")
	cmd.Flags().BoolVar(&x.preview, "preview", false, "with --json: add the payload's preview")
	cmd.MarkFlagsMutuallyExclusive("redact", "text")
	cmd.MarkFlagsMutuallyExclusive("redact", "preview")
	return cmd
}

func replay(ctx context.Context, s *Streams, o *replayOptions, paths []string) error {
	return replayWith(ctx, s, o, extras{}, paths)
}

// A replayReport writes what a replay finds, result by result.
type replayReport interface {
	// conversation is told before the results of c.
	conversation(c *history.Conversation, r *engine.Replayer) error
	// result gets each outcome, once what it keeps is kept.
	result(o *engine.Outcome) error
	// totals ends the report.
	totals(t engine.Totals, skipped int) error
}

func replayWith(ctx context.Context, s *Streams, o *replayOptions, x extras, paths []string) (err error) {
	n, err := newCorpus(s, o)
	if err != nil {
		return err
	}
	variables, err := openStore(o.store, len(paths) == 0, 0)
	if err != nil {
		return err
	}
	if variables != nil {
		defer func() { err = firstError(err, variables.Close()) }()
	}
	r := &replaying{corpus: n, track: x.track, ledger: ledger{out: bufio.NewWriter(s.Out), keeper: newKeeper(variables), now: time.Now}}
	r.report = &replayText{out: &r.ledger, policy: n.policy, theme: s.theme(), redact: x.redact}
	if o.json {
		r.report = &replayJSON{out: &r.ledger, policy: n.policy, extras: x, keeper: r.ledger.keeper}
	}
	err = n.each(ctx, paths, func(rec *history.Recording) error {
		for _, c := range rec.Conversations {
			if err := r.conversation(ctx, c); err != nil {
				return fmt.Errorf("%s: %w", rec.Name, err)
			}
		}
		return nil
	})
	if err != nil {
		return firstError(err, r.interrupted(ctx))
	}
	if err := r.settle(ctx, true); err != nil {
		return err
	}
	if err := r.report.totals(r.totals, n.skipped); err != nil {
		return err
	}
	if err := r.ledger.settle(ctx, true); err != nil {
		return err
	}
	s.noteAgain(o.common, r.ledger.keeper.again)
	return n.end()
}

// noteAgain names the variables that were gone and are stored again.
func (s *Streams) noteAgain(c *common, all []store.Tombstone) {
	for i, t := range all {
		if i == maxNotes {
			s.note(c, "%s more that were gone are stored again", count(len(all)-maxNotes, "variable"))
			return
		}
		s.note(c, "%s %s and is stored again", t.Key, goneWords(t))
	}
}

// A replaying is a replay on its way through the recordings.
type replaying struct {
	corpus *corpus
	track  bool
	report replayReport
	ledger ledger
	totals engine.Totals // of the conversations whose lines are written
}

// conversation runs the policy over c. Every line is written as soon as it is true.
func (r *replaying) conversation(ctx context.Context, c *history.Conversation) error {
	e := &entry{conv: c}
	r.ledger.open = append(r.ledger.open, e)
	if err := r.run(ctx, e); err != nil {
		return r.recover(ctx, err)
	}
	return r.settle(ctx, false)
}

// settle writes what is true by now, and adds up what is complete.
func (r *replaying) settle(ctx context.Context, now bool) error {
	if err := r.ledger.settle(ctx, now); err != nil {
		return r.recover(ctx, err)
	}
	for _, e := range r.ledger.done() {
		r.totals.Add(*e.totals)
	}
	return nil
}

// recover takes up again what waited for a commit that failed, each variable by itself now: what the
// store can't take is lost, and its line says so. Any other error stays.
func (r *replaying) recover(ctx context.Context, err error) error {
	k := r.ledger.keeper
	if k.fails == nil || !errors.Is(err, k.fails) || ctx.Err() != nil {
		return err
	}
	k.fails = nil
	r.ledger.held.Reset()
	for _, e := range r.ledger.open {
		if err := r.run(ctx, e); err != nil {
			return err
		}
	}
	return r.settle(ctx, true)
}

// interrupted writes what is true of what was replayed before an error ended it.
func (r *replaying) interrupted(ctx context.Context) error {
	k := r.ledger.keeper
	if ctx.Err() == nil && k.fails == nil {
		return r.ledger.settle(ctx, true)
	}
	if k.waiting() {
		k.batch.Discard()
	}
	return r.ledger.out.Flush()
}

// run replays an entry, from the first line on that isn't written for good.
func (r *replaying) run(ctx context.Context, e *entry) error {
	replayer := engine.NewReplayer(e.conv)
	clear(r.ledger.keeper.kept)
	begin := r.ledger.held.Len()
	if err := r.report.conversation(e.conv, replayer); err != nil {
		return err
	}
	if e.lines = 0; e.said > 0 {
		r.ledger.held.Truncate(begin) // its heading is written already
	}
	o := engine.RunOptions{Fault: engine.Fault(r.corpus.o.fault), Track: r.track, Each: func(o *engine.Outcome) error {
		if e.lines++; e.lines <= e.said {
			return nil
		}
		if err := r.report.result(o); err != nil {
			return err
		}
		return r.ledger.settle(ctx, false)
	}}
	if r.ledger.keeper.store != nil {
		o.Keep = r.ledger.keeper
	}
	run, err := replayer.Run(ctx, r.corpus.policy, o)
	if err != nil {
		return err
	}
	e.totals = &run.Totals
	return nil
}

// firstError is the error that came first, where something else had to be done after it.
func firstError(first, then error) error {
	if first != nil {
		return first
	}
	return then
}
