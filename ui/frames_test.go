package ui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"floodmark/history"
)

// Every frame that a person is likely to see, as it is. The keys lead to it from the start.
func TestFrames(t *testing.T) {
	toList := []string{"down"} // from whoami to list_expenses
	for _, c := range []struct {
		name string
		w, h int
		th   func() *theme
		keys []string
	}{
		{"message-40x12", 40, 12, monoTheme, nil},
		{"list-60x20", 60, 20, monoTheme, toList},
		{"inline-60x20", 60, 20, monoTheme, []string{"down", "enter", "2"}},
		{"original-80x24", 80, 24, monoTheme, toList},
		{"inline-80x24", 80, 24, monoTheme, []string{"down", "2"}},
		{"schema-80x24", 80, 24, monoTheme, []string{"down", "3"}},
		{"variable-80x24", 80, 24, monoTheme, []string{"down", "4"}},
		{"why-80x24", 80, 24, monoTheme, []string{"down", "5"}},
		{"context-80x24", 80, 24, monoTheme, []string{"down", "6"}},
		{"values-80x24", 80, 24, monoTheme, []string{"down", "7", "tab", "down"}},
		{"values-120x40-colour", 120, 40, colourTheme, []string{"down", "7", "tab"}},
		{"help-80x24", 80, 24, monoTheme, []string{"?"}},
		{"original-120x40", 120, 40, monoTheme, toList},
		{"inline-120x40-colour", 120, 40, colourTheme, []string{"down", "2"}},
		{"why-flood-120x40-colour", 120, 40, colourTheme, []string{"down", "down", "down", "down", "down", "down", "5"}},
		{"what-if-120x40-colour", 120, 40, colourTheme, []string{"down", "5", "t", "2", "0", "0", "0", "0", "enter"}},
		{"filter-wrong-120x40", 120, 40, monoTheme, []string{"down", ":", ".", "e", "x", "p", "e", "n", "s", "e", "s", "[", "0", "]", "enter", ":", "|"}},
		{"offers-120x40", 120, 40, monoTheme, []string{"down", ":", ".expenses", "[", "]", ".c"}},
		{"offers-80x24-colour", 80, 24, colourTheme, []string{"down", ":", ".expenses", "|", "gro"}},
		{"starters-120x40-colour", 120, 40, colourTheme, []string{"down", "4", "tab", "S", "down"}},
		{"folded-80x24", 80, 24, monoTheme, []string{"down", "4", "tab", "down", "down", "z"}},
		{"table-120x40", 120, 40, monoTheme, []string{"down", ":", ".expenses", "enter", "v", ">", "o"}},
		{"ledger-120x40-colour", 120, 40, colourTheme, []string{"down", "4", "tab", "i", "d", "#", ":", ".", "enter", ":", "ctrl+u", ".total", "enter", "L"}},
		{"inspection-120x40-colour", 120, 40, colourTheme, []string{"down", "4", "tab", "i", "d", "#", ":", ".", "enter", ":", "ctrl+u", ".expenses[:3]", "enter", "v"}},
		{"hostile-120x40", 120, 40, monoTheme, []string{"end", "up"}},
		{"other-policy-120x40", 120, 40, monoTheme, []string{"down", "5", "p"}},
		{"conversations-120x40", 120, 40, monoTheme, []string{"c"}},
		{"compare-80x24", 80, 24, monoTheme, []string{"down", "C", "down"}},
		{"compare-120x40-colour", 120, 40, colourTheme, []string{"down", "C", "n", "down"}},
		{"faults-80x24", 80, 24, monoTheme, []string{"!", "down"}},
		{"faults-120x40-colour", 120, 40, colourTheme, []string{"!", "end", "up"}},
		{"inline-answer-120x40", 120, 40, monoTheme, []string{"down", "down", "2"}},
		{"tune-60x16", 60, 16, monoTheme, []string{"s", "right"}},
		{"tune-80x24", 80, 24, monoTheme, []string{"s", "enter", "1", "6", "k", "enter"}},
		{"tune-plots-80x24", 80, 24, monoTheme, []string{"s", "v", "left"}},
		{"tune-120x40-colour", 120, 40, colourTheme, []string{"s", "enter", "1", "6", "k", "enter", "tab"}},
		{"tune-override-120x40-colour", 120, 40, colourTheme, []string{"p", "s", "t", "o", "left", "left", "g", "W", "1", "0", "0", "k", "enter"}},
		{"tune-200x60-colour", 200, 60, colourTheme, []string{"p", "s", "down", "right", "right"}},
		{"tune-ascii-80x24", 80, 24, asciiTheme, []string{"s", "v", "right"}},
		{"context-200x60", 200, 60, monoTheme, []string{"down", "6"}},
		{"ascii-80x24", 80, 24, func() *theme { return newTheme(termenv.Ascii, true, false) }, []string{"end", "up"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScreen(t, c.w, c.h, c.th(), sampleRecording())
			s.press(c.keys...)
			golden(t, c.name, s.frame())
		})
	}
}

// Whatever is typed, at whatever size, the frame fits the screen and nothing breaks.
func TestRandomKeysNeverBreakTheFrame(t *testing.T) {
	t.Chdir(t.TempDir()) // a key writes results to files
	seed := uint64(20261130)
	if os.Getenv("FLOODMARK_SEED") != "" {
		fmt.Sscan(os.Getenv("FLOODMARK_SEED"), &seed)
	}
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var keys []string
	for _, b := range bindings {
		for _, k := range b.keys {
			if b.action != quit {
				keys = append(keys, k)
			}
		}
	}
	keys = append(keys, "a", "x", "7", "é", "日", "\"", ".expenses[]", "backspace")
	screens := 45
	if testing.Short() {
		screens = 15
	}
	for range screens {
		w, h := 1+r.IntN(220), 1+r.IntN(70)
		s := newScreen(t, w, h, []*theme{monoTheme(), colourTheme(), newTheme(termenv.Ascii, true, false)}[r.IntN(3)], sampleRecording(), anotherRecording())
		s.hold = "play"
		for range 45 {
			switch r.IntN(12) {
			case 0:
				s.send(tea.WindowSizeMsg{Width: r.IntN(200), Height: r.IntN(60)})
			default:
				s.press(keys[r.IntN(len(keys))])
			}
			s.frame()
		}
	}
}

func TestTheSmallestScreensShowAMessage(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {1, 1}, {2, 1}, {1, 2}, {5, 3}, {59, 16}, {60, 15}, {40, 12}} {
		s := newScreen(t, size[0], size[1], monoTheme(), sampleRecording())
		s.frame()
		s.press("down", "?", "q")
		if !s.quit {
			t.Errorf("q does not quit at %d×%d", size[0], size[1])
		}
	}
}

// anotherRecording has two small conversations, the first without any result.
func anotherRecording() *history.Recording {
	r := &history.Recording{Name: "logs/second.jsonl", Format: "claude-code"}
	for i := range 2 {
		main := &history.Thread{Name: history.Main}
		c := &history.Conversation{ID: fmt.Sprint("s", i), File: r.Name, Format: r.Format, Ordinal: i, Threads: []*history.Thread{main}}
		step := &history.Step{Number: 1, Text: history.Of("Nothing to do.")}
		if i == 1 {
			step.Calls = []*history.Call{{ID: "toolu_1", Tool: "Bash", Arguments: history.Of(`{"command":"date"}`),
				Result: &history.Result{Payload: history.Of("Mon Nov 30\n")}}}
			sub := &history.Thread{Name: "agent-1", Agent: "Explore"}
			sub.Turns = []*history.Turn{{Number: 1, Prompt: history.Of("Look around"), Steps: []*history.Step{{Number: 1, Text: history.Of("Done.")}}}}
			c.Threads = append(c.Threads, sub)
		}
		main.Turns = []*history.Turn{{Number: 1, Prompt: history.Of("hello"), Steps: []*history.Step{step}}}
		r.Conversations = append(r.Conversations, c)
	}
	return r
}
