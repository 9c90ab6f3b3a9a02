package history

import (
	"strings"
	"testing"
)

func TestATextWithJSONInItIsNoRecording(t *testing.T) {
	const call = `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}`
	const result = `{"role":"tool","tool_call_id":"c","content":"x"}`
	for name, tt := range map[string]struct{ text, want string }{
		"a manual": {lines("# API", "", "It begins so:", "```json", call, "```", "And goes on", "like this:", "```json", result, "```"),
			"a text in which 8 of 10 lines are no records"},
		"a test whose raw string holds a whole stream": {lines("package p", "const one = `", "data: "+call, "", "data: "+result, "", "data: [DONE]", "`"),
			"source code, or a script, with JSON in a string of it"},
		"a script whose string holds a whole log": {lines("LOG = \"\"\"", call, result, "\"\"\""), "source code, or a script, with JSON in a string of it"},
		"a shell's here-document":                 {lines("cat > log <<'EOF'", call, result, "EOF"), "source code, or a script, with JSON in a string of it"},
		"chunks as byte strings":                  {lines("import json", "one(b'data: "+call+"')", "two(b'data: "+result+"')"), "a text in which 3 of 3 lines are no records"},
		"a commented-out log":                     {lines("// "+call, "// "+result, "package p"), "a text in which 3 of 3 lines are no records"},
		"a test": {lines("package p", "", "const one = `"+call, result+"`", "", "func f() {", "	g()", "}", "func g() {", "	h()", "}"),
			"a text in which 7 of 8 lines are no records"},
	} {
		_, err := Read(t.Context(), "r", strings.NewReader(tt.text), Options{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

// A cassette inside source code is not the source code's own.
func TestSourceCodeWithACassetteInItIsNoCassette(t *testing.T) {
	const text = "package p\n\nconst cassette = `\ninteractions:\n- request:\n    body: '{}'\n    uri: https://api.openai.com/v1/chat/completions\n  response:\n    body:\n      string: '{}'\nversion: 1\n`\n"
	_, err := Read(t.Context(), "r", strings.NewReader(text), Options{})
	if err == nil || !strings.Contains(err.Error(), "a text in which 11 of 11 lines are no records") {
		t.Errorf("the error is %v", err)
	}
}

func TestWhatALogOrAProgramSaysBesideIsNoText(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{}}}`
	const reply = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x"}]}}`
	const trace = "    at next (index.js:1)"
	for name, text := range map[string]string{
		"a program's chatter":       lines("starting", "loading settings", "ready", "", call, reply),
		"a log with other lines":    lines("2026-01-01T00:00:00Z [info] up", "2026-01-01T00:00:00Z [s] "+call, trace, trace, trace, trace, "2026-01-01T00:00:00Z [info] x", "2026-01-01T00:00:01Z [s] "+reply),
		"damaged lines among sound": lines(call, `{"jsonrpc":"2.0","id`, `{"jsonrpc":`, `{"json`, reply),
		"a proxy's arrows":          lines("--> "+call, "<-- "+reply),
	} {
		rec, err := Read(t.Context(), "r", strings.NewReader(text), Options{})
		if err != nil || rec.Format != "mcp-jsonrpc" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c := onlyCall(t, rec); c.Result == nil || textOf(t, c.Result.Payload) != "x" {
			t.Errorf("%s: the call has no result", name)
		}
	}
}
