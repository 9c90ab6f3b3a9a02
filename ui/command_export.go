package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"floodmark/engine"
	"floodmark/history"

	"github.com/spf13/cobra"
)

type exportOptions struct {
	replayOptions
	to, out string
	redact  bool
}

func exportCommand(s *Streams, c *common) *cobra.Command {
	o := exportOptions{replayOptions: replayOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "export [PATH…]",
		Short: "Write the processed history: what the model would have seen",
		Long: `Write the processed history: the same messages, with the packages in the places of the payloads that the
policy replaces. Under --policy none everything stays inline: the export is a conversion then, and
reading it gives what was read.

It is written in the recording's own format where that is one of
` + wrappedNames(writeFormatNames()) + `,
else as ` + history.DefaultWriteFormat + `, which standard error says. One conversation is one document, several are JSON
Lines. So are recordings of several formats, and conversations that have no place together in a file of
their own format: they are written as ` + history.DefaultWriteFormat + ` too. Subagents are conversations of their own except in
claude-code.

Instructions that a policy takes out of a payload stand behind the result as a system-level message. A
rejected result is written empty. Nothing is kept: a store that works is assumed, unless --fault says
what goes wrong. No format has a place for everything, and tool definitions stay in the shape in which they
were recorded. Written without:

` + lossesHelp(),
		Example: `  floodmark export session.jsonl > processed.jsonl
  floodmark export --policy none --to openai-chat session.jsonl -o chat.json
  floodmark export --policy trueforge --fault sandbox-down - < session.jsonl`,
		ValidArgsFunction: completePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			return export(cmd.Context(), s, &o, args)
		},
	}
	o.register(cmd)
	cmd.Flags().StringVar(&o.to, "to", "", "write as this format, `NAME`")
	cmd.Flags().BoolVar(&o.redact, "redact", false, "leave out all text: sizes, shapes and verdicts stand in its place")
	cmd.Flags().StringVarP(&o.out, "output", "o", "", "write to `FILE` instead of standard output")
	completeFlag(cmd, "to", writeFormatNames())
	return cmd
}

func writeFormatNames() []string {
	var s []string
	for _, f := range history.WriteFormats() {
		s = append(s, f.Name)
	}
	return s
}

func wrappedNames(list []string) string {
	return strings.Join(wrapWords(strings.Join(list, ", "), 100), "\n")
}

// lossesHelp says for each format what it has no place for.
func lossesHelp() string {
	var b strings.Builder
	for _, f := range history.WriteFormats() {
		fmt.Fprintf(&b, "  %-19s %s\n", f.Name, f.Loses)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func export(ctx context.Context, s *Streams, o *exportOptions, paths []string) error {
	n, err := newCorpus(s, &o.replayOptions)
	if err != nil {
		return err
	}
	if o.to != "" && history.WriteFormatOf(o.to).Name != o.to {
		return unknownName("--to", o.to, writeFormatNames())
	}
	var recordings []*history.Recording
	var conversations []*history.Conversation
	err = n.each(ctx, paths, func(r *history.Recording) error {
		recordings = append(recordings, r)
		conversations = append(conversations, r.Conversations...)
		return nil
	})
	if err != nil {
		return err
	}
	if len(conversations) == 0 {
		return n.end()
	}
	if err := o.spares(recordings); err != nil {
		return err
	}
	f, why := exportFormat(o.to, recordings, conversations)
	if !f.Holds(conversations) {
		return &failure{what: "export", why: fmt.Sprintf("%s in one file of %s", why, f.Name),
			hint: "export one at a time, or use --to " + history.DefaultWriteFormat}
	}
	if why != "" {
		s.note(o.common, "written as %s: %s", f.Name, why)
	}
	if n := subagents(conversations); n > 0 && !f.Threads {
		s.note(o.common, "%s has no place for subagents: %s written as %s", f.Name, count(n, "thread"), count(n, "more conversation"))
	}
	e := newExporter(ctx, n, conversations)
	result := e.result
	if o.redact {
		conversations, e.original = redactedHistory(conversations)
		result = e.redactedResult
	}
	invalid := 0
	err = o.output(s, func(out io.Writer) error {
		h := &escapingWriter{w: out}
		err := history.Write(h, f, conversations, history.WriteOptions{Result: result})
		if err == nil {
			err = h.flush()
		}
		invalid = h.invalid
		return err
	})
	if err != nil {
		return err
	}
	for _, label := range slices.Sorted(maps.Keys(e.labels)) {
		s.note(o.common, "labelled %s: %s of which a package is written", label, count(e.labels[label], "variable"))
	}
	if invalid > 0 {
		s.note(o.common, "%s not UTF-8 became U+FFFD: JSON has no place for them", count(invalid, "byte"))
	}
	return n.end()
}

// exportFormat chooses the format to write, and says why where it is not the recordings' own.
func exportFormat(to string, recordings []*history.Recording, conversations []*history.Conversation) (f history.WriteFormat, why string) {
	f = history.WriteFormatOf(recordings[0].Format)
	var formats []string
	for _, r := range recordings {
		formats = appendNew(formats, r.Format)
	}
	several := fmt.Sprintf("%s, or subagents, have no place", count(len(conversations), "conversation"))
	switch {
	case to != "" && history.WriteFormatOf(to).Holds(conversations):
		return history.WriteFormatOf(to), ""
	case to != "":
		return history.WriteFormatOf(to), several
	case len(formats) > 1:
		return history.WriteFormatOf(history.DefaultWriteFormat), "the recordings have several formats"
	case f.Name != formats[0]:
		return f, formats[0] + " can only be read"
	case !f.Holds(conversations):
		return history.WriteFormatOf(history.DefaultWriteFormat), several + " in one file of " + f.Name
	}
	return f, ""
}

func appendNew(list []string, s string) []string {
	for _, known := range list {
		if known == s {
			return list
		}
	}
	return append(list, s)
}

// subagents counts the threads beside the first ones.
func subagents(conversations []*history.Conversation) int {
	n := 0
	for _, c := range conversations {
		n += len(c.Threads) - 1
	}
	return n
}

// spares refuses to write over what is read: what an export leaves out would be gone for good.
func (o *exportOptions) spares(recordings []*history.Recording) error {
	info, err := os.Stat(o.out)
	if o.out == "" || o.out == "-" || err != nil {
		return nil
	}
	for _, r := range recordings {
		if read, err := os.Stat(r.Name); err == nil && os.SameFile(info, read) {
			return &failure{what: o.out, why: "it is the recording that is read, and what the export leaves out would be gone", hint: "write to another file"}
		}
	}
	return nil
}

// output gives write the place to write to. A file takes its name once it is whole.
func (o *exportOptions) output(s *Streams, write func(io.Writer) error) error {
	if o.out == "" || o.out == "-" {
		return write(s.Out)
	}
	if info, err := os.Stat(o.out); err == nil && info.IsDir() {
		return &failure{what: o.out, why: "it is a folder", hint: "--output names a file"}
	}
	f, err := os.CreateTemp(filepath.Dir(o.out), ".floodmark-*")
	if path := (*fs.PathError)(nil); errors.As(err, &path) { // its own path is that of the temporary file
		return &failure{what: o.out, why: "cannot be written: " + path.Err.Error()}
	}
	if err != nil {
		return err
	}
	err = write(f)
	err = firstError(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), o.out)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error above says what happened
	}
	return err
}

// An exporter knows what a policy makes of each result. It runs the policy over one conversation at a
// time, when the first of its results is asked for.
type exporter struct {
	ctx      context.Context
	corpus   *corpus
	home     map[*history.Call]*history.Conversation
	replayer *engine.Replayer // of the conversation that is being written
	outcomes map[*history.Call]*engine.Outcome
	original map[*history.Call]*history.Call // of the copies that are written without text
	labels   map[string]int                  // variables that the written packages name, by their labels
}

func newExporter(ctx context.Context, n *corpus, conversations []*history.Conversation) *exporter {
	e := &exporter{ctx: ctx, corpus: n, home: map[*history.Call]*history.Conversation{}, labels: map[string]int{}}
	for _, c := range conversations {
		for _, call := range c.Calls() {
			e.home[call] = c
		}
	}
	return e
}

// result says what entered the context for a call's result; false where that is the payload as it was
// recorded.
func (e *exporter) result(c *history.Call) (history.Written, bool, error) {
	if err := e.ctx.Err(); err != nil {
		return history.Written{}, false, err
	}
	p := e.corpus.policy
	if keepsAll(p) {
		return history.Written{}, false, nil
	}
	o, err := e.outcome(c)
	if err != nil {
		return history.Written{}, false, err
	}
	structured := p.Unwrap.MCP == "structured" && c.Result.Structured != nil
	if o.Verdict == engine.Inline && o.Instructions == nil && !structured {
		return history.Written{}, false, nil
	}
	var w history.Written
	if o.Instructions != nil {
		w.Instructions = o.Instructions.Text
	}
	if o.Verdict == engine.Rejected {
		return w, true, nil
	}
	text, err := e.replayer.InlineText(p, o)
	if err != nil {
		return w, false, err
	}
	w.Text = history.Generated(history.Generator{Size: history.Measure(text), Write: func(out io.Writer) error {
		_, err := out.Write(text)
		return err
	}})
	return w, true, nil
}

// redactedResult says what became of the result that a copy stands for, without its text.
func (e *exporter) redactedResult(c *history.Call) (history.Written, bool, error) {
	if err := e.ctx.Err(); err != nil {
		return history.Written{}, false, err
	}
	o, err := e.outcome(e.original[c])
	if err != nil {
		return history.Written{}, false, err
	}
	return history.Written{Text: history.Of(leftOutResult(o))}, true, nil
}

// outcome is what the policy made of a call's result.
func (e *exporter) outcome(c *history.Call) (*engine.Outcome, error) {
	if e.replayer == nil || e.replayer.Conversation() != e.home[c] {
		if err := e.run(e.home[c]); err != nil {
			return nil, err
		}
	}
	return e.outcomes[c], nil
}

// keepsAll tells whether p changes nothing, whatever a result holds: there is nothing to measure then.
func keepsAll(p *engine.Policy) bool {
	if p.Unwrap.MCP == "structured" {
		return false
	}
	return !p.Enabled || p.Limits == (engine.Limits{}) && p.Instructions.Key == "" && len(p.Overrides) == 0
}

func (e *exporter) run(c *history.Conversation) error {
	e.replayer = engine.NewReplayer(c)
	run, err := e.replayer.Run(e.ctx, e.corpus.policy, engine.RunOptions{Fault: engine.Fault(e.corpus.o.fault), SkipExact: true})
	if err != nil {
		return err
	}
	e.outcomes = make(map[*history.Call]*engine.Outcome, len(run.Outcomes))
	for _, o := range run.Outcomes {
		e.outcomes[o.Call] = o
		if o.Label != "" {
			e.labels[o.Label]++
		}
	}
	return nil
}
