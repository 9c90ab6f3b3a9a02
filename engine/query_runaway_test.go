package engine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// runaways are filters that take more than there is, or never end. how says what can end each: a
// limit's name, "error" or "ends". Each can end at the limit on time too: a machine with other work
// comes no further in its second.
var runaways = []struct{ filter, payload, how string }{
	{`[limit(1e9; repeat(1))]`, "null", "time memory"},
	{`"x" * 1e9 | length`, "null", "error"},
	{`"x" | until(false; . * 1000) | length`, "null", "error"},
	{`"x" | until(false; . + .)`, "null", "error time"},
	{`def f: [f]; f`, "null", "time memory"},
	{`def f: f; f`, "null", "time"},
	{`def f: 1 + f; f`, "null", "time memory"},
	{`def f(x): f(x | x); f(.)`, "null", "time memory"},
	{`[range(1e9)]`, "null", "time memory"},
	{`[recurse(.)]`, "null", "time memory"},
	{`[recurse([.])] | length`, "1", "error time memory"},
	{`range(1e12) | empty`, "null", "time"},
	{`until(false; .)`, "null", "time"},
	{`until(false; [.])`, "null", "error"},
	{`until(false; to_entries)`, "[0]", "error"},
	{`until(false; {a: .})`, "null", "error"},
	{`until(false; . as $x | null | .a.b = $x)`, "null", "error"},
	{`until(false; . as $x | [1] | map($x))`, "null", "error"},
	{`until(false; group_by(.))`, "[0]", "error"},
	{`until(false; [1, 2] as $x | [.])`, "null", "error"},
	{`reduce range(100) as $i ([0]; walk([.]))`, "null", "error time"},
	{`reduce range(1e9) as $i (0; . + $i)`, "null", "time"},
	{`reduce range(1e9) as $i ([]; . + [$i])`, "null", "time memory error"},
	{`reduce range(1e9) as $i (7; . * .)`, "null", "error"},
	{`reduce range(1e9) as $i ("\""; @json)`, "null", "error time"},
	{`reduce range(60) as $i (0; [., .]) | tojson | length`, "null", "error time"},
	{`reduce range(60) as $i (0; [., .]) | . == .`, "null", "time"},
	{`reduce range(60) as $i (0; [., .]) | flatten | length`, "null", "error time"},
	{`reduce range(60) as $i (0; [., .]) | [.[0], .[1]] | sort`, "null", "time"},
	{`reduce range(60) as $i (0; [., .]) | contains(.)`, "null", "ends time"},
	{`reduce range(60) as $i ({}; {a: ., b: .}) | . * .`, "null", "time memory"},
	{`reduce range(60) as $i (0; [., .])`, "null", "bytes"},
	{`[limit(1000000; repeat("0123456789" * 1000))] | add | length`, "null", "error time memory"},
	{`[limit(1000000; repeat("0123456789" * 1000))] | join("") | length`, "null", "error time memory"},
	{`[[range(1e6)], (range(1e5) | [])] | transpose | length`, "null", "error time memory"},
	{`"x" * 6e7 | explode | length`, "null", "error"},
	{`"x" * 6e7 | split("") | length`, "null", "error"},
	{`"x" * 6e7 | indices("x") | length`, "null", "error time memory"},
	{`"x" * 6e7 | @base64 | @base64 | @base64 | @base64 | @base64 | @base64 | length`, "null", "error time memory"},
	{`"9" * 6e7 | tonumber`, "null", "error"},
	{`"x" * 6e7 | test("(x+x+)+y")`, "null", "time"},
	{`"x" * 6e7 | [match("x"; "g")] | length`, "null", "time memory"},
	{`"x" * 6e7 | [splits("")] | length`, "null", "time memory"},
	{`"x" * 6e7 | gsub("(?<a>.)"; .a + .a) | length`, "null", "time memory"},
	{`"x" | test("(((x{30}){30}){30}){30}")`, "null", "error"},
	{`null | .[536870000] = 1 | length`, "null", "error"},
	{`5e8 as $i | null | .[$i] = 1 | length`, "null", "error"},
	{`setpath([500000000]; 1) | length`, "null", "error"},
	{`getpath([500000000]) = 1 | length`, "null", "error"},
	{`setpath([range(3000000) | 0]; 1) | length`, "null", "error time memory"},
	{`last(limit(3000000; recurse(.[0]))) = 1 | length`, "null", "error time memory"},
	{`pick(last(limit(3000000; recurse(.[0])))) | length`, "null", "error time memory"},
	{`fromstream([[500000000], 1], [[500000000]])`, "null", "error"},
	{`[range(2e6) | 0] | .[[range(1e6) | 0]] | length`, "null", "memory"},
	{`[range(2e6) | 0] | . as $v | $v[[range(1e6) | 0]]? | length`, "null", "memory"},
	{`reduce range(60) as $i (0; [., .]) | .[[.[0]]] | length`, "null", "time"},
	{`[range(2e6) | 0] | getpath([[range(1e6) | 0]]) | length`, "null", "error memory"},
	{`[range(2e6) | 0] | .[[range(1e6) | 0]] |= 1`, "null", "error memory"},
	{`[range(2e6) | 0] | del(.[[range(1e6) | 0]])`, "null", "error memory"},
	{`[range(2e6) | 0] | . as {([range(1e6) | 0]): $x} | $x | length`, "null", "error memory"},
	{`[[range(1e9)] | combinations]`, "null", "time memory"},
	{`[range(100)] | combinations(5) | empty`, "null", "error time"},
	{`[range(300)] | [., ., ., ., .] | combinations | empty`, "null", "time memory"},
	{`jn(1e15; 1e16)`, "null", "error"},
	{`try error("x" * 6e7) catch length`, "null", "ends time"},
	{`error([range(1e6)])`, "null", "error time memory"},
	{`[.[] | tojson] | add | length`, "large", "ends time"},
	{`[.[] | tojson | fromjson | tojson] | join(",") | ascii_downcase | length`, "large", "ends time memory"},
	{`[splits(", ")] | length`, `"a, b"`, "ends"},
	{`label $out | repeat(try error catch .) | empty`, "null", "time"},
	{`[repeat(try error("x") catch .)] | length`, "null", "time memory"},
	{`env, $ENV`, "null", "ends"},
	{`input_filename, debug, stderr`, "null", "ends"},
	{`halt`, "null", "ends"},
	{`halt_error`, "null", "error"},
	{`input`, "null", "error"},
	{`[inputs]`, "null", "error"},
	{`import "a" as a; .`, "null", "error"},
	{`"a" | modulemeta`, "null", "error"},
	{`"%1000000000d" as $f | 0 | strftime($f) | length`, "null", "ends"},
}

const runawayVariable = "FLOODMARK_RUNAWAY"

// TestRunaways runs each filter in a process of its own: what a stack or the memory ends, no test
// could go on after.
func TestRunaways(t *testing.T) {
	if number := os.Getenv(runawayVariable); number != "" {
		runAway(t, number)
		return
	}
	if testing.Short() {
		t.Skip("large and with one goroutine: it runs once, without the race detector")
	}
	for first := 0; first < len(runaways); first += 10 {
		child := exec.Command(os.Args[0], "-test.run=^TestRunaways$", "-test.v")
		child.Env = append(os.Environ(), runawayVariable+"="+strconv.Itoa(first))
		out, err := child.CombinedOutput()
		for _, r := range runaways[first:min(first+10, len(runaways))] {
			if !bytes.Contains(out, []byte("ended: "+r.filter+"\n")) {
				t.Errorf("%s did not end within its limits", r.filter)
			}
		}
		if err != nil {
			t.Errorf("%v\n%s", err, out[max(0, len(out)-4000):])
		}
	}
}

// runAway runs ten filters, each with a second and 256 MB. The process may take three times as much:
// what a run asks for in one step is counted only when it has it.
func runAway(t *testing.T, number string) {
	first, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	queries := NewQueries(1 << 30)
	for _, r := range runaways[first:min(first+10, len(runaways))] {
		runner := queries.Runner()
		payload := r.payload
		if payload == "large" {
			payload = string(tenMegabytes())
		}
		start := time.Now()
		_, report, err := runner.Collect(context.Background(), QueryRequest{Filter: r.filter,
			Input:  QuerySource{Key: r.payload, Load: func(context.Context) ([]byte, error) { return []byte(payload), nil }},
			Limits: QueryLimits{Results: 10, Bytes: 1 << 20, Time: time.Second, Memory: 256 << 20}})
		late := time.Since(start)
		how := string(report.Stopped)
		switch {
		case err != nil:
			how = "error"
		case how == "":
			how = "ends"
		}
		for wait := 0; !queries.Lingering().Since.IsZero() && wait < 1500; wait++ {
			time.Sleep(20 * time.Millisecond)
		}
		peak := peakMB("self")
		ends := " time " // which limit is met first is the machine's
		if r.how != "ends" {
			ends = " time memory "
		}
		var lingering *LingeringError
		if errors.As(err, &lingering) || !strings.Contains(" "+r.how+ends, " "+how+" ") {
			t.Errorf("%s: %s, want %s (%v)", r.filter, how, r.how, err)
		}
		if late > 20*time.Second { // many times its limit: that is no slow machine
			t.Errorf("%s took %v", r.filter, late)
		}
		if !queries.Lingering().Since.IsZero() {
			t.Errorf("%s goes on for ever", r.filter)
		}
		if peak > 1500 {
			t.Errorf("%s: the process took %d MB", r.filter, peak)
		}
		t.Logf("%s %v, peak %d MB, %v", how, late.Round(time.Millisecond), peak, err)
		os.Stdout.WriteString("ended: " + r.filter + "\n")
	}
}

// peakMB is the most memory that a process, by its number or "self", has had; 0 where the system does not say.
func peakMB(process string) int {
	status, err := os.ReadFile("/proc/" + process + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.Atoi(kb)
	return n * 1024 / 1_000_000
}
