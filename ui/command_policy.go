package ui

import (
	"fmt"
	"slices"
	"strings"

	"floodmark/engine"

	"github.com/spf13/cobra"
)

type policyJSON struct {
	Name      string           `json:"name"`
	Title     string           `json:"title"`
	Enabled   bool             `json:"enabled"`
	Estimator engine.Estimator `json:"estimator"`
	Limits    engine.Limits    `json:"limits"`
	Fixed     bool             `json:"fixed"`
	Strategy  engine.Strategy  `json:"strategy"`
	Source    string           `json:"source"` // "DOC", "CODE" or "ours": where the limits come from
	Date      string           `json:"date,omitempty"`
	Notes     []string         `json:"notes"`
}

func policyCommand(s *Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "The policies: built in, or a file of yours",
		Long: `The policies. A policy is one JSON document; start a new one from a built-in one:

  floodmark policy show moveworks > mine.json
  floodmark policy check mine.json
  floodmark replay --policy mine.json session.jsonl`,
		RunE: subcommand,
	}
	cmd.AddCommand(policyListCommand(s), policyShowCommand(s), policyCheckCommand(s), policySchemaCommand(s))
	return cmd
}

func policyListCommand(s *Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the built-in policies",
		Args:  arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			var policies []*engine.Policy
			for _, name := range engine.Builtin() {
				p, err := engine.Load(name)
				if err != nil {
					return err
				}
				policies = append(policies, p)
			}
			if asJSON {
				for _, p := range policies {
					source, date := p.Origin()
					if err := writeJSON(s.Out, policyJSON{p.Name, p.Title, p.Enabled, p.Estimator, p.Limits, p.Fixed, p.Strategy, source, date, p.Notes}); err != nil {
						return err
					}
				}
				return nil
			}
			return writePolicies(s, policies)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

// strategyHeads say what the policies of a strategy have in common.
var strategyHeads = map[engine.Strategy]string{
	engine.Offload:     "offload: a package enters, the payload is kept",
	engine.Truncate:    "truncate: a part enters, the rest is gone",
	engine.ShowPreview: "preview-only: a preview enters, nothing is kept",
	engine.Reject:      "reject: a warning enters and nothing of it (verdict preview-only), nothing is kept",
	engine.ClearOld:    "clear: it enters whole and goes later",
	engine.KeepAll:     "inline: it enters whole",
}

// writePolicies writes a table for each strategy.
func writePolicies(s *Streams, policies []*engine.Policy) error {
	first := true
	for _, strategy := range engine.Strategies {
		var rows [][]string
		for _, p := range policies {
			if p.Strategy == strategy {
				source, date := p.Origin()
				rows = append(rows, []string{p.Name, resultLimit(p), batchLimit(p), string(p.Estimator), source, date})
			}
		}
		if rows == nil {
			continue
		}
		if !first {
			if _, err := fmt.Fprintln(s.Out); err != nil {
				return err
			}
		}
		first = false
		if _, err := fmt.Fprintln(s.Out, strategyHeads[strategy]); err != nil {
			return err
		}
		if err := writeTable(s.Out, []string{"policy", "a result", "a batch", "estimator", "source", "date"}, rows); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(s.Out, "\npolicy show NAME gives all fields, and where each number comes from.")
	return err
}

// resultLimit is what a policy compares one result with, or of a policy that clears old results what
// it compares the context with.
func resultLimit(p *engine.Policy) string {
	l := p.Limits
	over := "> "
	if p.Boundary == engine.Reaches {
		over = "≥ "
	}
	var parts []string
	if l.PerResult != nil {
		parts = append(parts, over+rounded(*l.PerResult)+" "+string(l.Unit))
	}
	if l.Second != nil {
		parts = append(parts, over+rounded(*l.Second)+" "+string(l.SecondUnit))
	}
	switch {
	case parts != nil:
		return strings.Join(parts, " or ")
	case p.History.Active():
		return "history " + rounded(*p.History.Over) + " tokens"
	}
	return "none"
}

func batchLimit(p *engine.Policy) string {
	l := p.Limits
	if l.Combined == nil {
		return "none"
	}
	return rounded(*l.Combined) + " " + string(l.CombinedUnit)
}

func policyShowCommand(s *Streams) *cobra.Command {
	var set []string
	var as string
	cmd := &cobra.Command{
		Use:   "show NAME|FILE",
		Short: "Print a policy's document, with every field",
		Long: `Print a policy's document, with every field. With --as the policy is written as the settings of a
harness: only what differs from what the harness does by itself, and nothing that it has no setting for.`,
		Example: `  floodmark policy show trueforge > mine.json
  floodmark policy show trueforge --set limits.per_result=4000 --as trueforge`,
		Args:              arguments(1, 1),
		ValidArgsFunction: completePolicies,
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := loadPolicy(args[0])
			if err != nil {
				return err
			}
			if p, err = changed(p, set); err != nil {
				return err
			}
			if as != "" {
				return showAs(s, p, as)
			}
			return writeDocument(s, p.Document())
		},
	}
	cmd.Flags().StringArrayVar(&set, "set", nil, "change one field, `KEY=VALUE` (repeatable)")
	cmd.Flags().StringVar(&as, "as", "", "as the settings of a `HARNESS`: "+strings.Join(engine.HarnessNames(), ", "))
	completeFlag(cmd, "as", engine.HarnessNames())
	return cmd
}

// showAs writes p as a harness's settings. What the harness can't say is an error that names it.
func showAs(s *Streams, p *engine.Policy, harness string) error {
	if !slices.Contains(engine.HarnessNames(), harness) {
		return unknownName("--as", harness, engine.HarnessNames())
	}
	set, err := p.SettingsAs(harness)
	if err != nil {
		return err
	}
	if len(set.Refused) > 0 {
		return &failure{what: policyTitle(p), why: set.Harness + " has no setting for " + strings.Join(set.Refused, ", "),
			hint: "it starts from policy " + set.Base + "; what differs from that needs a setting"}
	}
	_, err = fmt.Fprint(s.Out, visibleLines(set.Text))
	return err
}

func policySchemaCommand(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of policy documents",
		Args:  arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			return writeDocument(s, engine.DocumentSchema())
		},
	}
}

// writeDocument writes an indented JSON document, ended by one line break.
func writeDocument(s *Streams, doc []byte) error {
	for len(doc) > 0 && doc[len(doc)-1] == '\n' {
		doc = doc[:len(doc)-1]
	}
	_, err := fmt.Fprintf(s.Out, "%s\n", escaped(doc))
	return err
}

// completePolicies lets a shell complete the built-in policies, and files.
func completePolicies(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return engine.Builtin(), cobra.ShellCompDirectiveDefault
}
