package engine

import (
	"context"
	"regexp"
	"strings"
)

// An envelope is what a protocol or a client puts around a payload: MCP's content blocks, or an HTTP
// client's status and body.

var (
	// mcpText is the place of a text block's text: the blocks are the root, or in .content, of a
	// JSON-RPC message perhaps.
	mcpText = regexp.MustCompile(`^((?:\.result)?(?:\.content)?\.?\[)\d+(\](?:\.resource)?\.text)$`)
	// httpBody is the place of a body beside a status.
	httpBody = regexp.MustCompile(`^((?:\.response)?)\.(?:body|data|text|content|payload|response)$`)
)

// enveloped tells whether the string at path, which holds a payload's data, is in an envelope.
func enveloped(value any, path string) bool {
	if mcpUnwrap(value, path) != "" {
		return true
	}
	m := httpBody.FindStringSubmatch(path)
	if m == nil {
		return false
	}
	client := m[1]
	if client == "" {
		client = "."
	}
	status, ok, err := runOnce(context.Background(), client+` | [.status, .statusCode, .status_code, .statuscode, .httpStatus] | map(numbers) | length > 0`, value)
	return err == nil && ok && status == true
}

// mcpUnwrap takes the texts out of MCP's content blocks: the one, or a list of all; empty where path
// is not that of a block's text.
func mcpUnwrap(value any, path string) string {
	m := mcpText.FindStringSubmatch(path)
	if m == nil {
		return ""
	}
	all := m[1] + m[2] // .content[].text
	block := strings.TrimSuffix(strings.TrimSuffix(all, ".text"), ".resource")
	shape, ok, err := runOnce(context.Background(), `[`+block+`] | if all(.[]; type == "object" and (.type | type == "string")) then map(.text // .resource.text?) | map(strings) | length else 0 end`, value)
	if err != nil || !ok {
		return ""
	}
	others, ok, err := runOnce(context.Background(), `[`+block+`] | length`, value)
	switch {
	case err != nil || !ok || shape == 0:
		return ""
	case others == 1:
		return path
	}
	return "[" + all + " | fromjson? // .]"
}
