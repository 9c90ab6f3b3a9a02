package ui

import (
	"bufio"
	"context"
	"fmt"

	"floodmark/engine"
	"floodmark/history"

	"github.com/spf13/cobra"
)

// extras are what --text, --schema and --preview add to each object of replay --json.
type extras struct {
	text, schema, preview bool
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
			if x != (extras{}) && !o.json {
				return usage("add --json", "--text, --schema and --preview belong to --json")
			}
			return replayWith(cmd.Context(), s, &o, x, args)
		},
	}
	o.register(cmd)
	cmd.Flags().BoolVar(&x.text, "text", false, "with --json: add inline.text, exactly what entered the context")
	cmd.Flags().BoolVar(&x.schema, "schema", false, "with --json: add the payload's schema")
	cmd.Flags().BoolVar(&x.preview, "preview", false, "with --json: add the payload's preview")
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
	variables, err := openStore(o.store, len(paths) == 0)
	if err != nil {
		return err
	}
	k := &keeper{store: variables}
	if variables != nil {
		defer func() { err = firstError(err, variables.Close()) }()
	}
	out := bufio.NewWriter(s.Out)
	var report replayReport = &replayText{out: out, policy: n.policy, theme: s.theme()}
	if o.json {
		report = &replayJSON{out: out, policy: n.policy, extras: x, keeper: k}
	}
	var totals engine.Totals
	err = n.each(ctx, paths, func(r *history.Recording) error {
		for _, c := range r.Conversations {
			t, err := n.replayConversation(ctx, c, k, report, out)
			if err != nil {
				return fmt.Errorf("%s: %w", r.Name, err)
			}
			totals.Add(t)
		}
		return nil
	})
	if err != nil {
		return firstError(err, out.Flush())
	}
	if err := report.totals(totals, n.skipped); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return n.end()
}

// replayConversation runs the policy over c. Every line is written as soon as it is true.
func (c *corpus) replayConversation(ctx context.Context, conv *history.Conversation, k *keeper, report replayReport, out *bufio.Writer) (engine.Totals, error) {
	r := engine.NewReplayer(conv)
	if err := report.conversation(conv, r); err != nil {
		return engine.Totals{}, err
	}
	o := engine.RunOptions{Fault: engine.Fault(c.o.fault), Each: func(o *engine.Outcome) error {
		if err := report.result(o); err != nil {
			return err
		}
		return out.Flush()
	}}
	if k.store != nil {
		o.Keep = k
	}
	run, err := r.Run(ctx, c.policy, o)
	if err != nil {
		return engine.Totals{}, err
	}
	return run.Totals, nil
}

// firstError is the error that came first, where something else had to be done after it.
func firstError(first, then error) error {
	if first != nil {
		return first
	}
	return then
}
