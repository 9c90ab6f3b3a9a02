package ui

import (
	"bufio"
	"context"
	"fmt"
	"slices"

	"floodmark/engine"
	"floodmark/history"

	"github.com/spf13/cobra"
)

// whyOptions choose the results to explain.
type whyOptions struct {
	replayOptions
	call, conversation string
	turn               int
}

// anyTurn is --turn where it was not given; turn 0 is what precedes the first message.
const anyTurn = -1

func whyCommand(s *Streams, c *common) *cobra.Command {
	o := whyOptions{replayOptions: replayOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "why [PATH…]",
		Short: "Say why each result got its verdict, the most suspicious first",
		Long: `Say why each result got its verdict, the most suspicious first: the trace with its numbers, where in the
payload the cause lies, and what would change the verdict. It keeps nothing.`,
		Example: `  floodmark why session.jsonl
  floodmark why --call call_14 session.jsonl
  floodmark why --json recordings/ | jq -c 'select(.cause == "stringified-json")'`,
		ValidArgsFunction: completePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			return why(cmd.Context(), s, &o, args)
		},
	}
	o.register(cmd)
	f := cmd.Flags()
	f.StringVar(&o.call, "call", "", "only the calls with this `ID`")
	f.StringVar(&o.conversation, "conversation", "", "only the conversation with this `ID`")
	f.IntVar(&o.turn, "turn", anyTurn, "only this turn, `N` (0: before the first message)")
	return cmd
}

// A finding is a diagnosis and where its result stands.
type finding struct {
	conv *history.Conversation
	*engine.Diagnosis
}

func why(ctx context.Context, s *Streams, o *whyOptions, paths []string) error {
	n, err := newCorpus(s, &o.replayOptions)
	if err != nil {
		return err
	}
	var found []finding
	err = n.each(ctx, paths, func(r *history.Recording) error {
		for _, c := range r.Conversations {
			if o.conversation != "" && c.ID != o.conversation {
				continue
			}
			list, err := n.diagnose(ctx, c, o)
			if err != nil {
				return fmt.Errorf("%s: %w", r.Name, err)
			}
			found = append(found, list...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(found) == 0 && (o.call != "" || o.conversation != "" || o.turn != anyTurn) {
		return &failure{why: "no result is at the place asked for", hint: `"floodmark replay --json" lists conversations, turns and calls`}
	}
	slices.SortStableFunc(found, func(a, b finding) int { return engine.MoreSuspicious(a.Diagnosis, b.Diagnosis) })
	out := bufio.NewWriter(s.Out)
	for i, f := range found {
		if o.json {
			err = writeJSON(out, whyObject(f))
		} else {
			err = writeWhy(out, s.theme(), f, n.policy, i == 0)
		}
		if err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return n.end()
}

// diagnose runs the policy over c and explains the results that were asked for.
func (c *corpus) diagnose(ctx context.Context, conv *history.Conversation, o *whyOptions) ([]finding, error) {
	r := engine.NewReplayer(conv)
	run, err := r.Run(ctx, c.policy, engine.RunOptions{Fault: engine.Fault(o.fault)})
	if err != nil {
		return nil, err
	}
	var found []finding
	for _, outcome := range run.Outcomes {
		if o.call != "" && outcome.Call.ID != o.call || o.turn != anyTurn && outcome.Turn != o.turn {
			continue
		}
		d, err := r.Diagnose(ctx, c.policy, outcome)
		if err != nil {
			return nil, err
		}
		found = append(found, finding{conv, d})
	}
	return found, nil
}
