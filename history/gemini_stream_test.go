package history

import (
	"strings"
	"testing"
)

// The pieces of a streamed response share its id, and each counts the tokens of all before it.
func TestPiecesOfAGeminiStreamAreOneStep(t *testing.T) {
	const one = `{"responseId":"R","candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2}}`
	const two = `{"responseId":"R","candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"g","args":{}}}]}}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5}}`
	const end = `{"responseId":"R","candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":6}}`
	for name, text := range map[string]string{
		"events":             "data: " + one + "\n\ndata: " + two + "\n\ndata: " + end + "\n\n",
		"lines":              lines(one, two, end),
		"an array":           "[" + one + ",\n" + two + ",\n" + end + "]",
		"lines without ids":  strings.ReplaceAll(lines(one, two, end), `"responseId":"R",`, ""),
		"events without ids": strings.ReplaceAll("data: "+one+"\n\ndata: "+two+"\n\ndata: "+end+"\n\n", `"responseId":"R",`, ""),
		"the usage behind the end": strings.ReplaceAll(lines(one, strings.Replace(two, `]}}],"usage`, `]},"finishReason":"STOP"}],"usage`, 1),
			`{"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":6}}`), `"responseId":"R",`, ""),
	} {
		rec := readText(t, text)
		if len(rec.Conversations) != 1 {
			t.Errorf("%s: %d conversations, want 1", name, len(rec.Conversations))
			continue
		}
		c := rec.Conversations[0]
		calls := c.Calls()
		if len(calls) != 2 || calls[0].Tool != "f" || calls[1].Tool != "g" || len(c.Threads[0].Turns) != 1 || len(c.Threads[0].Turns[0].Steps) != 1 {
			t.Errorf("%s: calls are %v, want f and g in one step", name, calls)
		}
		if *c.Usage != (Usage{Input: 10, Output: 6}) {
			t.Errorf("%s: usage is %+v, want 10 in and 6 out", name, *c.Usage)
		}
		if len(rec.Problems) != 0 {
			t.Errorf("%s: problems %v", name, rec.Problems)
		}
	}
}

// A response that has ended is over: the next one without an id is another.
func TestGeminiResponsesWithoutIDsAreTold(t *testing.T) {
	const one = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2}}`
	rec := readText(t, lines(one, strings.Replace(one, `"f"`, `"g"`, 1)))
	var total *Usage
	for _, c := range rec.Conversations {
		total = total.Add(c.Usage)
	}
	if *total != (Usage{Input: 20, Output: 4}) {
		t.Errorf("usage is %+v, want 20 in and 4 out", *total)
	}
}
