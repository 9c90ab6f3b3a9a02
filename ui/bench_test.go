package ui

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A corpus for measuring: 100,000 results in conversations, sizes log-normal with a median of 911
// bytes, most of them JSON, always the same.
const corpusResults = 100_000

func writeCorpus(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "corpus.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	r := rand.New(rand.NewPCG(1, 2))
	for n, c := 0, 0; n < corpusResults; c++ {
		fmt.Fprintf(w, `{"id":"conv-%d","messages":[{"role":"user","content":"question %d"}`, c, c)
		for range 15 {
			n++
			size := int(math.Min(911*math.Exp(1.5*r.NormFloat64()), 1e6))
			var text strings.Builder
			if r.IntN(100) < 72 {
				text.WriteString(`[{"id": 0}`)
				for i := 1; text.Len() < size; i++ {
					fmt.Fprintf(&text, `, {"id": %d, "name": "row %d", "amount": %d.5, "note": "a note of some words"}`, i, r.IntN(1e6), r.IntN(1000))
				}
				text.WriteString("]")
			} else {
				for text.Len() < size {
					fmt.Fprintf(&text, "line %d of a log that says \"something\"\n", r.IntN(1e6))
				}
			}
			quoted, err := json.Marshal(text.String())
			if err != nil {
				b.Fatal(err)
			}
			fmt.Fprintf(w, `,{"role":"assistant","tool_calls":[{"id":"call_%d","type":"function","function":{"name":"search","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_%d","content":%s}`, n, n, quoted)
		}
		fmt.Fprintln(w, "]}")
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkReplayCorpus replays the corpus, beside jq doing no more than adding up the lengths of the
// same results: the metric "×jq" is our time as a share of its.
func BenchmarkReplayCorpus(b *testing.B) {
	path := writeCorpus(b)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	var ours, theirs time.Duration
	jq, _ := exec.LookPath("jq")
	for b.Loop() {
		start := time.Now()
		s := &Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Width: 80}
		if err := Run(context.Background(), s, []string{"replay", "--store", "none", path}); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(start)
		if jq == "" {
			continue
		}
		b.StopTimer()
		start = time.Now()
		if out, err := exec.Command(jq, "-n", `reduce (inputs|.messages[]|select(.role=="tool")|.content|length) as $n (0; .+$n)`, path).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		theirs += time.Since(start)
		b.StartTimer()
	}
	if theirs > 0 {
		b.ReportMetric(ours.Seconds()/theirs.Seconds(), "×jq")
	}
}
