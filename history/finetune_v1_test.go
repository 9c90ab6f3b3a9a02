package history

import "testing"

const typedMessages = `{"messages":[{"role":"system","content":[{"type":"text","value":"be kind"}]},{"role":"user","content":[{"type":"text","value":"go"},{"type":"image_url","value":"http://x"}]},{"role":"assistant","content":[{"type":"reasoning","value":"hm"},{"type":"tool_call","value":"{\"name\": \"f\", \"arguments\": {\"q\": 1}}"},{"type":"tool_call","value":"{\"name\": \"g\", \"arguments\": {}}"}]},{"role":"tool","content":[{"type":"text","value":"1"},{"type":"text","value":"2"}]},{"role":"tool","content":[{"type":"text","value":"Error: no"}]},{"role":"assistant","content":[{"type":"tool_call","value":"{\"name\": "},{"type":"text","value":"bye"}]}],"tools":"[1]"}
{"messages":[{"role":"user","content":[{"type":"text","value":"go"}]},{"role":"assistant","content":[{"type":"tool_call","value":"[{\"name\":\"f\",\"arguments\":{}},{\"name\":\"f\",\"arguments\":{}}]"}]},{"role":"tool","content":[{"type":"text","value":"both"}]}]}
`

func TestFinetuneV1(t *testing.T) {
	checkOutlines(t, "finetune-v1", []outlineCase{{"a conversation a line; calls have no ids", typedMessages, []string{
		`conversation 0 model "" system "[1]be kind" usage <nil>`, `turn 1 "go" image image_url 8`, `step 1 "" "hm"`,
		`line1-0 f("{\"q\": 1}") = "12" synthetic-id,paired-by-order`, `line1-1 g("{}") = "Error: no" synthetic-id,paired-by-order`,
		`step 2 "" "bye"`, `line1-2 ("{\"name\": ") no-result,synthetic-id,invalid-arguments`,
		`conversation 1 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" ""`,
		`line2-3 f("{}") = "both" synthetic-id,paired-by-order`, `line2-4 f("{}") no-result,synthetic-id`}}})
	survives(t, "finetune-v1", typedMessages)
}

func FuzzFinetuneV1(f *testing.F) { fuzzFormat(f, "finetune-v1", typedMessages) }
