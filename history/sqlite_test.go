package history

import (
	"errors"
	"strings"
	"testing"
)

func TestDatabasesAreRefusedByName(t *testing.T) {
	for schema, want := range map[string][2]string{
		"CREATE TABLE `session` (`id` text)\x00CREATE TABLE `message` (`id` text)CREATE TABLE `part` (`id`)": {
			"this is an SQLite database of opencode", "opencode export SESSION > session.json writes a session that can be opened"},
		`CREATE TABLE messages (id)CREATE TABLE sessions (id TEXT, working_dir TEXT)`: {
			"this is an SQLite database of Goose", "goose session export --format json writes a session that can be opened"},
		`CREATE TABLE messages (id)CREATE TABLE IF NOT EXISTS sessions (id TEXT, parent_session_id TEXT)`: {
			"this is an SQLite database of Hermes Agent", "hermes sessions export sessions.jsonl writes the sessions, which can be opened"},
		`CREATE TABLE ItemTable (key TEXT)CREATE TABLE cursorDiskKV (key TEXT)`: {
			"this is an SQLite database of Cursor", "Cursor's agent keeps transcripts as files too, in agent-transcripts of its projects: open these"},
		`CREATE TABLE ItemTable (key TEXT)`: {
			"this is an SQLite database of VS Code", "VS Code keeps its chats as files beside it, in the folder chatSessions: open these"},
		`CREATE TABLE threads (id TEXT, data_type TEXT, data BLOB)`: {
			"this is an SQLite database of Zed", "Zed exports no thread in a form that can be opened"},
		`CREATE TABLE messages (id)CREATE TABLE sessions (id TEXT)`: {
			"this is an SQLite database", "export the session as JSON from the program that wrote it"},
	} {
		_, err := Read(t.Context(), "r", strings.NewReader("SQLite format 3\x00"+schema), Options{})
		var e *OpenError
		if !errors.As(err, &e) || e.Reason != want[0] || e.Hint != want[1] {
			t.Errorf("%q: %#v", schema, err)
		}
	}
}
