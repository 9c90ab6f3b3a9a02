// Package ui is the outside of the program: the command line, what it prints, and the explorer.
// It is the only room that prints.
package ui

import (
	"context"
	"io"
	"os"
	"strings"

	terminal "floodmark/ui/internal/term"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/termenv"
	"github.com/spf13/cobra"
)

// Streams are what a command reads and writes, and what is known of their other ends. Commands
// touch nothing else, so that each can be tested as a table.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Terminals: whether a person sits at the other end.
	InTerminal, OutTerminal, ErrTerminal bool
	Width                                int  // of the terminal at Out, in cells; 80 where there is none
	Color                                bool // colours are welcome at Out
	ASCII                                bool // Out shows ASCII only
	// Explorer opens the explorer; nil where the terminal cannot show it.
	Explorer func(context.Context, ExploreOptions) error
}

// System makes streams of a process's three files. NO_COLOR and TERM=dumb are honoured.
func System(in, out, err *os.File) *Streams {
	s := &Streams{
		In: in, Out: out, Err: err, Width: 80,
		InTerminal:  term.IsTerminal(in.Fd()),
		OutTerminal: term.IsTerminal(out.Fd()),
		ErrTerminal: term.IsTerminal(err.Fd()),
	}
	dumb := os.Getenv("TERM") == "dumb"
	if !dumb {
		s.Explorer = Explore
	}
	s.Color = s.OutTerminal && os.Getenv("NO_COLOR") == "" && !dumb
	s.ASCII = s.OutTerminal && !terminal.UTF8(os.Getenv)
	if w, _, e := term.GetSize(out.Fd()); e == nil && w > 0 {
		s.Width = w
	}
	return s
}

// theme is how reports look at Out.
func (s *Streams) theme() *theme {
	profile := termenv.Ascii
	if s.Color {
		profile = termenv.ANSI
	}
	return newTheme(profile, true, !s.ASCII)
}

// Run runs one command line, without the program's name. What Report makes of the error is the end
// of the program. A panic is an error, too.
func Run(ctx context.Context, s *Streams, args []string) (err error) {
	defer tellBug(&err)
	root := rootCommand(s)
	root.SetArgs(args)
	help := &remembering{w: s.Out} // the command library passes over errors of what it writes itself
	root.SetOut(help)
	return firstError(root.ExecuteContext(ctx), help.err)
}

// remembering keeps the first error of w.
type remembering struct {
	w   io.Writer
	err error
}

func (r *remembering) Write(p []byte) (int, error) {
	n, err := r.w.Write(p)
	r.err = firstError(r.err, err)
	return n, err
}

func rootCommand(s *Streams) *cobra.Command {
	c := &common{}
	o := replayOptions{common: c}
	var own exploreOptions
	root := &cobra.Command{
		Use:   "floodmark [PATH…]",
		Short: "Replay recorded agent conversations through a tool-response processing engine",
		Long: `Floodmark replays recorded agent conversations through a tool-response processing engine and shows
what became of each tool result: what entered the context, what was kept outside, and why.

Without a command it opens the explorer; without a terminal it prints what "floodmark replay" prints.
A PATH is a file, a folder, or - for standard input. Without a PATH it opens built-in recordings.`,
		Example: `  floodmark session.jsonl
  floodmark replay --json recordings/ | jq .verdict
  floodmark why --call call_14 session.jsonl`,
		Args:              cobra.ArbitraryArgs,
		Version:           version(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		ValidArgsFunction: completePaths,
		PersistentPreRun: func(*cobra.Command, []string) {
			if c.plain {
				s.Color = false
			}
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return runDefault(cmd.Context(), s, &o, own, args)
		},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetFlagErrorFunc(flagFailure)
	root.PersistentFlags().BoolVar(&c.plain, "no-color", false, "no colours (NO_COLOR does the same)")
	root.PersistentFlags().BoolVarP(&c.quiet, "quiet", "q", false, "no notes and no progress on standard error")
	o.register(root)
	root.Flags().StringVar(&own.theme, "theme", "auto", "the explorer's colours, `NAME`: "+strings.Join(themes, ", "))
	root.Flags().StringVar(&own.prices, "prices", "", "for Tune: prices per million tokens, `FILE`, as floodmark tune takes it")
	root.Flags().Float64Var(&own.latency, "latency", 0, "for Tune: seconds that one inspection takes, `N`")
	root.Flags().Float64Var(&own.window, "window", 0, "for Tune: the model's context in tokens, `N`")
	completeFlag(root, "theme", themes)
	root.AddCommand(
		replayCommand(s, c),
		whyCommand(s, c),
		valuesCommand(s, c),
		tuneCommand(s, c),
		compareCommand(s, c),
		checkCommand(s, c),
		auditCommand(s, c),
		exportCommand(s, c),
		queryCommand(s, c),
		varsCommand(s, c),
		policyCommand(s),
		formatsCommand(s),
		versionCommand(s),
		manCommand(s),
	)
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Args, c.RunE = cobra.ArbitraryArgs, subcommand
	}
	return root
}

// runDefault opens the explorer where there is a terminal for it, and replays otherwise.
func runDefault(ctx context.Context, s *Streams, o *replayOptions, own exploreOptions, paths []string) error {
	if !s.OutTerminal || o.json || s.Explorer == nil {
		return replay(ctx, s, o, paths)
	}
	return explore(ctx, s, o, own, paths)
}
