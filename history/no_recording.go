package history

import (
	"fmt"
	"slices"
)

// whatARecordingIs is what a file that is none gets to read beside what it is itself.
const whatARecordingIs = "a recording has messages, tool calls and their results"

// A familiar is a kind of JSON that holds no conversation and that people mistake for a recording, known
// by its keys.
type familiar struct {
	what string // as the sentence "it is …" goes on
	is   func(v value) bool
}

// familiars are in order from the particular to the general.
var familiars = []familiar{
	{"an OpenTelemetry export without GenAI attributes: record with the content capture of the instrumentation on", func(v value) bool {
		return v.get("resourceSpans").isArray()
	}},
	{"an OpenTelemetry export of metrics", func(v value) bool { return v.get("resourceMetrics").isArray() }},
	{"an OpenTelemetry export of logs without GenAI events", func(v value) bool { return v.get("resourceLogs").isArray() }},
	{"a dump of spans without GenAI attributes", func(v value) bool {
		return (v.get("trace_id").ok() || v.get("traceId").ok() || v.get("context", "trace_id").ok()) &&
			(v.get("span_id").ok() || v.get("spanId").ok() || v.get("context", "span_id").ok())
	}},
	{"a JSON Schema", func(v value) bool {
		return v.get("$schema").isText() && (v.get("properties").isObject() || v.get("$defs").isObject() || v.get("type").isText())
	}},
	{"an OpenAPI description", func(v value) bool {
		return (v.get("openapi").isText() || v.get("swagger").isText()) && v.get("info").isObject()
	}},
	{"a SARIF report of static analysis", func(v value) bool {
		return v.get("runs").isArray() && v.get("runs").first().get("tool", "driver").isObject()
	}},
	{"a CI run", func(v value) bool {
		return isCIRun(v) || isCIRun(v.get("jobs").first()) || isCIRun(v.get("workflow_runs").first())
	}},
	{"the events of go test -json", func(v value) bool {
		return v.get("Action").isText() && v.get("Package").isText()
	}},
	{"a package manifest", func(v value) bool {
		return v.get("name").isText() && v.get("version").isText() &&
			(v.get("dependencies").isObject() || v.get("devDependencies").isObject() || v.get("scripts").isObject())
	}},
	{"a lock file of packages", func(v value) bool { return v.get("lockfileVersion").ok() }},
	{"a Jupyter notebook", func(v value) bool { return v.get("nbformat").ok() && v.get("cells").isArray() }},
	{"GeoJSON", func(v value) bool {
		return v.get("type").is("FeatureCollection") && v.get("features").isArray()
	}},
	{"a list of tool definitions", isToolDefinition},
	{"an MCP server configuration", func(v value) bool { return v.get("mcpServers").isObject() }},
	{"an MCP exchange without a tools/call", func(v value) bool {
		return v.get("jsonrpc").is("2.0") && (v.get("method").ok() || v.get("result").ok() || v.get("error").ok())
	}},
	{"messages without a tool call or an answer", func(v value) bool {
		return v.get("role").isText() && (v.get("content").ok() || v.get("parts").ok()) || emptyMessages(v) || v.get("messages").first().get("role").isText()
	}},
	{"a program's log", func(v value) bool {
		level := firstGiven(v.get("level"), v.get("severity"), v.get("lvl"))
		text := firstGiven(v.get("msg"), v.get("message"), v.get("textPayload"))
		return level.ok() && text.isText()
	}},
}

// isCIRun tells whether v is a run or a job as GitHub's API writes them.
func isCIRun(v value) bool {
	return v.get("run_id").ok() || v.get("workflow_id").ok() || v.get("head_sha").ok() && v.get("conclusion").ok() ||
		v.get("workflowName").ok() && v.get("conclusion").ok()
}

// isToolDefinition tells whether v is a definition of a tool as the APIs take them, or has some.
func isToolDefinition(v value) bool {
	one := func(t value) bool {
		return t.get("type").is("function") && t.get("function", "parameters").isObject() ||
			t.get("name").isText() && (t.get("input_schema").isObject() || t.get("inputSchema").isObject() || t.get("parameters", "properties").isObject())
	}
	return one(v) || !v.get("messages").ok() && !v.get("input").ok() && one(v.get("tools").first())
}

// emptyMessages tells whether v is an object for messages that has none.
func emptyMessages(v value) bool {
	m := v.get("messages")
	return m.isArray() && !m.first().ok()
}

// familiar says what the sample is, as "it is …" goes on; empty where that is unknown. All of the
// first records have to be of the kind: one line of a log says nothing of the others.
func (s *sample) familiar() string {
	items := s.items()
	if len(items) == 0 {
		return ""
	}
	items = items[:min(len(items), sampleRecords)]
	for _, f := range familiars {
		if !slices.ContainsFunc(items, func(v value) bool { return !f.is(v) }) {
			return f.what
		}
	}
	return ""
}

// noConversation says in one line what a text that is no recording is, and what one looks like. known
// is the format that it was read as; nil where it is none that is known.
func (s *sample) noConversation(known *Format) string {
	what := s.familiar()
	switch {
	case what != "":
		what = "it is " + what
	case known != nil:
		what = "nobody says or calls anything there"
	default:
		what = s.describe()
		if s.tape != nil {
			return "no known recording format: " + what
		}
	}
	if known != nil {
		return fmt.Sprintf("no conversation in it, read as %s: %s; %s", known.Name, what, whatARecordingIs)
	}
	return fmt.Sprintf("no known recording format: %s; %s", what, whatARecordingIs)
}
