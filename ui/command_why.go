package ui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"floodmark/engine"
	"floodmark/history"

	"github.com/spf13/cobra"
)

// whyOptions choose the results to explain.
type whyOptions struct {
	replayOptions
	call, conversation string
	turn               int
	field, beside      string
	markdown, redact   bool
	causes             bool
}

// anyTurn is --turn where it was not given; turn 0 is what precedes the first message.
const anyTurn = -1

func whyCommand(s *Streams, c *common) *cobra.Command {
	o := whyOptions{replayOptions: replayOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "why [PATH…]",
		Short: "Say why each result got its verdict, the most suspicious first",
		Long: `Say why each result got its verdict, the most suspicious first: the trace with its numbers, where in the
payload the cause lies, what would change the verdict, and a filter that was tried and does. Of several
recordings a table of the causes comes first. It keeps nothing.

With --field it says where a field first appears, whether schema and preview show it, and how to query it.
With --beside two results stand side by side. --markdown is for a ticket, --redact leaves payload text out of it.`,
		Example: `  floodmark why session.jsonl
  floodmark why --call call_14 session.jsonl
  floodmark why --call call_14 --field owner --markdown session.jsonl
  floodmark why --causes recordings/
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
	f.StringVar(&o.field, "field", "", "find a field by its jq `PATH`, or by its name at any depth")
	f.StringVar(&o.beside, "beside", "", "show the result of this `CALL` beside that of --call, or beside the most suspicious other")
	f.BoolVar(&o.markdown, "markdown", false, "write a report for a ticket")
	f.BoolVar(&o.redact, "redact", false, "leave out payload text: shapes and sizes only, and key names that are plain words")
	f.BoolVar(&o.causes, "causes", false, "only the table of causes, the worst first")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	cmd.MarkFlagsMutuallyExclusive("causes", "beside", "field")
	return cmd
}

// A finding is a diagnosis and where its result stands.
type finding struct {
	conv *history.Conversation
	*engine.Diagnosis
	field   *engine.Sighting   // where the field is that was asked for; nil where none was
	values  []*engine.Argument // where the call's arguments come from; only where a call was asked for
	chain   *engine.Chain      // in which the call stands; only where a call was asked for
	excerpt string             // of the payload, where the cause lies; empty where it is not to be shown
}

func why(ctx context.Context, s *Streams, o *whyOptions, paths []string) error {
	n, err := newCorpus(s, &o.replayOptions)
	if err != nil {
		return err
	}
	var found []finding
	recordings := 0
	err = n.each(ctx, paths, func(r *history.Recording) error {
		recordings++
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
		return notThere()
	}
	slices.SortStableFunc(found, func(a, b finding) int { return engine.MoreSuspicious(a.Diagnosis, b.Diagnosis) })
	if o.redact {
		for i := range found {
			found[i] = redacted(found[i])
		}
	}
	out := bufio.NewWriter(s.Out)
	marks := markdownMarks{out: out}
	report := whyReport{out: out, theme: s.theme(), policy: n.policy, options: o}
	if o.markdown && !o.redact {
		report.out = &marks
	}
	if err := report.write(found, recordings); err != nil {
		return err
	}
	if err := marks.end(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return n.end()
}

func notThere() error {
	return &failure{why: "no result is at the place asked for", hint: `"floodmark replay --json" lists conversations, turns and calls`}
}

// diagnose runs the policy over c and explains the results that were asked for.
func (c *corpus) diagnose(ctx context.Context, conv *history.Conversation, o *whyOptions) ([]finding, error) {
	r := engine.NewReplayer(conv)
	run, err := r.Run(ctx, c.policy, engine.RunOptions{Fault: engine.Fault(o.fault), Track: o.call != ""})
	if err != nil {
		return nil, err
	}
	var found []finding
	for _, outcome := range run.Outcomes {
		if !o.wants(outcome) {
			continue
		}
		d, err := r.Diagnose(ctx, c.policy, outcome)
		if err != nil {
			return nil, err
		}
		f := finding{conv: conv, Diagnosis: d}
		if run.Tracking != nil {
			f.values, f.chain = run.Tracking.Of(outcome.Call), run.Tracking.ChainOf(outcome)
		}
		if o.field != "" {
			if f.field, err = r.See(ctx, c.policy, outcome, o.field); err != nil {
				return nil, fieldError(o.field, err)
			}
		}
		if o.markdown && !o.redact && outcome.Facts != nil {
			payload, err := r.Payload(c.policy, outcome)
			if err != nil {
				return nil, err
			}
			f.excerpt = excerpt(payload, d)
		}
		found = append(found, f)
	}
	return found, nil
}

// wants tells whether a result was asked for.
func (o *whyOptions) wants(outcome *engine.Outcome) bool {
	id := outcome.Call.ID
	if o.call != "" && id != o.call && (o.beside == "" || id != o.beside) {
		return false
	}
	return o.turn == anyTurn || outcome.Turn == o.turn
}

func fieldError(path string, err error) error {
	var q *engine.QueryError
	if errors.As(err, &q) {
		return &failure{what: "--field " + path, why: q.Message, hint: "a path as in .items[].owner, or a name alone"}
	}
	return err
}

// excerptBytes is how much of a payload a ticket shows.
const excerptBytes = 160

// excerpt is the payload's text where the cause lies.
func excerpt(payload []byte, d *engine.Diagnosis) string {
	from := 0
	if d.At != nil {
		from = int(d.At.Offset)
		if d.Syntax != nil {
			from -= excerptBytes / 2 // what stands before a fault explains it
		}
	}
	from = max(0, min(from, len(payload)))
	return strings.ToValidUTF8(string(payload[from:min(len(payload), from+excerptBytes)]), "")
}
