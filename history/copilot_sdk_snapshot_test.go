package history

import "testing"

const sdkSnapshot = `models:
  - m
conversations:
  - messages:
      - {role: system, content: "${system}"}
      - {role: user, content: go}
      - role: assistant
        tool_calls:
          - {id: toolcall_0, type: function, function: {name: "${shell}", arguments: '{"command":"ls"}'}}
          - {id: toolcall_1, type: function, function: {name: view, arguments: '{}'}}
  - messages:
      - {role: system, content: "${system}"}
      - {role: user, content: go}
      - role: assistant
        tool_calls:
          - {id: toolcall_0, type: function, function: {name: "${shell}", arguments: '{"command":"ls"}'}}
          - {id: toolcall_1, type: function, function: {name: view, arguments: '{}'}}
      - {role: tool, tool_call_id: toolcall_1, content: "no such file"}
      - {role: tool, tool_call_id: toolcall_0, content: "a\nb"}
      - {role: user, content: "${compaction_prompt}"}
      - {role: assistant, content: "it was about files"}
  - messages:
      - {role: system, content: "${system}"}
      - {role: user, content: "a summary"}
      - role: assistant
        tool_calls:
          - {id: toolcall_0, type: function, function: {name: view, arguments: '{}'}}
  - messages:
      - {role: user, content: other}
      - {role: assistant, content: hi}
`

func TestCopilotSDKSnapshot(t *testing.T) {
	checkOutlines(t, "copilot-sdk-snapshot", []outlineCase{{"requests, a summary, and what comes behind it", sdkSnapshot, []string{
		`conversation 0 model "m" system "${system}" usage <nil>`, `turn 1 "go"`, `step 1 "" ""`,
		`toolcall_0 ${shell}("{\"command\":\"ls\"}") = "a\nb"`, `toolcall_1 view("{}") = "no such file"`,
		`turn 2 "${compaction_prompt}"`, `step 1 "" "it was about files"`, `turn 3 "a summary"`, `step 1 "" ""`, `toolcall_0 view("{}") no-result,id-reused`,
		`conversation 1 model "m" system "" usage <nil>`, `turn 1 "other"`, `step 1 "" "hi"`}}})
	for i, want := range []bool{false, false, true} {
		if got := readString(t, "s", sdkSnapshot).Conversations[0].Threads[0].Turns[i].Compacted; got != want {
			t.Errorf("turn %d compacted: %v, should be %v", i+1, got, want)
		}
	}
	survives(t, "copilot-sdk-snapshot", sdkSnapshot)
}

func FuzzCopilotSDKSnapshot(f *testing.F) { fuzzFormat(f, "copilot-sdk-snapshot", sdkSnapshot) }
