package ui

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"floodmark/engine"
	"floodmark/history"
	"floodmark/store"
)

// themes are what --theme takes.
var themes = []string{"auto", "dark", "light", "mono"}

// exploreOptions are the explorer's own flags.
type exploreOptions struct {
	theme           string
	prices          string  // a file
	latency, window float64 // seconds; tokens
}

// explore opens the explorer over the recordings of the paths.
func explore(ctx context.Context, s *Streams, o *replayOptions, own exploreOptions, paths []string) error {
	theme := own.theme
	for _, v := range []struct {
		flag  string
		value float64
	}{{"window", own.window}, {"latency", own.latency}} {
		if !(v.value >= 0 && v.value < 1e15) {
			return usage("give a number of 0 or more", "--%s %v makes no sense", v.flag, v.value)
		}
	}
	var prices *TokenPrices
	if own.prices != "" {
		var err error
		if prices, err = readPrices(own.prices); err != nil {
			return err
		}
	}
	if !slices.Contains(themes, theme) {
		return unknownName("--theme", theme, themes)
	}
	if theme == "auto" {
		theme = ""
	}
	c, err := newCorpus(s, o)
	if err != nil {
		return err
	}
	policies, chosen, err := choices(c.policy)
	if err != nil {
		return err
	}
	if err := reachable(paths); err != nil {
		return err
	}
	title := "the recordings built in"
	if len(paths) > 0 {
		title = strings.Join(paths, " ")
	}
	return s.Explorer(ctx, ExploreOptions{
		Title:     title,
		Open:      c.background(paths),
		Policies:  policies,
		Chosen:    chosen,
		Fault:     engine.Fault(o.fault),
		Store:     func() (*store.Store, string, error) { return exploreStore(o.store, len(paths) == 0) },
		BuiltIn:   len(paths) == 0,
		KeepFacts: len(paths) > 0 && o.store != noStore,
		Prices:    prices,
		Latency:   own.latency,
		Window:    own.window,
		Theme:     theme,
		NoColor:   !s.Color,
		Out:       s.Out,
	})
}

// background returns what opens the recordings while the explorer runs: the screen is its own, so
// notes stay away and errors are handed over.
func (c *corpus) background(paths []string) func(context.Context, func(*history.Recording), func(string)) error {
	return func(ctx context.Context, found func(*history.Recording), progress func(string)) error {
		var failed []error
		c.note = func(string) {}
		c.loading = true
		c.progress = func(_, words string) { progress(words) }
		c.fail = func(err error) { failed = append(failed, errors.New(explain(err).Error())) }
		err := c.each(ctx, paths, func(r *history.Recording) error {
			found(r)
			return ctx.Err()
		})
		if err != nil && ctx.Err() == nil {
			for _, e := range separate(err) {
				c.fail(e)
			}
		}
		return errors.Join(failed...)
	}
}

// reachable finds out early, while an error can still be read, that none of the paths exists.
func reachable(paths []string) error {
	var first error
	for _, path := range paths {
		if path == "-" {
			return nil
		}
		_, err := os.Stat(path)
		if err == nil {
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = suggested(path, &history.OpenError{Path: path, Reason: "no such file or folder", Hint: "check the path; without one the built-in recordings are shown", Err: err})
		}
		first = firstError(first, err)
	}
	return first
}

// choices are the policies that the explorer goes through: the chosen one first among the built-in
// ones, in place of the built-in one whose name it has.
func choices(chosen *engine.Policy) ([]*engine.Policy, int, error) {
	var list []*engine.Policy
	at := -1
	for _, name := range engine.Builtin() {
		if name == chosen.Name {
			at = len(list)
			list = append(list, chosen)
			continue
		}
		p, err := engine.Load(name)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, p)
	}
	if at < 0 {
		return append([]*engine.Policy{chosen}, list...), 0, nil
	}
	return list, at, nil
}

// exploreStore opens the store for the explorer, which uses a private one where another process holds
// it: a second window still works. It does not wait long for that, since leaving waits for it.
func exploreStore(path string, temporary bool) (*store.Store, string, error) {
	s, err := openStore(path, temporary, 100*time.Millisecond)
	switch {
	case err != nil || s == nil:
		return nil, "", err
	case path == "" && temporary:
		return s, "a private temporary store, gone at the end", nil
	}
	return s, s.Path(), nil
}
