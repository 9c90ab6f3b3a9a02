package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"floodmark/store"

	"github.com/spf13/cobra"
)

// shownBytes is how much of a payload "vars show" shows.
const shownBytes = 1024

// varsOptions are the flags of the commands that deal with variables.
type varsOptions struct {
	*common
	store, policy string
	json          bool
}

// register adds the flags that all but "list" have.
func (o *varsOptions) register(cmd *cobra.Command) {
	registerStore(cmd, &o.store)
	cmd.Flags().StringVar(&o.policy, "policy", "", "the variable that this policy made, `NAME`")
	cmd.ValidArgsFunction = completeVariables(&o.store, 1)
}

func varsCommand(s *Streams, c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "vars",
		Short: "The variables in the store",
		Long:  "The variables in the store. A VARIABLE is NAME or CONVERSATION/NAME.",
		RunE:  subcommand,
	}
	cmd.AddCommand(
		varsListCommand(s, c), varsShowCommand(s, c), varsExportCommand(s, c), varsRemoveCommand(s, c),
		varsGCCommand(s, c), varsCheckCommand(s, c), varsCompactCommand(s, c))
	return cmd
}

func varsListCommand(s *Streams, c *common) *cobra.Command {
	o := varsOptions{common: c}
	var withGone bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the variables",
		Args:  arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			all, gone, err := listVariables(o.store, withGone)
			if err != nil {
				return err
			}
			if o.json {
				return listJSON(s, all, gone)
			}
			if len(all)+len(gone) == 0 {
				s.note(c, "no variables are kept")
				return nil
			}
			return listTable(s, all, gone, time.Now())
		},
	}
	registerStore(cmd, &o.store)
	cmd.Flags().BoolVar(&withGone, "all", false, "those that are gone, too, with when and why")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

type variableHeadJSON struct {
	store.Variable
	Head string `json:"head"`
}

func varsShowCommand(s *Streams, c *common) *cobra.Command {
	o := varsOptions{common: c}
	cmd := &cobra.Command{
		Use:   "show VARIABLE",
		Short: "Show what is known of a variable, and how its payload begins",
		Args:  arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.with(s, args[0], func(variables *store.Store, v store.Variable) error {
				head, err := headOf(cmd.Context(), variables, v)
				if err != nil {
					return err
				}
				if o.json {
					return writeJSON(s.Out, variableHeadJSON{v, string(head)})
				}
				return showVariable(s.Out, v, head)
			})
		},
	}
	o.register(cmd)
	cmd.Flags().BoolVar(&o.json, "json", false, "as a JSON object")
	return cmd
}

// with opens the store to read, and gives f the variable of this reference.
func (o *varsOptions) with(s *Streams, reference string, f func(*store.Store, store.Variable) error) error {
	variables, err := readStore(o.store)
	if err != nil {
		return err
	}
	defer variables.Close() // opened to read only: there is nothing to lose
	v, err := findVariable(s, o.common, variables, reference, o.policy)
	if err != nil {
		return err
	}
	return f(variables, v)
}

// headOf reads the first bytes of a variable's payload.
func headOf(ctx context.Context, variables *store.Store, v store.Variable) ([]byte, error) {
	h := &headWriter{ctx: ctx, max: shownBytes}
	if err := variables.WriteTo(ctx, v.Key, h); err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return h.b, nil
}

func showVariable(w io.Writer, v store.Variable, head []byte) error {
	rows := [][2]string{
		{"variable", v.Name}, {"conversation", v.Conversation}, {"policy", v.Policy},
		{"tool", v.Tool}, {"call", v.Call}, {"recording", v.Recording}, {"format", v.Format},
		{"bytes", grouped(v.Bytes)}, {"kept", bytesText(v.Kept) + ", shared with equal payloads"},
		{"sha256", v.SHA256}, {"stored", v.Stored.UTC().Format("2006-01-02 15:04:05 MST")}, {"used", v.Used.UTC().Format("2006-01-02 15:04:05 MST")},
	}
	for _, r := range [][2]string{{"label", v.Label}, {"made of", v.Source}, {"query", v.Query}} {
		if r[1] != "" {
			rows = append(rows, r)
		}
	}
	for _, r := range rows {
		if _, err := fmt.Fprintf(w, "%-13s %s\n", r[0], visible(r[1])); err != nil {
			return err
		}
	}
	text := strings.TrimRight(visibleLines(string(head)), "\n")
	if rest := v.Bytes - int64(len(head)); rest > 0 {
		text += "\n… " + inUnits(grouped(rest), "more bytes")
	}
	_, err := fmt.Fprintf(w, "\n%s\n", text)
	return err
}

func varsExportCommand(s *Streams, c *common) *cobra.Command {
	o := varsOptions{common: c}
	var file string
	cmd := &cobra.Command{
		Use:   "export VARIABLE",
		Short: "Write a variable's payload, byte for byte",
		Long: `Write a variable's payload to standard output or a new file (mode 0600), byte for byte. A terminal gets
it with its control characters made visible.`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, key := "", store.Key{}
			err := o.with(s, args[0], func(variables *store.Store, v store.Variable) error {
				switch {
				case file != "" && file != "-":
					path, key = variables.Path(), v.Key
					return exportFile(cmd.Context(), variables, v, file)
				case s.OutTerminal:
					p, err := variables.Get(cmd.Context(), v.Key)
					if err != nil {
						return err
					}
					_, err = s.Out.Write(s.onlyText(p))
					return err
				}
				return variables.WriteTo(cmd.Context(), v.Key, s.Out)
			})
			if err != nil || path == "" {
				return err
			}
			if err := recordExport(path, key, file); err != nil {
				s.note(c, "the export is done; that it was made could not be noted: %v", err)
			}
			return nil
		},
	}
	o.register(cmd)
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to a new `FILE`")
	return cmd
}

// recordExport notes in the store that a file was written of a variable.
func recordExport(path string, k store.Key, file string) (err error) {
	variables, err := store.Open(path, store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, variables.Close()) }()
	return variables.RecordExport(k, file)
}

// exportFile writes a payload to a new file. One that exists is left alone; one that could not be
// finished is taken away.
func exportFile(ctx context.Context, variables *store.Store, v store.Variable, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return &failure{what: path, why: "the file exists", hint: "remove it first, or give another name"}
	}
	if err != nil {
		return err
	}
	err = firstError(variables.WriteTo(ctx, v.Key, f), f.Close())
	if err != nil {
		return firstError(err, os.Remove(path))
	}
	return nil
}
