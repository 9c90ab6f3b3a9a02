package history

import "testing"

func TestRealOpenAIRecordings(t *testing.T) {
	checkReal(t, []realRow{
		{file: "openai_chat/litellm_request_response_log.json", format: "openai-chat", conversations: 1, calls: 6, results: 5, largest: 1958,
			why: "the index measures a list with one text part as JSON; the text itself has 1958 bytes"},
		{file: "openai_chat/invariant_code.jsonl", format: "openai-chat", conversations: 1, calls: 11, results: 6, largest: 707, problems: 1,
			why: "6 calls, and 5 results whose ids no call has; the first line is metadata"},
		{file: "openai_chat/invariant_sample_data.jsonl", format: "openai-chat", conversations: 3, calls: 6, results: 5, largest: 273350},
		{file: "openai_responses/nemo_finance_sec_search.jsonl", format: "openai-responses", conversations: 5, calls: 35, results: 35, largest: 68562},
		{file: "openai_responses/nemo_workplace_assistant.jsonl", format: "openai-responses", conversations: 5, calls: 8, results: 8, largest: 445},
		{file: "openai_responses/nemo_anyswe_opencode.jsonl", format: "openai-responses", conversations: 5, calls: 27, results: 26, largest: 14699},
		{file: "openai_responses/nemo_biomni_974KB.jsonl", format: "openai-responses", conversations: 5, calls: 289, results: 40, largest: 10314,
			why: "289 calls: the harness answers only the first of each response"},
		{file: "openai_responses/nemo_finance_rollouts.jsonl", format: "openai-responses", conversations: 5, calls: 55, results: 55, largest: 21419},
		{file: "openai_responses/nemo_mcp_weather.jsonl", format: "openai-responses", conversations: 5, calls: 5, results: 5, largest: 41},
		{file: "openai_responses/nemo_harbor_agent.jsonl", format: "openai-responses", conversations: 3, calls: 62, results: 46, largest: 10068,
			why: "55 calls, and 7 results of responses without a call"},
	})
}
