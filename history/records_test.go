package history

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// textRecords reads a text twice, from memory and in small pieces, and lists what it found as
// "line@offset raw"; problems as "line@offset reason".
func textRecords(t *testing.T, text string) (records, problems []string) {
	t.Helper()
	src := memorySource("m", []byte(text))
	for _, pieces := range []bool{false, true} {
		r, err := newRecordReader(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		if pieces {
			r.r, r.buf = &oneByOne{src.memory}, make([]byte, 0, 1)
		}
		var recs, probs []string
		r.problem = func(at Location, reason string) {
			probs = append(probs, fmt.Sprintf("%d@%d %s", at.Line, at.Offset, reason))
		}
		for rec := range r.all() {
			at := rec.at()
			line := fmt.Sprintf("%d@%d %s", at.Line, at.Offset, rec.raw())
			if rec.partial {
				line = fmt.Sprintf("%d@%d partial with %d nodes", at.Line, at.Offset, len(rec.d.nodes))
			}
			recs = append(recs, line)
		}
		if r.failed != nil {
			t.Fatal(r.failed)
		}
		if pieces && (!slices.Equal(recs, records) || !slices.Equal(probs, problems)) {
			t.Errorf("%q: in one piece %q %q, byte by byte %q %q", text, records, problems, recs, probs)
		}
		records, problems = recs, probs
	}
	return records, problems
}

type oneByOne struct{ p []byte }

func (o *oneByOne) Read(p []byte) (int, error) {
	if len(o.p) == 0 {
		return 0, io.EOF
	}
	p[0], o.p = o.p[0], o.p[1:]
	return 1, nil
}

func TestRecordsAreFound(t *testing.T) {
	for _, c := range []struct {
		name, text        string
		records, problems []string
	}{
		{"a document", `{"a":1}`, []string{`1@0 {"a":1}`}, nil},
		{"a document over several lines", "\n{\n \"a\":\n1}\n", []string{"2@1 {\n \"a\":\n1}"}, nil},
		{"lines", "{}\n[]\n", []string{"1@0 {}", "2@3 []"}, nil},
		{"lines with CRLF and blank ones", "{}\r\n\r\n[1]\r\n", []string{"1@0 {}", "3@6 [1]"}, nil},
		{"values on one line", "{} {}[1]\n{}", []string{"1@0 {}", "1@3 {}", "1@5 [1]", "2@9 {}"}, nil},
		{"values over several lines", "{\n}\n{\n}", []string{"1@0 {\n}", "3@4 {\n}"}, nil},
		{"a byte order mark is not counted", "\ufeff{}", []string{"1@0 {}"}, nil},
		{"chatter before the first value", "starting [ok]\n\n{\n}\n", []string{"3@15 {\n}"}, nil},
		{"chatter on the same line", "Loading... {\"a\":\n1}", []string{"1@11 {\"a\":\n1}"}, nil},
		{"a log's prefix", "12:00 [info] {\"a\":1}\n12:01 [info] {\"a\":2}\n",
			[]string{`1@13 {"a":1}`, `2@34 {"a":2}`}, nil},
		{"a bad line in the middle", "{}\n{\"a\":tru}\n{}\n", []string{"1@0 {}", "3@13 {}"},
			[]string{"2@8 a word is neither true, false nor null"}},
		{"text in the middle", "{}\n  oops\n{}\n", []string{"1@0 {}", "3@10 {}"}, []string{"2@5 the line is neither a JSON object nor an array"}},
		{"a line cut inside a string", "{}\n{\"a\":\"b\n{}\n", []string{"1@0 {}", "3@11 {}"}, []string{"2@10 the line ends inside a string"}},
		{"a line cut between two tokens", "{}\n{\"a\":\n{}\n{}\n", []string{"1@0 {}", "3@9 {}", "4@12 {}"}, []string{"2@8 the line ends inside a value"}},
		{"a first line cut between two tokens", "{\"a\":1,\n{\"b\":2}\n{}\n", []string{`2@8 {"b":2}`, "3@16 {}"},
			[]string{"1@7 the line ends inside a value"}},
		{"a damaged value over several lines between others", "{}\n{\n \"a\":,\n \"b\":{}\n}\n{}\n", []string{"1@0 {}", "6@22 {}"},
			[]string{"3@10 a value is missing"}},
		{"the last line but one cut between two tokens", "{}\n{\"a\":[\n{}\n", []string{"1@0 {}", "3@10 {}"}, []string{"2@9 the line ends inside a value"}},
		{"a cut last line", "{}\n{\"a\":[1,2", []string{"1@0 {}"}, []string{"2@12 the text ends inside a value"}},
		{"a last line cut inside a string", "{}\n{\"a\":\"b", []string{"1@0 {}"}, []string{"2@10 the text ends inside a string"}},
		{"a raw NUL in a line", "{}\n{\"a\":\"\x00\"}\n\x00\x00\n{}", []string{"1@0 {}", "4@16 {}"},
			[]string{"2@9 a control character stands unescaped in a string", "3@13 the line is neither a JSON object nor an array"}},
		{"a document that was cut keeps its complete elements", `{"messages":[{"a":1},{"b":2},{"c":"d`, []string{"1@0 partial with 9 nodes"},
			[]string{"1@36 the text ends inside a string"}},
		{"also of lists in a list", `[{"messages":[{"a":1},{"b":`, []string{"1@0 partial with 7 nodes"}, []string{"1@27 the text ends inside a value"}},
		{"also over several lines", "[\n{},\n{}\n", []string{"1@0 partial with 3 nodes"}, []string{"3@9 the text ends inside a value"}},
		{"a damaged document over several lines keeps what stands before", "[\n {},\n {\"a\"},\n {}\n]\n{}\n", []string{"1@0 partial with 2 nodes", "6@21 {}"},
			[]string{"3@12 a colon is missing after a key"}},
		{"a cut document without a complete element has nothing", `{"messages":[{"a":`, nil, []string{"1@18 the text ends inside a value"}},
	} {
		records, problems := textRecords(t, c.text)
		if !slices.Equal(records, c.records) || !slices.Equal(problems, c.problems) {
			t.Errorf("%s: %q\ngot  %q %q\nwant %q %q", c.name, c.text, records, problems, c.records, c.problems)
		}
	}
}

func TestTryingAgainStaysLinear(t *testing.T) {
	text := "{}\n" + strings.Repeat("[\n", 200_000)
	r, err := newRecordReader(context.Background(), memorySource("m", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range r.all() {
		n++
	}
	if n != 1 || r.wasted > maxWasted+2*int64(len(text)) {
		t.Errorf("%d records, %d bytes scanned in vain", n, r.wasted)
	}
}

func TestCutAnywhereKeepsWhatWasBefore(t *testing.T) {
	var lines, messages strings.Builder
	var before []int // where each line's result is complete, by offset
	messages.WriteString(`{"messages":[{"role":"user","content":"hi"}`)
	var complete []int
	for i := range 12 {
		fmt.Fprintf(&lines, "{\"messages\":%s}\n", chatOf(fmt.Sprintf("result %d", i)))
		before = append(before, lines.Len()-1)
		fmt.Fprintf(&messages, ",\n {\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c%d\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},\n {\"role\":\"tool\",\"tool_call_id\":\"c%d\",\"content\":\"result %d\"}", i, i, i)
		complete = append(complete, messages.Len())
	}
	messages.WriteString("]}")
	for _, c := range []struct {
		text string
		ends []int
	}{{lines.String(), before}, {messages.String(), complete}} {
		for cut := 97; cut < len(c.text); cut += 97 {
			want := 0
			for _, end := range c.ends {
				if end <= cut {
					want++
				}
			}
			rec, err := Read(context.Background(), "-", strings.NewReader(c.text[:cut]), Options{})
			if err != nil {
				if want > 0 {
					t.Fatalf("cut at %d: %v", cut, err)
				}
				continue
			}
			got := results(t, rec)
			// Of lines, the first one alone may keep a result although its end is missing.
			if len(got) < want || len(got) > want+1 {
				t.Fatalf("cut at %d: %d results, want %d", cut, len(got), want)
			}
			for i, r := range got {
				if r != fmt.Sprintf("result %d", i) {
					t.Fatalf("cut at %d: result %d is %q", cut, i, r)
				}
			}
			if c.text[cut] != '\n' && c.text[cut-1] != '\n' && len(rec.Problems) != 1 {
				t.Fatalf("cut at %d: problems %v", cut, rec.Problems)
			}
		}
	}
}

func TestLongLinesHaveNoLimit(t *testing.T) {
	want := strings.Repeat("0123456789abcdef\n", 20<<20/17)
	text := chatOf("small") + "\n" + chatOf(want) + "\n" + chatOf("behind") + "\n"
	got := results(t, readText(t, text))
	if len(got) != 3 || got[0] != "small" || got[1] != want || got[2] != "behind" {
		t.Errorf("%d results", len(got))
	}
}

func TestDeepPayloadsAreOrdinary(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	text := strings.Replace(chatOf("x"), `"content":"x"`, `"content":`+deep, 1)
	if got := results(t, readText(t, text)); len(got) != 1 || got[0] != deep {
		t.Errorf("%d results", len(got))
	}
}

func TestLocationsPointAtThePayload(t *testing.T) {
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, []byte(chatOf("tëxt")), "", "  "); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{chatOf("tëxt"), pretty.String(), "\n\n" + chatOf("tëxt"), "{\"messages\":" + chatOf("tëxt") + "}\n{\"messages\":[]}\n"} {
		call := onlyCall(t, readText(t, "\ufeff"+text))
		at := call.Result.At
		if !strings.HasPrefix(text[at.Offset:], `"tëxt"`) {
			t.Errorf("at offset %d stands %.20q", at.Offset, text[at.Offset:])
		}
		if want := 1 + strings.Count(text[:at.Offset], "\n"); at.Line != want {
			t.Errorf("line %d, want %d", at.Line, want)
		}
		if !strings.HasPrefix(text[call.At.Offset:], "{") || call.At.Offset >= at.Offset {
			t.Errorf("the call is at %d, its result at %d", call.At.Offset, at.Offset)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range scanSeeds {
		f.Add([]byte(s))
	}
	f.Add([]byte(chatOf("x")))
	f.Add([]byte(`{"input":"hi","instructions":"i"}` + "\n" + `{"output":[{"type":"mcp_call","id":"1","name":"n","output":"\ud800"}]}`))
	f.Add([]byte("x {\n[{\"role\":\"tool\"},{\"type\":\"_call_output\",\"id\":0}]\n"))
	f.Fuzz(func(t *testing.T, p []byte) {
		rec, err := Read(context.Background(), "f", bytes.NewReader(p), Options{})
		if err != nil {
			if e, ok := err.(*OpenError); !ok || e.Reason == "" || strings.Contains(e.Reason, "\n") {
				t.Fatalf("not one clear line: %v", err)
			}
			return
		}
		for _, c := range rec.Conversations {
			for _, call := range c.Calls() {
				if call.Result == nil {
					continue
				}
				b, err := call.Result.Payload.Bytes()
				if err != nil {
					t.Fatal(err)
				}
				if Measure(b) != call.Result.Payload.Size() {
					t.Fatalf("measured %+v, has %+v", call.Result.Payload.Size(), Measure(b))
				}
			}
		}
	})
}
