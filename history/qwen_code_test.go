package history

import (
	"slices"
	"strings"
	"testing"
)

func qwenLine(uuid, kind, rest string) string {
	return `{"uuid":"` + uuid + `","parentUuid":null,"sessionId":"s-1","timestamp":"2026-01-02T03:04:05Z","type":"` + kind + `",` + rest + `}`
}

var qwenSessionFile = lines(
	qwenLine("1", "user", `"message":{"role":"user","parts":[{"text":"go"}]}`),
	qwenLine("2", "assistant", `"model":"m-1","usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":5,"thoughtsTokenCount":2,"cachedContentTokenCount":60},"message":{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"id":"a","name":"read","args":{"p":1}}},{"functionCall":{"id":"b","name":"run","args":{}}}]}`),
	qwenLine("3", "tool_result", `"message":{"role":"user","parts":[{"functionResponse":{"id":"b","name":"run","response":{"output":"bad"}}}]},"toolCallResult":{"callId":"b","status":"error"}`),
	qwenLine("4", "tool_result", `"message":{"role":"user","parts":[{"functionResponse":{"id":"a","name":"read","response":{"output":"x"}}},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]},"toolCallResult":{"callId":"a","status":"success","resultDisplay":"x"}`),
	qwenLine("4", "tool_result", `"message":{"role":"user","parts":[{"functionResponse":{"id":"a","name":"read","response":{"output":"twice"}}}]}`),
	qwenLine("5", "system", `"subtype":"chat_compression","message":{"role":"system","parts":[]}`),
	qwenLine("6", "user", `"subtype":"notification","message":{"role":"user","parts":[{"text":"done"}]}`),
	qwenLine("7", "user", `"message":{"role":"user","parts":[{"text":"more"}]}`),
	qwenLine("8", "assistant", `"message":{"role":"model","parts":[{"functionCall":{"id":"a","name":"read","args":{}}}]}`))

func TestQwenSession(t *testing.T) {
	rec := readAs(t, "qwen-code", qwenSessionFile)
	want := []string{`conversation 0 model "m-1" system "" usage &{40 60 7 false}`,
		`turn 1 "go"`, `step 1 "2" "hm"`, `a read("{\"p\":1}") = "x" image image/png 4`, `b run("{}") = "bad" error failed`,
		`turn 2 "more"`, `step 1 "8" ""`, `a read("{}") no-result,id-reused`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	if c := rec.Conversations[0]; c.ID != "s-1" || !c.Threads[0].Turns[1].Compacted {
		t.Errorf("conversation %q, compacted %v", c.ID, c.Threads[0].Turns[1].Compacted)
	}
}

func TestRealQwen(t *testing.T) {
	checkReal(t, []realRow{{file: "qwen_code/qwen_session1.jsonl", format: "qwen-code", conversations: 1, calls: 1, results: 1, largest: 24,
		why: "the index measures the object around the text as JSON (38 bytes)"}})
}

func TestQwenSurvives(t *testing.T) { survives(t, "qwen-code", qwenSessionFile) }

func FuzzQwen(f *testing.F) { fuzzFormat(f, "qwen-code", qwenSessionFile) }
