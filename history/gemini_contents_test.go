package history

import (
	"slices"
	"strings"
	"testing"
)

const (
	geminiAsk    = `{"role":"user","parts":[{"text":"go"}]}`
	geminiWants  = `{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"name":"w","args":{"c":"Rome"}}},{"functionCall":{"name":"w","args":{"c":"Oslo"}}},{"functionCall":{"id":"n","name":"v","args":{}}}]}`
	geminiGets   = `{"role":"user","parts":[{"functionResponse":{"name":"w","response":{"output":"21"}}},{"functionResponse":{"name":"w","response":{"t": 9},"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}]}`
	geminiWants2 = `{"role":"model","parts":[{"functionCall":{"id":"n","name":"v","args":{}}},{"executableCode":{"language":"PYTHON","code":"1+1"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"oops"}}]}`
	geminiGets2  = `{"role":"function","parts":[{"functionResponse":{"id":"n","name":"v","response":{"error":"bad"}}}]}`
)

const geminiList = `[` + geminiAsk + `,` + geminiWants + `,
` + geminiGets + `,` + geminiWants2 + `,` + geminiGets2 + `,{"role":"user","parts":[{"functionResponse":{"id":"o","name":"x","response":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}},{"text":"and now?"}]}]`

func TestGeminiContentsPairByOrderAndName(t *testing.T) {
	rec := readAs(t, "gemini-contents", geminiList)
	want := []string{`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "hm"`,
		`line1-0 w("{\"c\":\"Rome\"}") = "21" synthetic-id,paired-by-name`,
		`line1-1 w("{\"c\":\"Oslo\"}") = "{\"t\": 9}" image image/png 4 synthetic-id,paired-by-name`,
		`n v("{}") no-result`, `step 2 "" ""`, `n v("{}") = "bad" error failed id-reused`,
		`line2-4 code_execution("1+1") = "oops" error failed synthetic-id,paired-by-name,provider-executed`,
		`o x("") = "ab" orphan-result`, `turn 2 "and now?"`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

var geminiRequests = lines(
	`{"request":{"model":"m-1","systemInstruction":{"parts":[{"text":"be kind"}]},"contents":[`+geminiAsk+`]},"response":{"candidates":[{"content":`+geminiWants+`}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":7,"cachedContentTokenCount":60},"responseId":"r1"}}`,
	`{"request":{"model":"m-1","contents":[`+geminiAsk+`,`+geminiWants+`,`+geminiGets+`]},"response":{"candidates":[{"content":{"role":"model","parts":[{"text":"done"}]}}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2}}}`)

func TestGeminiRequestsRepeatTheirHistory(t *testing.T) {
	rec := readAs(t, "gemini-contents", geminiRequests)
	want := []string{`conversation 0 model "m-1" system "be kind" usage &{41 60 9 false}`, `turn 1 "go"`, `step 1 "r1" "hm"`,
		`line1-0 w("{\"c\":\"Rome\"}") = "21" synthetic-id,paired-by-name`,
		`line1-1 w("{\"c\":\"Oslo\"}") = "{\"t\": 9}" image image/png 4 synthetic-id,paired-by-name`,
		`n v("{}") no-result`, `step 2 "" "done"`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func TestGeminiCheckpoints(t *testing.T) {
	for name, text := range map[string]string{
		"a saved chat": `{"history":` + geminiList + `}`,
		"a checkpoint": `{"history":[{"type":"user","text":"go"}],"clientHistory":` + geminiList + `,"toolCall":{"name":"w"}}`,
	} {
		if got, want := transcript(t, readAs(t, "gemini-contents", text)), transcript(t, readAs(t, "gemini-contents", geminiList)); got != want {
			t.Errorf("%s:\n%sshould be:\n%s", name, got, want)
		}
	}
}

func adkLine(id, author, content, rest string) string {
	return `{"invocation_id":"i","author":"` + author + `","id":"` + id + `","timestamp":1733043686.5,"content":` + content + rest + `}`
}

var adkSessionFile = `{"id":"s-1","events":[` + strings.Join([]string{
	adkLine("1", "user", `{"role":"user","parts":[{"text":"go"}]}`, ""),
	adkLine("2", "root", `{"role":"model","parts":[{"text":"h"}]}`, `,"partial":true`),
	adkLine("3", "root", `{"role":"model","parts":[{"function_call":{"id":"a","name":"f","args":{}}},{"function_call":{"id":"b","name":"g","args":{}}}]}`, ""),
	adkLine("4", "root", `{"role":"user","parts":[{"function_response":{"id":"a","name":"f","response":{"result":"1"}}}]}`, ""),
	`{"invocation_id":"i","author":"user","id":"5","actions":{"compaction":{"x":1}},"content":{"parts":[]}}`,
	adkLine("6", "user", `{"role":"user","parts":[{"text":"more"}]}`, ""),
	adkLine("7", "helper", `{"role":"model","parts":[{"text":"done"}]}`, `,"usage_metadata":{"prompt_token_count":5,"candidates_token_count":1}`),
}, ",\n") + `],"event_logs":[{"event_id":"3","model_request":{"model":"m-1","config":{"system_instruction":"be kind"}},"model_response":{"usage_metadata":{"prompt_token_count":100,"cached_content_token_count":60,"candidates_token_count":7}}}]}`

func TestADKSession(t *testing.T) {
	rec := readAs(t, "gemini-contents", adkSessionFile)
	want := []string{`conversation 0 model "m-1" system "be kind" usage &{45 60 8 false}`, `turn 1 "go"`, `step 1 "3" ""`,
		`a f("{}") = "1"`, `b g("{}") no-result`, `turn 2 "more"`, `step 1 "7" "done"`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	c := rec.Conversations[0]
	if r := c.Calls()[0].Result; c.ID != "s-1" || r.Time.UnixMilli() != 1733043686500 || !c.Threads[0].Turns[1].Compacted {
		t.Errorf("conversation %q, result at %v, compacted %v", c.ID, r.Time, c.Threads[0].Turns[1].Compacted)
	}
}

func TestGeminiNoticeOfALargeOutput(t *testing.T) {
	for output, want := range map[string]bool{
		"Tool output was too large and has been truncated.\\nThe full output is in /tmp/x": true,
		"the log says: Tool output was too large":                                          false,
	} {
		rec := readAs(t, "gemini-contents", `[`+geminiWants+`,{"role":"user","parts":[{"functionResponse":{"id":"n","name":"v","response":{"output":"`+output+`"}}}]}]`)
		if got := rec.Conversations[0].Calls()[2].Result.Flags; got.Has(OffloadedByRecorder|TruncatedByRecorder) != want {
			t.Errorf("%s is flagged %v", output, got.Names())
		}
	}
}

func TestRealADK(t *testing.T) {
	checkReal(t, []realRow{
		{file: "gemini_contents/adk_sample_session.json", format: "gemini-contents", conversations: 1, calls: 2, results: 2, largest: 170,
			why: "the index measures objects without the white space between them (106 bytes)"},
		{file: "gemini_contents/adk_context_update_session.json", format: "gemini-contents", conversations: 1, calls: 1, results: 1, largest: 2,
			why: "the index counts the result again in the log of a request"},
	})
}

func TestGeminiContentsSurvive(t *testing.T) {
	survives(t, "gemini-contents", geminiList)
	survives(t, "gemini-contents", geminiRequests)
	survives(t, "gemini-contents", adkSessionFile)
}

func FuzzGeminiContents(f *testing.F) {
	fuzzFormat(f, "gemini-contents", geminiList, geminiRequests, adkSessionFile)
}
