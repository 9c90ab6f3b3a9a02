package history

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
)

// archive is an archive of these entries: time, URL, request, response text and its encoding.
func archive(entries ...[5]string) string {
	var list []string
	for _, e := range entries {
		list = append(list, fmt.Sprintf(`{"startedDateTime":%q,"request":{"method":"POST","url":%q,"postData":{"mimeType":"application/json","text":%s}},
"response":{"status":200,"content":{"mimeType":"x","text":%s,"encoding":%q}}}`, e[0], e[1], jsonString(nil, e[2]), jsonString(nil, e[3]), e[4]))
	}
	return `{"log":{"version":"1.2","entries":[` + strings.Join(list, ",\n") + "]}}\n"
}

const chatURL = "https://api.example/v1/chat/completions"

var chatArchive = archive(
	[5]string{"2025-01-01T00:00:09Z", chatURL, `{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"1"},{"type":"text","text":"2"}]},{"role":"tool","tool_call_id":"a","content":"x"}]}`,
		base64.StdEncoding.EncodeToString([]byte(`{"choices":[{"message":{"role":"assistant","content":"done","tool_calls":[{"id":"a","function":{"name":"g","arguments":"{"}}]}}]}`)), "base64"},
	[5]string{"2025-01-01T00:00:01Z", chatURL, `{"model":"m","messages":[{"role":"user","content":"go"}]}`,
		`{"id":"r1","choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"f","arguments":"{}"}}]}}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`, ""},
	[5]string{"2025-01-01T00:00:02Z", "https://www.example/", "", "<html>", ""},
)

func TestArchiveIsReadInTheOrderOfItsRequests(t *testing.T) {
	checkOutlines(t, "har", []outlineCase{{"chat", chatArchive, []string{
		`conversation 0 model "m" system "" usage &{3 0 2 false}`, `turn 1 "go"`, `step 1 "r1" ""`,
		`a f("{}") = "x"`, `b f("{}") = "12"`, `step 2 "" "done"`, `a g("{") no-result,id-reused,invalid-arguments`}}})
	survives(t, "har", chatArchive)
	s := readString(t, "a.har", chatArchive).Conversations[0].Threads[0].Turns[0].Steps[0]
	if got := s.Time.Format("15:04:05"); got != "00:00:01" {
		t.Errorf("the first step is of %s", got)
	}
}

func TestArchiveAsYAML(t *testing.T) {
	checkOutlines(t, "har", []outlineCase{{"Polly's", `log:
  _recordingName: run
  entries:
    - _id: 1
      request:
        url: https://api.example/v1/chat/completions
        postData:
          text: '{"messages":[{"role":"user","content":"go"}]}'
      response:
        content:
          text: '{"choices":[{"message":{"role":"assistant","content":"hi"}}]}'
`, []string{`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "hi"`}}})
}

func TestArchiveWithADamagedBody(t *testing.T) {
	rec := readString(t, "a.har", archive([5]string{"2025-01-01T00:00:01Z", chatURL, `{"messages":[{"role":"user","content":"go"}]}`, "H4sIAAAAAAAAA+NjBD/iT6u4EAAAA", "base64"}))
	if got := len(rec.Problems); got != 1 || rec.Conversations[0].Threads[0].Turns[0].Steps != nil {
		t.Errorf("problems %v", rec.Problems)
	}
}

// frame is an event as Amazon's services stream it.
func frame(name, payload string) []byte {
	const header = ":event-type"
	headers := append([]byte{byte(len(header))}, header...)
	headers = append(headers, 7, 0, byte(len(name)))
	headers = append(headers, name...)
	p := binary.BigEndian.AppendUint32(nil, uint32(16+len(headers)+len(payload)))
	p = binary.BigEndian.AppendUint32(p, uint32(len(headers)))
	p = binary.BigEndian.AppendUint32(p, crc32.ChecksumIEEE(p))
	p = append(append(p, headers...), payload...)
	return binary.BigEndian.AppendUint32(p, crc32.ChecksumIEEE(p))
}

func TestBinaryEventStreams(t *testing.T) {
	converse := slicesOf(
		frame("messageStart", `{"role":"assistant"}`),
		frame("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"lo"}}`),
		frame("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"ok"}}`),
		frame("contentBlockStart", `{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"a","name":"f"}}}`),
		frame("contentBlockDelta", `{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"q\""}}}`),
		frame("contentBlockDelta", `{"contentBlockIndex":1,"delta":{"toolUse":{"input":":1}"}}}`),
		frame("metadata", `{"usage":{"inputTokens":7,"outputTokens":5,"cacheReadInputTokens":2}}`))
	invoke := slicesOf(
		frame("chunk", chunkBytes(`{"type":"message_start","message":{"id":"m1","role":"assistant","content":[],"usage":{"input_tokens":8,"output_tokens":1}}}`)),
		frame("chunk", chunkBytes(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`)),
		frame("chunk", chunkBytes(`{"type":"content_block_stop","index":0}`)),
		frame("chunk", chunkBytes(`{"type":"message_delta","delta":{},"usage":{"output_tokens":4}}`)))
	const host = "https://bedrock-runtime.eu-west-1.amazonaws.com/model/m-1"
	checkOutlines(t, "har", []outlineCase{
		{"Converse", archive([5]string{"2025-01-01T00:00:01Z", host + "/converse-stream", `{"messages":[{"role":"user","content":[{"text":"go"}]}]}`, converse, "base64"}), []string{
			`conversation 0 model "m-1" system "" usage &{7 2 5 false}`, `turn 1 "go"`, `step 1 "" "look"`, `a f("{\"q\":1}") no-result`}},
		{"another vendor's events inside", archive([5]string{"2025-01-01T00:00:01Z", host + "/invoke-with-response-stream", `{"anthropic_version":"bedrock-2023-05-31","messages":[{"role":"user","content":"go"}]}`, invoke, "base64"}), []string{
			`conversation 0 model "m-1" system "" usage &{8 0 4 false}`, `turn 1 "go"`, `step 1 "m1" ""`, `t f("{}") no-result`}},
		{"an agent's trace", archive([5]string{"2025-01-01T00:00:01Z", "https://bedrock-agent-runtime/agents/A/sessions/s/text", `{"inputText":"go","enableTrace":true}`, slicesOf(
			frame("trace", `{"agentId":"A","trace":{"orchestrationTrace":{"modelInvocationInput":{"traceId":"x-0","foundationModel":"m"}}}}`),
			frame("trace", `{"agentId":"A","trace":{"orchestrationTrace":{"modelInvocationOutput":{"traceId":"x-0","rawResponse":{"content":"hm"},"metadata":{"usage":{"inputTokens":3,"outputTokens":1}}}}}}`),
			frame("trace", `{"agentId":"A","trace":{"orchestrationTrace":{"invocationInput":{"traceId":"x-0","invocationType":"ACTION_GROUP","actionGroupInvocationInput":{"actionGroupName":"g","function":"f","parameters":[{"name":"q","value":"1"}]}}}}}`),
			frame("trace", `{"agentId":"A","trace":{"orchestrationTrace":{"observation":{"traceId":"x-0","actionGroupInvocationOutput":{"text":"1"}}}}}`),
			frame("trace", `{"agentId":"A","trace":{"orchestrationTrace":{"invocationInput":{"traceId":"x-1","agentCollaboratorInvocationInput":{"agentCollaboratorName":"Helper","agentCollaboratorAliasArn":"arn:aws:bedrock:r:1:agent-alias/B/v","input":{"text":"help"}}}}}}`),
			frame("trace", `{"agentId":"B","trace":{"orchestrationTrace":{"invocationInput":{"traceId":"y-0","codeInterpreterInvocationInput":{"code":"1/0"}}}}}`),
			frame("trace", `{"agentId":"B","trace":{"orchestrationTrace":{"observation":{"traceId":"y-0","codeInterpreterInvocationOutput":{"executionError":"ZeroDivisionError"}}}}}`),
			frame("trace", `{"agentId":"A","trace":{"orchestrationTrace":{"observation":{"traceId":"x-1","agentCollaboratorInvocationOutput":{"output":{"text":"done"}}}}}}`)), "base64"}), []string{
			`conversation 0 model "m" system "" usage &{3 0 1 false}`, `turn 1 "go"`, `step 1 "x-0" "hm"`, `x-0 f("[{\"name\":\"q\",\"value\":\"1\"}]") = "1" provider-executed`,
			`step 2 "x-1" ""`, `x-1 Helper("help") = "done" provider-executed`,
			`conversation 0 model "m" system "" usage &{3 0 1 false}`, `turn 1 "help"`, `step 1 "y-0" ""`, `y-0 code_interpreter("1/0") = "ZeroDivisionError" error failed provider-executed`}},
	})
}

func chunkBytes(s string) string {
	return `{"bytes":"` + base64.StdEncoding.EncodeToString([]byte(s)) + `"}`
}

func slicesOf(frames ...[]byte) string {
	var all []byte
	for _, f := range frames {
		all = append(all, f...)
	}
	return base64.StdEncoding.EncodeToString(all)
}

func FuzzHAR(f *testing.F) { fuzzFormat(f, "har", chatArchive) }

// FuzzAWSFrames reads frames of any bytes.
func FuzzAWSFrames(f *testing.F) {
	f.Add(frame("chunk", chunkBytes(`{"a":1}`)))
	f.Fuzz(func(t *testing.T, p []byte) {
		if list, ok := awsFrames(memorySource("f", p)); !ok && len(list) > 0 {
			t.Error("frames of a text that is none")
		}
	})
}
