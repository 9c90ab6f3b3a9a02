package history

import (
	"bytes"
	"strings"
)

// The content blocks of Anthropic's Messages, which Claude Code's sessions hold too.

// contentPayload is the payload of a message's or a result's content: a string, blocks, a single
// block, or nothing.
func contentPayload(content value) Payload { return newPayload(contentParts(content, 0)...) }

// blockDepth is how deep blocks may hold blocks: a fetched document in a result is two levels.
const blockDepth = 4

func contentParts(content value, depth int) []Part {
	switch content.kind() {
	case text:
		return []Part{content.part()}
	case array:
		var parts []Part
		for b := range content.elements() {
			parts = append(parts, blockParts(b, depth)...)
		}
		return parts
	case object:
		return blockParts(content, depth)
	}
	return nil
}

// blockParts are the parts of one block. What a model reads as text is text, wherever the block
// keeps it; everything else is named and counts with its recorded bytes.
func blockParts(b value, depth int) []Part {
	if b.isText() {
		return []Part{b.part()}
	}
	typ := b.get("type").str()
	switch {
	case depth == blockDepth:
	case typ == "text", typ == "input_text", typ == "output_text":
		return textParts(b.get("text"))
	case typ == "image":
		return []Part{sourceBlob(b, Image)}
	case typ == "document":
		return documentParts(b, depth)
	case typ == "search_result", typ == "tool_result", typ == "web_fetch_result":
		return contentParts(b.get("content"), depth+1)
	case typ == "code_execution_result", typ == "bash_code_execution_result":
		parts := append(textParts(b.get("stdout")), textParts(b.get("stderr"))...)
		for file := range b.get("content").elements() {
			parts = append(parts, file.blob(Resource, file.get("type").str()))
		}
		return parts
	case typ == "text_editor_code_execution_view_result":
		return textParts(b.get("content"))
	case strings.HasSuffix(typ, "_error"):
		return textParts(b.get("error_code"))
	case typ == "resource" && b.get("resource").isObject():
		return []Part{resourcePart(b.get("resource"), b)}
	case typ == "web_search_result", typ == "resource_link", typ == "file":
		return []Part{b.blob(Resource, typ)}
	case typ == "audio":
		return []Part{sourceBlob(b, Audio)}
	case typ == "" && b.get("responseParts", "functionResponse").ok():
		typ = "functionResponse" // iFlow keeps Gemini's shape in Claude Code's envelope
	}
	if !plainKey(typ) {
		typ = ""
	}
	return []Part{b.blob(Other, typ)}
}

// textParts is the string v as a part; none where it is empty or no string.
func textParts(v value) []Part {
	if !v.isText() {
		return nil
	}
	if p := v.part(); p.Size.Bytes > 0 {
		return []Part{p}
	}
	return nil
}

// sourceBlob is a part whose data stands in the block's source.
func sourceBlob(b value, k PartKind) Part {
	src := b.get("source")
	media := firstGiven(src.get("media_type"), b.get("mimeType")).str()
	for _, data := range []value{src.get("data"), src.get("url"), b.get("data")} {
		if data.ok() {
			return data.blob(k, media)
		}
	}
	return b.blob(k, media)
}

// documentParts: a plain text document is read as text, so it is one.
func documentParts(b value, depth int) []Part {
	switch src := b.get("source"); src.get("type").str() {
	case "text":
		return textParts(src.get("data"))
	case "content":
		return contentParts(src.get("content"), depth+1)
	default:
		return []Part{sourceBlob(b, Document)}
	}
}

// A blockKind says what a block of a message is for.
type blockKind int

const (
	proseBlock blockKind = iota // text, reasoning, pictures
	callBlock
	resultBlock
)

func kindOf(b value) blockKind {
	switch typ := b.get("type").str(); {
	case typ == "tool_use", typ == "server_tool_use", typ == "mcp_tool_use":
		return callBlock
	case typ == "tool_result", strings.HasSuffix(typ, "_tool_result"):
		return resultBlock
	}
	return proseBlock
}

// byProvider tells whether the provider ran the tool of a call or result block.
func byProvider(b value) bool {
	typ := b.get("type").str()
	return typ != "tool_use" && typ != "tool_result"
}

// blockResult is what a result block holds.
func blockResult(b value) *Result {
	content := b.get("content")
	r := &Result{Payload: contentPayload(content), At: b.at(), Error: b.get("is_error").truth()}
	if content.given() {
		r.At = content.at()
	}
	if strings.HasSuffix(content.get("type").str(), "_error") {
		r.Error = true
	}
	// What an MCP server calls an error is an answer; the harness's and the provider's are failures.
	r.Failed = r.Error && !b.get("type").is("mcp_tool_result")
	if byProvider(b) {
		r.Flags |= ProviderExecuted
	}
	return r
}

// proseOf is what a model wrote in a block: its text or its reasoning.
func proseOf(b value) Payload {
	switch b.get("type").str() {
	case "thinking":
		return newPayload(textParts(b.get("thinking"))...)
	case "redacted_thinking":
		return newPayload(b.get("data").blob(Other, "redacted_thinking"))
	}
	return newPayload(blockParts(b, 0)...)
}

// promptOf is what a person wrote in a user message, beside results: everything that is no result
// block. It is false where there is nothing, or only what a harness puts in.
func promptOf(content value) (Payload, bool) {
	if content.isText() {
		return content.payload(), !byHarness(content)
	}
	var parts []Part
	person := false
	for b := range content.elements() {
		if kindOf(b) == resultBlock {
			continue
		}
		parts = append(parts, blockParts(b, 0)...)
		person = person || b.isText() && !byHarness(b) || b.isObject() && !byHarness(b.get("text"))
	}
	return newPayload(parts...), person
}

const harnessReminder = "<system-reminder>"

// harnessMarks begin the text that harnesses write into user messages.
var harnessMarks = []string{harnessReminder, "<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>",
	"<bash-stdout>", "<bash-stderr>", "<task-notification>", "[Request interrupted by user", "Caveat: The messages below were generated by the user while running local commands."}

// byHarness tells whether a text begins with a harness's mark.
func byHarness(v value) bool { return begins(v, harnessMarks...) }

// begins tells whether a string begins with one of the marks.
func begins(v value, marks ...string) bool {
	for _, mark := range marks {
		if strings.HasPrefix(head(v, len(mark)), mark) {
			return true
		}
	}
	return false
}

// head is the beginning of a string, at least n bytes of it where it has them.
func head(v value, n int) string {
	raw := v.raw()
	if !v.isText() {
		return ""
	}
	raw = raw[1 : len(raw)-1]
	if most := 6*n + longestEscape; len(raw) > most {
		raw = raw[:most]
		var b bytes.Buffer
		_, _, _ = unescape(&b, raw, false)
		return b.String()
	}
	return v.str()
}

// usageOf reads what the provider reported; nil where v is none.
func usageOf(v value) *Usage {
	if !v.isObject() {
		return nil
	}
	n := func(keys ...string) int64 {
		var sum int64
		for _, k := range keys {
			i, _ := v.get(k).int64()
			sum += i
		}
		return sum
	}
	return &Usage{Input: n("input_tokens"), Cached: n("cache_creation_input_tokens", "cache_read_input_tokens"), Output: n("output_tokens")}
}

// largest keeps the larger of each value: a response's early lines report partial ones.
func (u *Usage) largest(more *Usage) {
	u.Input = max(u.Input, more.Input)
	u.Cached = max(u.Cached, more.Cached)
	u.Output = max(u.Output, more.Output)
}
