package ui

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"floodmark/store"
)

// BenchmarkQueryOfTheStore measures the command on a stored array of 250,000 records, 100 MB: to read it
// from the store, decode it and run a filter; beside the jq program on the same bytes in a file.
//
//	go test ./ui -run '^$' -bench QueryOfTheStore -benchtime 1x -count 5
func BenchmarkQueryOfTheStore(b *testing.B) {
	var text strings.Builder
	for i := range 250_000 {
		fmt.Fprintf(&text, `%c{"id":"%08x-rec","amount":%d.%02d,"owner":"user%d@example.com","note":"%0*d","seq":%d}`,
			"[,"[min(i, 1)], i*2654435761%(1<<32), i*7919%2000, i%100, i%977, 291+i%30, i, i)
	}
	text.WriteByte(']')
	payload := text.String()
	path, plain := filepath.Join(b.TempDir(), "v.db"), filepath.Join(b.TempDir(), "records.json")
	if err := os.WriteFile(plain, []byte(payload), 0o600); err != nil {
		b.Fatal(err)
	}
	kept, err := store.Open(path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	v := store.Variable{Key: store.Key{Conversation: "c", Policy: "moveworks", Name: "list_1"}}
	if _, err := kept.Put(context.Background(), v, func(w io.Writer) error { _, err := io.WriteString(w, payload); return err }); err != nil {
		b.Fatal(err)
	}
	if err := kept.Close(); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d bytes", len(payload))
	const filter = `map(select(.amount > 900)) | length`
	b.Run("query", func(b *testing.B) {
		for b.Loop() {
			s := &Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
			if code := Report(s, Run(context.Background(), s, []string{"query", "--store", path, "list_1", filter})); code != 0 {
				b.Fatal(code)
			}
		}
	})
	b.Run("jq", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("jq", filter, plain).Run(); err != nil {
				b.Skip(err)
			}
		}
	})
}
