package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"floodmark/engine"
	"floodmark/history"
	"floodmark/store"
	"floodmark/ui/internal/term"
)

// ExploreOptions are what the explorer is given.
type ExploreOptions struct {
	// Title says what is opened, for the screen before anything is: the paths, or "the recordings
	// built in".
	Title string
	// Open opens the recordings one after another and hands each to found as soon as it is read, a long
	// one also before, as history.Options.Found does. It runs in the background and ends with ctx.
	// progress, where it calls it, says how far it is, in a word or two. An error that it returns is
	// shown; what was found before stays.
	Open func(ctx context.Context, found func(*history.Recording), progress func(string)) error
	// Policies are those that p goes through; Chosen is the first one, by its number.
	Policies []*engine.Policy
	Chosen   int
	Fault    engine.Fault
	// Store opens the store when a variable is opened or queried for the first time. where says in
	// words where it is; empty is its path. A *store.LockedError makes the explorer use a private
	// temporary store, and say so. Nil, or a nil store without an error, keeps nothing. The explorer
	// closes the store.
	Store func() (st *store.Store, where string, err error)
	// BuiltIn tells that the recordings are those that the program carries with it.
	BuiltIn bool
	// KeepFacts lets Tune keep what it measures in that store, so that the next time starts at once.
	KeepFacts bool
	// Prices are what a million tokens that the model reads cost, Latency the seconds that one inspection takes,
	// Window the model's context in tokens: for Tune. Nil and 0 are not given.
	Prices          *TokenPrices
	Latency, Window float64
	// Theme is "dark", "light" or "mono"; empty chooses by the environment.
	Theme   string
	NoColor bool

	In     io.Reader // nil: the terminal
	Out    io.Writer // a terminal
	Getenv func(string) string
}

// Explore runs the explorer until it is left. Out must be a terminal: the caller has checked that.
// Errors: context.Canceled where ctx ended or the program was interrupted, else what went wrong
// with the terminal or the store.
func Explore(ctx context.Context, o ExploreOptions) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &session{policies: o.Policies, rules: rules{fault: o.Fault}, openStore: o.Store, keepFacts: o.KeepFacts, builtIn: o.BuiltIn,
		prices: o.Prices, latency: o.Latency, window: o.Window}
	s.choose(o.Chosen)
	defer func() {
		cancel() // first, or closing waits for what is being written
		err = errors.Join(err, s.close())
	}()

	in := make(chan found)
	opening, stopOpening := context.WithCancel(ctx)
	defer stopOpening()
	go open(opening, o, in)

	d := &deps{theme: chooseTheme(o), jobs: newJobs(ctx), session: s, wait: sleep, now: time.Now, copy: func(text string) { clipboard(o, text) }}
	// Signals end ctx, and with it the program. The library's own handler would hang where both see
	// the same signal: it hands over a message that nobody takes any more.
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithAltScreen(), tea.WithOutput(o.Out)}
	if o.In != nil {
		options = append(options, tea.WithInput(o.In))
	}
	e := newExplorer(d, o.Title, in)
	e.cancel = stopOpening
	_, err = tea.NewProgram(e, options...).Run()
	switch {
	case errors.Is(err, tea.ErrInterrupted), ctx.Err() != nil:
		return context.Canceled
	case errors.Is(err, tea.ErrProgramPanic):
		return fmt.Errorf("the explorer stopped: %w", err)
	}
	return err
}

// open hands what opening finds to in, a few times a second at most for progress, and closes it.
func open(ctx context.Context, o ExploreOptions, in chan<- found) {
	defer close(in)
	send := func(f found) {
		select {
		case in <- f:
		case <-ctx.Done():
		}
	}
	// A panic here would leave the terminal as the explorer has set it.
	defer func() {
		if r := recover(); r != nil {
			send(found{err: fmt.Errorf("opening stopped: %w", engine.BugOf(r))})
		}
	}()
	last := time.Time{}
	err := o.Open(ctx, func(r *history.Recording) { send(found{recording: r}) }, func(words string) {
		if now := time.Now(); now.Sub(last) >= 100*time.Millisecond {
			last = now
			send(found{progress: words})
		}
	})
	if err != nil {
		send(found{err: err})
	}
}

// clipboard hands text to the terminal, which may take it or not. One write stands whole between those of
// the screen.
func clipboard(o ExploreOptions, text string) {
	getenv := o.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	termenv.NewOutput(o.Out, termenv.WithEnvironment(environment(getenv))).Copy(text)
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// chooseTheme chooses colours and glyphs by what was asked for and what the terminal can do.
func chooseTheme(o ExploreOptions) *theme {
	getenv := o.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	profile := termenv.NewOutput(o.Out, termenv.WithEnvironment(environment(getenv)), termenv.WithUnsafe()).EnvColorProfile()
	if o.NoColor || o.Theme == "mono" || getenv("NO_COLOR") != "" {
		profile = termenv.Ascii
	}
	dark := term.Dark(getenv)
	switch o.Theme {
	case "dark":
		dark = true
	case "light":
		dark = false
	}
	return newTheme(profile, dark, term.UTF8(getenv))
}

// environment lets the colour library read the environment that we were given.
type environment func(string) string

func (e environment) Getenv(name string) string { return e(name) }
func (e environment) Environ() []string         { return nil }
