package ui

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
	"floodmark/history"
)

// tuneConversation has results in batches of one to three, sizes log-normal with a median of 911 bytes,
// most of them JSON, always the same.
func tuneConversation(results int) *history.Conversation {
	c := &history.Conversation{ID: "c", File: "corpus.jsonl", Format: "openai-chat"}
	main := &history.Thread{Name: history.Main}
	c.Threads = []*history.Thread{main}
	r := rand.New(rand.NewPCG(3, 4))
	for n := 0; n < results; {
		turn := &history.Turn{Number: len(main.Turns) + 1, Prompt: history.Of("go on")}
		for s := range 5 {
			step := &history.Step{Number: s + 1}
			for range 1 + r.IntN(3) {
				size := int(math.Min(911*math.Exp(1.5*r.NormFloat64()), 1e5))
				var b strings.Builder
				if n%4 > 0 {
					b.WriteString(`[{"id":0}`)
					for b.Len() < size {
						fmt.Fprintf(&b, `,{"id":%d,"name":"row","amount":%d.5}`, r.IntN(1e6), r.IntN(1000))
					}
					b.WriteString("]")
				} else {
					b.WriteString(strings.Repeat("a line of a log\n", size/16+1))
				}
				step.Calls = append(step.Calls, &history.Call{ID: fmt.Sprint("call_", n), Tool: fmt.Sprint("tool_", n%20), Arguments: history.Of("{}"), Order: n,
					Result: &history.Result{Payload: history.Of(b.String()), Arrival: n}})
				n++
			}
			turn.Steps = append(turn.Steps, step)
		}
		main.Turns = append(main.Turns, turn)
	}
	return c
}

// tuneOf100000 shows a corpus of 100,000 results in Tune.
func tuneOf100000(b *testing.B, w, h int) *explorer {
	b.Helper()
	r := &history.Recording{Name: "corpus.jsonl", Format: "openai-chat", Conversations: []*history.Conversation{tuneConversation(1000)}}
	s := newScreen(b, w, h, colourTheme(), r)
	for s.e.session.policy.Name != "trueforge" {
		s.press("p")
	}
	s.press("s")
	t := s.e.tune
	parts := make([]*engine.Corpus, 0, 100)
	for n := 0; n < 100_000; n += t.facts.corpus.Len() {
		parts = append(parts, t.facts.corpus)
	}
	all, err := engine.MergeFacts(parts...)
	if err != nil {
		b.Fatal(err)
	}
	many := *t.facts
	many.corpus = all
	t.take(&many)
	s.run(s.e.followTune())
	if n := t.facts.corpus.Len(); n < 100_000 {
		b.Fatalf("%d results", n)
	}
	return s.e
}

// BenchmarkTuneSlider moves a setting and draws the screen: the budget is a frame of 16 ms.
func BenchmarkTuneSlider(b *testing.B) {
	e := tuneOf100000(b, 200, 60)
	left, right := tea.KeyMsg{Type: tea.KeyLeft}, tea.KeyMsg{Type: tea.KeyRight}
	for i := 0; b.Loop(); i++ {
		k := left
		if i/10%2 == 1 {
			k = right
		}
		e.Update(k)
		if len(e.View()) == 0 {
			b.Fatal("nothing is drawn")
		}
	}
	if len(e.tune.flips.list) == 0 && !e.tune.changed() {
		b.Fatal("nothing was tuned")
	}
}

// BenchmarkTuneView draws the screen only.
func BenchmarkTuneView(b *testing.B) {
	e := tuneOf100000(b, 200, 60)
	e.Update(tea.KeyMsg{Type: tea.KeyLeft})
	for b.Loop() {
		if len(e.View()) == 0 {
			b.Fatal("nothing is drawn")
		}
	}
}
