package history

import "testing"

const (
	gooseMessages = `{"id":"g1","role":"user","created":1700000000,"content":[{"type":"text","text":"go"}],"metadata":{"userVisible":true,"agentVisible":false}}
{"id":"g2","role":"assistant","created":1700000001,"content":[{"type":"thinking","thinking":"hm "},{"type":"text","text":"look"},{"type":"toolRequest","id":"a","toolCall":{"status":"success","value":{"name":"shell","arguments":{"c":1}}}},{"type":"toolRequest","id":"b","toolCall":{"status":"success","value":{"name":"shell","arguments":{}}}},{"type":"toolRequest","id":"c","toolCall":{"status":"error","error":"no such tool"}}],"metadata":{"userVisible":true,"agentVisible":false}}
{"role":"user","created":1700000002,"content":[{"type":"toolResponse","id":"b","toolResult":{"status":"error","error":"gone"}},{"type":"toolResponse","id":"a","toolResult":{"status":"success","value":[{"type":"text","text":"one"},{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"text","text":"two"}]}}],"metadata":{"userVisible":true,"agentVisible":false}}
{"role":"user","created":1700000003,"content":[{"type":"text","text":"so far"}],"metadata":{"userVisible":false,"agentVisible":true}}
{"role":"user","created":1700000003,"content":[{"type":"text","text":"more"}]}
{"role":"assistant","created":1700000004,"content":[{"type":"toolRequest","id":"a","toolCall":{"status":"success","value":{"name":"find","arguments":{}}}}]}
{"role":"user","created":1700000005,"content":[{"type":"toolResponse","id":"a","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"bad"}],"structuredContent":{"n":1},"isError":true}}}]}
`
	gooseLines  = `{"working_dir":"/d","description":"a title","message_count":7,"accumulated_input_tokens":90,"accumulated_output_tokens":9}` + "\n" + gooseMessages
	gooseExport = `{"id":"s1","working_dir":"/d","name":"a title","accumulated_input_tokens":90,"accumulated_output_tokens":9,"conversation":[{"role":"user","content":[{"type":"text","text":"go"}]}]}`
)

func TestGoose(t *testing.T) {
	checkOutlines(t, "goose", []outlineCase{
		{"lines", gooseLines, []string{
			`conversation 0 model "" system "" usage &{90 0 9 false}`, `turn 1 "go"`,
			`step 1 "g2" "hm look"`, `a shell("{\"c\":1}") = "onetwo" image image/png 4`, `b shell("{}") = "gone" error failed`, `c ("no such tool") no-result,invalid-arguments`,
			`turn 2 "more"`, `step 1 "" ""`, `a find("{}") = "bad" error id-reused`}},
		{"an export", gooseExport, []string{`conversation 0 model "" system "" usage &{90 0 9 false}`, `turn 1 "go"`}}})
	c := readString(t, "r", gooseLines).Conversations[0]
	if turns := c.Threads[0].Turns; c.Title != "a title" || turns[0].Compacted || !turns[1].Compacted || c.Calls()[3].Result.Structured == nil {
		t.Errorf("%s, compacted %v %v", c.Title, turns[0].Compacted, turns[1].Compacted)
	}
}

func TestGooseSurvives(t *testing.T) {
	survives(t, "goose", gooseLines)
	survives(t, "goose", gooseExport)
}

func FuzzGoose(f *testing.F) { fuzzFormat(f, "goose", gooseLines, gooseExport) }
