package ui

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
	"floodmark/store"
)

// Filters that were run, and those with a name, are kept in the store.

// pastFilters are the filters that can be called back.
type pastFilters struct {
	loaded bool
	past   []store.PastQuery // the last one first
	named  []store.NamedQuery
	at     int    // in past, while one is called back; -1 for the filter that was typed
	typed  string // that filter
}

// variableKey names what is queried in the store.
func variableKey(s selection) store.Key {
	return store.Key{Conversation: s.conv.ID, Policy: s.policy.Name, Name: s.outcome.Name}
}

// filters reads what the store remembers of filters, and opens it where it was not.
func (s *session) filters() (past []store.PastQuery, named []store.NamedQuery, err error) {
	st, _, err := s.variables()
	if st == nil || err != nil {
		return nil, nil, err
	}
	past, err = st.PastQueries()
	named, err2 := st.NamedQueries()
	return past, named, errors.Join(err, err2)
}

// opened tells whether the store is open.
func (s *session) opened() bool {
	s.storeMu.Lock()
	defer s.storeMu.Unlock()
	return s.store != nil
}

// keptOf are the variables that were kept of results in a conversation, where the store is open.
func (s *session) keptOf(sel selection) []store.Variable {
	if !s.opened() {
		return nil
	}
	st, _, err := s.variables()
	if err != nil {
		return nil
	}
	all, err := st.List()
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(v store.Variable) bool {
		return v.Source == "" || v.Conversation != sel.conv.ID || v.Policy != sel.policy.Name
	})
}

// loadHistory reads the filters once the store is open anyway.
func (t *variableTab) loadHistory() tea.Cmd {
	if t.past.loaded || !t.session.opened() {
		return nil
	}
	return t.readHistory(nil)
}

// readHistory reads the filters, and goes on with then.
func (t *variableTab) readHistory(then func() tea.Cmd) tea.Cmd {
	d := t.deps
	return t.jobs.start("history", func(context.Context) answer {
		past, named, err := d.session.filters()
		return func() tea.Cmd {
			if err != nil {
				t.deps.tell("the filters can't be read: " + visible(err.Error()))
			}
			t.past.loaded, t.past.past, t.past.named = true, past, named
			if then != nil {
				return then()
			}
			return nil
		}
	})
}

// remember keeps a filter that was accepted.
func (t *variableTab) remember(filter string) tea.Cmd {
	if strings.TrimSpace(filter) == "" {
		return nil
	}
	q := store.PastQuery{Of: variableKey(t.sel), Filter: filter}
	t.past.past = slices.DeleteFunc(t.past.past, func(p store.PastQuery) bool { return p.Of == q.Of && p.Filter == q.Filter })
	t.past.past = slices.Insert(t.past.past, 0, q)
	d := t.deps
	return t.jobs.start("remember", func(context.Context) answer {
		st, _, err := d.session.variables()
		if st == nil || err != nil {
			return nil // the line above says that there is no store
		}
		if err := st.RememberQuery(q); err != nil {
			return func() tea.Cmd { t.deps.tell(visible(err.Error())); return nil }
		}
		return nil
	})
}

// recall brings back the filter run before (by -1) the one that stands there, or after it.
func (t *variableTab) recall(by int) tea.Cmd {
	past := t.ordered()
	if t.past.at < 0 {
		t.past.typed = t.edit.value()
	}
	at := min(max(t.past.at-by, -1), len(past)-1)
	if at == t.past.at {
		return nil
	}
	t.past.at = at
	if at < 0 {
		t.edit.set(t.past.typed)
	} else {
		t.edit.set(past[at].Filter)
	}
	t.stale, t.kind, t.popup = true, engine.FilterStep, popup{}
	return t.query(typingPause)
}

// ordered are the filters run: those on this variable first, none twice.
func (t *variableTab) ordered() []store.PastQuery {
	own, seen := variableKey(t.sel), map[string]bool{}
	var out []store.PastQuery
	for _, here := range []bool{true, false} {
		for _, q := range t.past.past {
			if (q.Of == own) == here && !seen[q.Filter] {
				seen[q.Filter] = true
				out = append(out, q)
			}
		}
	}
	return out
}

// askName gives the filter a name, or takes one away.
func (t *variableTab) askName() {
	filter := t.edit.value()
	label := "name of the filter: "
	if filter == "" {
		label = "name to take away: "
	}
	t.deps.ask(label, "", func(name string) tea.Cmd {
		if name = strings.TrimSpace(name); name == "" {
			return nil
		}
		d := t.deps
		return t.jobs.start("name", func(context.Context) answer {
			st, _, err := d.session.variables()
			if err == nil && st == nil {
				err = errors.New("there is no store")
			}
			if err == nil {
				err = st.NameQuery(store.NamedQuery{Name: name, Filter: filter})
			}
			return func() tea.Cmd {
				switch {
				case err != nil:
					t.deps.tell("the filter has no name: " + visible(err.Error()))
				case filter == "":
					t.deps.tell("no filter is named " + visible(name) + " now")
				default:
					t.deps.tell("named " + visible(name) + ": " + keyOf(searchHistory, t.theme.ascii, inVariable) + " lists it")
				}
				return t.readHistory(nil)
			}
		})
	})
}
