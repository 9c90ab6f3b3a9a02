package history

import (
	"bytes"
	"regexp"
)

// A databaseOwner is a program that keeps its sessions in a database, and how to get them out.
type databaseOwner struct {
	name   string
	tables []string // all of these are in it
	column string   // one of them has this; empty where the tables are enough
	hint   string
}

var databaseOwners = []databaseOwner{
	{"opencode", []string{"session", "message", "part"}, "", "opencode export SESSION > session.json writes a session that can be opened"},
	{"Hermes Agent", []string{"sessions", "messages"}, "parent_session_id", "hermes sessions export sessions.jsonl writes the sessions, which can be opened"},
	{"Goose", []string{"sessions", "messages"}, "working_dir", "goose session export --format json writes a session that can be opened"},
	{"Cursor", []string{"cursorDiskKV"}, "", "Cursor's agent keeps transcripts as files too, in agent-transcripts of its projects: open these"},
	{"VS Code", []string{"ItemTable"}, "", "VS Code keeps its chats as files beside it, in the folder chatSessions: open these"},
	{"Zed", []string{"threads"}, "data_type", "Zed exports no thread in a form that can be opened"},
}

// createsTable finds the tables in the first page of a database: it holds the text that made them.
var createsTable = regexp.MustCompile("(?i)CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?[\"'`\\[]?(\\w+)")

// refuseDatabase says whose database it is, as far as its beginning tells.
func refuseDatabase(head []byte) (reason, hint string) {
	tables := map[string]bool{}
	for _, m := range createsTable.FindAllSubmatch(head, -1) {
		tables[string(m[1])] = true
	}
owners:
	for _, o := range databaseOwners {
		for _, t := range o.tables {
			if !tables[t] {
				continue owners
			}
		}
		if bytes.Contains(head, []byte(o.column)) {
			return "this is an SQLite database of " + o.name, o.hint
		}
	}
	return "this is an SQLite database", "export the session as JSON from the program that wrote it"
}
