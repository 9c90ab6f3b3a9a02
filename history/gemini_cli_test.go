package history

import (
	"slices"
	"strings"
	"testing"
)

const geminiTwoCalls = `[{"id":"a","name":"read","args":{"p":1},"status":"success","timestamp":"2026-01-02T03:04:05Z","resultDisplay":"for people","result":[{"functionResponse":{"id":"a","name":"read","response":{"output":"x"}}},{"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"text":"y"}]},` +
	`{"id":"b","name":"run","args":{},"status":"error","result":[{"functionResponse":{"id":"b","name":"run","response":{"error":"bad"}}}]},{"id":"c","name":"run","args":{},"status":"executing","result":null}]`

const geminiChatFile = `{"sessionId":"s-1","projectHash":"h","summary":"a title","messages":[{"id":"1","type":"user","content":[{"text":"go"}]},
{"id":"2","type":"gemini","content":"looking","model":"m-1","thoughts":[{"subject":"S","description":"hm"}],"tokens":{"input":100,"output":5,"cached":60,"thoughts":2,"tool":1,"total":108},"toolCalls":` + geminiTwoCalls + `},
{"id":"3","type":"info","content":"cancelled"},{"id":"4","type":"user","content":"more"},
{"id":"5","type":"gemini","content":"","tokens":{"input":0,"output":0,"cached":0},"toolCalls":[{"id":"a","name":"read","args":{},"result":null}]}]}`

func TestGeminiChat(t *testing.T) {
	rec := readAs(t, "gemini-cli", geminiChatFile)
	want := []string{`conversation 0 model "m-1" system "" usage &{41 60 7 false}`,
		`turn 1 "go"`, `step 1 "2" "hmlooking"`,
		`a read("{\"p\":1}") = "xy" image image/png 4`, `b run("{}") = "bad" error failed`, `c run("{}") no-result`,
		`turn 2 "more"`, `step 1 "5" ""`, `a read("{}") no-result,id-reused`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	if c := rec.Conversations[0]; c.ID != "s-1" || c.Title != "a title" {
		t.Errorf("conversation %q, %q", c.ID, c.Title)
	}
}

const geminiHeader = `{"sessionId":"s-2","projectHash":"h","startTime":"2026-01-02T03:04:05Z"}`

func geminiLine(id, kind, rest string) string {
	return `{"id":"` + id + `","type":"` + kind + `",` + rest + `}`
}

// geminiChatLog says some messages twice, takes one back, and has a summary in the end.
var geminiChatLog = lines(geminiHeader,
	geminiLine("1", "user", `"content":"go"`),
	geminiLine("2", "gemini", `"content":"","toolCalls":[{"id":"a","name":"read","args":{},"result":null}]`),
	geminiLine("3", "user", `"content":"wrong"`),
	geminiLine("4", "gemini", `"content":"","toolCalls":[{"id":"z","name":"read","args":{},"result":null}]`),
	`{"$rewindTo":"3"}`,
	geminiLine("5", "user", `"content":"more"`),
	geminiLine("2", "gemini", `"content":"looking","toolCalls":`+geminiTwoCalls),
	geminiLine("6", "gemini", `"content":"done"`),
	`{"$set":{"summary":"a title","lastUpdated":"2026-01-02T03:04:06Z"}}`,
	`{"$set":{"messages":[`+geminiLine("7", "user", `"content":"what was before"`)+`]}}`,
	geminiLine("8", "gemini", `"content":"I see"`))

func TestGeminiChatLogSaysWhatIsLeft(t *testing.T) {
	rec := readAs(t, "gemini-cli", geminiChatLog)
	want := []string{`conversation 0 model "" system "" usage <nil>`,
		`turn 1 "go"`, `step 1 "2" "looking"`,
		`a read("{\"p\":1}") = "xy" image image/png 4`, `b run("{}") = "bad" error failed`, `c run("{}") no-result`,
		`turn 2 "more"`, `step 1 "6" "done"`, `turn 3 "what was before"`, `step 1 "8" "I see"`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	turns := rec.Conversations[0].Threads[0].Turns
	if turns[1].Compacted || !turns[2].Compacted || rec.Conversations[0].Title != "a title" {
		t.Errorf("compacted %v %v, title %q", turns[1].Compacted, turns[2].Compacted, rec.Conversations[0].Title)
	}
}

func TestGeminiRewinds(t *testing.T) {
	all := func(changes ...string) string {
		return lines(append([]string{geminiHeader, geminiLine("1", "user", `"content":"one"`), geminiLine("2", "gemini", `"content":"hi"`),
			geminiLine("3", "user", `"content":"three"`)}, changes...)...)
	}
	last := geminiLine("9", "user", `"content":"nine"`)
	for name, tt := range map[string]struct{ text, want string }{
		"a rewind takes its message back too":            {all(`{"$rewindTo":"3"}`, last), "one nine"},
		"one to a message that nobody knows takes all":   {all(`{"$rewindTo":"x"}`, last), "nine"},
		"a list that begins as before takes the rest":    {all(`{"$set":{"messages":[{"id":"1","type":"user","content":"one"}]}}`, last), "one nine"},
		"a list that says the same once more is nothing": {all(`{"$set":{"messages":[{"id":"1","type":"user","content":"one"},{"id":"2","type":"gemini","content":"hi"},{"id":"3","type":"user","content":"three!"}]}}`, last), "one three! nine"},
	} {
		var prompts []string
		for _, u := range readAs(t, "gemini-cli", tt.text).Conversations[0].Threads[0].Turns {
			prompts = append(prompts, textOf(t, u.Prompt))
		}
		if got := strings.Join(prompts, " "); got != tt.want {
			t.Errorf("%s: %q, should be %q", name, got, tt.want)
		}
	}
}

func TestGeminiSubagentIsAThread(t *testing.T) {
	rec := readAs(t, "gemini-cli", lines(`{"sessionId":"s-3","projectHash":"h","kind":"subagent"}`, geminiLine("1", "user", `"content":"go"`)))
	if th := rec.Conversations[0].Threads[0]; th.Name != "s-3" {
		t.Errorf("thread %q", th.Name)
	}
}

func TestRealGeminiCLI(t *testing.T) {
	checkReal(t, []realRow{
		{file: "gemini_cli/geminicli_large.json", format: "gemini-cli", conversations: 1, calls: 2, results: 2, largest: 208,
			why: "the index counts each result twice, and measures the parts around the text as JSON (325 bytes)"},
		{file: "gemini_cli/geminicli_real_world_sanitized.json", format: "gemini-cli", conversations: 1, calls: 16, results: 16, largest: 21,
			why: "the index counts each result twice, and measures the parts around the text as JSON (119 bytes)"},
		{file: "gemini_cli/geminicli_tool_calls.json", format: "gemini-cli", conversations: 1, calls: 2, results: 2, largest: 51,
			why: "the index measures the object around the text as JSON (66 bytes)"},
	})
}

func TestGeminiCLISurvives(t *testing.T) {
	survives(t, "gemini-cli", geminiChatFile)
	survives(t, "gemini-cli", geminiChatLog)
}

func FuzzGeminiCLI(f *testing.F) { fuzzFormat(f, "gemini-cli", geminiChatFile, geminiChatLog) }
