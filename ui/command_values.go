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

// valuesOptions choose what to follow.
type valuesOptions struct {
	replayOptions
	call, value string
	findings    bool
}

func valuesCommand(s *Streams, c *common) *cobra.Command {
	o := valuesOptions{replayOptions: replayOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "values [PATH…]",
		Short: "Say where each call's arguments come from",
		Long: `Say where each value in a call's arguments comes from: the words of the user, an earlier result, an earlier
call, or nowhere. Then which later steps name a variable or bring its payload back. Values are compared
exactly, as they are spelled; where only another spelling is there, it is shown. It keeps nothing.`,
		Example: `  floodmark values session.jsonl
  floodmark values --findings recordings/
  floodmark values --json --call call_14 session.jsonl`,
		ValidArgsFunction: completePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("value") && o.value == "" {
				return usage("an argument's whole value, as it is spelled", "--value is empty")
			}
			return values(cmd.Context(), s, &o, args)
		},
	}
	o.register(cmd)
	f := cmd.Flags()
	f.StringVar(&o.call, "call", "", "only the calls with this `ID`")
	f.StringVar(&o.value, "value", "", "only arguments with exactly this `VALUE`")
	f.BoolVar(&o.findings, "findings", false, "only what nothing had before, or what mixes records")
	return cmd
}

func values(ctx context.Context, s *Streams, o *valuesOptions, paths []string) error {
	n, err := newCorpus(s, &o.replayOptions)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(s.Out)
	shown, there := 0, o.call == ""
	err = n.each(ctx, paths, func(r *history.Recording) error {
		for _, c := range r.Conversations {
			run, err := engine.NewReplayer(c).Run(ctx, n.policy, engine.RunOptions{Fault: engine.Fault(o.fault), SkipExact: true, Track: true})
			if err != nil {
				return fmt.Errorf("%s: %w", r.Name, err)
			}
			for _, note := range run.Tracking.Notes {
				n.note(r.Name + ": " + note)
			}
			k, err := o.write(out, c, run.Tracking)
			if err != nil {
				return err
			}
			shown += k
			there = there || slices.ContainsFunc(run.Outcomes, func(x *engine.Outcome) bool { return x.Call.ID == o.call })
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !there {
		return notThere()
	}
	if shown == 0 && !o.json {
		fmt.Fprintln(out, "no value to show")
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return n.end()
}

// wants tells whether an argument is asked for.
func (o *valuesOptions) wants(a *engine.Argument) bool {
	switch {
	case o.call != "" && a.Outcome.Call.ID != o.call, o.value != "" && a.Text != o.value:
		return false
	case o.findings:
		return a.Suspicious()
	}
	return o.json || a.Ground != engine.TrivialGround
}

// write writes one conversation's values, and says how many lines those are.
func (o *valuesOptions) write(out io.Writer, c *history.Conversation, t *engine.Tracking) (n int, err error) {
	var last *engine.Outcome
	line := func(text string) {
		n++
		if err == nil {
			_, err = fmt.Fprintln(out, visible(text))
		}
	}
	object := func(v any) {
		n++
		if err == nil {
			err = writeJSON(out, v)
		}
	}
	for _, a := range t.Arguments {
		if !o.wants(a) {
			continue
		}
		if o.json {
			object(valueObject(c, a))
			continue
		}
		if a.Outcome != last {
			last = a.Outcome
			line(fmt.Sprintf("%s  %s · turn %d · step %d · %s", last.Call.Tool, c.File, last.Turn, last.Step, last.Call.ID))
		}
		line("  " + a.Path + "  " + clip(a.Text, valueCells) + "  " + groundText(a))
	}
	if o.value != "" || o.findings {
		return n, err
	}
	for i := range t.Rereads {
		if r := &t.Rereads[i]; o.json && (o.call == "" || r.To.Call.ID == o.call || r.From.Call.ID == o.call) {
			object(rereadObject(c, r))
		}
	}
	if !o.json {
		for _, chain := range t.Chains() {
			if o.call != "" && !chain.Has(o.call) {
				continue
			}
			for _, text := range chainLines(&chain) {
				line(text)
			}
		}
	}
	for i := range t.References {
		r := &t.References[i]
		if o.call != "" && r.Outcome.Call.ID != o.call || r.How == "read" {
			continue
		}
		if o.json {
			object(referenceObject(c, r, t.Superseded[r.Outcome]))
		} else {
			line(referenceText(r, t.Superseded[r.Outcome]))
		}
	}
	return n, err
}

// valueCells is how much of a value a line shows.
const valueCells = 60

// groundText says where an argument comes from.
func groundText(a *engine.Argument) string {
	text := ""
	switch a.Ground {
	case engine.TrivialGround:
		return "too short, or too long, to come from anywhere"
	case engine.Ungrounded:
		text = "nothing before it has it"
	case engine.UnknownGround:
		text = "no result before it has it, and no words of a user are recorded"
	case engine.Loosely:
		return fmt.Sprintf("%s in %s: another spelling (%s)", a.Near[0].Text, a.Near[0].Origin.String(), a.Near[0].Kind)
	default:
		text = "from " + originText(a.First)
		switch {
		case a.Seen == nil:
			text += ", which the model could not see"
		case a.Seen != a.First:
			text += ", in sight first in " + a.Seen.String()
		}
	}
	for i, m := range a.Near {
		if m.Kind == engine.OtherRecord { // two of them: what the id's own record has, at the id's place, and the value's own place
			if i == 0 || a.Near[i-1].Kind != engine.OtherRecord {
				text += fmt.Sprintf("; the id beside it names another record (%s), that of %s, which has %s", m.Kind, m.Origin.String(), m.Text)
			}
			continue
		}
		text += fmt.Sprintf("; %s (%s) is in %s", m.Text, m.Kind, m.Origin.String())
	}
	return text
}

func originText(p *engine.Origin) string {
	text := p.String()
	if p.Record >= 0 {
		text += ", record " + grouped(int64(p.Record))
	}
	return text
}

func referenceText(r *engine.Reference, newer *engine.Outcome) string {
	text := fmt.Sprintf("turn %d, step %d names $%s in its %s", r.Turn, r.Step, engine.JQName(r.Outcome.Name), r.How)
	if newer != nil {
		text += ", superseded by $" + engine.JQName(newer.Name)
	}
	if r.Expired != "" {
		text += ", expired: " + r.Expired
	}
	return text
}
