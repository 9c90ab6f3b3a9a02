package history

import (
	"slices"
	"strings"
	"testing"
)

func piLine(id, parent, message string) string {
	return `{"type":"message","id":"` + id + `","parentId":"` + parent + `","timestamp":"2026-01-02T03:04:05Z","message":` + message + `}`
}

// piSessionFile is a tree: the branch that begins at x was left.
var piSessionFile = lines(
	`{"type":"session","id":"s-1","version":3,"systemPrompt":"be kind"}`,
	piLine("1", "s-1", `{"role":"user","content":"go"}`),
	piLine("2", "1", `{"role":"assistant","model":"m-1","usage":{"input":40,"cacheRead":50,"cacheWrite":10,"output":7},"content":[{"type":"thinking","thinking":"hm"},{"type":"toolCall","id":"a|fc_1","name":"read","arguments":{"p":1}},{"type":"toolCall","id":"b","name":"bash","arguments":{}}]}`),
	piLine("3", "2", `{"role":"toolResult","toolCallId":"b","toolName":"bash","isError":true,"content":[{"type":"text","text":"bad"}]}`),
	piLine("4", "3", `{"role":"toolResult","toolCallId":"a|fc_1","toolName":"read","isError":false,"content":[{"type":"text","text":"x"},{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"text","text":"y"}],"details":{"truncation":{"truncated":true}}}`),
	piLine("x", "4", `{"role":"user","content":"wrong"}`),
	piLine("y", "x", `{"role":"assistant","content":[{"type":"toolCall","id":"z","name":"bash","arguments":{}}]}`),
	`{"type":"compaction","id":"5","parentId":"4","summary":"s","firstKeptEntryId":"4"}`,
	piLine("6", "5", `{"role":"user","content":[{"type":"text","text":"more"}]}`),
	piLine("7", "6", `{"role":"assistant","usage":{"input":0,"output":0},"stopReason":"aborted","content":[]}`),
	piLine("8", "7", `{"role":"assistant","content":[{"type":"toolCall","id":"b","name":"bash","arguments":{}}]}`))

func TestPiSession(t *testing.T) {
	rec := readAs(t, "pi", piSessionFile)
	want := []string{`conversation 0 model "m-1" system "be kind" usage &{40 60 7 false}`,
		`turn 1 "go"`, `step 1 "" "hm"`, `a|fc_1 read("{\"p\":1}") = "xy" image image/png 4`, `b bash("{}") = "bad" error failed`,
		`turn 2 "more"`, `step 1 "" ""`, `step 2 "" ""`, `b bash("{}") no-result,id-reused`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	c := rec.Conversations[0]
	turns := c.Threads[0].Turns
	if c.ID != "s-1" || !turns[1].Compacted || turns[1].Steps[0].Usage != nil {
		t.Errorf("conversation %q, compacted %v, usage of the aborted response %v", c.ID, turns[1].Compacted, turns[1].Steps[0].Usage)
	}
	if r := turns[0].Steps[0].Calls[0].Result; !r.Flags.Has(TruncatedByRecorder) || r.At.Line != 5 {
		t.Errorf("flags %v, at %v", r.Flags.Names(), r.At)
	}
}

func TestPiTreeWithAMissingEntryIsReadInFileOrder(t *testing.T) {
	rec := readAs(t, "pi", lines(`{"type":"session","id":"s"}`,
		piLine("1", "s", `{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{}}]}`),
		piLine("3", "lost", `{"role":"assistant","content":[{"type":"toolCall","id":"b","name":"f","arguments":{}}]}`)))
	if got, want := transcript(t, rec), "main 0.1 f(a) [no-result]\nmain 0.2 f(b) [no-result]\n"; got != want {
		t.Errorf("%sshould be\n%s", got, want)
	}
}

func TestRealPi(t *testing.T) {
	checkReal(t, []realRow{
		{file: "pi/pi_large_session.jsonl", format: "pi", conversations: 1, calls: 391, results: 373, largest: 43253,
			why: "the index measures lists of text parts as JSON (49029 bytes); 18 calls of aborted responses have no result"},
		{file: "pi/openclaw_session.jsonl", format: "pi", conversations: 1, calls: 2, results: 2, largest: 15},
	})
}

func TestPiSurvives(t *testing.T) { survives(t, "pi", piSessionFile) }

func FuzzPi(f *testing.F) { fuzzFormat(f, "pi", piSessionFile) }
