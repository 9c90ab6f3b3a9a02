package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"syscall"

	"floodmark/history"
	"floodmark/store"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes.
const (
	exitDone        = 0
	exitFound       = 1   // a filter failed on the data, or check found something
	exitUsage       = 2   // wrong usage, or input that cannot be read
	exitNothing     = 4   // query --exit-status: no result, as jq says it
	exitInterrupted = 130 // as a shell says it of SIGINT
)

// A failure is an error as a person reads it: "floodmark: what: why", and a hint below it.
type failure struct {
	what, why string
	below     []string // lines that show the place, safe to write
	hint      string   // what to do, empty where there is nothing to say
	code      int      // exit code; 0 counts as exitUsage
	halted    bool     // a filter asked for the code, which may be 0
	silent    bool     // everything was said already
	cause     error    // what it is made from; nil where that is of no use
}

func (f *failure) Unwrap() error { return f.cause }

func (f *failure) Error() string {
	if f.what == "" {
		return f.why
	}
	return f.what + ": " + f.why
}

// usage is a failure of the command line itself.
func usage(hint, format string, args ...any) error {
	return &failure{why: fmt.Sprintf(format, args...), hint: hint}
}

// Report writes what a person should read of err, and returns the program's exit code: of several errors
// in one, each, and the code of the first.
func Report(s *Streams, err error) int {
	if list := separate(err); len(list) > 1 {
		code := exitDone
		for _, err := range list {
			if c := Report(s, err); code == exitDone {
				code = c
			}
		}
		return code
	}
	f := explain(err)
	if f == nil {
		return exitDone
	}
	if !f.silent {
		fmt.Fprintf(s.Err, "floodmark: %s\n", visible(f.Error()))
		for _, l := range f.below {
			fmt.Fprintln(s.Err, l)
		}
		if f.hint != "" {
			fmt.Fprintf(s.Err, "hint: %s\n", visible(f.hint))
		}
	}
	if f.code == 0 && !f.halted {
		return exitUsage
	}
	return f.code
}

// separate takes apart what errors.Join joined. An interruption is one error, whatever it came with.
func separate(err error) []error {
	several, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Is(err, context.Canceled) {
		return []error{err}
	}
	var list []error
	for _, e := range several.Unwrap() {
		list = append(list, separate(e)...)
	}
	return list
}

// explain finds the words for err; nil where there is nothing to explain.
func explain(err error) *failure {
	var (
		f       *failure
		open    *history.OpenError
		locked  *store.LockedError
		damaged *store.DamagedError
		path    *fs.PathError
		removed *store.RemovedError
		expired *store.ExpiredError
		sealed  *store.EncryptedError
		newer   *store.VersionError
	)
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		return nil // whoever read the output has seen enough
	case errors.Is(err, context.Canceled):
		return &failure{why: "interrupted", code: exitInterrupted, silent: true}
	case errors.As(err, &f):
		return f
	case errors.As(err, &open):
		return &failure{what: open.Path, why: open.Reason, hint: open.Hint}
	case errors.As(err, &locked):
		return &failure{why: locked.Error(), hint: "wait until it is done, or use --store none to keep nothing"}
	case errors.As(err, &damaged):
		return &failure{why: damaged.Error(), hint: `"floodmark vars check --set-aside" moves the file aside and reads back what can be; or name another one with --store FILE`}
	case errors.As(err, &newer):
		return &failure{why: newer.Error(), hint: `name another file with --store FILE; "floodmark vars check --set-aside" moves this one aside`}
	case errors.As(err, &removed), errors.As(err, &expired):
		return &failure{why: err.Error(), hint: `"floodmark vars list --all" shows what is gone, and why`}
	case errors.As(err, &sealed):
		return &failure{why: sealed.Error(), hint: "set FLOODMARK_KEY to the passphrase, or FLOODMARK_KEY_FILE to the file that holds the key"}
	case errors.As(err, &path):
		return &failure{what: path.Path, why: undone(path)}
	}
	if m := exclusive.FindStringSubmatch(err.Error()); m != nil {
		return &failure{why: "--" + strings.Join(strings.Fields(m[1]), " and --") + " don't go together", hint: "leave out one of them"}
	}
	return &failure{why: err.Error()}
}

// exclusive is how the flag library says that flags exclude each other, for which it has no type: the
// flags that were given are in its second brackets.
var exclusive = regexp.MustCompile(`^if any flags in the group \[.*\] are set none of the others can be; \[(.*)\] were all set$`)

// flagKinds are the flag library's names of types as people say them.
var flagKinds = map[string]string{"int": "whole number", "int64": "whole number", "float64": "number", "bool": "truth value: true or false",
	"duration": "time: 5s or 2m for example"}

// undone says what could not be done to a file, and why.
func undone(e *fs.PathError) string {
	done, known := map[string]string{
		"open": "opened", "mkdir": "made", "read": "read", "write": "written", "stat": "looked at", "remove": "removed",
	}[e.Op]
	if !known {
		return e.Op + ": " + e.Err.Error()
	}
	return "cannot be " + done + ": " + e.Err.Error()
}

// flagFailure puts the flag library's errors in our words.
func flagFailure(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	help := "see " + cmd.CommandPath() + " --help"
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return usage(help, "unknown flag -%s", unknown.GetSpecifiedName())
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		if near := nearest(name, names); near != "" {
			help = "did you mean " + near + "?"
		}
		return usage(help, "unknown flag %s", name)
	case errors.As(err, &missing):
		return usage(help, "flag --%s needs a value", missing.GetFlag().Name)
	case errors.As(err, &invalid):
		kind := invalid.GetFlag().Value.Type()
		if words, ok := flagKinds[kind]; ok {
			kind = words
		}
		return usage(help, "flag --%s: %q is no %s", invalid.GetFlag().Name, invalid.GetValue(), kind)
	}
	return usage(help, "%s", err)
}

// arguments checks the number of a command's arguments; most < 0 is any number.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		hint := "usage: " + cmd.UseLine()
		switch {
		case len(args) < least:
			return usage(hint, "%s: an argument is missing", cmd.Name())
		case most >= 0 && len(args) > most:
			return usage(hint, "%s: one argument too many: %s", cmd.Name(), args[most])
		}
		return nil
	}
}

// helpCommand shows the help of a command. An unknown one is wrong usage, which the library's own
// help command ends with 0.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return commandNames, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			at := root
			for _, name := range args {
				next, rest, err := at.Find([]string{name})
				if err != nil || next == at || len(rest) > 0 {
					return unknownCommand("help", at, name)
				}
				at = next
			}
			at.InitDefaultHelpFlag()
			at.InitDefaultVersionFlag()
			return at.Help()
		},
	}
}

// subcommand answers a command that only groups others: help where nothing more was said, else the
// name that may have been meant.
func subcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	return unknownCommand(cmd.Name(), cmd, args[0])
}

// unknownCommand is the failure for a name that no command below cmd has, as the command who says it.
func unknownCommand(who string, cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	hint := "see " + cmd.CommandPath() + " --help"
	if near := nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean %s %s?", cmd.CommandPath(), near)
	}
	return usage(hint, "%s: unknown command %s", who, name)
}
