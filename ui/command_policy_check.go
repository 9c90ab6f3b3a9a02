package ui

import (
	"context"
	"errors"
	"fmt"

	"floodmark/engine"

	"github.com/spf13/cobra"
)

// checkedPolicyJSON is one policy of policy check --json.
type checkedPolicyJSON struct {
	File     string           `json:"file"`
	Policy   string           `json:"policy,omitempty"`
	Changed  []string         `json:"changed,omitempty"`
	Harness  string           `json:"harness,omitempty"` // whose settings it was
	Ignored  []string         `json:"ignored,omitempty"` // settings that change nothing
	Error    *policyErrorJSON `json:"error"`             // why it can't be used; null where it can
	Findings []engine.Finding `json:"findings"`
}

type policyErrorJSON struct {
	Field  string `json:"field,omitempty"`
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
}

func policyCheckCommand(s *Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check NAME|FILE|-…",
		Short: "Check policies, and what is seldom meant in them",
		Long: `Check policies: files of yours, harnesses' settings files, or built-in ones; - is standard input. A finding of the linter
stands with its code and field. It is an error where the policy can't do what it is for (exit 1), else a
warning (exit 0); what can't be used at all ends with 2.`,
		Args:              arguments(1, -1),
		ValidArgsFunction: completePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			worst, read := exitDone, false
			for _, name := range args {
				if name == "-" && read {
					return usage("give it once", "- is given twice, and standard input can be read once")
				}
				read = read || name == "-"
				code, err := checkPolicy(cmd.Context(), s, name, asJSON)
				if err != nil {
					return err
				}
				worst = max(worst, code)
			}
			if worst != exitDone {
				return &failure{why: "not every policy is in order", silent: true, code: worst}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a policy, on one line")
	return cmd
}

// checkPolicy writes what there is to say of a policy. code is the exit code that it would end with
// alone.
func checkPolicy(ctx context.Context, s *Streams, name string, asJSON bool) (code int, err error) {
	var p *engine.Policy
	var adapted *engine.Adapted
	if name == "-" {
		name = "standard input"
		var doc []byte
		if doc, err = readDocument(name, interruptible(ctx, s.In)); err == nil {
			p, adapted, err = parseDocument(name, doc)
		}
	} else {
		p, adapted, err = readNamed(name)
	}
	if err != nil {
		if !asJSON {
			return Report(s, err), nil
		}
		return exitUsage, writeJSON(s.Out, checkedPolicyJSON{File: name, Error: policyErrorOf(err), Findings: []engine.Finding{}})
	}
	findings := p.Lint()
	for _, f := range findings {
		if f.Severity == engine.LintError {
			code = exitFound
		}
	}
	if asJSON {
		v := checkedPolicyJSON{File: name, Policy: p.Name, Changed: p.Changed, Findings: notNil(findings)}
		if adapted != nil {
			v.Harness, v.Ignored = adapted.Harness, adapted.Ignored
		}
		return code, writeJSON(s.Out, v)
	}
	lines := adaptedNotes(name, adapted)
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("%s: policy %s: %s", name, p.Name, findingLine(f)))
	}
	if len(findings) == 0 {
		lines = append(lines, fmt.Sprintf("%s: policy %s is in order", name, policyTitle(p)))
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(s.Out, visible(l)); err != nil {
			return code, err
		}
	}
	return code, nil
}

func policyErrorOf(err error) *policyErrorJSON {
	var wrong *engine.PolicyError
	if errors.As(err, &wrong) {
		return &policyErrorJSON{wrong.Field, wrong.Line, wrong.Reason}
	}
	return &policyErrorJSON{Reason: explain(err).Error()}
}
