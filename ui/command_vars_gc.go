package ui

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"floodmark/store"

	"github.com/spf13/cobra"
)

// upkeep are the flags of the commands that keep the store itself in order.
type upkeep struct {
	*common
	store string
	json  bool
}

func (o *upkeep) register(cmd *cobra.Command) {
	registerStore(cmd, &o.store)
	cmd.Flags().BoolVar(&o.json, "json", false, "as a JSON object")
}

// change opens a store that is there, to be written, and gives it to f. Where none is there yet, it is in
// order as it is: that is said, as JSON by nothing.
func (o *upkeep) change(s *Streams, nothing any, f func(*store.Store) error) (err error) {
	path, err := storePath(o.store)
	if err != nil {
		return err
	}
	switch err := mustExist(path); {
	case errors.Is(err, fs.ErrNotExist):
		s.note(o.common, "%v", err)
		if o.json {
			return writeJSON(s.Out, nothing)
		}
		return nil
	case err != nil:
		return err
	}
	variables, err := openedStore(path, store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, variables.Close()) }()
	return f(variables)
}

type gcOptions struct {
	upkeep
	dryRun bool
	age    string
	count  int
	bytes  int64
	policy string
}

func varsGCCommand(s *Streams, c *common) *cobra.Command {
	o := gcOptions{upkeep: upkeep{common: c}}
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Remove variables that are past their retention, and what killed writes left",
		Long: `Remove variables that are past their retention, and pieces that killed writes left. Limits come from flags
or from the field "retention" of a policy; without either no variable goes. First go those that were not
used for longer than --age, then, of the others, those not used for longest, until --count and --bytes hold.
Each leaves a tombstone. The file keeps its size, and the bytes until they are written over: see "vars compact".`,
		Example: `  floodmark vars gc --dry-run --age 30d
  floodmark vars gc --policy mine.json`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := o.retention()
			if err != nil {
				return err
			}
			return o.change(s, store.GCReport{DryRun: o.dryRun, Removed: []store.Tombstone{}, Derived: []store.Derivation{}}, func(variables *store.Store) error {
				report, err := variables.GC(cmd.Context(), r, o.dryRun)
				if err != nil {
					return err
				}
				return o.write(s, report)
			})
		},
	}
	o.register(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.dryRun, "dry-run", false, "say what would go, and remove nothing")
	f.StringVar(&o.age, "age", "", "remove what was not used for this `TIME`, 30d or 12h for example")
	f.IntVar(&o.count, "count", 0, "keep at most `N` variables (0: any number)")
	f.Int64Var(&o.bytes, "bytes", 0, "keep at most `N` bytes of payloads, equal ones counted once (0: any number)")
	f.StringVar(&o.policy, "policy", "", "take the limits from this policy, `NAME` or file, for its own variables only")
	return cmd
}

// retention reads the limits.
func (o *gcOptions) retention() (store.Retention, error) {
	if o.count < 0 || o.bytes < 0 {
		return store.Retention{}, usage("0 is any number", "--count and --bytes can't be negative")
	}
	r := store.Retention{Count: o.count, Bytes: o.bytes}
	if o.age != "" {
		age, err := parseAge(o.age)
		if err != nil {
			return r, err
		}
		r.Age = age
	}
	if o.policy == "" {
		return r, nil
	}
	if r != (store.Retention{}) {
		return r, usage("leave out one or the other", "--policy brings its own limits: --age, --count and --bytes don't go with it")
	}
	p, err := loadPolicy(o.policy)
	if err != nil {
		return r, err
	}
	const most = int64(1<<63-1) / int64(time.Second)
	return store.Retention{Age: time.Duration(min(p.Retention.Seconds, most)) * time.Second, Count: p.Retention.Count, Bytes: p.Retention.Bytes, Policy: p.Name}, nil
}

// parseAge reads a time as Go does, and days as "30d".
func parseAge(text string) (time.Duration, error) {
	wrong := usage("30d, 12h or 90m for example", "--age: %q is no time", text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n <= 0 || n > 36500 {
			return 0, wrong
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, wrong
	}
	return d, nil
}

func (o *gcOptions) write(s *Streams, r store.GCReport) error {
	if o.json {
		return writeJSON(s.Out, r)
	}
	would := "removed"
	if r.DryRun {
		would = "would remove"
	}
	var rows [][]string
	for _, t := range r.Removed {
		rows = append(rows, []string{t.Name, t.Conversation, t.Policy, grouped(t.Bytes), minute(t.Used), string(t.Why)})
	}
	if len(rows) > 0 {
		if err := writeTable(s.Out, []string{"variable", "conversation", "policy", "bytes", "used (UTC)", "why"}, rows); err != nil {
			return err
		}
	}
	s.note(o.common, "%s %s with %s (%s in the store); %s left", would, count(len(r.Removed), "variable"), count(r.Payloads, "payload"), bytesText(r.Kept), count(r.Left, "variable"))
	if len(r.Derived) > 0 {
		s.note(o.common, "and what was made of them: %s", derivations(r.Derived))
	}
	for _, t := range r.Removed {
		noteExports(s, o.common, t)
	}
	if r.Leftovers > 0 {
		s.note(o.common, "%s %s of writes that were cut off, %s", would, count(r.Leftovers, "piece"), bytesText(r.LeftoverBytes))
	}
	if !r.DryRun && r.Kept+r.LeftoverBytes > 0 {
		s.note(o.common, `the file keeps its size, and the bytes until they are written over: "floodmark vars compact" takes them out`)
	}
	return nil
}

// noteExports names the files that were written of a variable that is gone.
func noteExports(s *Streams, c *common, t store.Tombstone) {
	for _, e := range t.Exports {
		s.note(c, "%s was exported to %s on %s; that file stays", t.Name, e.Path, minute(e.When))
	}
}

// derivations lists what derives from a variable: "result list_1_q1, facts bytes/4".
func derivations(all []store.Derivation) string {
	var list []string
	for _, d := range all {
		list = append(list, d.Kind+" "+d.Name)
	}
	return strings.Join(list, ", ")
}

// goneWords says how and when a variable went: "was removed on 2026-03-01 12:00 UTC".
func goneWords(t store.Tombstone) string {
	verb := "was " + string(t.Why)
	if t.Why == store.Expired {
		verb = string(t.Why)
	}
	return verb + " on " + minute(t.Gone) + " UTC"
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

func varsCompactCommand(s *Streams, c *common) *cobra.Command {
	o := upkeep{common: c}
	cmd := &cobra.Command{
		Use:   "compact",
		Short: "Write the store anew: as small as can be, without the bytes of what was removed",
		Long: `Write the store anew beside its file and put the new one in its place: as small as can be, and without
the bytes of what was removed. With a key in the environment, payloads that are not encrypted yet become so.
It needs room for both files. Killed at any moment, the old or the new one is there.`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.change(s, store.CompactReport{}, func(variables *store.Store) error { return o.compact(cmd.Context(), s, variables) })
		},
	}
	o.register(cmd)
	return cmd
}

func (o *upkeep) compact(ctx context.Context, s *Streams, variables *store.Store) error {
	r, err := variables.Compact(ctx)
	if err != nil {
		return err
	}
	if o.json {
		return writeJSON(s.Out, r)
	}
	s.note(o.common, "%s before, %s now", bytesText(r.Before), bytesText(r.After))
	if r.Sealed > 0 {
		s.note(o.common, "%s not encrypted before and now encrypted", count(r.Sealed, "piece"))
	}
	return nil
}
