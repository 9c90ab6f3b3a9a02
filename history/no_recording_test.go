package history

import (
	"strings"
	"testing"
)

// What holds no conversation is named in one line, with what a recording looks like.
func TestWhatIsNoRecordingIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		`{"jobs":[{"run_id":12,"status":"completed"}]}`:                                              "no known recording format: it is a CI run",
		`{"openapi":"3.0.0","info":{"title":"x"},"paths":{}}`:                                        "no known recording format: it is an OpenAPI description",
		`{"$schema":"x","type":"object","properties":{"messages":{}}}`:                               "no known recording format: it is a JSON Schema",
		`{"name":"x","version":"1.0.0","dependencies":{}}`:                                           "no known recording format: it is a package manifest",
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}`:                                             "no known recording format: it is an MCP exchange without a tools/call",
		`{"mcpServers":{"a":{"command":"b"}}}`:                                                       "no known recording format: it is an MCP server configuration",
		`[{"role":"user","content":"hi"}]`:                                                           "no known recording format: it is messages without a tool call or an answer",
		lines(`{"level":"info","msg":"a"}`, `{"level":"warn","msg":"b"}`):                            "no known recording format: it is a program's log",
		lines(`{"level":"info","msg":"a"}`, `{"other":1}`):                                           "no known recording format: its records have the keys level, msg, other",
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"a","spanId":"b","name":"GET"}]}]}]}`: "no conversation in it, read as otel-genai: it is an OpenTelemetry export without GenAI attributes: record with the content capture of the instrumentation on",
	} {
		_, err := Read(t.Context(), "r", strings.NewReader(text), Options{})
		if want = "r: " + want + "; a recording has messages, tool calls and their results"; err == nil || err.Error() != want {
			t.Errorf("%s:\n%v, want\n%s", text, err, want)
		}
	}
}
