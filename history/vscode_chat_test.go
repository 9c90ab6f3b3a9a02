package history

import "testing"

const (
	vsCodeResult = `{"metadata":{"toolCallRounds":[{"id":"r1","response":"look","toolCalls":[{"id":"a","name":"read","arguments":"{\"p\":1}"},{"id":"b","name":"read","arguments":"{"}]},{"id":"r2","response":"","toolCalls":[{"id":"a","name":"list","arguments":"{}"}]},{"id":"r3","response":"done","toolCalls":[]}],"toolCallResults":{"a":{"$mid":20,"content":[{"$mid":21,"value":"one"},{"$mid":22,"value":{"node":{"type":1,"children":[{"type":2,"text":"two"},{"type":1,"children":[{"type":2,"text":"!"}]}]}}},{"mimeType":"image/png","data":"AAAA"}]}}}}`
	vsCodeFile   = `{"version":3,"requesterUsername":"u","sessionId":"s1","customTitle":"a title","requests":[
{"requestId":"q1","message":{"text":"go"},"modelId":"m-1","timestamp":1700000000000,"response":[{"kind":"toolInvocationSerialized","toolCallId":"a","toolId":"read"}],"result":` + vsCodeResult + `},
{"requestId":"q2","message":{"text":"more"},"response":[{"value":"see"},{"kind":"toolInvocationSerialized","toolCallId":"x","toolId":"mcp_find","resultDetails":{"input":"{}","output":[{"type":"embed","value":"found"}],"isError":true}},{"value":"so"},{"kind":"toolInvocationSerialized","toolCallId":"y","toolId":"edit"}]}]}`
	vsCodeLog = `{"kind":0,"v":{"version":3,"requesterUsername":"u","sessionId":"s1","requests":[]}}
{"kind":2,"k":["requests"],"v":[{"requestId":"q1","message":{"text":"go"},"modelId":"m-1","response":[]}]}
{"kind":2,"k":["requests",0,"response"],"v":[{"value":"thinking"}]}
{"kind":1,"k":["inputState","text"],"v":"x"}
{"kind":1,"k":["requests",0,"result"],"v":` + vsCodeResult + `}
{"kind":1,"k":["requests",7,"result"],"v":{}}
`
)

func TestVSCodeChat(t *testing.T) {
	turn := []string{`turn 1 "go"`, `step 1 "r1" "look"`, `a read("{\"p\":1}") = "onetwo!" image image/png 4`, `b read("{") no-result,invalid-arguments`,
		`step 2 "r2" ""`, `a list("{}") = "onetwo!" image image/png 4 id-reused`, `step 3 "r3" "done"`}
	head := `conversation 0 model "m-1" system "" usage <nil>`
	checkOutlines(t, "vscode-chat", []outlineCase{
		{"a snapshot: what the model read, else what was shown", vsCodeFile, append(append([]string{head}, turn...),
			`turn 2 "more"`, `step 1 "" "see"`, `x mcp_find("{}") = "found" error failed`, `step 2 "" "so"`, `y edit("") no-result`)},
		{"a log of changes", vsCodeLog, append(append([]string{head}, turn...), `line 6: a change is about a request that is not there`)}})
	if c := readString(t, "r", vsCodeFile).Conversations[0]; c.ID != "s1" || c.Title != "a title" {
		t.Errorf("%s, %s", c.ID, c.Title)
	}
}

func TestVSCodeChatSurvives(t *testing.T) {
	survives(t, "vscode-chat", vsCodeFile)
	survives(t, "vscode-chat", vsCodeLog)
}

func FuzzVSCodeChat(f *testing.F) { fuzzFormat(f, "vscode-chat", vsCodeFile, vsCodeLog) }
