package ui

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func manCommand(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Example: "  floodmark man > ~/.local/share/man/man1/floodmark.1",
		Args:    arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(s.Out, manual(cmd.Root()))
			return err
		},
	}
}

// manual is the manual page of all commands, as roff, made from what --help says.
func manual(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH FLOODMARK 1 \"\" \"%s\"\n", roff(version()))
	fmt.Fprintf(&b, ".SH NAME\nfloodmark \\- %s\n", roff(strings.ToLower(root.Short[:1])+root.Short[1:]))
	b.WriteString(".SH SYNOPSIS\n")
	walk(root, func(c *cobra.Command) {
		if c.Runnable() {
			fmt.Fprintf(&b, ".B %s\n.br\n", roff(c.UseLine()))
		}
	})
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", paragraphs(root.Long))
	manualFlags(&b, root)
	b.WriteString(".SH COMMANDS\n")
	walk(root, func(c *cobra.Command) {
		if c == root {
			return
		}
		fmt.Fprintf(&b, ".SS %s\n", roff(c.UseLine()))
		text := c.Long
		if text == "" {
			text = c.Short + "."
		}
		b.WriteString(paragraphs(text) + "\n")
		manualFlags(&b, c)
	})
	b.WriteString(".SH EXIT STATUS\n")
	for _, e := range [][2]string{
		{"0", "done"}, {"1", "a filter failed on the data, or check found something"},
		{"2", "wrong usage, or input that cannot be read"}, {"130", "interrupted"},
	} {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", e[0], e[1])
	}
	return b.String()
}

// walk gives f the command and all below it that help shows.
func walk(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			walk(sub, f)
		}
	}
}

func manualFlags(b *strings.Builder, c *cobra.Command) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(name+" "+value)), roff(usage))
	})
}

// paragraphs turns plain text into roff: empty lines part paragraphs, indented lines stay lines.
func paragraphs(text string) string {
	var b strings.Builder
	for _, l := range strings.Split(text, "\n") {
		switch {
		case l == "":
			b.WriteString(".PP\n")
		case strings.HasPrefix(l, "  "):
			fmt.Fprintf(&b, ".br\n%s\n", roff(l))
		default:
			b.WriteString(roff(l) + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// roff quotes what roff would read as its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}
