package ui

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// Completion of field names in a filter: the keys of what the path before the cursor leads to; where
// that is no whole filter, any key of the payload.

// fieldBefore is the field's name being typed, after its dot.
var fieldBefore = regexp.MustCompile(`\.([A-Za-z_][A-Za-z0-9_]*)?$`)

// pathBefore is the path that leads to it.
var pathBefore = regexp.MustCompile(`((?:\.[A-Za-z_][A-Za-z0-9_]*|\[[^\[\]]*\]|\.\[[^\[\]]*\]|\$[A-Za-z_][A-Za-z0-9_]*)*)\.(?:[A-Za-z_][A-Za-z0-9_]*)?$`)

var plainField = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

const (
	maxOffers = 50
	// completeTime ends a path that takes too long to follow.
	completeTime = 300 * time.Millisecond
	maxNodes     = 20_000
)

// complete offers names, and takes the next one each time it is asked again.
func (t *variableTab) complete() tea.Cmd {
	if strings.TrimSpace(t.edit.value()) == "" {
		t.edit.set(wholeFilter)
	}
	text := t.edit.before()
	m := fieldBefore.FindStringSubmatch(text)
	if m == nil || t.data == nil {
		return nil
	}
	if len(t.offers) > 0 {
		t.offered = (t.offered + 1) % len(t.offers)
		t.edit.insert(len(m[1]), t.offers[t.offered])
		t.stale = true
		return t.query(typingPause)
	}
	value := t.data.value
	return t.jobs.start("complete", func(ctx context.Context) answer {
		ctx, cancel := context.WithTimeout(ctx, completeTime)
		defer cancel()
		offers := offers(ctx, value, text, m[1])
		return func() tea.Cmd {
			if len(offers) == 0 || t.edit.before() != text {
				return nil
			}
			t.offers, t.offered = offers, 0
			t.edit.insert(len(m[1]), offers[0])
			t.stale = true
			return t.query(typingPause)
		}
	})
}

// offers lists the keys that begin with typed.
func offers(ctx context.Context, value any, text, typed string) []string {
	keys := map[string]bool{}
	whole := strings.TrimSuffix(text, "."+typed)
	path := ""
	if m := pathBefore.FindStringSubmatch(text); m != nil {
		path = m[1]
	}
	for _, filter := range []string{whole, path} {
		if strings.TrimSpace(filter) == "" {
			filter = wholeFilter
		}
		q, err := engine.Compile(filter)
		if err != nil {
			continue
		}
		n := 0
		_ = q.Run(ctx, value, nil, func(v any) bool {
			if o, ok := v.(map[string]any); ok {
				for k := range o {
					keys[k] = true
				}
			}
			n++
			return n < 100
		})
		if len(keys) > 0 {
			break
		}
	}
	list := matching(keys, typed)
	if len(list) == 0 {
		nodes := 0
		allKeys(value, keys, &nodes)
		list = matching(keys, typed)
	}
	return list
}

func matching(keys map[string]bool, typed string) []string {
	var list []string
	for k := range keys {
		if strings.HasPrefix(k, typed) && plainField.MatchString(k) {
			list = append(list, k)
		}
	}
	slices.Sort(list)
	return list[:min(len(list), maxOffers)]
}

// allKeys collects the keys of a value, as far as maxNodes go.
func allKeys(v any, keys map[string]bool, nodes *int) {
	if *nodes++; *nodes > maxNodes {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for k, w := range v {
			keys[k] = true
			allKeys(w, keys, nodes)
		}
	case []any:
		for _, w := range v {
			allKeys(w, keys, nodes)
		}
	}
}
