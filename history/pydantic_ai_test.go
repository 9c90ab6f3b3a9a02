package history

import (
	"strings"
	"testing"
)

const pydanticRun = `[{"kind":"request","instructions":"be kind","parts":[{"part_kind":"system-prompt","content":"brief "},{"part_kind":"user-prompt","content":["go",{"kind":"binary","data":"AAAA","media_type":"image/png"}]}]},
{"kind":"response","model_name":"m-1","provider_response_id":"r1","timestamp":"2026-01-01T00:00:00Z","usage":{"input_tokens":100,"cache_read_tokens":60,"output_tokens":7},"parts":[{"part_kind":"thinking","content":"hm "},{"part_kind":"text","content":"looking"},{"part_kind":"tool-call","tool_name":"f","args":"{\"n\":1}","tool_call_id":"a"},{"part_kind":"tool-call","tool_name":"g","args":{},"tool_call_id":"b"},{"part_kind":"tool-call","tool_name":"h","args":null,"tool_call_id":"c"}]},
{"kind":"request","parts":[{"part_kind":"retry-prompt","tool_name":"g","content":"no such x","tool_call_id":"b"},{"part_kind":"tool-return","tool_name":"f","content":{"k": "\u00fc"},"tool_call_id":"a","outcome":"success"}]},
{"kind":"response","usage":{"request_tokens":20,"response_tokens":3,"total_tokens":23},"parts":[{"part_kind":"tool-call","tool_name":"f","args":{},"tool_call_id":"a"},{"part_kind":"builtin-tool-call","tool_name":"web","args":{},"tool_call_id":"w"},{"part_kind":"builtin-tool-return","tool_name":"web","content":"page","tool_call_id":"w"}]},
{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"f","content":["x",{"kind":"binary","data":"AAAA","media_type":"image/png"}],"tool_call_id":"a","outcome":"failed"}]}]
`

func TestPydanticAI(t *testing.T) {
	want := []string{`conversation 0 model "m-1" system "be kindbrief " usage &{60 60 10 false}`, `turn 1 "go" image image/png 4`, `step 1 "r1" "hm looking"`,
		`a f("{\"n\":1}") = "{\"k\": \"\\u00fc\"}"`, `b g("{}") = "no such x" error failed`, `c h("") no-result`,
		`step 2 "" ""`, `a f("{}") = "x" image image/png 4 error failed id-reused`, `w web("{}") = "page" provider-executed`}
	before, _, _ := strings.Cut(pydanticRun, ",\n{\"kind\":\"request\",\"parts\":[{\"part_kind\":\"retry")
	checkOutlines(t, "pydantic-ai", []outlineCase{
		{"a run", pydanticRun, want},
		{"messages one a line", strings.Trim(strings.ReplaceAll(pydanticRun, ",\n", "\n"), "[]\n"), want},
		{"a run that repeats the one before", lines(strings.ReplaceAll(before, "\n", "")+"]", strings.ReplaceAll(pydanticRun, "\n", "")), want},
	})
}

func TestPydanticAISurvives(t *testing.T) { survives(t, "pydantic-ai", pydanticRun) }

func FuzzPydanticAI(f *testing.F) { fuzzFormat(f, "pydantic-ai", pydanticRun) }
