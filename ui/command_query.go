package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"floodmark/engine"
	"floodmark/store"

	"github.com/spf13/cobra"
)

type queryOptions struct {
	*common
	store, policy   string
	compact, raw    bool
	args, jsonArgs  []string
	limit           int
	timeout         time.Duration
	reference, text string
	// names and values are those of the filter's variables, with their $.
	names  []string
	values []any
}

func queryCommand(s *Streams, c *common) *cobra.Command {
	o := queryOptions{common: c}
	cmd := &cobra.Command{
		Use:   "query VARIABLE FILTER",
		Short: "Run a jq filter on a stored variable",
		Long: `Run a jq filter on a stored variable. VARIABLE is NAME or CONVERSATION/NAME; a NAME that several
conversations hold means the one stored last. In the filter its value is also $NAME, and so are the
values of the other variables of its conversation. Results are indented on a terminal, else one a line.`,
		Example: `  floodmark query list_expenses_1 '.expenses | length'
  floodmark query list_expenses_1 '.expenses[] | select(.category == $c)' --arg c=travel`,
		Args:              queryArguments,
		ValidArgsFunction: completeVariables(&o.store, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.reference, o.text = args[0], args[1]
			return query(cmd.Context(), s, &o)
		},
	}
	registerStore(cmd, &o.store)
	f := cmd.Flags()
	f.StringVar(&o.policy, "policy", "", "the variable that this policy made, `NAME`")
	f.BoolVarP(&o.compact, "compact", "c", false, "one result a line, also on a terminal")
	f.BoolVarP(&o.raw, "raw-output", "r", false, "write results that are strings as they are")
	f.StringArrayVar(&o.args, "arg", nil, "give the filter a string, `NAME=VALUE` as $NAME (repeatable)")
	f.StringArrayVar(&o.jsonArgs, "argjson", nil, "give the filter a JSON value, `NAME=JSON` as $NAME (repeatable)")
	f.IntVar(&o.limit, "limit", 0, "stop after `N` results (0: all)")
	f.DurationVar(&o.timeout, "timeout", 0, "give up after this `TIME`, 5s for example (0: never)")
	return cmd
}

// queryArguments checks the number of arguments. One too many can be the value of a jq user's
// "--arg NAME VALUE".
func queryArguments(cmd *cobra.Command, args []string) error {
	for _, flag := range []string{"arg", "argjson"} {
		pairs, err := cmd.Flags().GetStringArray(flag)
		if err != nil {
			return err
		}
		for _, pair := range pairs {
			if !strings.Contains(pair, "=") && len(args) > 2 {
				return unpaired("--"+flag, pair)
			}
		}
	}
	return arguments(2, 2)(cmd, args)
}

// unpaired is the failure of a flag that takes a name and a value in one.
func unpaired(flag, pair string) error {
	return usage("it is "+flag+" NAME=VALUE, in one word", "%s %s: no name and value", flag, pair)
}

func query(ctx context.Context, s *Streams, o *queryOptions) error {
	if err := o.arguments(); err != nil {
		return err
	}
	input, err := o.input(ctx, s)
	if err != nil {
		return err
	}
	q, err := engine.Compile(o.text, o.names...)
	if err != nil {
		return filterFailure(o.text, err)
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	n, cut := 0, false
	var failed error
	err = q.Run(ctx, input, o.values, func(v any) bool {
		if o.limit > 0 && n == o.limit {
			cut = true
			return false
		}
		n++
		failed = o.write(s, v)
		return failed == nil
	})
	switch {
	case failed != nil:
		return failed
	case errors.Is(err, context.DeadlineExceeded):
		return &failure{what: "query", why: fmt.Sprintf("not done after %s", o.timeout), hint: "give it more time with --timeout", code: exitFound}
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return &failure{what: "query", why: err.Error(), code: exitFound}
	case cut:
		s.note(o.common, "there are more than the %s of --limit", count(n, "result"))
	}
	return nil
}

// arguments reads --arg and --argjson.
func (o *queryOptions) arguments() error {
	o.names, o.values = nil, nil
	add := func(flag, pair string) (string, error) {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return "", unpaired(flag, pair)
		}
		o.names = append(o.names, "$"+strings.TrimPrefix(name, "$"))
		return value, nil
	}
	for _, pair := range o.args {
		value, err := add("--arg", pair)
		if err != nil {
			return err
		}
		o.values = append(o.values, value)
	}
	for _, pair := range o.jsonArgs {
		value, err := add("--argjson", pair)
		if err != nil {
			return err
		}
		if f := engine.Scan([]byte(value), engine.ScanOptions{}); !f.Valid {
			return usage(`quotes belong to a JSON string: --argjson 'x="text"'`, "--argjson %s: the value is not JSON", pair)
		}
		v, err := engine.Decode([]byte(value))
		if err != nil {
			return usage("", "--argjson %s: %s", pair, err)
		}
		o.values = append(o.values, v)
	}
	return nil
}

// input reads the variable from the store. It and the others of its conversation and policy that the
// filter names get their names in the filter, unless an argument has that name.
func (o *queryOptions) input(ctx context.Context, s *Streams) (any, error) {
	variables, err := readStore(o.store)
	if err != nil {
		return nil, err
	}
	defer variables.Close() // opened to read only: there is nothing to lose
	v, err := findVariable(s, o.common, variables, o.reference, o.policy)
	if err != nil {
		return nil, err
	}
	input, err := stored(ctx, variables, v)
	if err != nil {
		return nil, err
	}
	o.bind(v, input)
	if !strings.Contains(o.text, "$") {
		return input, nil
	}
	all, err := variables.List()
	if err != nil {
		return nil, err
	}
	for _, other := range all {
		if other.Conversation != v.Conversation || other.Policy != v.Policy || !o.wants(other) {
			continue
		}
		value, err := stored(ctx, variables, other)
		if err != nil {
			return nil, err
		}
		o.bind(other, value)
	}
	return input, nil
}

// wants tells whether the filter names v and nothing has its name yet.
func (o *queryOptions) wants(v store.Variable) bool {
	name := jqName(v.Name)
	return !slices.Contains(o.names, name) && namesIn(o.text, name)
}

// bind gives the filter the value of v, where it wants it.
func (o *queryOptions) bind(v store.Variable, value any) {
	if o.wants(v) {
		o.names, o.values = append(o.names, jqName(v.Name)), append(o.values, value)
	}
}

// stored decodes what is stored of v.
func stored(ctx context.Context, variables *store.Store, v store.Variable) (any, error) {
	payload, err := variables.Get(ctx, v.Key)
	if err != nil {
		return nil, err
	}
	value, err := engine.Decode(payload)
	if err != nil {
		return nil, &failure{what: v.String(), why: err.Error()}
	}
	return value, nil
}

// write writes one result.
func (o *queryOptions) write(s *Streams, v any) error {
	text, isText := v.(string)
	switch {
	case o.raw && isText:
		_, err := s.Out.Write(append(s.onlyText([]byte(text)), '\n'))
		return err
	case s.OutTerminal && !o.compact:
		_, err := s.Out.Write(append(escaped(engine.Marshal(v, 2)), '\n'))
		return err
	}
	_, err := s.Out.Write(append(escaped(engine.Marshal(v, 0)), '\n'))
	return err
}

// findVariable finds the variable of this reference, and of this policy where one is named. Of
// several it takes the one stored last and says so.
func findVariable(s *Streams, c *common, variables *store.Store, reference, policy string) (store.Variable, error) {
	found, err := variables.Find(reference)
	if err != nil {
		return store.Variable{}, variableFailure(variables, reference, err)
	}
	found = ofPolicy(found, policy)
	switch {
	case len(found) == 0:
		return store.Variable{}, &failure{what: reference, why: "no variable of this name under policy " + policy}
	case len(found) > 1:
		s.note(c, "%s names %d variables; taking the one stored last: %s under policy %s", reference, len(found), found[0].Key, found[0].Policy)
	}
	return found[0], nil
}

func ofPolicy(variables []store.Variable, policy string) []store.Variable {
	if policy == "" {
		return variables
	}
	var kept []store.Variable
	for _, v := range variables {
		if v.Policy == policy {
			kept = append(kept, v)
		}
	}
	return kept
}

// variableFailure says of a reference that names nothing what may have been meant.
func variableFailure(variables *store.Store, reference string, err error) error {
	var unknown *store.NotFoundError
	if !errors.As(err, &unknown) {
		return err
	}
	f := &failure{why: unknown.Error(), hint: `"floodmark vars list" shows what is kept`}
	all, listErr := variables.List()
	if listErr != nil {
		return f
	}
	var known []string
	for _, v := range all {
		known = append(known, v.Name)
	}
	if near := nearest(strings.TrimPrefix(reference, "$"), known); near != "" {
		f.hint = "did you mean " + near + "?"
	}
	return f
}

// filterFailure shows the place in a filter at which it is wrong.
func filterFailure(filter string, err error) error {
	var q *engine.QueryError
	if !errors.As(err, &q) {
		return &failure{what: "filter", why: err.Error()}
	}
	f := &failure{what: "filter", why: q.Message}
	if q.Offset < 0 || q.Offset > len(filter) {
		return f
	}
	for q.Offset > 0 && q.Offset < len(filter) && !utf8.RuneStart(filter[q.Offset]) {
		q.Offset--
	}
	before, after := filter[:q.Offset], filter[q.Offset:]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after, _, _ = strings.Cut(after, "\n")
	f.below = []string{"  " + visible(before+after), "  " + blank(width(visible(before))) + "^"}
	return f
}

// completeVariables lets a shell complete the names of variables in the first most arguments.
func completeVariables(path *string, most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		variables, err := readStore(*path)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer variables.Close() // opened to read only: there is nothing to lose
		all, err := variables.List()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var known []string
		for _, v := range all {
			known = append(known, v.Name, v.String())
		}
		return known, cobra.ShellCompDirectiveNoFileComp
	}
}
