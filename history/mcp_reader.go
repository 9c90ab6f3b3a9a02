package history

import (
	"fmt"
	"hash/maphash"
	"regexp"
	"slices"
	"strings"
	"time"
)

// An mcpReader pairs requests with replies. Ids are unique only on one connection and in one
// direction, and may be used again once they are answered.
type mcpReader struct {
	thread      *threadBuilder
	connections map[string]*mcpConnection
	tasks       map[string]string // calls whose result is deferred, by task id
	used        map[string]bool   // ids that calls had, as recorded: 1 and "1" are two
	told        map[uint64]bool   // what servers said of themselves
	seed        maphash.Seed
	when        time.Time // of the record that is being read
}

// An mcpConnection is one client talking to one server.
type mcpConnection struct {
	name string
	runs int // how often it was initialised
	open []mcpRequest
	step *Step
}

// An mcpRequest is one that waits for its reply.
type mcpRequest struct {
	id     string // as recorded, quotes included
	method string
	key    string // what the builder knows a call by
	task   string // of a request for a deferred result
}

const toolsCall = "tools/call"

func newMCPReader(b *builder) *mcpReader {
	return &mcpReader{thread: b.conversation("").thread(Main), connections: map[string]*mcpConnection{},
		tasks: map[string]string{}, used: map[string]bool{}, told: map[uint64]bool{}, seed: maphash.MakeSeed()}
}

// message takes one message; at is where it lies.
func (r *mcpReader) message(m value, connection string, at Location) {
	c := r.connections[connection]
	if c == nil {
		c = &mcpConnection{name: connection}
		r.connections[connection] = c
	}
	id, method := m.get("id"), m.get("method")
	switch {
	case method.isText() && id.given():
		r.request(c, m, at)
	case method.is("notifications/cancelled"):
		c.take(func(q mcpRequest) bool { return q.id == string(m.get("params", "requestId").raw()) })
	case method.isText():
		// Progress, logging and the like say nothing about results.
	case id.given():
		r.reply(c, m, at)
	}
}

func (r *mcpReader) request(c *mcpConnection, m value, at Location) {
	id, params := m.get("id"), m.get("params")
	q := mcpRequest{id: string(id.raw()), method: m.get("method").str()}
	switch q.method {
	case "initialize":
		c.runs++
		c.open = nil
	case "tasks/result":
		q.task = params.get("taskId").str()
	case toolsCall:
		q.key = c.key(q.id)
		if c.step == nil || !slices.ContainsFunc(c.open, func(q mcpRequest) bool { return q.method == toolsCall }) {
			c.step = r.thread.step("")
			c.step.Time = r.when
		}
		call := r.thread.callWith(c.step, q.key, params.get("name").str(), params.get("arguments"), at)
		r.name(call, id)
		if call.Result != nil {
			return // the reply stood before it
		}
	}
	c.open = append(c.open, q)
}

// name gives a call the recording's own id instead of the key that it was paired by.
func (r *mcpReader) name(call *Call, id value) {
	call.ID = string(id.raw())
	if id.isText() {
		call.ID = id.str()
	}
	if call.Flags&(OrphanResult|RepeatedResult) != 0 {
		return
	}
	raw := string(id.raw())
	if r.used[raw] {
		call.Flags |= IDReused
	}
	r.used[raw] = true
}

func (c *mcpConnection) key(id string) string { return fmt.Sprintf("%s %d %s", c.name, c.runs, id) }

// take removes the oldest open request for which is holds.
func (c *mcpConnection) take(is func(mcpRequest) bool) (mcpRequest, bool) {
	i := slices.IndexFunc(c.open, is)
	if i < 0 {
		return mcpRequest{}, false
	}
	q := c.open[i]
	c.open = slices.Delete(c.open, i, i+1)
	return q, true
}

func (r *mcpReader) reply(c *mcpConnection, m value, at Location) {
	id, result := m.get("id"), m.get("result")
	raw := string(id.raw())
	// The server's own requests count on their own: of two with one id the kind of the reply tells.
	forTool := toolReply(result)
	q, ok := c.take(func(q mcpRequest) bool { return q.id == raw && (q.method == toolsCall || q.task != "") == forTool })
	if !ok {
		q, ok = c.take(func(q mcpRequest) bool { return q.id == raw })
	}
	switch {
	case ok && q.method == "tools/list":
		r.tell(result.get("tools"))
	case ok && q.method == "initialize":
		r.tell(result.get("instructions"))
	case ok && q.method == toolsCall && result.get("task", "taskId").isText() && !result.get("content").ok():
		r.tasks[c.name+" "+result.get("task", "taskId").str()] = q.key
	case ok && q.task != "":
		if key := r.tasks[c.name+" "+q.task]; key != "" {
			r.thread.result(key, "", r.mcpResult(m, at))
		}
	case ok && q.method == toolsCall:
		r.thread.result(q.key, "", r.mcpResult(m, at))
	case !ok && forTool:
		if call := r.thread.result(c.key(raw), "", r.mcpResult(m, at)); call.Flags&(OrphanResult|RepeatedResult) != 0 {
			r.name(call, id)
		}
	}
}

// toolReply tells whether a reply's result has the shape that only a tool's has.
func toolReply(v value) bool {
	return v.get("content").isArray() && !v.get("role").ok() || v.get("structuredContent").ok() ||
		v.get("isError").ok() || v.get("toolResult").ok() || v.get("task", "taskId").ok()
}

// tell keeps what a server says to the model, once.
func (r *mcpReader) tell(v value) {
	if !v.given() {
		return
	}
	mark := maphash.Bytes(r.seed, v.raw())
	if !r.told[mark] {
		r.told[mark] = true
		r.thread.system(v.payload())
	}
}

// mcpResult reads a reply to a tool's call. A protocol error is a failed call; what the tool itself
// calls an error is an answer.
func (r *mcpReader) mcpResult(m value, at Location) *Result {
	out := &Result{At: at, Time: r.when}
	if failure := m.get("error"); failure.given() {
		out.Error, out.Failed = true, true
		out.Payload = firstGiven(failure.get("message"), failure).payload()
		return out
	}
	result := m.get("result")
	out.Error = result.get("isError").truth()
	switch content, old := result.get("content"), result.get("toolResult"); {
	case content.given():
		out.Payload = mcpContent(content)
	case old.given():
		out.Payload = old.payload() // the protocol's first version
	}
	out.structure(result.get("structuredContent"))
	return out
}

// structure keeps a result's structuredContent beside its payload, which is there already.
func (r *Result) structure(v value) {
	if !v.given() {
		return
	}
	p := v.payload()
	r.Structured = &p
	if r.Payload.Size().Bytes == 0 {
		r.Flags |= StructuredOnly
	}
}

// mcpContent reads the content of a result. The text of an embedded resource reaches the model like
// any other, so it counts; what is binary or only linked is named.
func mcpContent(v value) Payload {
	if !v.isArray() {
		return v.payload()
	}
	var parts []Part
	for e := range v.elements() {
		parts = append(parts, mcpPart(e))
	}
	return newPayload(parts...)
}

func mcpPart(v value) Part {
	media := v.get("mimeType").str()
	switch kind := v.get("type").str(); {
	case v.isText():
		return v.part()
	case kind == "text" && v.get("text").isText():
		return v.get("text").part()
	case kind == "image":
		return firstGiven(v.get("data"), v).blob(Image, media)
	case kind == "audio":
		return firstGiven(v.get("data"), v).blob(Audio, media)
	case kind == "resource":
		return resourcePart(v.get("resource"), v)
	case kind == "resource_link":
		return v.blob(Resource, media)
	default:
		if !plainKey(kind) {
			kind = ""
		}
		return v.blob(Other, kind)
	}
}

func resourcePart(resource, whole value) Part {
	media := resource.get("mimeType").str()
	if text := resource.get("text"); text.isText() {
		p := text.part()
		p.Media = media
		return p
	}
	return firstGiven(resource.get("blob"), whole).blob(Resource, media)
}

var (
	bracketed = regexp.MustCompile(`\[([A-Za-z][^\[\]]*)\]`)
	logLevel  = regexp.MustCompile(`(?i)^(trace|debug|info|notice|warn|warning|error|fatal)$`)
)

// carrierKeys are the names under which proxies record the connection.
var carrierKeys = []string{"connection", "connection_id", "connectionId", "session", "session_id", "sessionId", "server", "server_name", "serverName"}

// mcpCarrier finds the connection and the time of a record, in its members or in the prefix before it.
func mcpCarrier(rec record) (connection string, when time.Time) {
	var names []string
	for _, key := range carrierKeys {
		if v := rec.get(key); v.isText() {
			names = append(names, v.str())
		}
	}
	when = firstGiven(rec.get("timestamp"), rec.get("time"), rec.get("ts")).time()
	prefix := string(rec.prefix[:min(len(rec.prefix), 1<<10)])
	for _, m := range bracketed.FindAllStringSubmatch(prefix, -1) {
		if !logLevel.MatchString(m[1]) {
			names = append(names, m[1])
		}
	}
	if first, _, _ := strings.Cut(prefix, " "); when.IsZero() {
		when, _ = time.Parse(time.RFC3339Nano, strings.Trim(first, "[]"))
	}
	return strings.Join(names, " "), when.UTC()
}
