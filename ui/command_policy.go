package ui

import (
	"fmt"

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
			var rows [][]string
			for _, name := range engine.Builtin() {
				p, err := engine.Load(name)
				if err != nil {
					return err
				}
				if asJSON {
					if err := writeJSON(s.Out, policyJSON{p.Name, p.Title, p.Enabled, p.Estimator, p.Limits, p.Fixed}); err != nil {
						return err
					}
					continue
				}
				rows = append(rows, []string{p.Name, limitText(p.Limits.PerResult), limitText(p.Limits.Combined), string(p.Estimator), p.Title})
			}
			if asJSON {
				return nil
			}
			return writeTable(s.Out, []string{"policy", "result tokens", "batch tokens", "estimator", "title"}, rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

func limitText(limit *float64) string {
	if limit == nil {
		return "none"
	}
	return rounded(*limit)
}

func policyShowCommand(s *Streams) *cobra.Command {
	var set []string
	cmd := &cobra.Command{
		Use:               "show NAME|FILE",
		Short:             "Print a policy's document, with every field",
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
			return writeDocument(s, p.Document())
		},
	}
	cmd.Flags().StringArrayVar(&set, "set", nil, "change one field, `KEY=VALUE` (repeatable)")
	return cmd
}

func policyCheckCommand(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:               "check FILE…",
		Short:             "Check policy files",
		Args:              arguments(1, -1),
		ValidArgsFunction: completePaths,
		RunE: func(_ *cobra.Command, args []string) error {
			failed := false
			for _, name := range args {
				p, err := loadPolicy(name)
				if err != nil {
					failed = true
					Report(s, err)
					continue
				}
				if _, err := fmt.Fprintf(s.Out, "%s: policy %s is in order\n", visible(name), visible(policyTitle(p))); err != nil {
					return err
				}
			}
			if failed {
				return &failure{why: "not every policy is in order", silent: true}
			}
			return nil
		},
	}
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
