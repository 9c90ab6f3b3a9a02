package history

import "testing"

const shareGPTSet = `{"id":"x","tools":"[{\"name\":\"f\"}]","conversations":[{"from":"system","value":"be brief"},{"from":"human","value":"go"},{"from":"function_call","value":"[{\"name\": \"f\", \"arguments\": {\"s\": \"ü\"}}, {\"name\": \"g\", \"arguments\": \"{}\"}]"},{"from":"observation","value":"{\"a\": 1}"},{"from":"observation","value":"two"},{"from":"gpt","value":"done"},{"from":"function_call","value":"f()"},{"from":"observation","value":"no such call"}]}
{"conversations":[{"from":"human","value":"go"},{"from":"gpt","value":"look\n<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>\n<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>"},{"from":"tool","value":"<tool_response>\n{\"a\": \"<b>\"}\n</tool_response>\n<tool_response>two</tool_response>"},{"from":"nobody","value":"?"},{"from":"observation","value":"late"}]}
`

func TestShareGPT(t *testing.T) {
	checkOutlines(t, "sharegpt", []outlineCase{{"calls as JSON in the text, and between tags", shareGPTSet, []string{
		`conversation 0 model "" system "[{\"name\":\"f\"}]be brief" usage <nil>`, `turn 1 "go"`,
		`step 1 "" ""`, `line1-0 f("{\"s\": \"ü\"}") = "{\"a\": 1}" synthetic-id,paired-by-order`, `line1-1 g("{}") = "two" synthetic-id,paired-by-order`,
		`step 2 "" "done"`, `step 3 "" ""`, `line1-2 ("f()") = "no such call" synthetic-id,paired-by-order,invalid-arguments`,
		`conversation 1 model "" system "" usage <nil>`, `turn 1 "go"`,
		`step 1 "" "look\n<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>\n<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>"`,
		`line2-3 f("{}") = "{\"a\": \"<b>\"}" synthetic-id,paired-by-order`, `line2-4 g("{}") = "two" synthetic-id,paired-by-order`,
		`line2-5 ("") = "late" orphan-result,synthetic-id`, `line 2: a message is from nobody known`}}})
}

func TestRealShareGPT(t *testing.T) {
	checkReal(t, []realRow{{file: "sharegpt/glaive_toolcall_zh.json", format: "sharegpt", conversations: 300, calls: 218, results: 218, largest: 524}})
}

func TestShareGPTSurvives(t *testing.T) { survives(t, "sharegpt", shareGPTSet) }

func FuzzShareGPT(f *testing.F) { fuzzFormat(f, "sharegpt", shareGPTSet) }
