package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/itchyny/gojq"
)

// hundredMegabytes is a payload of 250,000 records, 100 MB.
func hundredMegabytes() []byte {
	var b bytes.Buffer
	b.Grow(101_000_000)
	categories := []string{"travel", "meals", "hardware", "software", "training", "rent", "energy"}
	for i := range 250_000 {
		fmt.Fprintf(&b, `%c{"id":"%08x-rec","amount":%d.%02d,"category":%q,"owner":"user%d@example.com","approved":%t,`+
			`"created":"2024-%02d-%02dT%02d:00:00Z","tags":["t%d","t%d"],"note":"%0*d","place":{"city":"City %d","zip":"%05d"},"seq":%d}`,
			"[,"[min(i, 1)], i*2654435761%(1<<32), i*7919%2000, i%100, categories[i%7], i%977, i%3 == 0,
			i%12+1, i%28+1, i%24, i%5, i%11, 165+i%30, i, i%300, i%99999, i)
	}
	b.WriteByte(']')
	return b.Bytes()
}

// decodeAndRun is the library's own way.
func decodeAndRun(filter *gojq.Query, payload []byte) error {
	var v any
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	if v, ok := filter.Run(v).Next(); !ok || v == nil {
		return fmt.Errorf("the filter gave %v", v)
	} else if err, failed := v.(error); failed {
		return err
	}
	return nil
}

// peakOf runs cmd and gives the most resident memory that it had, in MB; 0 where the system does not say.
// What the system counts of a process that has ended will not do: on Linux it has its parent's memory from
// before it ran its own program in it.
func peakOf(cmd *exec.Cmd) (peak int, err error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		peak = max(peak, peakMB(strconv.Itoa(cmd.Process.Pid)))
		select {
		case err := <-ended:
			return peak, err
		case <-time.After(5 * time.Millisecond):
		}
	}
}

const benchedVariable = "FLOODMARK_BENCHED"

// peakOfBenched is the peak of a process that runs one filter once and does nothing else.
func peakOfBenched(b *testing.B, way, filter, file string) int {
	cmd := exec.Command(os.Args[0], "-test.run=^TestBenchedProcess$")
	cmd.Env = append(os.Environ(), benchedVariable+"="+way+"\n"+file+"\n"+filter)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	peak, err := peakOf(cmd)
	if err != nil {
		b.Fatalf("%v\n%s", err, out.Bytes())
	}
	return peak
}

// TestBenchedProcess is what that process runs.
func TestBenchedProcess(t *testing.T) {
	asked := strings.SplitN(os.Getenv(benchedVariable), "\n", 3)
	if len(asked) < 3 {
		t.Skip("a part of the benchmark")
	}
	way, file, filter := asked[0], asked[1], asked[2]
	load := func(context.Context) ([]byte, error) { return os.ReadFile(file) }
	if way == "library" {
		parsed, err := gojq.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := decodeAndRun(parsed, payload); err != nil {
			t.Error(err)
		}
		return
	}
	_, report, err := NewQueries(0).Runner().Collect(t.Context(), QueryRequest{Filter: filter,
		Input: QuerySource{Load: load}, Limits: QueryLimits{Memory: 1 << 30}})
	if err != nil || report.Stopped != "" || report.Results != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

// BenchmarkQuery100MB measures a filter on 100 MB of records: the first time, again, how late a
// cancelled run ends, and memory; beside the jq program and the library's own way, on the same file
// and in the same run:
//
//	go test ./engine -run '^$' -bench Query100MB -benchtime 1x -count 5 -timeout 30m
//
// peak-MB is the resident memory of a process of its own. The way through the store is measured in
// ui (BenchmarkQueryOfTheStore).
func BenchmarkQuery100MB(b *testing.B) {
	payload := hundredMegabytes()
	file := filepath.Join(b.TempDir(), "records.json")
	if err := os.WriteFile(file, payload, 0o600); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d bytes", len(payload))
	queries := NewQueries(4 << 30)
	source := QuerySource{Key: "records", Load: func(context.Context) ([]byte, error) { return os.ReadFile(file) }}
	for _, filter := range []string{
		`map(select(.amount > 900)) | length`,
		`group_by(.category) | map({k: .[0].category, n: length, s: (map(.amount) | add)})`,
		`[.[].id] | unique | length`,
	} {
		b.Run("first/"+filter, func(b *testing.B) {
			for b.Loop() {
				fresh := NewQueries(4 << 30)
				if _, _, err := fresh.Runner().Collect(context.Background(), QueryRequest{Filter: filter, Input: source}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(peakOfBenched(b, "floodmark", filter, file)), "peak-MB")
		})
		b.Run("again/"+filter, func(b *testing.B) {
			runner := queries.Runner()
			request := QueryRequest{Filter: filter, Input: source}
			if _, _, err := runner.Collect(context.Background(), request); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, report, err := runner.Collect(context.Background(), request); err != nil || !report.Cached {
					b.Fatal(err, report)
				}
			}
			runtime.GC()
			b.ReportMetric(float64(readHeap().objects)/1e6, "heap-MB")
		})
		b.Run("jq/"+filter, func(b *testing.B) {
			peak := 0
			for b.Loop() {
				cmd := exec.Command("jq", filter, file)
				most, err := peakOf(cmd)
				if err != nil {
					b.Skip(err)
				}
				peak = max(peak, most)
			}
			b.ReportMetric(float64(peak), "peak-MB")
		})
		b.Run("library/"+filter, func(b *testing.B) {
			parsed, err := gojq.Parse(filter)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := decodeAndRun(parsed, payload); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(peakOfBenched(b, "library", filter, file)), "peak-MB")
		})
	}
	if _, _, err := queries.Runner().Collect(context.Background(), QueryRequest{Filter: ".[0]", Input: source}); err != nil {
		b.Fatal(err)
	}
	for _, filter := range []string{"sort_by(.note)", "tojson", ".[] |= .seq", "[.[] | tojson] | add", `map(test("x(a|b)*y")) | length`, ". == ."} {
		b.Run("cancel/"+filter, func(b *testing.B) {
			late := time.Duration(0)
			for b.Loop() {
				ctx, cancel := context.WithCancel(context.Background())
				asked := make(chan time.Time, 1)
				time.AfterFunc(100*time.Millisecond, func() { asked <- time.Now(); cancel() })
				if _, _, err := queries.Runner().Collect(ctx, QueryRequest{Filter: filter, Input: source}); err != nil {
					late = max(late, time.Since(<-asked))
				}
				cancel()
			}
			b.ReportMetric(float64(late.Microseconds())/1000, "latest-ms")
			lingers := 0.0
			if !queries.Lingering().Since.IsZero() {
				lingers = 1
			}
			b.ReportMetric(lingers, "lingers")
		})
	}
}
