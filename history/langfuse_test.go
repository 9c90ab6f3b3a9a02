package history

import (
	"strings"
	"testing"
)

// langfuseTrace is an export whose observations stand in any order, inputs and outputs as strings.
const langfuseTrace = `{"trace":{"id":"t","name":"shop","sessionId":"s-1","input":"x"},"observations":[
{"id":"4","traceId":"t","parentObservationId":"0","type":"GENERATION","name":"llm","startTime":"2026-01-02T03:04:09.000Z","level":"DEFAULT","model":"m-1","usageDetails":{"input":20,"output":5,"total":115,"input_cached_tokens":90},"input":"[{\"role\":\"system\",\"content\":\"be kind\"},{\"role\":\"user\",\"content\":\"go\"},{\"role\":\"assistant\",\"content\":\"looking\",\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"n\\\":1}\"}},{\"id\":\"b\",\"type\":\"function\",\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}},{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"h\",\"arguments\":\"{}\"}},{\"id\":\"d\",\"type\":\"function\",\"function\":{\"name\":\"i\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"one\"},{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":[{\"type\":\"text\",\"text\":\"x \\u00fc\"},{\"type\":\"text\",\"text\":\"y\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,AAAA\"}}]}]","output":"{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}"},
{"id":"1","traceId":"t","parentObservationId":"0","type":"GENERATION","name":"llm","startTime":"2026-01-02T03:04:05.000Z","level":"DEFAULT","model":"m-1","usageDetails":{"input":100,"output":7,"total":107},"input":"\"[{\\\"role\\\":\\\"system\\\",\\\"content\\\":\\\"be kind\\\"},{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"go\\\"}]\"","output":{"role":"assistant","content":"looking","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}},{"id":"c","type":"function","function":{"name":"h","arguments":"{}"}},{"id":"d","type":"function","function":{"name":"i","arguments":"{}"}}]}},
{"id":"1b","traceId":"t","parentObservationId":"1","type":"GENERATION","name":"provider","startTime":"2026-01-02T03:04:05.100Z","level":"DEFAULT","model":"m-1","usageDetails":{"input":100,"output":7,"total":107},"input":[{"role":"system","content":"be kind"},{"role":"user","content":"go"}],"output":{"role":"assistant","content":"looking","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}},{"id":"c","type":"function","function":{"name":"h","arguments":"{}"}},{"id":"d","type":"function","function":{"name":"i","arguments":"{}"}}]}},
{"id":"3","traceId":"t","parentObservationId":"0","type":"TOOL","name":"g","startTime":"2026-01-02T03:04:08.000Z","level":"ERROR","statusMessage":"boom","input":"{}","output":null},
{"id":"2","traceId":"t","parentObservationId":"0","type":"TOOL","name":"f","startTime":"2026-01-02T03:04:07.000Z","endTime":"2026-01-02T03:04:07.500Z","level":"DEFAULT","input":"{\"input\":{\"n\":1}}","output":"{\"content\":[{\"type\":\"text\",\"text\":\"one\"}]}"},
{"id":"0","traceId":"t","parentObservationId":null,"type":"SPAN","name":"shop","startTime":"2026-01-02T03:04:04.000Z","level":"DEFAULT","input":"x","output":"y"}]}
`

var langfuseOutline = []string{
	`conversation 0 model "m-1" system "be kind" usage &{120 90 12 false}`, `turn 1 "go"`, `step 1 "" "looking"`,
	`a f("{\"n\":1}") = "one"`, `b g("{}") = "boom" error failed paired-by-name`, `c h("{}") = "x üy" image image/png 26`, `d i("{}") no-result`,
	`step 2 "" ""`, `a f("{}") no-result,id-reused`}

func TestLangfuse(t *testing.T) {
	_, list, _ := strings.Cut(langfuseTrace, `"observations":`)
	list = strings.TrimSuffix(strings.TrimSpace(list), "}")
	lines := strings.Split(strings.Trim(list, "[]\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], ",")
	}
	checkOutlines(t, "langfuse", []outlineCase{
		{"a trace with its observations", langfuseTrace, langfuseOutline},
		{"a list of observations", list, langfuseOutline},
		{"an observation a line", strings.Join(lines, "\n"), langfuseOutline},
		{"Gemini's parts, and a tool that reports nothing", `[{"id":"1","traceId":"t","type":"GENERATION","name":"g","startTime":"2026-01-02T03:04:05Z","input":{"contents":[{"role":"user","parts":[{"text":"hi"}]}]},"output":{"content":{"role":"model","parts":[{"function_call":{"name":"f","args":{}}}]}}},
 {"id":"2","traceId":"t","type":"TOOL","name":"execute_tool f","startTime":"2026-01-02T03:04:06Z","input":"{}","output":"{}"},
 {"id":"3","traceId":"t","type":"GENERATION","name":"g","startTime":"2026-01-02T03:04:07Z","input":{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"function_call":{"name":"f","args":{}}}]},{"role":"user","parts":[{"function_response":{"name":"f","response":{"greeting":"hello"}}}]}]},"output":{"content":{"role":"model","parts":[{"text":"hello"}]}}}]`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "hi"`, `step 1 "" ""`,
			`line1-0 f("{}") = "{\"greeting\":\"hello\"}" synthetic-id,paired-by-name`, `step 2 "" "hello"`}},
	})
}

func TestLangfuseNamesConversationsBySession(t *testing.T) {
	c := readAs(t, "langfuse", langfuseTrace).Conversations[0]
	if c.ID != "s-1" || c.Title != "shop" {
		t.Errorf("the conversation is %q, titled %q", c.ID, c.Title)
	}
}

func TestLangfuseSurvives(t *testing.T) { survives(t, "langfuse", langfuseTrace) }

func TestRealLangfuseRecordings(t *testing.T) {
	const twice = "the index counts observations of tools and messages of the same results"
	checkReal(t, []realRow{
		{file: "langfuse/langfuse_beeai.json", format: "langfuse", conversations: 1, calls: 1, results: 1, largest: 3395,
			why: "one tool ran; its start and finish are observations without content"},
		{file: "langfuse/langfuse_claude_agent.json", format: "langfuse", conversations: 1, calls: 2, results: 2, largest: 33, why: twice},
		{file: "langfuse/langfuse_csharp_gemini.json", format: "langfuse", conversations: 1, calls: 2, results: 2, largest: 142, why: twice},
		{file: "langfuse/langfuse_google_adk.json", format: "langfuse", conversations: 1, calls: 1, results: 1, largest: 35, why: twice},
		{file: "langfuse/langfuse_langgraph_py.json", format: "langfuse", conversations: 1, calls: 1, results: 1, largest: 75, why: twice},
	})
}

func FuzzLangfuse(f *testing.F) { fuzzFormat(f, "langfuse", langfuseTrace) }
