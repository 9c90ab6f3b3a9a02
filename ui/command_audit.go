package ui

import (
	"bufio"
	"context"
	"fmt"

	"floodmark/engine"
	"floodmark/history"

	"github.com/spf13/cobra"
)

func auditCommand(s *Streams, c *common) *cobra.Command {
	o := replayOptions{common: c}
	markdown, redact := false, false
	cmd := &cobra.Command{
		Use:   "audit [PATH…]",
		Short: "The production checklist for a corpus and a policy, each line with its evidence",
		Long: `Answer the seven lines of the production checklist for tool responses: yes, no, or that a recording can't
tell, each with the numbers and the results that it rests on. To see the fault path it runs every fault.
It keeps nothing, and ends with 0 whatever the answers are; "floodmark check" is the gate.`,
		Example: `  floodmark audit recordings/
  floodmark audit --policy trueforge --markdown recordings/ > audit.md
  floodmark audit --policy trueforge --json recordings/ | jq '.lines[] | select(.answer == "no")'`,
		ValidArgsFunction: completePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.fault != "" {
				return usage("audit without it runs every fault", "--fault chooses nothing here")
			}
			return audit(cmd.Context(), s, &o, markdown, redact, args)
		},
	}
	o.register(cmd)
	cmd.Flags().BoolVar(&markdown, "markdown", false, "a Markdown document")
	cmd.Flags().BoolVar(&redact, "redact", false, "leave out payload text, and mask what looks sensitive in names")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	return cmd
}

func audit(ctx context.Context, s *Streams, o *replayOptions, markdown, redact bool, paths []string) error {
	n, err := newCorpus(s, o)
	if err != nil {
		return err
	}
	a := engine.NewAudit(n.policy)
	err = n.each(ctx, paths, func(r *history.Recording) error {
		for _, c := range r.Conversations {
			if err := a.Add(ctx, engine.NewReplayer(c)); err != nil {
				return fmt.Errorf("%s: %w", r.Name, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	lines := a.Lines()
	if redact {
		lines = redactedAudit(lines)
	}
	out := bufio.NewWriter(s.Out)
	switch {
	case o.json:
		err = auditJSON(out, a, lines, n.skipped)
	case markdown && redact:
		err = auditMarkdown(out, a, lines, n.skipped)
	case markdown:
		marks := markdownMarks{out: out}
		err = firstError(auditMarkdown(&marks, a, lines, n.skipped), marks.end())
	default:
		err = auditText(out, s.theme(), a, lines, n.skipped)
	}
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return n.end()
}
