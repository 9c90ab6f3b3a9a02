package history

import (
	"hash/maphash"
	"time"
)

// A claudeSession collects what the lines of a session, and of its subagents' files, say.
type claudeSession struct {
	b      *builder
	conv   *convBuilder
	id     string // of the session
	agent  string // whose file is being read, where its name says so
	side   sideFiles
	agents map[string]string // the types of subagents, by id
	jobs   map[uint64]string // and by what they were asked

	threads map[string]*claudeThread
	chains  map[string]string // the thread of a sidechain line, by its uuid
	latest  string            // the sidechain that was written to last

	used   map[string]bool // uuids of the lines that were used
	copies map[uint64]bool // times and contents of the lines that were used
	seed   maphash.Seed

	title     string // given by a person, else by the program
	titleRank int
	summaries []claudeSummary
	usage     map[claudeResponse]*Usage
}

// A claudeSummary is a title that names a line: of this session where the line is in it.
type claudeSummary struct{ leaf, title string }

// A claudeThread is the main line of a session or one subagent's.
type claudeThread struct {
	*threadBuilder
	name    string
	steps   map[claudeResponse]*Step
	calls   map[string]*claudeCall
	runs    map[string]claudeRun // by message id
	local   *claudePrompt        // a command that the program may have run by itself
	lines   claudeLines
	heardOf string // the uuid of the last line that held results
}

// A claudePrompt is a prompt that starts a turn only where the model answers it.
type claudePrompt struct {
	prompt Payload
	at     Location
}

// ask starts a turn, or a possible one where a command was given: of these the program runs some
// by itself, and the model never sees them as a message.
func (t *claudeThread) ask(p Payload, at Location, command bool) {
	if t.local = nil; command {
		t.local = &claudePrompt{p, at}
		return
	}
	t.prompt(p, at)
}

// heard starts the turn of a command that the model answers.
func (t *claudeThread) heard() {
	if l := t.local; l != nil {
		t.ask(l.prompt, l.at, false)
	}
}

// A claudeResponse tells the responses of a model apart. A message id alone does not: some
// gateways give every response the same one.
type claudeResponse struct {
	thread, message, request string
	line                     string // the line's uuid, where there are no ids at all
	run                      int    // of several responses with one message id and no request id
}

// A claudeRun is the response that a message id without a request id stands for now.
type claudeRun struct{ number, turn int }

// A claudeCall is what is known of a tool use id.
type claudeCall struct {
	mark   uint64 // of the tool's name and its arguments
	open   bool
	result time.Time    // when the last result was written
	again  *claudeBlock // the same block, written once more
}

// A claudeBlock is a call that may be added later.
type claudeBlock struct {
	response  claudeResponse
	id, tool  string
	arguments Payload
	at        Location
	time      time.Time
	flags     Flags
}

func newClaudeSession(b *builder) *claudeSession {
	return &claudeSession{b: b, agents: map[string]string{}, jobs: map[uint64]string{}, threads: map[string]*claudeThread{}, chains: map[string]string{},
		used: map[string]bool{}, copies: map[uint64]bool{}, seed: maphash.MakeSeed(), usage: map[claudeResponse]*Usage{}}
}

// line takes one line. Types that say nothing about the conversation are passed over quietly: new
// ones appear with every version of the program.
func (s *claudeSession) line(v value) {
	thread := s.threadOf(v)
	switch v.get("type").str() {
	case "user":
		s.message(v, thread, s.user)
	case "assistant":
		s.message(v, thread, s.assistant)
	case "system":
		if v.get("subtype").is("compact_boundary") && s.threads[thread] != nil {
			s.threads[thread].compact(Payload{})
		}
	case "attachment":
		s.queued(v, thread)
	case "summary":
		s.summaries = append(s.summaries, claudeSummary{v.get("leafUuid").str(), v.get("summary").str()})
	case "ai-title":
		s.entitle(1, v.get("aiTitle").str())
	case "custom-title":
		s.entitle(2, v.get("customTitle").str())
	}
}

func (s *claudeSession) entitle(rank int, title string) {
	if title != "" && rank >= s.titleRank {
		s.title, s.titleRank = title, rank
	}
}

// threadOf finds the thread of a line: the main one, or the subagent's by its id. Old sessions have
// no such id: there a sidechain is known by the uuid of its first line, which has no parent.
func (s *claudeSession) threadOf(v value) string {
	if !v.get("isSidechain").truth() {
		if s.agent != "" {
			return s.agent
		}
		return Main
	}
	uuid, parent := v.get("uuid").str(), v.get("parentUuid").str()
	name := v.get("agentId").str()
	switch {
	case name != "":
	case s.agent != "":
		name = s.agent
	case parent == "":
		name = uuid
	case s.chains[parent] != "":
		name = s.chains[parent]
	default:
		name = s.latest // the parent's line is damaged: it stood just before as a rule
	}
	if name == "" {
		name = "sidechain"
	}
	s.chains[uuid], s.latest = name, name
	return name
}

// message hands a message to take, unless it was seen before: with the same uuid, or, after a
// resume that wrote the history again, with the same time and content.
func (s *claudeSession) message(v value, thread string, take func(*claudeThread, value, value)) {
	m := v.get("message")
	content := m.get("content")
	switch {
	case !m.isObject():
		s.b.problem(v.at(), "the line has no message")
		return
	case !content.given():
		s.b.problem(m.at(), "the message has no content")
		return
	}
	if s.seen(v, content) {
		return
	}
	t := s.thread(thread, v)
	mark, response := s.lineMark(v, content)
	if t.copied(mark, response) {
		if response {
			s.report(t, v, m) // a later line of a response may have the larger usage
		}
		return
	}
	turns := len(t.Thread.Turns)
	take(t, v, content)
	t.note(mark, turns)
}

// seen tells whether a line was used before, and notes that it is now.
func (s *claudeSession) seen(v, content value) bool {
	uuid := v.get("uuid").str()
	if uuid != "" && s.used[uuid] {
		return true
	}
	s.used[uuid] = true
	at := v.get("timestamp")
	if !at.isText() {
		return false
	}
	mark := s.fingerprint(at, v.get("type"), content)
	if s.copies[mark] {
		return true
	}
	s.copies[mark] = true
	return false
}

func (s *claudeSession) fingerprint(of ...value) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for _, v := range of {
		_, _ = h.Write(v.raw())
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}

// thread returns the thread of this name. v is a line of it.
func (s *claudeSession) thread(name string, v value) *claudeThread {
	if s.conv == nil {
		s.conv = s.b.conversation("")
		s.id = v.get("sessionId").str()
	}
	t := s.threads[name]
	if t == nil {
		t = &claudeThread{threadBuilder: s.conv.thread(name), name: name,
			steps: map[claudeResponse]*Step{}, calls: map[string]*claudeCall{}, runs: map[string]claudeRun{},
			lines: claudeLines{at: map[uint64][]int32{}}}
		s.threads[name] = t
		s.identify()
	}
	return t
}

// identify names the conversation: a subagent's file on its own has lines with the session's id as
// a rule.
func (s *claudeSession) identify() {
	if s.id == "" {
		return
	}
	s.conv.Conv.ID = s.id
	for _, t := range s.conv.threads {
		if !t.Thread.Subagent() {
			return
		}
	}
	s.conv.Conv.ID += ":" + s.conv.threads[0].Thread.Name
}

// finish adds what only the whole session tells.
func (s *claudeSession) finish() {
	if s.conv == nil {
		return
	}
	for _, x := range s.summaries {
		if s.used[x.leaf] {
			s.entitle(0, x.title)
		}
	}
	c := s.conv.Conv
	c.Title = s.title
	for i, t := range c.Threads {
		t.Agent = s.agents[t.Name]
		if t.Name == Main { // it comes first, also where a subagent's line did
			copy(c.Threads[1:i+1], c.Threads[:i])
			c.Threads[0] = t
		}
	}
	s.identify()
	for r, u := range s.usage {
		// The first lines of a response hold 1 to 10 tokens, whatever it has in the end.
		u.LowerBound = u.Output >= 1 && u.Output <= 10
		c.Usage = c.Usage.Add(u)
		if t := s.threads[r.thread]; t != nil && t.steps[r] != nil {
			t.steps[r].Usage = u
		}
	}
}
