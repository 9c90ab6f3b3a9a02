package ui

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"floodmark/engine"
	"floodmark/history"

	"github.com/spf13/cobra"
)

// compareOptions are what compare is asked for.
type compareOptions struct {
	replayOptions
	names        []string // of the policies
	call         string
	conversation string
	full         bool
	markdown     bool
	healthy      bool
	redact       bool // leave out payload text
}

func compareCommand(s *Streams, c *common) *cobra.Command {
	o := compareOptions{replayOptions: replayOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "compare [PATH…]",
		Short: "The same recordings under several policies, side by side",
		Long: `Run several policies over the same recordings. Each result on which they disagree stands with what
each model would have got of it, the totals come last, by strategy: what the model saw, what can still
be read back, and what is lost for good. Without --policy these are the built-in policies.

Summaries, and reading back what was kept elsewhere, are recognised in recordings and named, never
simulated. Nothing is kept: a store that works is assumed.`,
		Example: `  floodmark compare --policy moveworks --policy trueforge session.jsonl
  floodmark compare --policy trueforge --policy agent.json --markdown session.jsonl
  floodmark compare --policy none --policy trueforge --call call_14 session.jsonl
  floodmark compare --policy trueforge --fault sandbox-down --healthy session.jsonl`,
		ValidArgsFunction: completePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.conversation != "" && o.call == "" {
				return usage("add --call ID", "--conversation says in which one --call looks")
			}
			if o.healthy {
				if o.fault == "" || o.call != "" || o.markdown {
					return usage("as in --fault sandbox-down --healthy, with or without --json", "--healthy sets a run with --fault beside the one without")
				}
				if o.redact {
					return usage("--healthy shows names and sizes only", "--redact does not go with --healthy")
				}
				return compareHealthy(cmd.Context(), s, &o, args)
			}
			return compare(cmd.Context(), s, &o, args)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.names, "policy", nil, "a policy to compare: a built-in `NAME`, a file, or a harness's settings file (repeatable)")
	o.registerWithoutPolicy(cmd)
	f.StringVar(&o.call, "call", "", "what each model would have got of the call `ID`, side by side")
	f.StringVar(&o.conversation, "conversation", "", "look for --call in the conversation `ID` only")
	f.BoolVar(&o.full, "full", false, "with --call: the whole texts, however long")
	f.BoolVar(&o.markdown, "markdown", false, "Markdown tables")
	f.BoolVar(&o.healthy, "healthy", false, "with --fault: each policy beside itself without the fault, and what the model would no longer reach")
	f.BoolVar(&o.redact, "redact", false, "leave out payload text, and mask what looks sensitive in names")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	return cmd
}

// A compareReport writes what a comparison finds, result by result.
type compareReport interface {
	// result is told of each result in turn; text gives what policy number i's model would have got.
	result(c *history.Conversation, r *engine.ComparedResult, text func(i int) (string, error)) error
	// totals ends the report.
	totals(t *comparedTotals) error
}

// comparedTotals are the sums of a comparison over all conversations.
type comparedTotals struct {
	policies      []engine.ComparedPolicy
	recorded      engine.Recorded
	conversations int
	results       int
	differ        int
	skipped       int
}

func (t *comparedTotals) add(c *engine.Comparison) {
	t.conversations++
	t.recorded.Add(c.Recorded)
	for i, p := range c.Policies {
		t.policies[i].Add(p)
	}
	for i := range c.Results {
		if c.Results[i].CountedElsewhere() {
			continue
		}
		t.results++
		if c.Results[i].Differs() {
			t.differ++
		}
	}
}

func compare(ctx context.Context, s *Streams, o *compareOptions, paths []string) error {
	policies, labels, err := o.policies()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(s.Out)
	marks := markdownMarks{out: out}
	var document io.Writer = out
	if o.markdown && !o.redact {
		document = &marks
	}
	var report compareReport
	switch {
	case o.json:
		report = &compareJSON{out: out, labels: labels, texts: o.call != ""}
	case o.call != "":
		report = &compareTexts{out: document, labels: labels, theme: s.theme(), width: s.Width, full: o.full, markdown: o.markdown}
	case o.markdown:
		report = &compareMarkdown{out: document, labels: labels}
	default:
		report = &compareText{out: out, labels: labels, theme: s.theme()}
	}
	n := corpusUnder(s, &o.replayOptions, nil)
	sums := &comparedTotals{policies: make([]engine.ComparedPolicy, len(policies))}
	for i, p := range policies {
		sums.policies[i].Policy = p
	}
	found := false
	err = n.each(ctx, paths, func(rec *history.Recording) error {
		for _, c := range rec.Conversations {
			if o.conversation != "" && c.ID != o.conversation {
				continue
			}
			some, err := o.compareOne(ctx, c, policies, sums, report)
			if err != nil {
				return fmt.Errorf("%s: %w", rec.Name, err)
			}
			found = found || some
		}
		return nil
	})
	if err != nil {
		return err
	}
	if o.call != "" && !found {
		f := &failure{what: "--call", why: "no result has the call id " + o.call, hint: `"floodmark replay --json" lists conversations, turns and calls`}
		if o.conversation != "" {
			f.why += " in a conversation " + o.conversation
		}
		return f
	}
	sums.skipped = n.skipped
	if err := report.totals(sums); err != nil {
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

// compareOne compares the policies on one conversation. found tells whether it has what was asked for.
func (o *compareOptions) compareOne(ctx context.Context, c *history.Conversation, policies []*engine.Policy, sums *comparedTotals, report compareReport) (found bool, err error) {
	r := engine.NewReplayer(c)
	run := engine.RunOptions{Fault: engine.Fault(o.fault)}
	compared, err := r.Compare(ctx, policies, run)
	if err != nil {
		return false, err
	}
	sums.add(compared)
	shown := c
	if o.redact {
		shown = redactedPlace(c)
	}
	for i := range compared.Results {
		result := &compared.Results[i]
		switch {
		case o.call == "" && result.CountedElsewhere():
			continue // it stands with the conversation that counts it
		case o.call != "" && result.Call.ID != o.call:
			continue
		}
		found = true
		text := func(i int) (string, error) {
			outcome, err := r.Outcome(ctx, policies[i], result.Call, run)
			if err != nil {
				return "", err
			}
			b, err := r.InlineText(policies[i], outcome)
			return string(b), err
		}
		if o.redact {
			result, text = redactedCompared(result)
		}
		if err := report.result(shown, result, text); err != nil {
			return found, err
		}
	}
	return found, nil
}

// policies are the ones to compare, by strategy, with what each is called in the report: its name, and
// where several have it, where it comes from too.
func (o *compareOptions) policies() (list []*engine.Policy, labels []string, err error) {
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	given := o.names
	if len(given) == 0 {
		given = engine.Builtin()
	}
	from := map[*engine.Policy]string{}
	named := map[string]int{}
	asked := map[string]bool{} // names and cleaned paths
	for _, name := range given {
		if asked[filepath.Clean(name)] {
			return nil, nil, usage("name each policy once", "--policy %s is given twice", name)
		}
		asked[filepath.Clean(name)] = true
		p, err := o.loadNamed(name)
		if err != nil {
			return nil, nil, err
		}
		from[p] = name
		named[p.Name]++
		list = append(list, p)
	}
	list = engine.ByStrategy(list)
	for _, p := range list {
		label := p.Name
		if named[p.Name] > 1 && from[p] != p.Name {
			label += " (" + filepath.Base(from[p]) + ")"
		}
		labels = append(labels, visible(label))
	}
	return list, labels, nil
}
