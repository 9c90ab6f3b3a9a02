package history

import (
	"fmt"
	"strings"
	"testing"
)

// A session that was resumed: its lines once more, with new uuids and times but the same ids of
// messages, requests and calls, and then what is new.
func TestClaudeCodeResumeWithNewTimesCountsOnce(t *testing.T) {
	stamped := func(copy, n int) string { return fmt.Sprintf(`"timestamp":"2026-01-0%dT00:00:%02dZ",`, copy, n) }
	session := func(copy int) []string {
		id := func(n int) string { return fmt.Sprint(copy, "-", n) }
		answer := func(n int, message, blocks, usage string) string {
			return strings.Replace(modelLine(id(n), message, stamped(copy, n)+`"requestId":"r`+message+`",`, blocks), `"role":"assistant"`,
				`"role":"assistant","usage":{"input_tokens":10,"output_tokens":`+usage+`}`, 1)
		}
		return []string{
			userLine(id(1), stamped(copy, 1), `"continue"`),
			userLine(id(2), `"isMeta":true,`+stamped(copy, 2), `"a caveat"`),
			answer(3, "m1", useOf("a", "Read"), "20"),
			userLine(id(4), stamped(copy, 4), `[`+resultOf("a", "one")+`]`),
			answer(5, "m2", `{"type":"text","text":"on it"}`, "30"),
			userLine(id(6), stamped(copy, 6), `"continue"`),
			answer(7, "m3", useOf("b", "Read"), "40"),
			userLine(id(8), stamped(copy, 8), `[`+resultOf("b", "two")+`]`),
			userLine(id(9), stamped(copy, 9), `[`+resultOf("gone", "an orphan")+`]`),
		}
	}
	more := []string{userLine("n1", stamped(9, 1), `"continue"`),
		modelLine("n2", "m4", stamped(9, 2)+`"requestId":"rm4",`, useOf("c", "Read")), userLine("n3", stamped(9, 3), `[`+resultOf("c", "three")+`]`)}
	for copies := 1; copies <= 3; copies++ {
		var all []string
		for i := range copies {
			all = append(all, session(i+1)...)
		}
		rec := readAs(t, "claude-code", lines(append(all, more...)...))
		c := rec.Conversations[0]
		if calls, turns := len(c.Calls()), len(c.Threads[0].Turns); calls != 4 || turns != 3 || *c.Usage != (Usage{Input: 30, Output: 90}) {
			t.Errorf("%d times: %d turns, %d calls, usage %v; should be 3, 4 and {30 0 90 false}\n%s", copies, turns, calls, *c.Usage, transcript(t, rec))
		}
	}
}

// Gateways that give each response the same message id, no request id and no figures, or whose lines
// say that they follow the results.
func TestClaudeCodeGatewayResponsesAreSteps(t *testing.T) {
	for _, tt := range []struct{ name, usage, parent string }{
		{"no usage", ``, "x"},
		{"a usage of zeros", `"usage":{"input_tokens":0,"output_tokens":0},`, "x"},
		{"the same usage each time, behind the results", `"usage":{"input_tokens":10,"output_tokens":50},`, "r"},
	} {
		all := []string{userLine("u", "", `"go"`)}
		for i := range 3 {
			n := fmt.Sprint(i)
			answer := strings.Replace(modelLine("a"+n, "same", `"timestamp":"2026-01-02T03:04:0`+n+`Z",`, useOf("g"+n, "F")), `"role":"assistant",`, `"role":"assistant",`+tt.usage, 1)
			if tt.parent == "r" && i > 0 {
				answer = strings.Replace(answer, `"parentUuid":"x"`, fmt.Sprintf(`"parentUuid":"r%d"`, i-1), 1)
			}
			all = append(all, answer, userLine("r"+n, "", `[`+resultOf("g"+n, "r"+n)+`]`))
		}
		want := "main 1.1 F(g0) = \"r0\"\nmain 1.2 F(g1) = \"r1\"\nmain 1.3 F(g2) = \"r2\"\n"
		if got := transcript(t, readAs(t, "claude-code", lines(all...))); got != want {
			t.Errorf("%s: %sshould be\n%s", tt.name, got, want)
		}
	}
}

// The same words mean nothing by themselves: only a response tells that all is written again.
func TestClaudeCodeSamePromptsAreTurns(t *testing.T) {
	rec := readAs(t, "claude-code", lines(
		userLine("1", "", `"continue"`),
		modelLine("2", "m1", `"requestId":"r1",`, `{"type":"text","text":"ok"}`),
		userLine("3", "", `"continue"`),
		modelLine("4", "m2", `"requestId":"r2",`, `{"type":"text","text":"ok"}`),
		userLine("5", "", `"continue"`),
		userLine("6", "", `"continue"`)))
	if n := len(rec.Conversations[0].Threads[0].Turns); n != 4 {
		t.Errorf("%d turns, should be 4", n)
	}
}
