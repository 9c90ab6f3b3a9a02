package history

import "testing"

const gptmeLines = `{"role":"system","content":"be brief","timestamp":"2026-06-13T10:00:00.000000","pinned":true}
{"role":"user","content":"go","timestamp":"2026-06-13T10:00:01.000000"}
{"role":"assistant","content":"run\n` + "```shell\\nls\\n```\\nand\\n```save a.py\\nprint(\\\"x\\\")\\n```\\nthen\\n```c\\nint i;\\n```" + `","timestamp":"2026-06-13T10:00:02.000000","metadata":{"model":"m-1","usage":{"input_tokens":10,"output_tokens":4,"cache_read_tokens":6,"cache_creation_tokens":1}}}
{"role":"system","content":"a.py","timestamp":"2026-06-13T10:00:03.000000"}
{"role":"tool","content":"Saved","timestamp":"2026-06-13T10:00:04.000000"}
{"role":"assistant","content":"done","timestamp":"2026-06-13T10:00:05.000000"}
{"role":"tool","content":"late","timestamp":"2026-06-13T10:00:06.000000"}
`

func TestGptme(t *testing.T) {
	checkOutlines(t, "gptme", []outlineCase{{"blocks of code that were run are calls", gptmeLines, []string{
		`conversation 0 model "m-1" system "be brief" usage &{10 7 4 false}`, `turn 1 "go"`,
		`step 1 "" "run\n` + "```shell\\nls\\n```\\nand\\n```save a.py\\nprint(\\\"x\\\")\\n```\\nthen\\n```c\\nint i;\\n```" + `"`,
		`line3-0 shell("ls") = "a.py" synthetic-id,paired-by-order`, `line3-1 save("print(\"x\")") = "Saved" synthetic-id,paired-by-order`,
		`step 2 "" "done"`, `line7-2 ("") = "late" orphan-result,synthetic-id`}}})
}

func TestRealGptme(t *testing.T) {
	checkReal(t, []realRow{{file: "gptme/gptme_conversation.jsonl", format: "gptme", conversations: 1, calls: 2, results: 2, largest: 20,
		why: "the second result follows a text without a block of code, so that no call is known"}})
}

func TestGptmeSurvives(t *testing.T) { survives(t, "gptme", gptmeLines) }

func FuzzGptme(f *testing.F) { fuzzFormat(f, "gptme", gptmeLines) }
