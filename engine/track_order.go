package engine

import (
	"cmp"
	"math"
	"slices"

	"floodmark/history"
)

// An event is something that enters a conversation: words, a response's calls, or the results of a
// response.
type event struct {
	key     int // threads are woven together by it
	thread  *history.Thread
	turn    int
	step    *history.Step // nil for words
	words   string        // see Origin.Words
	payload history.Payload
	calls   []*Outcome // of a response, which make its arguments
	results []*Outcome // of a response before
	// compacted: the history was replaced before it.
	compacted bool
}

// order lists what happened in the order in which it did, as far as the recording tells: calls in call
// order, a subagent's between the call that started it and that call's result.
func (k *tracker) order() []event {
	var all []event
	steps := k.run.Steps
	for _, t := range k.r.conv.Threads {
		keys := stepKeys(t)
		i, at := 0, 0
		var results []*Outcome
		add := func(e event) {
			if i < len(keys) {
				at = keys[i]
			} else {
				at = math.MaxInt
			}
			e.key, e.thread = at, t
			all = append(all, e)
		}
		flush := func() {
			if results != nil {
				add(event{results: results})
				results = nil
			}
		}
		add(event{words: "system", payload: t.System})
		for _, u := range t.Turns {
			flush()
			add(event{turn: u.Number, words: "prompt", payload: u.Prompt, compacted: u.Compacted})
			if !t.Subagent() && u.Number > 0 && u.Prompt.Size().Bytes > 0 {
				k.words = true
			}
			for _, s := range u.Steps {
				flush()
				add(event{turn: u.Number, words: "summary", payload: s.Summary})
				add(event{turn: u.Number, step: s, payload: s.Text, calls: steps[0].Calls, compacted: s.Compacted})
				results, steps = steps[0].Calls, steps[1:]
				i++
			}
		}
		flush()
	}
	slices.SortStableFunc(all, func(a, b event) int { return cmp.Compare(a.key, b.key) })
	return all
}

// stepKeys gives each step of a thread the order of its first call, one without calls that of the next.
func stepKeys(t *history.Thread) []int {
	var keys []int
	for _, u := range t.Turns {
		for _, s := range u.Steps {
			key := math.MaxInt
			for _, c := range s.Calls {
				key = min(key, c.Order)
			}
			keys = append(keys, key)
		}
	}
	for i := len(keys) - 2; i >= 0; i-- {
		keys[i] = min(keys[i], keys[i+1])
	}
	return keys
}
