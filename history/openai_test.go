package history

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// outline lists what a recording holds: conversations, turns, steps, calls and results.
func outline(t *testing.T, rec *Recording) []string {
	t.Helper()
	words := func(p Payload) string {
		b, err := p.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		s := fmt.Sprintf("%q", b)
		for _, q := range p.Parts() {
			if q.Kind != Text {
				s += fmt.Sprintf(" %s %s %d", q.Kind, q.Media, q.Blob)
			}
		}
		return s
	}
	var list []string
	for _, c := range rec.Conversations {
		for _, th := range c.Threads {
			list = append(list, fmt.Sprintf("conversation %d model %q system %s usage %v", c.Ordinal, c.Model, words(th.System), c.Usage))
			for _, u := range th.Turns {
				list = append(list, fmt.Sprintf("turn %d %s", u.Number, words(u.Prompt)))
				for _, s := range u.Steps {
					list = append(list, fmt.Sprintf("step %d %q %s", s.Number, s.ID, words(s.Text)))
					for _, call := range s.Calls {
						line := fmt.Sprintf("%s %s(%s)", call.ID, call.Tool, words(call.Arguments))
						if r := call.Result; r != nil {
							line += " = " + words(r.Payload)
							if r.Error {
								line += " error"
							}
							if r.Failed {
								line += " failed"
							}
						}
						list = append(list, strings.TrimSpace(line+" "+strings.Join(call.Flags.Names(), ",")))
					}
				}
			}
		}
	}
	for _, p := range rec.Problems {
		list = append(list, fmt.Sprintf("line %d: %s", p.At.Line, p.Reason))
	}
	return list
}

type outlineCase struct {
	name, text string
	want       []string
}

func checkOutlines(t *testing.T, format string, cases []outlineCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			rec := readText(t, c.text)
			if got := outline(t, rec); rec.Format != format || !slices.Equal(got, c.want) {
				t.Errorf("%s, %s\ngot  %s\nwant %s", rec.Format, c.text, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
			}
		})
	}
}

func TestOpenAIChat(t *testing.T) {
	checkOutlines(t, "openai-chat", []outlineCase{
		{"calls in parallel, results in any order, content in parts", `[{"role":"system","content":"be kind"},{"role":"user","content":"stock of SKU 7?"},
 {"role":"assistant","content":null,"tool_calls":[
   {"id":"c1","type":"function","function":{"name":"stock","arguments":"{\"sku\":7}"}},
   {"id":"c2","type":"function","function":{"name":"price","arguments":{"sku": 7}}}]},
 {"role":"tool","tool_call_id":"c2","content":"{\"eur\":9}"},
 {"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"1"},{"type":"text","text":"2"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},
 {"role":"assistant","content":"12 for 9"}]`, []string{
			`conversation 0 model "" system "be kind" usage <nil>`, `turn 1 "stock of SKU 7?"`, `step 1 "" ""`,
			`c1 stock("{\"sku\":7}") = "12" image image/png 26`, `c2 price("{\"sku\": 7}") = "{\"eur\":9}"`, `step 2 "" "12 for 9"`}},
		{"all spellings of a call", `[{"role":"user","content":"go"},{"role":"assistant","content":"","tool_calls":[
 {"id":"a","function":"plain","arguments":{"x":1}},{"id":"b","function":"short","args":{"y":2}},
 {"id":"c","type":"custom","custom":{"name":"free","input":"any text"}},{"id":"d","type":"function","function":{"name":"cut","arguments":"{\"x\":"}},
 {"id":"e","type":"function","function":{"name":"none","arguments":""}},{"name":"flat","arguments":"[]"}]},{"role":"tool","content":"6"}]`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" ""`,
			`a plain("{\"x\":1}") = "6" paired-by-order`, `b short("{\"y\":2}") no-result`, `c free("any text") no-result`,
			`d cut("{\"x\":") no-result,invalid-arguments`, `e none("") no-result`, `line4-5 flat("[]") no-result,synthetic-id`}},
		{"functions of old pair by order and name", `{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},
{"role":"function","name":"f","content":"1"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"2"}],"functions":[{"name":"f"}]}`, []string{
			`conversation 0 model "" system "[{\"name\":\"f\"}]" usage <nil>`, `turn 1 "go"`, `step 1 "" ""`,
			`line1-0 f("{}") = "1" synthetic-id,paired-by-name`, `step 2 "" ""`, `line2-1 f("{}") = "2" synthetic-id,paired-by-name`}},
		{"a request and its response", `{"messages":[{"role":"user","content":"go"}],"model":"asked","response":{"id":"r1","created":1757015046,"model":"m-1","choices":[{"message":
{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}}],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60}}}}`, []string{
			`conversation 0 model "m-1" system "" usage &{40 60 7 false}`, `turn 1 "go"`, `step 1 "r1" "hm"`, `a f("{}") no-result`}},
		{"requests that repeat their history are one conversation", `{"messages":[{"role":"user","content":"go"}],"response":{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}}
{"messages":[{"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"x"}],"response":{"choices":[{"message":{"role":"assistant","content":"done"}}],"usage":{"prompt_tokens":3,"completion_tokens":4}}}`, []string{
			`conversation 0 model "" system "" usage &{4 0 6 false}`, `turn 1 "go"`, `step 1 "" ""`, `a f("{}") = "x"`, `step 2 "" "done"`}},
		{"the same conversation twice is two", `{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"hi","tool_calls":[]}]}
{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"hi","tool_calls":[]}]}`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "hi"`,
			`conversation 1 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "hi"`}},
		{"one message a line", `{"role":"user","content":"go"}
{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"a","content":"x"}
`, []string{`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" ""`, `a f("{}") = "x"`}},
		{"unknown roles and lines without messages are noted", `{"metadata":{"n":1}}
{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"a","function_call":{"name":"f","arguments":"{}"}},{"role":"ipython","content":"x"},{"role":"exit","content":"y"},{"role":"rm -rf","content":"z"}]}`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "a"`, `line2-0 f("{}") = "x" synthetic-id,paired-by-order`,
			"line 1: the record has no messages", "line 2: a message has the unknown role exit", "line 2: a message has no known role"}},
		{"an array of conversations", `[{"messages":[{"role":"user","content":"1"},{"role":"assistant","tool_calls":[]}]},[{"role":"user","content":"2"}]]`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "1"`, `step 1 "" ""`, `conversation 1 model "" system "" usage <nil>`, `turn 1 "2"`}},
		{"content that is data, not parts", `[{"role":"tool","tool_call_id":"a","content":[{"type":"car","n":1}]},{"role":"tool","tool_call_id":"b","content":{"k": 1}},{"role":"tool","tool_call_id":"c","content":null}]`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 0 ""`, `step 1 "" ""`, `a ("") = "[{\"type\":\"car\",\"n\":1}]" orphan-result`,
			`b ("") = "{\"k\": 1}" orphan-result`, `c ("") = "" orphan-result`}},
		{"half a surrogate pair", `[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"\ud800"}]`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 0 ""`, `step 1 "" ""`, `a f("{}") = "�"`}},
	})
}

func TestOpenAIResponses(t *testing.T) {
	const head = `conversation 0 model "" system "" usage <nil>`
	checkOutlines(t, "openai-responses", []outlineCase{
		{"items pair on call_id, never on id; outputs end a step", `[{"role":"user","content":"list tables"},
 {"type":"reasoning","id":"rs1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"zzz"},
 {"type":"function_call","id":"__fake_id__","call_id":"t1","name":"f","arguments":"{}"},
 {"type":"function_call","id":"__fake_id__","call_id":"t2","name":"g","arguments":"{"},
 {"type":"function_call_output","call_id":"t2","output":"2"},
 {"type":"function_call_output","call_id":"t1","output":[{"type":"input_text","text":"1"},{"type":"input_image","image_url":"http://x/y"}]},
 {"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]},
 {"type":"function_call","call_id":"t3","name":"f","arguments":"{}"},
 {"type":"function_call_output","call_id":"t3","output":"","status":"incomplete"}]`, []string{
			head, `turn 1 "list tables"`, `step 1 "" "hm"`, `t1 f("{}") = "1" image input_image 10`, `t2 g("{") = "2" invalid-arguments`,
			`step 2 "" "done"`, `t3 f("{}") = "" error failed`}},
		{"a request and a response", `{"instructions":"be kind","input":"go","tools":[{"type":"function","name":"f"}],"model":"asked"}
{"id":"r1","object":"response","created_at":1757015046,"model":"m-1","instructions":null,"output":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}],"usage":{"input_tokens":90,"input_tokens_details":{"cached_tokens":30},"output_tokens":4}}`, []string{
			`conversation 0 model "asked" system "be kind[{\"type\":\"function\",\"name\":\"f\"}]" usage <nil>`, `turn 1 "go"`,
			`conversation 1 model "m-1" system "" usage &{60 30 4 false}`, `turn 0 ""`, `step 1 "r1" ""`, `a f("{}") no-result`}},
		{"pairs on lines, each a conversation; history in the output counts once", `{"responses_create_params":{"input":[{"role":"developer","content":"be kind"},{"role":"user","content":"go"}],"tools":[]},"response":{"id":"r1","model":"m","output":[{"role":"developer","content":"be kind"},{"role":"user","content":"go"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"1"}]}}
{"responses_create_params":{"input":[{"role":"user","content":"go"}]},"response":{"id":"r2","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"no"}]}]}}`, []string{
			`conversation 0 model "m" system "be kind[]" usage <nil>`, `turn 1 "go"`, `step 1 "r1" ""`, `a f("{}") = "1"`,
			`conversation 1 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "r2" "no"`}},
		{"a response that goes on with an earlier one", `{"request":{"input":"go"},"response":{"id":"r1","output":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}],"usage":{"input_tokens":1,"output_tokens":1}}}
{"request":{"input":[{"type":"function_call_output","call_id":"a","output":"1"}],"previous_response_id":"r1"},"response":{"id":"r2","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}],"usage":{"input_tokens":2,"output_tokens":1}}}`, []string{
			`conversation 0 model "" system "" usage &{3 0 2 false}`, `turn 1 "go"`, `step 1 "r1" ""`, `a f("{}") = "1"`, `step 2 "r2" "ok"`}},
		{"one item a line", `{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}
{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}
{"type":"function_call_output","call_id":"a","output":"x"}`, []string{head, `turn 1 "go"`, `step 1 "" ""`, `a f("{}") = "x"`}},
		{"tools of the vendor", `[{"role":"user","content":"go"},
 {"type":"custom_tool_call","call_id":"1","name":"patch","input":"*** text"},{"type":"custom_tool_call_output","call_id":"1","output":"ok"},
 {"type":"local_shell_call","call_id":"2","id":"x","action":{"command":["ls"]}},{"type":"local_shell_call_output","id":"2","output":"a.txt"},
 {"type":"shell_call","call_id":"3","action":{"commands":["ls"]}},{"type":"shell_call_output","call_id":"3","output":[{"stdout":"a","stderr":""}]},
 {"type":"apply_patch_call","call_id":"4","operation":{"type":"delete_file"}},{"type":"apply_patch_call_output","call_id":"4","status":"failed","output":"no"},
 {"type":"computer_call","call_id":"5","action":{"type":"click"}},{"type":"computer_call_output","call_id":"5","output":{"type":"computer_screenshot","image_url":"data:image/png;base64,AA"}}]`, []string{
			head, `turn 1 "go"`, `step 1 "" ""`, `1 patch("*** text") = "ok"`, `step 2 "" ""`, `2 local_shell("{\"command\":[\"ls\"]}") = "a.txt"`,
			`step 3 "" ""`, `3 shell("{\"commands\":[\"ls\"]}") = "[{\"stdout\":\"a\",\"stderr\":\"\"}]"`,
			`step 4 "" ""`, `4 apply_patch("{\"type\":\"delete_file\"}") = "no" error failed`, `step 5 "" ""`, `5 computer("{\"type\":\"click\"}") = "" image image/png 24`}},
		{"calls that the provider ran", `[{"role":"user","content":"go"},
 {"type":"mcp_list_tools","id":"l","tools":[1]},{"type":"mcp_approval_request","id":"q"},
 {"type":"mcp_call","id":"m","server_label":"s","name":"f","arguments":"{}","output":"{\"a\":1}","error":null},
 {"type":"mcp_call","id":"n","name":"f","arguments":"{}","output":null,"error":"gone"},
 {"type":"mcp_call","id":"o","name":"f","arguments":"{}","output":"bad","error":{"type":"mcp_tool_execution_error"}},
 {"type":"web_search_call","id":"w","status":"completed","action":{"query":"q"}},
 {"type":"file_search_call","id":"s","queries":["q"],"results":[{"text":"t"}]},
 {"type":"code_interpreter_call","id":"c","code":"print(1)","outputs":[{"type":"logs","logs":"1\n"},{"type":"image","url":"u"}]},
 {"type":"image_generation_call","id":"i","result":"AAAA"},
 {"type":"function_call","call_id":"z","name":"f","arguments":"{}"},{"type":"strange","x":1}]`, []string{
			`conversation 0 model "" system "[1]" usage <nil>`, `turn 1 "go"`, `step 1 "" ""`,
			`m f("{}") = "{\"a\":1}" provider-executed`, `n f("{}") = "gone" error failed provider-executed`, `o f("{}") = "bad" error provider-executed`,
			`w web_search("{\"query\":\"q\"}") no-result,provider-executed`, `s file_search("[\"q\"]") = "[{\"text\":\"t\"}]" provider-executed`,
			`c code_interpreter("print(1)") = "1\n" image image 1 provider-executed`, `i image_generation("") = "" image image 4 provider-executed`,
			`z f("{}") no-result`, "line 10: an item has the unknown type strange"}},
	})
}

func TestFormatsAreToldApart(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[{"role":"user","content":"the key \"tool_use\" and \"function_call_output\" in a text"},{"role":"assistant","content":"x","tool_calls":[{"id":"1","function":{"name":"f"}}]}]`, "openai-chat"},
		{`[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]`, "openai-chat"},
		{`{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}`, "openai-responses"},
		{`{"input":"hi","output":[]}`, ""},
		{`{"type":"function_call"}`, ""},
		{`{"role":1}`, ""},
		{`[]`, ""},
	} {
		s, err := takeSample(t.Context(), memorySource("m", []byte(c.text)))
		if err != nil {
			t.Fatal(err)
		}
		f, why := detect(s)
		switch {
		case f == nil && c.want != "", f != nil && f.Name != c.want, f != nil && why == "":
			t.Errorf("%s is %v because %q, want %q", c.text, f, why, c.want)
		}
	}
}

func TestEveryFormatIsDescribed(t *testing.T) {
	for _, f := range Formats() {
		if f.Title == "" || f.How == "" || strings.Contains(f.Name, "_") || strings.HasSuffix(f.How, ".") {
			t.Errorf("%+v", f)
		}
	}
}
