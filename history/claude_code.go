package history

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// claudeCode reads the session files of Claude Code and of programs that write the same lines.
var claudeCode = &Format{
	Name:   "claude-code",
	Title:  "Claude Code session",
	How:    "JSON Lines of messages, each with uuid, parentUuid, sessionId and isSidechain",
	detect: detectClaudeCode,
	read:   readClaudeCode,
	folder: claudeBundles,
}

func detectClaudeCode(s *sample) (int, string) {
	messages, linked := 0, 0
	for _, v := range s.items() {
		if !v.get("type").isText() || !v.get("uuid").isText() || !v.get("sessionId").isText() ||
			v.get("isSidechain").kind() != boolean {
			continue
		}
		linked++
		m := v.get("message")
		if m.get("role").isText() && m.get("content").given() && !m.get("parts").ok() {
			messages++
		}
	}
	switch {
	case messages > 0:
		return 95, fmt.Sprintf("%d of the first records are messages with uuid, sessionId and isSidechain", messages)
	case linked > 0:
		return 60, fmt.Sprintf("%d of the first records have uuid, sessionId and isSidechain, none of them a message", linked)
	}
	return 0, ""
}

func readClaudeCode(ctx context.Context, in *input, b *builder) error {
	s := newClaudeSession(b)
	if err := s.readFile(ctx, in, ""); err != nil {
		return err
	}
	for _, path := range in.more {
		more, err := in.also(path)
		if err != nil {
			b.problem(Location{File: path}, "the subagent's file can't be read")
			continue
		}
		agent := strings.TrimPrefix(sessionName(filepath.Base(path)), "agent-")
		s.agents[agent] = agentType(path)
		if err := s.readFile(ctx, more, agent); err != nil {
			return err
		}
	}
	s.finish()
	return nil
}

// readFile reads one file of the session. agent is the subagent whose file it is, empty for the
// session's own.
func (s *claudeSession) readFile(ctx context.Context, in *input, agent string) error {
	s.agent, s.side = agent, claudeSideFiles(in)
	for rec := range in.lines(ctx) {
		s.line(rec.value)
	}
	return in.err()
}
