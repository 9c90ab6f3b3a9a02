package history

import "testing"

func TestRealAnthropicAndMCPRecordings(t *testing.T) {
	checkReal(t, []realRow{
		{file: "anthropic_messages/anthropic_programmatic_tools.chunks.txt", format: "anthropic-messages", conversations: 1, calls: 15, results: 1, largest: 1060,
			why: "the index measures the result object as JSON (1205 bytes): the text is what the tool printed. 14 calls that the tool's code made: their results are in requests that were not recorded"},
		{file: "anthropic_messages/cline_success.messages.json", format: "cline", conversations: 1, calls: 1, results: 1, largest: 32},
		{file: "anthropic_messages/anthropic_request_real.json", format: "anthropic-messages", conversations: 1, calls: 2, results: 2, largest: 251,
			why: "the index measures a list of text and image as JSON (413 bytes): the text parts have 251 and 197"},
		{file: "mcp_jsonrpc/mcp_streamable_http_deepwiki.yaml", format: "mcp-jsonrpc", conversations: 1, calls: 1, results: 1, largest: 4444,
			why: "the index also counts the copy of the result in a chat request to another host, and measures content and structuredContent together (9222 bytes)"},
	})
}

// The truth file has the same figures and more, but not the problems and the reasons.
func TestRealClaudeCodeRecordings(t *testing.T) {
	const unparsed = "result lines with a broken escape are no JSON: the index counts them, the truth doesn't"
	checkReal(t, []realRow{
		{file: "claude_code/cc_1.0.120_87KB_result.jsonl", format: "claude-code", conversations: 1, calls: 25, results: 25, largest: 89048},
		{file: "claude_code/cc_edge_cases.jsonl", format: "claude-code", conversations: 1, calls: 3, results: 1, largest: 58, problems: 4,
			why: "the index finds a result under the misspelt key contenst. Three lines are no objects or hold no message, one message has no content"},
		{file: "claude_code/iflow_session.jsonl", format: "claude-code", conversations: 1, calls: 6, results: 6, largest: 0,
			why: "objects instead of text are parts that are not text: the index measures them as JSON (6251 bytes)"},
		{file: "claude_code/cc_subagent_agent-a76f849.jsonl", format: "claude-code", conversations: 1, calls: 21, results: 13, largest: 27674, problems: 8, why: unparsed},
		{file: "claude_code/cc_2.1.38_pending_calls.jsonl", format: "claude-code", conversations: 1, calls: 6, results: 2, largest: 21,
			why: "the index counts 27 results in progress lines, which repeat what a subagent does"},
		{file: "claude_code/cc_2.1_4MB_barebones.jsonl", format: "claude-code", conversations: 1, calls: 46, results: 46, largest: 71295},
		{file: "claude_code/cc_2.1_result70KB.jsonl", format: "claude-code", conversations: 1, calls: 26, results: 24, largest: 52779, problems: 2, why: unparsed},
		{file: "claude_code/cc_2.1.33_parallel_tasks.jsonl", format: "claude-code", conversations: 1, calls: 4, results: 4, largest: 212,
			why: "the index measures two text parts as JSON (275 bytes)"},
		{file: "claude_code/cc_1.0.108_sidechains.jsonl", format: "claude-code", conversations: 1, calls: 21, results: 21, largest: 13659},
		{file: "claude_code/cc_2.1.6_persisted_cleared.jsonl", format: "claude-code", conversations: 1, calls: 41, results: 40, largest: 33999, problems: 1, why: unparsed},
		{file: "claude_code/cc_1.0.98_inline_sidechains.jsonl", format: "claude-code", conversations: 1, calls: 167, results: 167, largest: 26746},
		{file: "claude_code/0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f.jsonl", format: "claude-code", conversations: 1, calls: 1, results: 0, largest: 0},
		{file: "claude_code/0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f/subagents/agent-a0ad4f44468bdf20d.jsonl", format: "claude-code", conversations: 1, calls: 1, results: 1, largest: 17,
			why: "the index passes over a result without an id"},
		{file: "claude_code/cc_agtrace_session.jsonl", format: "claude-code", conversations: 1, calls: 4, results: 4, largest: 73},
	})
}
