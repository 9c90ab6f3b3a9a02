package engine

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"floodmark/history"
)

// generated is a call whose result is made when it is read; made is told of it.
func generated(text string, made func()) *history.Call {
	c := &history.Call{Result: &history.Result{}}
	c.Result.Payload = history.Generated(history.Generator{Size: history.Measure([]byte(text)), Write: func(w io.Writer) error {
		made()
		_, err := io.WriteString(w, text)
		return err
	}})
	return c
}

func TestExactCountingEndsWithTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := conversation(generated(strings.Repeat("word ", 1000), cancel)) // the context ends as the payload is read
	r := NewReplayer(c)
	p := policy(t, "none", "estimator=o200k_base")
	if _, err := r.Run(ctx, p, RunOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ended with %v, want %v", err, context.Canceled)
	}
	// What was counted by halves is not remembered: "word" and 999 of " word" and " ".
	run, err := r.Run(context.Background(), p, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := run.Outcomes[0].Original.Tokens; got != 1001 {
		t.Errorf("%v tokens, want 1001", got)
	}
}

func TestARejectedResultIsNotMadeToCountIt(t *testing.T) {
	c := conversation(generated(strings.Repeat("word ", 1000), func() { t.Error("the payload was made") }))
	run, err := NewReplayer(c).Run(context.Background(), policy(t, "moveworks", "estimator=o200k_base", "limits.hard_bytes=4999"), RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := run.Outcomes[0]
	if o.Verdict != Rejected || o.Original != (Measure{Bytes: 5000}) {
		t.Errorf("%s of %+v, want rejected of 5000 bytes and no tokens", o.Verdict, o.Original)
	}
}
