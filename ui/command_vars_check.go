package ui

import (
	"context"
	"errors"
	"io/fs"

	"floodmark/store"

	"github.com/spf13/cobra"
)

type checkStoreOptions struct {
	upkeep
	setAside bool
}

func varsCheckCommand(s *Streams, c *common) *cobra.Command {
	o := checkStoreOptions{upkeep: upkeep{common: c}}
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check every stored byte against its hash, and names against payloads",
		Long: `Check every stored byte against its hash, and names against payloads. Damage ends it with 1. Pieces that
killed writes left are no damage: "vars gc" removes them.

--set-aside gives a damaged file another name beside it and puts a new store in its place, with each
variable that the damage did not touch. A file that is none of this program's, or a newer program's, gets
another name only. The file itself is never changed.`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := storePath(o.store)
			if err != nil {
				return err
			}
			if o.setAside {
				return o.aside(cmd.Context(), s, path)
			}
			return o.check(cmd.Context(), s, path)
		},
	}
	o.register(cmd)
	cmd.Flags().BoolVar(&o.setAside, "set-aside", false, "move a damaged file aside, and read back what can be")
	return cmd
}

// checkJSON is the report of a store, or why there is none.
type checkJSON struct {
	store.Report
	Error string `json:"error,omitempty"` // the file can't be opened at all
}

const asideHint = `"floodmark vars check --set-aside" moves the file aside and reads back what can be`

func (o *checkStoreOptions) check(ctx context.Context, s *Streams, path string) error {
	r, err := checkStore(ctx, path)
	var damaged *store.DamagedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.note(o.common, "nothing is stored yet in %s", path)
		err = nil
	case errors.As(err, &damaged):
		err = &failure{why: damaged.Error(), hint: asideHint, code: exitFound}
	}
	if o.json {
		if r.Damaged == nil {
			r.Damaged = []*store.DamagedError{}
		}
		out := checkJSON{Report: r}
		if damaged != nil {
			out.Error = damaged.Error()
		}
		if e := writeJSON(s.Out, out); e != nil {
			return e
		}
	}
	if err != nil {
		return err
	}
	if !o.json {
		for _, d := range r.Damaged {
			if _, err := s.Out.Write([]byte(visible(d.Error()) + "\n")); err != nil {
				return err
			}
		}
	}
	s.note(o.common, "%s, %s of %s, %s in the store", count(r.Variables, "variable"), count(r.Payloads, "payload"), bytesText(r.Bytes), bytesText(r.Kept))
	if r.Leftovers > 0 {
		s.note(o.common, `%s of writes that were cut off, %s: "floodmark vars gc" removes them`, count(r.Leftovers, "piece"), bytesText(r.LeftoverBytes))
	}
	if r.Plain > 0 {
		s.note(o.common, `%s not encrypted: "floodmark vars compact" encrypts them`, count(r.Plain, "piece"))
	}
	if len(r.Damaged) > 0 {
		return &failure{what: "vars check", why: count(len(r.Damaged), "damage") + " found", hint: asideHint, code: exitFound}
	}
	return nil
}

func checkStore(ctx context.Context, path string) (store.Report, error) {
	variables, err := openedStore(path, store.Options{ReadOnly: true})
	if err != nil {
		return store.Report{}, err
	}
	defer variables.Close() // opened to read only: there is nothing to lose
	return variables.Check(ctx)
}

func (o *checkStoreOptions) aside(ctx context.Context, s *Streams, path string) error {
	key, err := storeKey()
	if err != nil {
		return err
	}
	r, err := store.SetAside(ctx, path, store.Options{Secret: key})
	var sound *store.SoundError
	switch {
	case errors.As(err, &sound):
		s.note(o.common, "%v", sound)
		return nil
	case err != nil:
		return storeFailure(err)
	case o.json:
		return writeJSON(s.Out, r)
	}
	s.note(o.common, "the file is now %s", r.Path)
	if r.Salvage == nil {
		s.note(o.common, "nothing was read back: it is no store that this program knows")
		return nil
	}
	s.note(o.common, "%s read back into a new store", count(r.Salvage.Variables, "variable"))
	if r.Salvage.Unchecked > 0 {
		s.note(o.common, "%s of them encrypted and not compared with a hash, for want of the key", count(r.Salvage.Unchecked, "payload"))
	}
	for _, k := range r.Salvage.Lost {
		s.note(o.common, "%s under policy %s can't be read back; replaying its recording stores it again", k, k.Policy)
	}
	return nil
}
