package ui

import (
	"io"
	"os"
	"slices"
	"strings"

	"floodmark/engine"
	"floodmark/history"

	"github.com/spf13/cobra"
)

// common are the flags of every command.
type common struct {
	plain, quiet bool
}

// replayOptions are the flags shared by all commands that replay.
type replayOptions struct {
	*common
	policy    string
	set       []string
	estimator string
	format    string
	store     string
	fault     string
	strict    bool
	json      bool
	notes     []string // what load has to say of the policy
}

// noStore is what --store is given to keep nothing.
const noStore = "none"

// register adds the flags to cmd.
func (o *replayOptions) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.policy, "policy", "moveworks", "the policy: a built-in `NAME`, a file, or a harness's settings file")
	o.registerWithoutPolicy(cmd)
}

// registerWithoutPolicy adds all of them but --policy, which cmd has of its own.
func (o *replayOptions) registerWithoutPolicy(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&o.set, "set", nil, "change one field of the policy, `KEY=VALUE` (repeatable)")
	f.StringVar(&o.estimator, "estimator", "", "count tokens by `NAME`: "+joined(engine.Estimators))
	f.StringVar(&o.format, "format", "", "read recordings as this format, `NAME` as in \"floodmark formats\"")
	registerStore(cmd, &o.store)
	f.StringVar(&o.fault, "fault", "", "let something go wrong, `NAME`: "+joined(engine.Faults))
	f.BoolVar(&o.strict, "strict", false, "a damaged record is an error, not a warning")
	f.BoolVar(&o.json, "json", false, "one JSON object a line")

	completeFlag(cmd, "policy", engine.Builtin())
	completeFlag(cmd, "estimator", names(engine.Estimators))
	completeFlag(cmd, "format", formatNames())
	completeFlag(cmd, "fault", names(engine.Faults))
}

// registerStore adds --store to cmd.
func registerStore(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "store", "", "keep variables in `FILE` (none: nowhere) instead of the user's state folder")
}

// completeFlag lets a shell complete the values of a flag.
func completeFlag(cmd *cobra.Command, flag string, values []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveDefault))
	if err != nil {
		panic(err) // the flag does not exist: a mistake in the program, found by every test
	}
}

// completePaths lets a shell complete files and folders.
func completePaths(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// check finds wrong values before anything is opened.
func (o *replayOptions) check() error {
	if o.fault != "" && !slices.Contains(names(engine.Faults), o.fault) {
		return unknownName("--fault", o.fault, names(engine.Faults))
	}
	if o.estimator != "" && !slices.Contains(names(engine.Estimators), o.estimator) {
		return unknownName("--estimator", o.estimator, names(engine.Estimators))
	}
	if o.format != "" && !slices.Contains(formatNames(), o.format) {
		return unknownName("--format", o.format, formatNames())
	}
	return nil
}

// load loads the policy with all changes applied, and notes what there is to say of it.
func (o *replayOptions) load() (*engine.Policy, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	return o.loadNamed(o.policy)
}

// loadNamed is load for another policy than --policy's.
func (o *replayOptions) loadNamed(name string) (*engine.Policy, error) {
	p, adapted, err := readNamed(name)
	if err != nil {
		return nil, err
	}
	changes := o.set
	if o.estimator != "" {
		changes = append(slices.Clone(changes), "estimator="+o.estimator)
	}
	if p, err = changed(p, changes); err != nil {
		return nil, err
	}
	o.notes = append(o.notes, append(adaptedNotes(name, adapted), findingNotes(p)...)...)
	return p, nil
}

// changed applies --set to a policy.
func changed(p *engine.Policy, changes []string) (*engine.Policy, error) {
	if len(changes) == 0 {
		return p, nil
	}
	p, err := p.Set(changes...)
	if err != nil {
		return nil, &failure{what: "--set", why: err.Error(), hint: `"floodmark policy schema" describes every field`}
	}
	return p, nil
}

// loadPolicy finds a policy by the name of a built-in one, else reads the file of that name.
func loadPolicy(name string) (*engine.Policy, error) {
	p, _, err := readNamed(name)
	return p, err
}

// maxPolicy is the most bytes that a policy document can have.
const maxPolicy = 1 << 20

// readPolicy reads a policy's file. Anything but a plain file could be without an end.
func readPolicy(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &failure{what: name, why: "a policy is a file, and this is a folder"}
	case !info.Mode().IsRegular():
		return nil, &failure{what: name, why: "a policy is a plain file, and this is none", hint: "write it to a file first"}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it is read only: there is nothing to lose
	return readDocument(name, f)
}

// readDocument reads a policy's document from what is called name.
func readDocument(name string, in io.Reader) ([]byte, error) {
	doc, err := io.ReadAll(io.LimitReader(in, maxPolicy+1))
	if err == nil && len(doc) > maxPolicy {
		return nil, &failure{what: name, why: "too large for a policy: over " + grouped(maxPolicy) + " bytes"}
	}
	return doc, err
}

// unknownName is the failure for a name that is none of the known ones.
func unknownName(what, name string, known []string) error {
	f := &failure{what: what, why: "no such name: " + name, hint: "one of " + strings.Join(known, ", ")}
	if what == "policy" {
		f.why = "no built-in policy and no file of this name: " + name
		f.hint = `"floodmark policy list" names the built-in ones`
	}
	// "none" switches a policy off: it is proposed only to who began to write it.
	if near := nearest(name, known); near != "" && (near != "none" || strings.HasPrefix(near, name) || strings.HasPrefix(name, "non")) {
		f.hint = "did you mean " + near + "?"
	}
	return f
}

// names are the words of a list of named values.
func names[T ~string](list []T) []string {
	s := make([]string, len(list))
	for i, v := range list {
		s[i] = string(v)
	}
	return s
}

func joined[T ~string](list []T) string { return strings.Join(names(list), ", ") }

func formatNames() []string {
	var s []string
	for _, f := range history.Formats() {
		s = append(s, f.Name)
	}
	return s
}
