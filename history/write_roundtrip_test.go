package history

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A keeps says what a format has a place for, beside calls, results and their order.
type keeps struct {
	errors    bool // which results are errors
	answers   bool // which errors are a tool's answer, MCP's way
	providers bool // which calls the provider ran
	words     bool // prompts, the model's text, turns and steps without calls
	system    bool // system prompts and tool definitions
	titles    bool
	media     bool // what parts that are not text are called, MCP's structured content, free text as arguments
	threads   bool // subagents, and compaction
	alone     bool // no id counts as used again: a subagent's was used in the main thread, which is elsewhere now
}

// kept is what each format keeps of its own recordings.
var kept = map[string]keeps{
	"openai-chat":        {words: true, system: true, titles: true, media: true},
	"openai-responses":   {errors: true, answers: true, providers: true, words: true, system: true, media: true},
	"anthropic-messages": {errors: true, answers: true, providers: true, words: true, system: true, titles: true, media: true},
	"claude-code":        {errors: true, answers: true, providers: true, words: true, titles: true, media: true, threads: true},
	"mcp-jsonrpc":        {errors: true, answers: true, system: true, media: true},
	"gemini-contents":    {errors: true, words: true, system: true, media: true},
}

// portrait describes what was recorded, one line for each thing, as far as k keeps it.
func portrait(t *testing.T, k keeps, list []chapter) []string {
	t.Helper()
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for i, c := range list {
		say("conversation %d", i)
		if k.words {
			say("model %q", c.Model)
		}
		if k.titles {
			say("title %q", c.Title)
		}
		for _, th := range c.threads {
			if k.threads {
				say("thread %q agent %q", th.Name, th.Agent)
			}
			if k.system {
				parts := partList(t, k, th.System)
				slices.Sort(parts)
				say("system %s", parts)
			}
			ranks := arrivalRanks(th)
			for _, u := range th.Turns {
				if k.words {
					say("turn %d %s compacted %v", u.Number, partList(t, k, u.Prompt), u.Compacted && k.threads)
				}
				for _, s := range u.Steps {
					if k.words {
						say("step %d %s", s.Number, partList(t, k, s.Text))
					} else if len(s.Calls) > 0 {
						say("step")
					}
					for _, call := range s.Calls {
						say("%s", callLine(t, k, call, ranks))
					}
				}
			}
		}
	}
	return out
}

func callLine(t *testing.T, k keeps, c *Call, ranks map[*Call]int) string {
	t.Helper()
	lasting := c.Flags & (NoResult | OrphanResult | ResultBeforeCall | RepeatedResult | IDReused)
	if k.alone {
		lasting &^= IDReused
	}
	if k.media {
		lasting |= c.Flags & InvalidArguments
	}
	if k.providers {
		lasting |= c.Flags & ProviderExecuted
	}
	line := fmt.Sprintf("call %q %s(%s) %v", c.ID, c.Tool, partList(t, k, c.Arguments), lasting.Names())
	if !c.made() {
		line = fmt.Sprintf("call %q %v", c.ID, lasting.Names()) // the tool is not in every format
	}
	r := c.Result
	if r == nil {
		return line
	}
	parts := partList(t, k, r.Payload)
	if r.Failed && !k.words {
		parts = []string{strings.Join(parts, "")} // an error message is one text
	}
	line += fmt.Sprintf(" arrived %d = %s", ranks[c], parts)
	if r.Structured != nil && k.media {
		line += fmt.Sprintf(" structured %s", partList(t, k, *r.Structured))
	}
	if k.errors {
		line += fmt.Sprintf(" error %v", r.Error)
	}
	if k.answers {
		line += fmt.Sprintf(" failed %v", r.Failed)
	}
	return line
}

// partList lists the parts of p: texts as they are, without empty ones, and what else there is by name
// and size.
func partList(t *testing.T, k keeps, p Payload) []string {
	t.Helper()
	var list []string
	for _, q := range p.Parts() {
		text, err := q.Text()
		switch {
		case err != nil:
			t.Fatal(err)
		case q.Kind != Text:
			if k.media {
				list = append(list, fmt.Sprintf("<%s %s %d>", q.Kind, q.Media, q.Blob))
			}
		case len(text) > 0:
			list = append(list, fmt.Sprintf("%q", text))
		}
	}
	return list
}

// arrivalRanks are the results of a thread by the order of their arrival.
func arrivalRanks(th *Thread) map[*Call]int {
	var calls []*Call
	for _, u := range th.Turns {
		for _, s := range u.Steps {
			for _, c := range s.Calls {
				if c.Result != nil {
					calls = append(calls, c)
				}
			}
		}
	}
	slices.SortStableFunc(calls, func(a, b *Call) int { return a.Result.Arrival - b.Result.Arrival })
	ranks := map[*Call]int{}
	for i, c := range calls {
		ranks[c] = i
	}
	return ranks
}

// rewrite writes conversations and reads them back.
func rewrite(t *testing.T, f WriteFormat, list []*Conversation) (*Recording, string) {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f, list, WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	rec, err := Read(context.Background(), "again", strings.NewReader(b.String()), Options{})
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, b.String())
	}
	if rec.Format != f.Name {
		t.Errorf("it is recognised as %s, because of %s", rec.Format, rec.Reason)
	}
	for _, p := range rec.Problems {
		t.Errorf("line %d: %s", p.At.Line, p.Reason)
	}
	return rec, b.String()
}

// roundTrip holds that what is written in f is read as it was before.
func roundTrip(t *testing.T, f WriteFormat, list []*Conversation) {
	t.Helper()
	k := kept[f.Name]
	if list[0].Format != f.Name { // a conversion
		k.media, k.answers, k.providers, k.threads = false, false, false, false
		k.errors = k.errors && f.Name != "openai-responses"
	}
	for _, c := range list {
		k.alone = k.alone || len(c.Threads) > 1 && !f.Threads
	}
	rec, text := rewrite(t, f, list)
	want := portrait(t, k, chapters(f, list))
	got := portrait(t, k, chapters(f, rec.Conversations))
	if strings.Count(text, "\n") > 1 { // JSON Lines: a line break between values is a space
		flat := strings.NewReplacer(`\n`, " ", `\r`, " ")
		for i := range want {
			want[i] = flat.Replace(want[i])
		}
		for i := range got {
			got[i] = flat.Replace(got[i])
		}
	}
	differ(t, got, want)
}

func differ(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			at := 0
			for at < min(len(g), len(w)) && g[at] == w[at] {
				at++
			}
			from := max(0, at-120)
			t.Errorf("line %d, byte %d:\ngot  %.400s\nwant %.400s", i, at, g[from:], w[from:])
			return
		}
	}
}

// everyRecording gives each built-in recording, and each below the folder of real ones.
func everyRecording(t *testing.T, visit func(t *testing.T, rec *Recording)) {
	t.Helper()
	builtIn(t, visit)
	root := realRecordings(t)
	list, _ := Open(context.Background(), root, Options{})
	for _, rec := range list {
		name, _ := filepath.Rel(root, rec.Name)
		t.Run(name, func(t *testing.T) { visit(t, rec) })
	}
}

func builtIn(t *testing.T, visit func(t *testing.T, rec *Recording)) {
	t.Helper()
	built := os.DirFS("../fixtures")
	names, err := fs.Glob(built, "*.json*")
	if err != nil || len(names) == 0 {
		t.Fatal("no built-in recordings", err)
	}
	for _, name := range names {
		t.Run("fixtures/"+name, func(t *testing.T) {
			rec, err := OpenFS(context.Background(), built, name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			visit(t, rec)
		})
	}
}

func TestWritingARecordingInItsOwnFormatAndReadingItGivesTheSame(t *testing.T) {
	seen := map[string]bool{}
	everyRecording(t, func(t *testing.T, rec *Recording) {
		f := WriteFormatOf(rec.Format)
		seen[rec.Format] = true
		roundTrip(t, f, rec.Conversations)
	})
	for _, f := range WriteFormats() {
		if !seen[f.Name] {
			t.Errorf("no recording is %s", f.Name)
		}
	}
}

func TestABuiltInRecordingCanBeConvertedToEveryFormat(t *testing.T) {
	builtIn(t, func(t *testing.T, rec *Recording) {
		for _, f := range WriteFormats() {
			list := rec.Conversations
			if !f.Many {
				list = list[:1]
			}
			if f.Holds(list) { // a log of MCP has no place for subagents
				t.Run(f.Name, func(t *testing.T) { roundTrip(t, f, list) })
			}
		}
	})
}
