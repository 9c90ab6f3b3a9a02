package engine

// harnesses are the products whose settings are public, each with the built-in policy of what it does
// without any.
var harnesses = []harness{
	{
		name: "trueforge", title: "TrueForge", file: "agent.json", syntax: jsonSettings, base: "trueforge",
		marks: []string{"config.context_management"},
		settings: []harnessSetting{
			{path: "config.context_management.large_tool_response.enabled", fields: []string{"enabled"}},
			{path: "config.context_management.large_tool_response.individual_tool_response_token_threshold", fields: []string{"limits.per_result"}},
			{path: "config.context_management.large_tool_response.total_tool_response_token_threshold", fields: []string{"limits.combined"}},
			{path: "config.context_management.large_tool_response.preview_number_of_characters",
				fields: []string{"preview.head_chars", "preview.tail_chars"}},
		},
	},
	{
		name: "codex", title: "Codex", file: "config.toml", syntax: tomlSettings, base: "codex-tokens",
		settings: []harnessSetting{{path: "tool_output_token_limit", fields: []string{"limits.per_result"}}},
	},
	{
		name: "gemini-cli", title: "Gemini CLI", file: "settings.json", syntax: jsonSettings, base: "gemini-cli",
		settings: []harnessSetting{{path: "tools.truncateToolOutputThreshold", fields: []string{"limits.per_result"}, off: true}},
	},
	{
		name: "opencode", title: "opencode", file: "opencode.json", syntax: jsonSettings, base: "opencode",
		marks: []string{"tool_output"},
		settings: []harnessSetting{
			{path: "tool_output.max_bytes", fields: []string{"limits.per_result"}},
			{path: "tool_output.max_lines", fields: []string{"limits.second"}},
		},
	},
	{
		name: "claude-code", title: "Claude Code", file: "settings.json", syntax: jsonSettings, base: "claude-code-mcp",
		settings: []harnessSetting{{path: "env.MAX_MCP_OUTPUT_TOKENS", fields: []string{"limits.second"}}},
		silent:   []silentSetting{{"env.BASH_MAX_OUTPUT_LENGTH", bashLength}},
	},
	{
		name: "claude-code-env", title: "Claude Code", file: "environment", syntax: envSettings, base: "claude-code-mcp",
		settings: []harnessSetting{{path: "MAX_MCP_OUTPUT_TOKENS", fields: []string{"limits.second"}}},
		silent:   []silentSetting{{"BASH_MAX_OUTPUT_LENGTH", bashLength}},
	},
	{
		name: "goose", title: "goose", file: "environment", syntax: envSettings, base: "goose-mcp",
		settings: []harnessSetting{{path: "GOOSE_MAX_TOOL_RESPONSE_SIZE", fields: []string{"limits.per_result"}}},
	},
	{
		name: "vscode-copilot", title: "VS Code Copilot", file: "settings.json", syntax: jsonSettings, flat: true, base: "vscode-copilot",
		settings: []harnessSetting{
			{path: "chat.agent.largeToolResultsToDisk.enabled", fields: []string{"enabled"}},
			{path: "chat.agent.largeToolResultsToDisk.thresholdBytes", fields: []string{"limits.per_result"}},
		},
	},
}

// bashLength is what users measured of Claude Code since 2.1.2.
const bashLength = "does not change what is kept outside: of Bash that is what is over 30,000 characters, which no policy here has: no document or code of the vendor says it"
