package history

import "testing"

const claudeAIChats = `[{"uuid":"c1","name":"a title","chat_messages":[
{"uuid":"u1","sender":"human","text":"go","content":[{"type":"text","text":"go"}],"attachments":[{"file_name":"a.txt","extracted_content":" with this"}],"files":[{"file_name":"p.png"}]},
{"uuid":"u2","sender":"assistant","created_at":"2025-01-01T00:00:00Z","content":[{"type":"text","text":"look"},{"type":"tool_use","id":"a","name":"search","input":{"q":1}},{"type":"tool_use","id":"b","name":"search","input":{}},
{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"two"}],"is_error":true},{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"one"},{"type":"image","source":{"media_type":"image/png","data":"AAAA"}}]},
{"type":"tool_use","id":null,"name":"read","input":{}},{"type":"tool_result","tool_use_id":null,"name":"read","content":[]},{"type":"text","text":"done"},{"type":"tool_use","id":"a","name":"late","input":{}}]},
{"uuid":"u3","sender":"human","text":"old","content":[]},{"uuid":"u4","sender":"assistant","text":"bye"}]},
{"uuid":"c2","name":"","chat_messages":[]}]`

func TestClaudeAIExport(t *testing.T) {
	checkOutlines(t, "claude-ai-export", []outlineCase{{"a message holds several steps", claudeAIChats, []string{
		`conversation 0 model "" system "" usage <nil>`, `turn 1 "go with this" document file 21`,
		`step 1 "u2" "look"`, `a search("{\"q\":1}") = "one" image image/png 4`, `b search("{}") = "two" error failed`,
		`step 2 "u2" ""`, `line5-2 read("{}") = "" synthetic-id,paired-by-order`,
		`step 3 "u2" "done"`, `a late("{}") no-result,id-reused`,
		`turn 2 "old"`, `step 1 "u4" "bye"`}}})
	if c := readString(t, "r", claudeAIChats).Conversations[0]; c.ID != "c1" || c.Title != "a title" {
		t.Errorf("%s, %s", c.ID, c.Title)
	}
}

func TestClaudeAIExportSurvives(t *testing.T) { survives(t, "claude-ai-export", claudeAIChats) }

func FuzzClaudeAIExport(f *testing.F) { fuzzFormat(f, "claude-ai-export", claudeAIChats) }
