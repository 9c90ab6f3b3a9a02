package ui

import (
	"fmt"

	"floodmark/store"

	"github.com/spf13/cobra"
)

func varsRemoveCommand(s *Streams, c *common) *cobra.Command {
	o := varsOptions{common: c}
	var all, derived bool
	cmd := &cobra.Command{
		Use:   "rm VARIABLE…",
		Short: "Remove variables",
		Long: `Remove variables. A name that several variables have removes none of them unless --all is given. Each
leaves a tombstone. What was made of them (results that were kept, facts, ledgers) is listed and stays, or
goes with --derived; files that they were exported to are named and stay.`,
		Args: arguments(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := storePath(o.store)
			if err != nil {
				return err
			}
			if err := mustExist(path); err != nil { // it is not made to remove from it
				return err
			}
			return o.remove(s, path, args, all, derived)
		},
	}
	o.register(cmd)
	cmd.ValidArgsFunction = completeVariables(&o.store, 1<<30)
	cmd.Flags().BoolVar(&all, "all", false, "remove every variable that a name stands for")
	cmd.Flags().BoolVar(&derived, "derived", false, "remove what was made of them, too")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object for each")
	return cmd
}

// remove removes what references name: all of it, or, where one is wrong, nothing.
func (o *varsOptions) remove(s *Streams, path string, references []string, all, derived bool) (err error) {
	variables, err := openedStore(path, store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, variables.Close()) }()
	var doomed []store.Key
	for _, reference := range references {
		found, err := variables.Find(reference)
		if err != nil {
			return variableFailure(variables, reference, err)
		}
		found = ofPolicy(found, o.policy)
		if len(found) == 0 {
			return &failure{what: reference, why: "no variable of this name under policy " + o.policy}
		}
		if len(found) > 1 && !all {
			return &failure{what: reference, why: fmt.Sprintf("names %d variables, %s under policy %s among them", len(found), found[0].Key, found[0].Policy),
				hint: "say CONVERSATION/NAME and --policy, or --all to remove them all"}
		}
		for _, v := range found {
			doomed = append(doomed, v.Key)
		}
	}
	gone := map[store.Key]bool{}
	for _, k := range doomed {
		if gone[k] {
			continue // it was named twice, or made of another one
		}
		r, err := variables.Remove(k, derived)
		if err != nil {
			return err
		}
		for _, t := range r.Removed {
			gone[t.Key] = true
		}
		if err := o.removed(s, k, r, derived); err != nil {
			return err
		}
	}
	return nil
}

// removed says what went with a variable and what stays.
func (o *varsOptions) removed(s *Streams, k store.Key, r store.Removal, derived bool) error {
	if o.json {
		return writeJSON(s.Out, r)
	}
	s.note(o.common, "removed %s under policy %s", k, k.Policy)
	switch {
	case len(r.Derived) > 0 && derived:
		s.note(o.common, "and what was made of it: %s", derivations(r.Derived))
	case len(r.Derived) > 0:
		s.note(o.common, "what was made of it stays: %s; --derived removes that, too", derivations(r.Derived))
	}
	for _, t := range r.Removed {
		noteExports(s, o.common, t)
	}
	return nil
}
