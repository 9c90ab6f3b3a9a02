package history

import "testing"

func TestAResultThatDeepagentsKeptInAFile(t *testing.T) {
	const notice = "Tool result too large, the result of this tool call c1 was saved in the filesystem at this path: /large_tool_results/c1 Read it in parts."
	for name, tt := range map[string]struct {
		content string
		want    Flags
	}{
		"the notice":              {`"` + notice + `"`, OffloadedByRecorder | TruncatedByRecorder},
		"the notice as a part":    {`[{"type":"text","text":"` + notice + `"}]`, OffloadedByRecorder | TruncatedByRecorder},
		"a result that quotes it": {`"the file says: ` + notice + `"`, 0},
		"another call's notice":   {`"Tool result too large, the result of this tool call c2 was saved at this path: /large_tool_results/c2"`, 0},
		"a result about size":     {`"Tool result too large for c1 to show"`, 0},
	} {
		rec := readText(t, lines(`{"type":"human","content":"go"}`,
			`{"type":"ai","content":"","tool_calls":[{"name":"f","args":{},"id":"c1","type":"tool_call"}]}`,
			`{"type":"tool","tool_call_id":"c1","name":"f","content":`+tt.content+`}`))
		if got := onlyCall(t, rec).Result.Flags; got != tt.want {
			t.Errorf("%s: flags %v, want %v", name, got, tt.want)
		}
	}
}
