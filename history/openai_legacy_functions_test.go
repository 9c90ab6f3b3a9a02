package history

import (
	"strings"
	"testing"
)

// toolBench is an answer of three lists: the second goes on with the first, but for a passing remark.
var toolBench = `{"answer_generation":{"query":"go","function":[1],"train_messages":[
[{"role":"system","content":"be kind"},{"role":"user","content":"go"},{"role":"user","content":"try again","valid":false},{"role":"assistant","content":"hm","function_call":{"name":"f","arguments":"{}"}}],
[{"role":"system","content":"be kind"},{"role":"user","content":"go"},{"role":"assistant","content":"hm","function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"{\"error\": \"\", \"response\": \"1\"}"},
 {"role":"assistant","function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"{\"error\": \"no\", \"response\": \"\"}"},
 {"role":"assistant","function_call":{"name":"g","arguments":"{"}},{"role":"function","name":"g","content":"` + strings.Repeat("x", 1024) + `..."},
 {"role":"assistant","function_call":{"name":"Finish","arguments":"{}"}}]]}}
`

func TestToolBench(t *testing.T) {
	cut := strings.Repeat("x", 1024) + "..."
	checkOutlines(t, "openai-legacy-functions", []outlineCase{
		{"lists that repeat each other are one conversation", toolBench, []string{
			`conversation 0 model "" system "[1]be kind" usage <nil>`, `turn 1 "go"`, `step 1 "" "hm"`,
			`line3-0 f("{}") = "{\"error\": \"\", \"response\": \"1\"}" synthetic-id,paired-by-name`,
			`step 2 "" ""`, `line4-1 f("{}") = "{\"error\": \"no\", \"response\": \"\"}" error failed synthetic-id,paired-by-name`,
			`step 3 "" ""`, `line5-2 g("{") = "` + cut + `" synthetic-id,paired-by-name,invalid-arguments`,
			`step 4 "" ""`, `line6-3 Finish("{}") no-result,synthetic-id`}},
		{"a tree without an answer: the way with most observations", `{"tree":{"tree":{"node_type":"Action Input","description":"","children":[
 {"node_type":"Action","description":"f","children":[{"node_type":"Action Input","description":"{}","observation":"1","observation_code":0,"children":[]}]},
 {"node_type":"Thought","description":"hm","children":[{"node_type":"Action","description":"g","children":[{"node_type":"Action Input","description":"{}","observation":"2","observation_code":11,"children":[
  {"node_type":"Action","description":"Finish","children":[{"node_type":"Action Input","description":"{}","observation":"3","observation_code":4,"children":[]}]}]}]}]}]}},
 "answer_generation":{"query":"go","train_messages":[]}}`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "hm"`, `line3-0 g("{}") = "2" error failed synthetic-id,paired-by-name`,
			`step 2 "" ""`, `line4-1 Finish("{}") = "3" synthetic-id,paired-by-name`}},
	})
	survives(t, "openai-legacy-functions", toolBench)
	if r := readString(t, "a", toolBench).Conversations[0].Calls()[2].Result; r.Flags != TruncatedByRecorder {
		t.Errorf("a result of 1024 characters and three points is flagged %v", r.Flags.Names())
	}
}

func FuzzToolBench(f *testing.F) { fuzzFormat(f, "openai-legacy-functions", toolBench) }
