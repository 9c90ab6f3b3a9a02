package ui

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"floodmark/engine"
	"floodmark/history"
	"floodmark/store"
)

var update = flag.Bool("update", false, "rewrite the golden frames")

// A screen drives the explorer as the terminal would, without one: keys in, frames out. Jobs run at
// once, one after another.
type screen struct {
	t testing.TB
	e *explorer
	// hold keeps the answers of this kind of job back.
	hold jobKind
	held []tea.Msg
	quit bool
}

// builtinPolicies are all of them. Reading them takes longer than most tests; nothing changes a policy in its place.
var builtinPolicies = sync.OnceValues(func() (policies []*engine.Policy, err error) {
	for _, name := range engine.Builtin() {
		p, err := engine.Load(name)
		if err != nil {
			return nil, err
		}
		policies = append(policies, p)
	}
	return policies, nil
})

// newScreen shows recordings on a screen of w×h cells.
func newScreen(t testing.TB, w, h int, th *theme, recordings ...*history.Recording) *screen {
	t.Helper()
	policies, err := builtinPolicies()
	if err != nil {
		t.Fatal(err)
	}
	policies = slices.Clone(policies)
	s := &session{policies: policies}
	s.choose(policyNumber(t, policies, "moveworks"))
	s.openStore = func() (*store.Store, string, error) {
		st, err := store.Temporary()
		return st, "a private temporary store", err
	}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	at := time.Unix(0, 0)
	d := &deps{theme: th, jobs: newJobs(context.Background()), session: s,
		wait: func(ctx context.Context, _ time.Duration) bool { return ctx.Err() == nil },
		now:  func() time.Time { return at },
	}
	in := make(chan found, len(recordings))
	for _, r := range recordings {
		in <- found{recording: r}
	}
	close(in)
	c := &screen{t: t, e: newExplorer(d, "test", in)}
	c.send(tea.WindowSizeMsg{Width: w, Height: h})
	c.run(c.e.Init())
	return c
}

func policyNumber(t testing.TB, policies []*engine.Policy, name string) int {
	t.Helper()
	for i, p := range policies {
		if p.Name == name {
			return i
		}
	}
	t.Fatalf("no policy %s", name)
	return 0
}

func (c *screen) send(m tea.Msg) {
	if j, ok := m.(jobMsg); ok && j.kind == c.hold {
		c.held = append(c.held, m)
		return
	}
	_, cmd := c.e.Update(m)
	c.run(cmd)
}

// run carries a command out, and everything that follows from it.
func (c *screen) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch m := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, next := range m {
			c.run(next)
		}
	case tea.QuitMsg:
		c.quit = true
	default:
		if fmt.Sprintf("%T", m) != "tea.clearScreenMsg" {
			c.send(m)
		}
	}
}

var specialKeys = map[string]tea.KeyType{"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"tab": tea.KeyTab, "enter": tea.KeyEnter, "esc": tea.KeyEsc, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome,
	"end": tea.KeyEnd, "backspace": tea.KeyBackspace, "shift+tab": tea.KeyShiftTab, "ctrl+c": tea.KeyCtrlC, " ": tea.KeySpace, "ctrl+u": tea.KeyCtrlU,
	"shift+left": tea.KeyShiftLeft, "shift+right": tea.KeyShiftRight, "delete": tea.KeyDelete,
	"ctrl+r": tea.KeyCtrlR, "ctrl+l": tea.KeyCtrlL, "f2": tea.KeyF2, "f3": tea.KeyF3}

// press sends keys, each named as in the key table.
func (c *screen) press(keys ...string) {
	for _, k := range keys {
		if t, ok := specialKeys[k]; ok {
			m := tea.KeyMsg{Type: t}
			if k == " " {
				m.Runes = []rune{' '}
			}
			c.send(m)
			continue
		}
		c.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
	}
}

// typeText sends text letter by letter.
func (c *screen) typeText(s string) {
	for _, r := range s {
		c.press(string(r))
	}
}

// frame is what is on the screen, checked.
func (c *screen) frame() string {
	c.t.Helper()
	f := c.e.View()
	checkFrame(c.t, f, c.e.lay.W, c.e.lay.H)
	return f
}

func (c *screen) shows(want ...string) {
	c.t.Helper()
	f := ansi.Strip(c.frame())
	for _, w := range want {
		if !strings.Contains(f, w) {
			c.t.Errorf("the frame does not show %q:\n%s", w, f)
		}
	}
}

func (c *screen) hides(unwanted string) {
	c.t.Helper()
	if f := ansi.Strip(c.frame()); strings.Contains(f, unwanted) {
		c.t.Errorf("the frame shows %q:\n%s", unwanted, f)
	}
}

// checkFrame holds for every frame: as many lines as the screen, each as wide, and no control
// character but those of styles.
func checkFrame(t testing.TB, f string, w, h int) {
	t.Helper()
	if w <= 0 || h <= 0 {
		return
	}
	lines := strings.Split(f, "\n")
	if len(lines) != h {
		t.Fatalf("%d lines on a screen of %d×%d:\n%s", len(lines), w, h, ansi.Strip(f))
	}
	for i, line := range lines {
		if got := width(line); got != w {
			t.Fatalf("line %d is %d cells on a screen of %d×%d: %q", i+1, got, w, h, line)
		}
		if rest := withoutSGR(line); strings.ContainsFunc(rest, func(r rune) bool { return r != 0xfe0f && invisible(r) }) {
			t.Fatalf("line %d holds a control character: %q", i+1, rest)
		}
	}
}

// withoutSGR takes out styles: ESC [ digits and semicolons m.
func withoutSGR(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return b.String() + s
		}
		j := i + 2
		for j < len(s) && (s[j] == ';' || s[j] >= '0' && s[j] <= '9') {
			j++
		}
		if j >= len(s) || s[j] != 'm' {
			return b.String() + s
		}
		b.WriteString(s[:i])
		s = s[j+1:]
	}
}

// golden compares a frame with the one in testdata.
func golden(t *testing.T, name, frame string) {
	t.Helper()
	path := filepath.Join("testdata", "frames", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(frame+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if frame+"\n" != string(want) {
		t.Errorf("the frame is not that of %s (go test ./ui -update rewrites it):\n%s\nwant:\n%s", path, ansi.Strip(frame), ansi.Strip(string(want)))
	}
}

func colourTheme() *theme { return newTheme(termenv.TrueColor, true, true) }

// sampleRecording is a conversation with one of each: small, large and structured, a flood, parallel calls,
// a failed call, one without a result.
func sampleRecording() *history.Recording {
	c := &history.Conversation{ID: "c1", File: "expenses.json", Format: "openai-chat", Model: "gpt-5"}
	r := &history.Recording{Name: c.File, Format: c.Format, Conversations: []*history.Conversation{c}}
	main := &history.Thread{Name: history.Main, System: history.Of("You are a helpful assistant.")}
	c.Threads = []*history.Thread{main}
	order := 0
	call := func(id, tool, args, result string) *history.Call {
		k := &history.Call{ID: id, Tool: tool, Arguments: history.Of(args), Order: order}
		if result != "" {
			k.Result = &history.Result{Payload: history.Of(result), Arrival: order}
		} else {
			k.Flags = history.NoResult
		}
		order++
		return k
	}
	turn := func(prompt string, steps ...*history.Step) {
		for i, s := range steps {
			s.Number = i + 1
		}
		main.Turns = append(main.Turns, &history.Turn{Number: len(main.Turns) + 1, Prompt: history.Of(prompt), Steps: steps})
	}
	words := func(s string) *history.Step { return &history.Step{Text: history.Of(s)} }
	step := func(calls ...*history.Call) *history.Step { return &history.Step{Calls: calls} }

	turn("What did I spend in March?",
		step(call("call_8", "whoami", "{}", `{"employee":"E-1042","name":"Zoë Müller","country":"DE"}`)),
		step(call("call_9", "list_expenses", `{"month":"2026-03"}`, expenseList(500))),
		words("You spent 98,112.00 EUR in March, most of it on travel."))
	turn("Now the same from the old report,\nand the open invoices",
		step(call("call_10", "expense_report", "{}", strings.Repeat("2026-03-01  travel   412.50 EUR  Train to Lyon\n", 900)),
			call("call_11", "invoices", "{}", `{"invoices":[]}`),
			call("call_12", "crm_accounts", "{}", stringified(480))),
		step(call("call_13", "crm_accounts", "{}", "")))
	turn("Is this safe? \x1b[31mred\x1b[0m \u202egnp.exe",
		step(call("call_14", "fetch\x1b]52;c;aGk=\a", "{}", "\x1b[2Jowned \u202e\x9b31m 日本語 ⚠\ufe0f\n")),
		words("No."))
	return r
}

func expenseList(n int) string {
	var b strings.Builder
	b.WriteString(`{"expenses":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"EXP-%05d","employee":"E-1042","category":"%s","amount":%d.50,"currency":"EUR","note":"Train to Lyon, seat %d"}`,
			20931+i, []string{"travel", "meals", "cloud"}[i%3], 10+i, i)
	}
	fmt.Fprintf(&b, `],"total":%d}`, n)
	return b.String()
}

func stringified(n int) string {
	return fmt.Sprintf(`{"data":%q}`, expenseList(n))
}
