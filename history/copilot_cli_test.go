package history

import "testing"

const copilotEvents = `{"type":"session.start","data":{"sessionId":"s1","selectedModel":"m-1"},"id":"e1","timestamp":"2025-12-18T21:32:05.000Z","parentId":null}
{"type":"system.message","data":{"content":"be brief"},"id":"e2","timestamp":"2025-12-18T21:32:05.000Z","parentId":"e1"}
{"type":"user.message","data":{"content":"go","transformedContent":"go now"},"id":"e3","timestamp":"2025-12-18T21:32:06.000Z","parentId":"e2"}
{"type":"assistant.reasoning","data":{"reasoningId":"r1","content":"hm "},"id":"e3","timestamp":"2025-12-18T21:32:06.000Z","parentId":"e2"}
{"type":"assistant.message","data":{"messageId":"m1","content":"look","outputTokens":12,"toolRequests":[{"toolCallId":"a","name":"shell","arguments":"{\"c\":1}"},{"toolCallId":"b","name":"task","arguments":{}}]},"id":"e4","timestamp":"2025-12-18T21:32:07.000Z","parentId":"e3"}
{"type":"tool.execution_complete","data":{"toolCallId":"a","success":false,"error":{"message":"gone"}},"id":"e5","timestamp":"2025-12-18T21:32:08.000Z","parentId":"e4"}
{"type":"subagent.started","data":{"toolCallId":"b","agentName":"helper"},"id":"e6","timestamp":"2025-12-18T21:32:08.000Z","parentId":"e5"}
{"type":"assistant.message","data":{"parentToolCallId":"b","messageId":"m2","content":"","toolRequests":[{"toolCallId":"a","name":"shell","arguments":{}}]},"id":"e7","timestamp":"2025-12-18T21:32:08.000Z","parentId":"e6"}
{"type":"tool.execution_complete","data":{"parentToolCallId":"b","toolCallId":"a","success":true,"result":{"content":"sub","detailedContent":"longer"}},"id":"e8","timestamp":"2025-12-18T21:32:09.000Z","parentId":"e7"}
{"type":"tool.execution_complete","data":{"toolCallId":"b","success":true,"result":{"contents":[{"type":"text","text":"one"},{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"text","text":"two"}]}},"id":"e9","timestamp":"2025-12-18T21:32:09.000Z","parentId":"e8"}
{"type":"session.truncation","data":{},"id":"e10","timestamp":"2025-12-18T21:32:10.000Z","parentId":"e9"}
{"type":"user.message","data":{"content":"more"},"id":"e11","timestamp":"2025-12-18T21:32:11.000Z","parentId":"e10"}
{"type":"assistant.message","data":{"messageId":"m3","content":"","outputTokens":3,"toolRequests":[{"toolCallId":"c","name":"shell","arguments":{}}]},"id":"e12","timestamp":"2025-12-18T21:32:12.000Z","parentId":"e11"}
`

const copilotEnd = `{"type":"session.shutdown","data":{"tokenDetails":{"input":{"tokenCount":100},"output":{"tokenCount":15},"cache_read":{"tokenCount":5}}},"id":"e13","timestamp":"2025-12-18T21:32:13.000Z","parentId":"e12"}
`

func TestCopilotCLI(t *testing.T) {
	outline := func(usage string) []string {
		return []string{
			`conversation 0 model "m-1" system "be brief" usage ` + usage, `turn 1 "go now"`,
			`step 1 "m1" "hm look"`, `a shell("{\"c\":1}") = "gone" error failed`, `b task("{}") = "onetwo" image image/png 4`,
			`turn 2 "more"`, `step 1 "m3" ""`, `c shell("{}") no-result`,
			`conversation 0 model "m-1" system "" usage ` + usage, `turn 0 ""`, `step 1 "m2" ""`, `a shell("{}") = "sub" id-reused`}
	}
	checkOutlines(t, "copilot-cli", []outlineCase{
		{"a session that was killed", copilotEvents, outline("&{0 0 15 true}")},
		{"a session that ended", copilotEvents + copilotEnd, outline("&{100 5 15 false}")}})
	c := readString(t, "r", copilotEvents).Conversations[0]
	if c.ID != "s1" || c.Threads[1].Agent != "helper" || c.Threads[0].Turns[0].Compacted || !c.Threads[0].Turns[1].Compacted {
		t.Errorf("%s, %s", c.ID, c.Threads[1].Agent)
	}
}

func TestRealCopilotCLI(t *testing.T) {
	checkReal(t, []realRow{{file: "copilot_cli/copilot_cli_events.jsonl", format: "copilot-cli", conversations: 1, calls: 4, results: 3, largest: 21,
		why: "ids and texts are the same where they were trimmed: of two equal results of the main thread one is a repetition, and the last call has none"}})
}

func TestCopilotCLISurvives(t *testing.T) { survives(t, "copilot-cli", copilotEvents+copilotEnd) }

func FuzzCopilotCLI(f *testing.F) { fuzzFormat(f, "copilot-cli", copilotEvents+copilotEnd) }
