package ui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
	"floodmark/store"
)

// A filter as a line for a shell with floodmark and jq in it. The payloads come from the recording, which
// anybody may read while the explorer holds the store; where it can't be read again, from the store.

// copyFilter copies the filter as a command.
func (t *variableTab) copyFilter() tea.Cmd {
	s, d, filter := t.sel, t.deps, t.filter()
	write := keyOf(writeResult, t.theme.ascii, inVariable)
	if s.outcome == nil || s.run == nil {
		d.tell("there is nothing to copy")
		return nil
	}
	return t.jobs.start("copy", func(context.Context) answer {
		line, err := commandLine(d.session, s, filter, write)
		return func() tea.Cmd {
			if err != nil {
				d.tell("no command: " + visible(err.Error()))
				return nil
			}
			t.copyText(line, visible(line))
			return nil
		}
	})
}

// A commandFilter is a filter with all that it names.
type commandFilter struct {
	results []*engine.Outcome // in the order in which they are bound
	kept    []string          // the bindings of kept variables, each after those that it names
	done    map[string]bool
	write   string // the key that writes a payload to a file
}

// commandLine is the command that gives what filter gives on s. Where there is none, the error says what
// to do with the key that writes a payload.
func commandLine(own *session, s selection, filter, write string) (string, error) {
	c := commandFilter{done: map[string]bool{}, write: write}
	if err := c.bind(own, s, filter); err != nil {
		return "", err
	}
	if path, ok := own.path(s.conv); ok {
		return c.ofRecording(s, path, filter), nil
	}
	return c.ofStore(own, s, filter)
}

// path is what a command opens a conversation's recording by, quoted; empty for those built in. ok is
// false where it can't be opened again.
func (s *session) path(c *conversation) (path string, ok bool) {
	if s.builtIn {
		return "", true
	}
	abs, err := filepath.Abs(c.File)
	if err != nil {
		return "", false
	}
	if info, err := os.Stat(abs); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	return " " + shellQuoted(abs), true
}

// bind finds what a filter names: results, and variables that were kept, with all that those name.
func (c *commandFilter) bind(own *session, s selection, filter string) error {
	bound := map[string]bool{"$__loc__": true, "$ENV": true, "$__prog_args": true}
	for _, b := range jqBound.FindAllStringSubmatch(filter, -1) {
		bound[b[1]] = true
	}
	for _, word := range jqWord.FindAllString(filter, -1) {
		if bound[word] || c.done[word] {
			continue
		}
		at := slices.IndexFunc(s.run.Outcomes, func(o *engine.Outcome) bool { return jqName(o.Name) == word })
		if at >= 0 {
			c.addResult(s.run.Outcomes[at])
			continue
		}
		v, err := own.keptVariable(s, word[1:])
		if err != nil {
			return err
		}
		if v == nil {
			continue // jq says that there is no such variable, as the screen does
		}
		if err := c.addKept(own, s, word, v); err != nil {
			return err
		}
	}
	return nil
}

func (c *commandFilter) addResult(o *engine.Outcome) {
	if name := jqName(o.Name); !c.done[name] {
		c.done[name] = true
		c.results = append(c.results, o)
	}
}

// addKept makes a kept variable anew, out of what it was made of: its store is held by the explorer, or
// gone afterwards.
func (c *commandFilter) addKept(own *session, s selection, word string, v *store.Variable) error {
	at := slices.IndexFunc(s.run.Outcomes, func(o *engine.Outcome) bool { return o.Name == v.Source })
	if at < 0 || namesIn(v.Query, word) {
		return fmt.Errorf("%s can't be made anew: write it to a file (%s), and give it to jq with --slurpfile", word, c.write)
	}
	c.done[word] = true // before what it names: two that name one another end
	if err := c.bind(own, s, v.Query); err != nil {
		return err
	}
	c.addResult(s.run.Outcomes[at])
	query := v.Query
	if strings.Contains(query, "#") {
		query += "\n" // or a comment would take the bracket
	}
	c.kept = append(c.kept, fmt.Sprintf("(%s | [%s] | if length == 1 then .[0] else . end) as %s", jqName(v.Source), query, word))
	return nil
}

// keptVariable is the variable that was kept of a result of the conversation under a name; nil without one. Of
// one that is gone the error says so.
func (s *session) keptVariable(sel selection, name string) (*store.Variable, error) {
	st, _, err := s.variables()
	if st == nil || err != nil {
		return nil, err
	}
	var none *store.NotFoundError
	found, err := st.Find(sel.conv.ID + "/" + name)
	if err != nil && !errors.As(err, &none) {
		return nil, err
	}
	for _, v := range found {
		if v.Policy == sel.policy.Name && v.Source != "" {
			return &v, nil
		}
	}
	gone, ok, err := st.Gone(store.Key{Conversation: sel.conv.ID, Policy: sel.policy.Name, Name: name})
	if err == nil && ok { // while another policy has one of this name
		err = gone.Err()
	}
	return nil, err
}

// ofRecording replays the recording under a policy that keeps every payload inline, and takes the payloads
// from what it says of each result.
func (c *commandFilter) ofRecording(s selection, path, filter string) string {
	replay := "floodmark replay -q --json --text --policy none --store none" + path + " | jq "
	if len(c.results) == 0 {
		return replay + shellQuoted(recorded(s, s.outcome)+" | "+filter)
	}
	c.addResult(s.outcome)
	var parts []string
	for _, o := range c.results {
		parts = append(parts, "(.[] | "+recorded(s, o)+") as "+jqName(o.Name))
	}
	parts = append(append(parts, c.kept...), jqName(s.outcome.Name), filter)
	return replay + "-s " + shellQuoted(strings.Join(parts, " | "))
}

// recorded is the filter that takes a result's payload from the lines of a replay.
func recorded(s selection, o *engine.Outcome) string {
	where := ".conversation == " + jqString(s.conv.ID)
	alike := 0
	for _, other := range s.run.Outcomes {
		if other.Call.ID == o.Call.ID {
			alike++
		}
	}
	if o.Call.ID != "" && alike == 1 {
		where += " and .call == " + jqString(o.Call.ID)
	} else {
		where += fmt.Sprintf(" and .thread == %s and .turn == %d and .step == %d and .index == %d", jqString(o.Thread.Name), o.Turn, o.Step, o.Index)
	}
	take := "select(" + where + ") | .inline.text"
	if o.Facts != nil && o.Facts.Valid {
		take += " | fromjson"
	}
	if o.Instructions != nil {
		take += " | del(.[" + jqString(s.policy.Instructions.Key) + "])"
	}
	return take
}

// ofStore takes the payloads from the store.
func (c *commandFilter) ofStore(own *session, s selection, filter string) (string, error) {
	single := len(c.results) == 0
	c.addResult(s.outcome)
	st, where, err := own.variables()
	if err != nil {
		return "", err
	}
	var exports, inputs []string
	raw := false
	for _, o := range c.results {
		if o.Verdict != engine.Offloaded || st == nil || where != st.Path() {
			return "", fmt.Errorf("%s can't be read again (standard input, or no file any more): write %s with %s after the filter . and give that file to jq",
				s.conv.File, jqName(o.Name), c.write)
		}
		line := fmt.Sprintf("floodmark vars export --store %s --policy %s %s", shellQuoted(where), shellQuoted(s.policy.Name), shellQuoted(s.conv.ID+"/"+o.Name))
		if raw = o.Facts == nil || !o.Facts.Valid; raw && !single {
			line += " | jq -Rs ."
		}
		exports, inputs = append(exports, line), append(inputs, "input as "+jqName(o.Name))
	}
	switch {
	case single && raw:
		return exports[0] + " | jq -Rs " + shellQuoted(filter), nil
	case single:
		return exports[0] + " | jq " + shellQuoted(filter), nil
	}
	parts := append(append(inputs, c.kept...), jqName(s.outcome.Name), filter)
	// Numbers that follow one another need the space.
	return "{ " + strings.Join(exports, "; echo; ") + "; } | jq -n " + shellQuoted(strings.Join(parts, " | ")), nil
}

// jqString is text as a string of jq.
func jqString(s string) string {
	text, err := json.Marshal(s)
	if err != nil { // a string has no error
		return `""`
	}
	return string(text)
}
