package ui

import (
	"context"
	"errors"
	"fmt"
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
	exitStatus      bool
	args, jsonArgs  []string
	limit           int
	timeout         time.Duration
	reference, text string
	// values are those of the filter's arguments, by their names with $.
	values map[string]any
}

// queryMemory is the most that a filter may add to the heap, in bytes: ten times the largest payload.
const queryMemory = 1 << 30

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
	f.BoolVarP(&o.exitStatus, "exit-status", "e", false, "end with 1 where the last result is false or null, with 4 where there is none")
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
	if o.limit < 0 {
		return usage("0 is for all results", "--limit %d: the number of results can't be negative", o.limit)
	}
	if o.timeout < 0 {
		return usage("0 is for no end", "--timeout %s: the time can't be negative", o.timeout)
	}
	if err := o.arguments(); err != nil {
		return err
	}
	variables, err := readStore(o.store)
	if err != nil {
		return err
	}
	defer variables.Close() // opened to read only: there is nothing to lose
	v, err := findVariable(s, o.common, variables, o.reference, o.policy)
	if err != nil {
		return err
	}
	request := engine.QueryRequest{Filter: o.text, Input: stored(variables, v), Values: o.values,
		Limits: engine.QueryLimits{Results: o.limit, Time: o.timeout, Memory: queryMemory}}
	if request.Variables, err = others(variables, v); err != nil {
		return err
	}
	if s.OutTerminal && !o.compact {
		request.Indent = 2
	}
	var failed error
	last, marks := "", sensitiveMarks{}
	report, err := engine.NewQueries(0).Runner().Run(ctx, request, func(result engine.QueryResult) bool {
		last = string(result.JSON)
		marks.add(result.JSON)
		failed = o.write(s, result)
		return failed == nil
	})
	if text := marks.note(); text != "" {
		s.note(o.common, "%s", text)
	}
	var data *engine.DataError
	var wrong *engine.QueryError
	var deep *engine.DepthError
	var long *engine.NumberError
	switch {
	case failed != nil:
		return failed
	case errors.As(err, &wrong):
		if err := goneInFilter(variables, v, wrong.Token, request); err != nil {
			return err
		}
		return filterFailure(o.text, err)
	case errors.As(err, &data) && data.Halted:
		return &failure{what: "query", why: err.Error(), code: data.Code & 0xff, halted: true}
	case errors.As(err, &data):
		return &failure{what: "query", why: err.Error(), code: exitFound}
	case errors.As(err, &deep), errors.As(err, &long):
		return &failure{what: v.String(), why: err.Error()}
	case err != nil:
		return err
	case report.Stopped == engine.StopTime:
		return &failure{what: "query", why: fmt.Sprintf("not done after %s", o.timeout), hint: "give it more time with --timeout", code: exitFound}
	case report.Stopped == engine.StopMemory:
		return &failure{what: "query", why: "the filter needs more than " + bytesText(queryMemory) + " of memory",
			hint: "let it make less at once: one result at a time, or a part of the input", code: exitFound}
	case report.Stopped == engine.StopResults:
		s.note(o.common, "there are more than the %s of --limit", count(report.Results, "result"))
	}
	if o.exitStatus {
		return status(last)
	}
	return nil
}

// status is how query --exit-status ends after this last result, empty where there was none.
func status(last string) error {
	switch last {
	case "":
		return &failure{why: "no result", code: exitNothing, silent: true}
	case "false", "null":
		return &failure{why: "the last result is " + last, code: exitFound, silent: true}
	}
	return nil
}

// arguments reads --arg and --argjson.
func (o *queryOptions) arguments() error {
	o.values = map[string]any{}
	cut := func(flag, pair string) (name, value string, err error) {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return "", "", unpaired(flag, pair)
		}
		return "$" + strings.TrimPrefix(name, "$"), value, nil
	}
	for _, pair := range o.args {
		name, value, err := cut("--arg", pair)
		if err != nil {
			return err
		}
		o.values[name] = value
	}
	for _, pair := range o.jsonArgs {
		name, value, err := cut("--argjson", pair)
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
		o.values[name] = v
	}
	return nil
}

// stored is what is stored of v, for a filter.
func stored(variables *store.Store, v store.Variable) engine.QuerySource {
	return engine.QuerySource{Key: fmt.Sprint(v.Key),
		Load: func(ctx context.Context) ([]byte, error) { return variables.Get(ctx, v.Key) }}
}

// others are the variables of v's conversation and policy, v too, by their names in a filter.
func others(variables *store.Store, v store.Variable) (map[string]engine.QuerySource, error) {
	all, err := variables.List()
	if err != nil {
		return nil, err
	}
	sources := map[string]engine.QuerySource{}
	for _, other := range all {
		if other.Conversation == v.Conversation && other.Policy == v.Policy {
			sources[jqName(other.Name)] = stored(variables, other)
		}
	}
	return sources, nil
}

// write writes one result.
func (o *queryOptions) write(s *Streams, result engine.QueryResult) error {
	if o.raw && result.IsText {
		_, err := s.Out.Write(append(s.onlyText([]byte(result.Text)), '\n'))
		return err
	}
	_, err := s.Out.Write(append(escaped(result.JSON), '\n'))
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
		if err := goneUnder(variables, reference, policy); err != nil {
			return store.Variable{}, err
		}
		return store.Variable{}, &failure{what: reference, why: "no variable of this name under policy " + policy}
	case len(found) > 1:
		s.note(c, "%s names %d variables; taking the one stored last: %s under policy %s", reference, len(found), found[0].Key, found[0].Policy)
	}
	return found[0], nil
}

// goneUnder says that a policy's variable of this reference is gone, where that is so: another policy has one.
func goneUnder(variables *store.Store, reference, policy string) error {
	name, conversation, named := reference, "", false
	if slash := strings.LastIndexByte(reference, '/'); slash >= 0 {
		conversation, name, named = reference[:slash], reference[slash+1:], true
	}
	return goneVariable(variables, func(t store.Tombstone) bool {
		return t.Name == name && t.Policy == policy && (!named || t.Conversation == conversation)
	})
}

// goneInFilter says that the variable with which a filter went wrong is gone, where that is so.
func goneInFilter(variables *store.Store, v store.Variable, word string, r engine.QueryRequest) error {
	_, there := r.Variables[word]
	_, given := r.Values[word]
	if there || given {
		return nil
	}
	return goneVariable(variables, func(t store.Tombstone) bool {
		return t.Conversation == v.Conversation && t.Policy == v.Policy && jqName(t.Name) == word
	})
}

// goneVariable is the error of the variable that went last of those that are meant; nil without one.
func goneVariable(variables *store.Store, meant func(store.Tombstone) bool) error {
	all, err := variables.Tombstones()
	var last *store.Tombstone
	for i := range all {
		if t := &all[i]; meant(*t) && (last == nil || t.Gone.After(last.Gone)) {
			last = t
		}
	}
	if err != nil || last == nil {
		return err
	}
	return last.Err()
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
	if q.Knows != "" {
		f.why += " (" + visible(q.Knows) + ")"
	}
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
