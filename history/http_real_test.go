package history

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestRealTraffic(t *testing.T) {
	checkReal(t, []realRow{
		{file: "vcr/fantasy_openrouter_kimi_stream.yaml", format: "vcr", conversations: 1, calls: 2, results: 2, largest: 1},
		{file: "vcr/fantasy_responses_multi_tool_stream.yaml", format: "vcr", conversations: 1, calls: 2, results: 2, largest: 1},
		{file: "vcr/vcrpy_anthropic_mcp_stream.yaml", format: "vcr", conversations: 1, calls: 1, results: 1, largest: 5886,
			why: "the index measures the content as JSON; the text has 5886 bytes"},
		{file: "vcr/vcrpy_llm_anthropic_tool_chain.yaml", format: "vcr", conversations: 1, calls: 1, results: 1, largest: 6},
		{file: "vcr/vcrpy_llm_tool_chain.yaml", format: "vcr", conversations: 1, calls: 2, results: 2, largest: 6,
			why: "the index counts the first result again where the last request repeats it"},
		{file: "bedrock_converse/vcrpy_converse_tool_result_document.yaml", format: "bedrock-converse", conversations: 1, calls: 1, results: 1, largest: 13,
			why: "the index measures the block as JSON; the document stands beside the result"},
		{file: "bedrock_converse/strands_messages.json", format: "bedrock-converse", conversations: 6, calls: 9, results: 9, largest: 164,
			why: "the index measures the block as JSON; the text has 164 bytes"},
		{file: "cohere/vcrpy_cohere_auto.yaml", format: "cohere", conversations: 1, calls: 1, results: 1, largest: 19},
		{file: "cohere/vcrpy_cohere_stream.yaml", format: "cohere", conversations: 1, calls: 2, results: 0, largest: 0,
			why: "the cassette ends with the calls"},
		{file: "openai_chat_sse/xai_tool_call.chunks.txt", format: "openai-chat-sse", conversations: 1, calls: 1, results: 0, largest: 0, why: "a stream has calls only"},
		{file: "openai_responses_sse/responses_mcp_call.chunks.txt", format: "openai-responses-sse", conversations: 1, calls: 2, results: 2, largest: 18981,
			why: "the index counts each call where it is done and again where its response is complete"},
		{file: "gemini_contents/vcrpy_gemini_multimodal_tool_return.yaml", format: "gemini-contents", conversations: 1, calls: 3, results: 3, largest: 211,
			why: "the index counts what each request repeats: 1, 2 and 3 results; the text of an error has 211 bytes"},
		{file: "har/bedrock_agent_2.har", format: "har", conversations: 1, calls: 3, results: 3, largest: 311,
			why: "the index does not read binary event frames: an agent called a collaborator, and that one another twice"},
		{file: "openai_legacy_functions/toolbench_G1_57.json", format: "openai-legacy-functions", conversations: 1, calls: 4, results: 3, largest: 1027,
			why: "the index counts what each list of messages repeats: 0, 1, 2, 3 and 3 results"},
		{file: "openai_legacy_functions/toolbench_G3_15.json", format: "openai-legacy-functions", conversations: 1, calls: 4, results: 3, largest: 1027,
			why: "the index counts what each list of messages repeats: 0, 1, 2, 3 and 3 results"},
		{file: "copilot_sdk_snapshot/copilot_sdk_compaction.yaml", format: "copilot-sdk-snapshot", conversations: 1},
		{file: "finetune_v1/llamafactory_v1_reason_tool_use.jsonl", format: "finetune-v1", conversations: 50, calls: 68, results: 42, largest: 1281,
			why: "68 calls, for parallel ones often get one result; the index measures the parts as JSON"},
		{file: "openai_responses_sse/responses_mcp_approval.chunks.txt", format: "openai-responses-sse", conversations: 1, calls: 0, results: 0, largest: 0},
	})
}

func TestTrafficWithoutModelsIsRefused(t *testing.T) {
	root := realRecordings(t)
	for _, file := range []string{"har/with-bom.har", "har/corrupted_gzip_body.har"} {
		_, err := Open(t.Context(), filepath.Join(root, file), Options{})
		if want := "it is an HTTP archive (HAR) with one request, which is not to a model's API that can be read"; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, should say %s", file, err, want)
		}
	}
}
