package history

import (
	"strings"
	"testing"
)

// langChainLines is a conversation with one message a line, each of them flat.
const langChainLines = `{"type":"system","content":"be kind"}
{"type":"human","content":"go","id":null}
{"type":"ai","content":[{"type":"text","text":"looking"},{"type":"tool_use","id":"a","name":"f","input":{}}],"id":"run-1","tool_calls":[{"name":"f","args":{"n":1},"id":"a","type":"tool_call"},{"name":"g","args":{},"id":"b","type":"tool_call"},{"name":"h","args":{},"id":"c","type":"tool_call"}],"invalid_tool_calls":[{"name":"i","args":"{\"x\":","id":"d","error":"cut"}],"additional_kwargs":{"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}}]},"usage_metadata":{"input_tokens":100,"output_tokens":7,"input_token_details":{"cache_read":60}},"response_metadata":{"model_name":"m-1"}}
{"type":"tool","content":"one \u00fc","tool_call_id":"a","name":"f","status":"success","artifact":{"n":1}}
{"type":"tool","content":"no","tool_call_id":"b","name":"g","status":"error"}
{"type":"tool","content":[{"type":"text","text":"x"},{"type":"text","text":"y"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}],"tool_call_id":"c","name":"h"}
{"type":"ai","content":"again","id":"run-2","tool_calls":[{"name":"f","args":{},"id":"a","type":"tool_call"}],"usage_metadata":{"input_tokens":200,"output_tokens":5}}
{"type":"tool","content":"two","tool_call_id":"a","name":"f"}
`

var langChainOutline = []string{
	`conversation 0 model "m-1" system "be kind" usage &{240 60 12 false}`, `turn 1 "go"`, `step 1 "run-1" "looking"`,
	`a f("{\"n\":1}") = "one ü"`, `b g("{}") = "no" error failed`, `c h("{}") = "xy" image image/png 26`, `d i("{\"x\":") no-result,invalid-arguments`,
	`step 2 "run-2" "again"`, `a f("{}") = "two" id-reused`}

func TestLangChain(t *testing.T) {
	list := "[" + strings.Join(strings.Split(strings.TrimSpace(langChainLines), "\n"), ",") + "]"
	const head = `conversation 0 model "" system "" usage <nil>`
	checkOutlines(t, "langchain", []outlineCase{
		{"a message a line", langChainLines, langChainOutline},
		{"a list", list, langChainOutline},
		{"a state", `{"values":{"messages":` + list + `}}`, langChainOutline},
		{"constructors", `[{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"go"}},
 {"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessageChunk"],"kwargs":{"content":"","tool_calls":[{"name":"f","args":{"n": 1},"id":"a"}]}},
 {"lc":1,"type":"constructor","id":["langchain_core","messages","ToolMessage"],"kwargs":{"content":"{\"k\": 1}","tool_call_id":"a"}}]`, []string{
			head, `turn 1 "go"`, `step 1 "" ""`, `a f("{\"n\": 1}") = "{\"k\": 1}"`}},
		{"messages with data", `[{"type":"human","data":{"content":"go"}},{"type":"ai","data":{"content":"","additional_kwargs":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}}},{"type":"tool","data":{"content":"x","tool_call_id":"a"}}]`, []string{
			head, `turn 1 "go"`, `step 1 "" ""`, `a f("{}") = "x"`}},
		{"a stream of states and growing messages", `event: values
data: {"messages":[{"type":"human","content":"go","id":"h1"}]}

event: messages/partial
data: [{"type":"AIMessageChunk","content":"","id":"run-1","tool_calls":[{"name":"f","args":{},"id":"a"}]}]

event: messages/partial
data: [{"type":"AIMessageChunk","content":"","id":"run-1","tool_calls":[{"name":"f","args":{"n":1},"id":"a"}],"usage_metadata":{"input_tokens":10,"output_tokens":2}}]

event: values
data: {"messages":[{"type":"human","content":"go","id":"h1"},{"type":"ai","content":"","id":"run-1","tool_calls":[{"name":"f","args":{"n":1},"id":"a"}],"usage_metadata":{"input_tokens":10,"output_tokens":2}},{"type":"tool","content":"x","tool_call_id":"a","id":"t1"}]}
`, []string{`conversation 0 model "" system "" usage &{10 0 2 false}`, `turn 1 "go"`, `step 1 "run-1" ""`, `a f("{\"n\":1}") = "x"`}},
		{"states that repeat their history without ids, and another conversation", `{"messages":[{"type":"human","content":"go"},{"type":"ai","content":"hi"}]}
{"messages":[{"type":"human","content":"go"},{"type":"ai","content":"hi"},{"type":"human","content":"go"}]}
{"messages":[{"type":"human","content":"other"}]}`, []string{
			head, `turn 1 "go"`, `step 1 "" "hi"`, `turn 2 "go"`, `conversation 1 model "" system "" usage <nil>`, `turn 1 "other"`}},
	})
}

func TestLangChainSurvives(t *testing.T) { survives(t, "langchain", langChainLines) }

func TestRealLangChainRecordings(t *testing.T) {
	checkReal(t, []realRow{{file: "langchain/langgraph_sse_response.txt", format: "langchain", conversations: 1, calls: 2,
		why: "two calls whose arguments are structured answers: nothing ran"}})
}

func FuzzLangChain(f *testing.F) { fuzzFormat(f, "langchain", langChainLines) }
