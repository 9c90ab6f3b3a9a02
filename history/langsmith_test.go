package history

import "testing"

// langSmithRuns is an export of runs, one a line.
const langSmithRuns = `{"id":"r0","trace_id":"r0","dotted_order":"1","run_type":"chain","name":"AgentExecutor","start_time":"2026-01-02T03:04:04.000001","inputs":{"input":"go"},"outputs":{"output":"done"},"prompt_tokens":300,"completion_tokens":12,"extra":{"metadata":{"thread_id":"th-1"}}}
{"id":"r1","trace_id":"r0","parent_run_id":"r0","dotted_order":"1.1","run_type":"llm","name":"ChatModel","start_time":"2026-01-02T03:04:05","end_time":"2026-01-02T03:04:06","inputs":{"messages":[[{"lc":1,"type":"constructor","id":["langchain","schema","messages","SystemMessage"],"kwargs":{"content":"be kind"}},{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{"content":"go"}}]]},"outputs":{"generations":[[{"text":"looking","message":{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],"kwargs":{"content":"looking","tool_calls":[{"name":"f","args":{"n":1},"id":"a","type":"tool_call"},{"name":"g","args":{},"id":"b","type":"tool_call"},{"name":"h","args":{},"id":"c","type":"tool_call"},{"name":"i","args":{},"id":"d","type":"tool_call"}],"additional_kwargs":{"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}}]},"usage_metadata":{"input_tokens":100,"output_tokens":7,"input_token_details":{"cache_read":60}}}}}]]},"extra":{"metadata":{"ls_model_name":"m-1"}}}
{"id":"r2","trace_id":"r0","parent_run_id":"r0","dotted_order":"1.2","run_type":"tool","name":"f","start_time":"2026-01-02T03:04:07","inputs":{"input":"{'n': 1}"},"outputs":{"output":{"content":"one \u00fc","type":"tool","name":"f","tool_call_id":"a","status":"success"}}}
{"id":"r3","trace_id":"r0","parent_run_id":"r0","dotted_order":"1.3","run_type":"tool","name":"g","start_time":"2026-01-02T03:04:08","error":"boom","inputs":{"input":"{}"}}
{"id":"r4","trace_id":"r0","parent_run_id":"r0","dotted_order":"1.4","run_type":"llm","name":"ChatModel","start_time":"2026-01-02T03:04:09","inputs":{"messages":[[{"lc":1,"type":"constructor","id":["langchain","schema","messages","SystemMessage"],"kwargs":{"content":"be kind"}},{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{"content":"go"}},{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],"kwargs":{"content":"looking","tool_calls":[{"name":"f","args":{"n":1},"id":"a"},{"name":"g","args":{},"id":"b"},{"name":"h","args":{},"id":"c"},{"name":"i","args":{},"id":"d"}]}},{"lc":1,"type":"constructor","id":["langchain","schema","messages","ToolMessage"],"kwargs":{"content":"one ü","tool_call_id":"a"}},{"lc":1,"type":"constructor","id":["langchain","schema","messages","ToolMessage"],"kwargs":{"content":[{"type":"text","text":"x"},{"type":"text","text":"y"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}],"tool_call_id":"c"}}]]},"outputs":{"generations":[[{"message":{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],"kwargs":{"content":"","tool_calls":[{"name":"f","args":{},"id":"a"}]}}}]],"llm_output":{"token_usage":{"prompt_tokens":200,"completion_tokens":5}}}}
`

func TestLangSmith(t *testing.T) {
	checkOutlines(t, "langsmith", []outlineCase{
		{"runs of a chain", langSmithRuns, []string{
			`conversation 0 model "m-1" system "be kind" usage &{240 60 12 false}`, `turn 1 "go"`, `step 1 "" "looking"`,
			`a f("{\"n\":1}") = "one ü"`, `b g("{}") = "boom" error failed paired-by-name`, `c h("{}") = "xy" image image/png 26`, `d i("{}") no-result`,
			`step 2 "" ""`, `a f("{}") no-result,id-reused`}},
		{"a batch whose patch completes what was posted", `{"post":[{"id":"r1","trace_id":"r1","dotted_order":"1","run_type":"llm","name":"c","start_time":1728803138291,"inputs":{"messages":[{"role":"user","content":"go"}]}}],"patch":[{"trace_id":"r1","dotted_order":"1","end_time":1728803148730,"inputs":{"messages":[{"role":"user","content":"go"}]},"outputs":{"id":"resp","model":"m-2","choices":[{"message":{"role":"assistant","content":"hi"}}],"usage_metadata":{"input_tokens":43,"output_tokens":9,"input_token_details":{"cache_read":3}}}}]}`, []string{
			`conversation 0 model "m-2" system "" usage &{40 3 9 false}`, `turn 1 "go"`, `step 1 "resp" "hi"`}},
		{"a tree of runs, a tool without a request", `{"id":"r0","trace_id":"r0","run_type":"chain","name":"c","inputs":{},"child_runs":[{"id":"r1","trace_id":"r0","parent_run_id":"r0","run_type":"tool","name":"f","inputs":{"x":1},"outputs":{"output":"7"}}]}`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 0 ""`, `step 1 "" ""`, `line1-0 f("{\"x\":1}") = "7" synthetic-id`}},
	})
}

func TestLangSmithSurvives(t *testing.T) { survives(t, "langsmith", langSmithRuns) }

func TestRealLangSmithRecordings(t *testing.T) {
	checkReal(t, []realRow{{file: "langsmith/langsmith_js_batch_reasoning.json", format: "langsmith", conversations: 1}})
}

func FuzzLangSmith(f *testing.F) { fuzzFormat(f, "langsmith", langSmithRuns) }
