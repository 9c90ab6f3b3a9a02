// Floodmark replays recorded agent conversations through a tool-response processing engine and shows
// what became of each result, and why.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"floodmark/ui"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once

	// With somebody listening for it, a write to a broken pipe is an error like any other, and
	// what was begun is put away.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	streams := ui.System(os.Stdin, os.Stdout, os.Stderr)
	os.Exit(ui.Report(streams, ui.Run(ctx, streams, os.Args[1:])))
}

// endings are the signals that end the program. A hangup is one of them unless whoever started the
// program (nohup) wants it to outlive its terminal.
func endings() []os.Signal {
	s := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		s = append(s, syscall.SIGHUP)
	}
	return s
}
