package ui

import (
	"context"
	"strings"
	"testing"

	"floodmark/history"
)

// people is a screen with a variable of mail addresses and a token in the workbench.
func people(t *testing.T) *screen {
	t.Helper()
	text := chat(toolResult{"people", `{"rows":[` + strings.Repeat(`{"mail":"ana.silva@example.com","n":1},`, 1000) + `{"key":"` + planted + `"}]}`})
	r, err := history.Read(context.Background(), "people", strings.NewReader(text), history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, r)
	s.press("down", "4", "tab")
	return s
}

func TestWhatIsSensitiveInAnAnswerStandsUnderItsFigures(t *testing.T) {
	s := people(t)
	s.filter(".rows[:2], .rows[-1]")
	s.shows("2 results", "looks sensitive: 2 mail addresses at .[].mail, 1 secret (github-")
	s.filter(".rows[-1]")
	s.shows("1 result", "looks sensitive: 1 secret (github-pat) at .key")
	s.filter(".rows | length")
	s.shows("1001")
	s.hides("looks sensitive")
	s.press("i")
	s.shows("prefix ·", "looks sensitive: 12 mail addresses")
}

func TestAnAnswerDoesNotWaitForWhatIsSensitiveInIt(t *testing.T) {
	s := people(t)
	s.hold = "marks"
	s.filter(".rows[0].mail")
	s.shows(`"ana.silva@example.com"`, "1 result")
	s.hides("looks sensitive")
	s.hold = ""
	s.filter(".rows[0].n") // a later answer, in which nothing is
	s.release()
	s.hides("looks sensitive")
}
