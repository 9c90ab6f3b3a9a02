package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/itchyny/gojq"
)

// ask runs a filter over a payload and returns the results, one a line.
func ask(t *testing.T, filter, payload string) (string, error) {
	t.Helper()
	q, err := Compile(filter)
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	input, err := Decode([]byte(payload))
	if err != nil {
		t.Fatalf("%.40s: %v", payload, err)
	}
	results, _, err := q.Collect(context.Background(), input, nil, QueryLimits{}, 0)
	return string(bytes.Join(results, []byte("\n"))), err
}

func TestQueriesGiveWhatJqGives(t *testing.T) {
	tests := []struct{ filter, payload, want string }{
		// Numbers are spelled as in the payload until something is calculated with them.
		{".", `12345678901234567890`, `12345678901234567890`},
		{".", `1.10`, `1.10`},
		{".", `1e1000`, `1e1000`},
		{".", `123456789012345678901234567`, `123456789012345678901234567`},
		{".", `-0`, `-0`},
		{".", `1E+2`, `1E+2`},
		{".a", `{"a":[1.10,2.50]}`, `[1.10,2.50]`},
		{".[] | select(. == 1.1)", `[1.10,1.1,1.2]`, "1.10\n1.1"},
		{"map(. + 1)", `[12345678901234567890,1.5,2]`, `[12345678901234567891,2.5,3]`},
		{"map(. * 2)", `[12345678901234567890,1.5,2,9223372036854775807]`, `[24691357802469135780,3,4,18446744073709551614]`},
		{"add", `[1.10]`, `1.1`},
		{"sort", `[10,9,1.10,1.1,-1,12345678901234567890,1e1000]`, `[-1,1.10,1.1,9,10,12345678901234567890,1e1000]`},
		{"max", `[1e400,12345678901234567890]`, `1e400`},
		{". + 0", `1e1000`, `1.7976931348623157e+308`},
		{"tojson", `{"a":1.10}`, `"{\"a\":1.10}"`},
		{"unique", `[1.10,1.1,1]`, `[1,1.10]`},
		{"-9223372036854775808 * -1", `null`, `9223372036854775808`},
		// Objects.
		{".", `{"b":1,"a":2,"b":3}`, `{"a":2,"b":3}`},
		{"keys", `{"b":1,"a":2}`, `["a","b"]`},
		{".[\"a b\"]", `{"a b":1}`, `1`},
		// Text.
		{".", `"<a>&</a> \u2028é"`, "\"<a>&</a> \u2028é\""},
		{".", `"\u0000\u001b\u007f\u009b\u202e"`, "\"\\u0000\\u001b\\u007f\u009b\u202e\""},
		{".", `"\ud83d\ude00 \ud83d x \ude00"`, "\"😀 \ufffd x \ufffd\""},
		{".", "plain text\n", `"plain text\n"`},
		{"length", "plain text", `10`},
		{".", "", `""`},
		{".", "\xff{", "\"\ufffd{\""},
		{".", "{\"a\":\"\xff\"}", `"{\"a\":\"` + "\ufffd" + `\"}"`},
		{".", `[1,]`, `"[1,]"`},
		{".", `01`, `"01"`},
		{".", `1 2`, `"1 2"`},
		{".", "\ufeff1", "\"\ufeff1\""},
		{".", ` [ ] `, `[]`},
		// What has no place in a library.
		{"env", `null`, `{}`},
		{"$ENV", `null`, `{}`},
		{"$ENV.PATH", `null`, `null`},
		{"debug", `1`, `1`},
		{`debug("x")`, `1`, `1`},
		{"stderr", `1`, `1`},
		{"input_filename", `1`, `null`},
		{"1, halt, 2", `null`, `1`},
		// A blank filter.
		{"", `1`, `1`},
		{" # nothing", `1`, `1`},
		{"empty", `1`, ``},
		// Multiplication is still jq's.
		{`"ab" * 3`, `null`, `"ababab"`},
		{`0 * "ab"`, `null`, `""`},
		{`"ab" * -1`, `null`, `null`},
		{`{"a":{"b":1}} * {"a":{"c":2}}`, `null`, `{"a":{"b":1,"c":2}}`},
		{".a *= 2", `{"a":1.50}`, `{"a":3}`},
		{".[] *= (2, 3)", `[1,2]`, "[2,4]\n[3,6]"},
		{"def f(x): x * x; f(3), (2 * 3 * 4), \"\\(2 * 2)\", {a: (1 * 5)}, ([2] | .[0] * 2), (if 1 * 1 == 1 then 7 * 1 else 0 end)", `null`,
			"9\n24\n\"4\"\n{\"a\":5}\n4\n7"},
		{"reduce (1, 2, 3) as $x (1; . * $x), [foreach (1, 2) as $x (0; . + $x * 2)]", `null`, "6\n[2,6]"},
		{"1.5 * 2, 2 * 1.5, 1.5 * 1.5", `null`, "3\n3\n2.25"},
		{`try ("x" * 1e9) catch .`, `null`, `"a string repeated to 1e+09 bytes is too long: at most 67108864"`},
		{`try ("x" | . *= 1e9) catch .`, `null`, `"a string repeated to 1e+09 bytes is too long: at most 67108864"`},
		{`try ([] * 1) catch .`, `null`, `"cannot multiply: array ([]) and number (1)"`},
	}
	for _, tt := range tests {
		t.Run(tt.filter+" of "+tt.payload, func(t *testing.T) {
			got, err := ask(t, tt.filter, tt.payload)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestAFilterThatStopsItselfWithAnErrorFails(t *testing.T) {
	for filter, want := range map[string]string{
		`"no rows" | halt_error`:             "no rows",
		`"no rows\n" | halt_error`:           "no rows",
		`"no rows" | halt_error(0)`:          "no rows",
		`{"b":1} | halt_error(3)`:            `{"b":1}`,
		`null | halt_error`:                  "halt_error",
		`"" | halt_error`:                    "halt_error",
		`try ("no" | halt_error) catch "ok"`: "no", // nothing catches it
	} {
		got, err := ask(t, filter, "null")
		var failed *DataError
		if !errors.As(err, &failed) || failed.Message != want || got != "" {
			t.Errorf("%s gave %q and %v, want the error %q", filter, got, err, want)
		}
	}
}

func TestAWrongFilterSaysWhereAndWhy(t *testing.T) {
	tests := []struct {
		filter string
		want   QueryError
	}{
		{".a |", QueryError{Offset: 4, Token: "", Message: "the filter is not finished"}},
		{".[", QueryError{Offset: 2, Token: "", Message: "the filter is not finished"}},
		{"if . then 1", QueryError{Offset: 11, Token: "", Message: "the filter is not finished"}},
		{`"abc`, QueryError{Offset: 4, Token: "", Message: "the filter is not finished: a string is not closed"}},
		{"def f: 1;", QueryError{Offset: 9, Token: "", Message: "the filter is not finished: after the definitions there is nothing to run"}},
		{".a ]", QueryError{Offset: 3, Token: "]", Message: `"]" can't stand here`}},
		{"{a:}", QueryError{Offset: 3, Token: "}", Message: `"}" can't stand here`}},
		{".a .b end", QueryError{Offset: 6, Token: "end", Message: `"end" can't stand here`}},
		{"é", QueryError{Offset: 0, Token: "é", Message: `"é" can't stand here`}},
		{`.a "b" "c"`, QueryError{Offset: 3, Token: `"b"`, Message: `a string can't stand here: "b"`}},
		{`. "\(1)"`, QueryError{}}, // jq takes it as .["1"]
		{`"\q"`, QueryError{Offset: 1, Token: `\q`, Message: `a string can't hold the escape \q`}},
		{"1.2.3", QueryError{Offset: 0, Token: "1.2.", Message: `"1.2." is not a number or a name`}},
		{".foo | foo", QueryError{Offset: 7, Token: "foo", Message: "there is no function foo without arguments"}},
		{"{foo: foo(1)}", QueryError{Offset: 6, Token: "foo", Message: "there is no function foo of 1 argument"}},
		{"foo(1; 2)", QueryError{Offset: 0, Token: "foo", Message: "there is no function foo of 2 arguments"}},
		{".a | $x", QueryError{Offset: 5, Token: "$x", Message: "there is no variable $x"}},
		{"$__loc__", QueryError{Offset: 0, Token: "$__loc__", Message: "there is no variable $__loc__"}},
		{"break $x", QueryError{Offset: 6, Token: "$x", Message: "there is no label $x"}},
		{"[., input]", QueryError{Offset: 4, Token: "input", Message: "there is no other input: a filter gets one value"}},
		{"[inputs]", QueryError{Offset: 1, Token: "inputs", Message: "there is no other input: a filter gets one value"}},
		{`import "a" as a; .`, QueryError{Offset: 0, Token: "import", Message: "modules are not available"}},
		{`include "a"; .`, QueryError{Offset: 0, Token: "include", Message: "modules are not available"}},
		{"a::b", QueryError{Offset: 0, Token: "a::b", Message: "there is no function a::b without arguments"}},
		{". | \xff", QueryError{Offset: 4, Token: "\ufffd", Message: "the filter is not UTF-8"}},
		{strings.Repeat(" ", 32769), QueryError{Offset: 32768, Token: "…", Message: "the filter is too long: 32769 bytes, at most 32768"}},
	}
	for _, tt := range tests {
		t.Run(tt.filter[:min(len(tt.filter), 20)], func(t *testing.T) {
			_, err := Compile(tt.filter)
			if tt.want == (QueryError{}) {
				if err != nil {
					t.Fatalf("%v, want none", err)
				}
				return
			}
			var got *QueryError
			if !errors.As(err, &got) {
				t.Fatalf("%v, want a *QueryError", err)
			}
			got.Knows, got.syntax = "", false
			if *got != tt.want {
				t.Errorf("%+v, want %+v", *got, tt.want)
			}
			if got.Unfinished() != (tt.want.Token == "") {
				t.Errorf("unfinished is %t", got.Unfinished())
			}
		})
	}
}

func TestAFilterNestedToTheLimitDoesNotCrash(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, for seconds")
	}
	for _, form := range []string{"(|)", "[|]", "-|", "{a:|}", "try |", `"\(|)"`, "def f: |; f", "if | then 1 end", ". as $x | |"} {
		i := strings.LastIndex(form, "|")
		before, after := form[:i], form[i+1:]
		n := (maxFilter - 1) / len(form)
		if _, err := Compile(strings.Repeat(before, n) + "1" + strings.Repeat(after, n)); err != nil {
			t.Errorf("%s: %v", form, err)
		}
		if _, err := Compile(strings.Repeat(before, n)); err == nil {
			t.Errorf("%s is no error where it is not finished", before)
		}
	}
}

func TestAFilterThatFailsOnTheDataIsADataError(t *testing.T) {
	got, err := ask(t, `.[] | .a`, `[{"a":1},2,{"a":3}]`)
	var data *DataError
	if !errors.As(err, &data) || data.Message != "expected an object but got: number (2)" {
		t.Errorf("error %v", err)
	}
	if got != "1" {
		t.Errorf("results before it: %s, want 1", got)
	}
}

func TestAValueThatTheLibraryDoesNotKnowIsNoCrash(t *testing.T) {
	q, err := Compile(". + 1")
	if err != nil {
		t.Fatal(err)
	}
	err = q.Run(context.Background(), []any{struct{}{}}, nil, func(any) bool { return true })
	var data *DataError
	if !errors.As(err, &data) {
		t.Errorf("error %v, want a *DataError", err)
	}
}

func TestAQueryIsUsedBySeveralGoroutines(t *testing.T) {
	q, err := Compile(`map(. * 2.5 | tostring * 2) | join(",")`)
	if err != nil {
		t.Fatal(err)
	}
	input, err := Decode([]byte(`[1,2,3.0]`))
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	for range 4 {
		go func() {
			results, _, err := q.Collect(context.Background(), input, nil, QueryLimits{}, 0)
			got <- fmt.Sprintf("%s %v", bytes.Join(results, nil), err)
		}()
	}
	for range 4 {
		if s := <-got; s != `"2.52.5,55,7.57.5" <nil>` {
			t.Errorf("%s", s)
		}
	}
}

func TestVariablesAreBound(t *testing.T) {
	q, err := Compile("$x + $list_users_1[0]", "$x", "$list_users_1")
	if err != nil {
		t.Fatal(err)
	}
	results, _, err := q.Collect(context.Background(), nil, []any{1, []any{2}}, QueryLimits{}, 0)
	if err != nil || len(results) != 1 || string(results[0]) != "3" {
		t.Errorf("%s, %v, want 3", results, err)
	}
	if _, err := Compile("$x", "x"); err == nil {
		t.Error("a variable without $ is no error")
	}
	if err := q.Run(context.Background(), nil, nil, func(any) bool { return true }); err == nil {
		t.Error("a variable without a value is no error")
	}
}

func TestARunEndsAtItsLimits(t *testing.T) {
	q, err := Compile(".[]")
	if err != nil {
		t.Fatal(err)
	}
	input := []any{10, 20, 30}
	for _, tt := range []struct {
		name   string
		limits QueryLimits
		want   string
		more   bool
	}{
		{"none", QueryLimits{}, "10 20 30", false},
		{"as many results", QueryLimits{Results: 3}, "10 20 30", false},
		{"fewer results", QueryLimits{Results: 2}, "10 20", true},
		{"as many bytes", QueryLimits{Bytes: 6}, "10 20 30", false},
		{"fewer bytes", QueryLimits{Bytes: 5}, "10 20", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			results, more, err := q.Collect(context.Background(), input, nil, tt.limits, 0)
			if got := string(bytes.Join(results, []byte(" "))); got != tt.want || more != tt.more || err != nil {
				t.Errorf("%q, more %t, %v; want %q, more %t", got, more, err, tt.want, tt.more)
			}
		})
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	for _, filter := range []string{"[range(1e9)]", "def f: 1 + f; f", "last(range(1e12))", "[recurse(. + 1)]", "until(false; .)"} {
		q, err := Compile(filter)
		if err != nil {
			t.Fatal(err)
		}
		late := time.Hour
		for range 3 { // the best of three: a busy machine is late for other reasons
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
			start := time.Now()
			err = q.Run(ctx, 0, nil, func(any) bool { return true })
			late = min(late, time.Since(start)-20*time.Millisecond)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v, want the context's error", filter, err)
			}
		}
		if late > 100*time.Millisecond {
			t.Errorf("%s ended %v after its context", filter, late)
		}
	}
}

func TestCancellingWhileResultsComeEndsTheRun(t *testing.T) {
	q, err := Compile("range(1e9)")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err = q.Run(ctx, nil, nil, func(any) bool { n++; cancel(); return true })
	if n != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d results, %v; want 1 and the context's error", n, err)
	}
}

func TestMarshalOverSeveralLines(t *testing.T) {
	v, err := Decode([]byte(`{"b":[],"a":{"x":[1.10,{}],"y":null}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"a\": {\n    \"x\": [\n      1.10,\n      {}\n    ],\n    \"y\": null\n  },\n  \"b\": []\n}"
	if got := string(Marshal(v, 2)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestDepth(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: it runs once, without the race detector")
	}
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	v, err := Decode(nested(10_000))
	if err != nil {
		t.Fatal(err)
	}
	if got := Marshal(v, 0); !bytes.Equal(got, nested(10_000)) {
		t.Errorf("%d bytes, want 20000", len(got))
	}
	_, err = Decode(nested(100_000))
	if want := "nested too deeply for jq: 100000 levels, at most 10000"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = Decode([]byte(strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)))
	if want := (DepthError{100_000}); err == nil || *err.(*DepthError) != want {
		t.Errorf("%v, want 100000 levels", err)
	}
	open := strings.Repeat("[", 100_000)
	if v, err := Decode([]byte(open)); v != open || err != nil {
		t.Errorf("what is not closed is not text: %v", err)
	}
	got, err := ask(t, "reduce range(9000) as $i (0; [.])", "null")
	if err != nil || len(got) != 18_001 {
		t.Errorf("a value made deep has %d bytes, %v; want 18001", len(got), err)
	}
	_, err = ask(t, "reduce range(300000) as $i (0; [.])", "null")
	if want := "a value has become nested too deeply: more than 10000 levels"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestDecodeReadsWhatTheStandardLibraryReads(t *testing.T) {
	std := func(p []byte) (v any, ok bool) {
		d := json.NewDecoder(bytes.NewReader(p))
		d.UseNumber()
		return v, json.Valid(p) && d.Decode(&v) == nil
	}
	var numbers func(v any) any // ints as the standard library has them
	numbers = func(v any) any {
		switch v := v.(type) {
		case int:
			return json.Number(string(Marshal(v, 0)))
		case []any:
			for i := range v {
				v[i] = numbers(v[i])
			}
		case map[string]any:
			for k := range v {
				v[k] = numbers(v[k])
			}
		}
		return v
	}
	valid, seeds := 0, uint64(1500)
	if testing.Short() {
		seeds = 300
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 3))
		var b bytes.Buffer
		randomJSON(r, 0, &b)
		p := b.Bytes()
		for range r.IntN(3) { // up to two changes
			i := r.IntN(len(p))
			p[i] = "[]{}\",:\\ 0e.-+tu\n\x01"[r.IntN(18)]
		}
		got, err := Decode(p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, ok := std(p)
		if ok && bytes.ContainsRune(p, '\ufffd') {
			continue
		}
		if !ok {
			want = string(p)
		} else {
			valid++
		}
		if !json.Valid(p) && got != want {
			t.Fatalf("seed %d: taken for JSON: %s", seed, p)
		}
		if ok && isUTF8(p) && !reflect.DeepEqual(numbers(got), want) {
			t.Fatalf("seed %d: %s\nread as %s", seed, p, Marshal(got, 0))
		}
	}
	if valid < int(seeds)/5 {
		t.Errorf("only %d texts were JSON", valid)
	}
}

func isUTF8(p []byte) bool { return bytes.Equal(bytes.ToValidUTF8(p, nil), p) }

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"a":[1.10,"\ud83d\ude00",null]}`))
	f.Fuzz(func(t *testing.T, p []byte) {
		v, err := Decode(p)
		if err != nil {
			return
		}
		if !json.Valid(Marshal(v, 1)) {
			t.Errorf("%q gives %s", p, Marshal(v, 1))
		}
	})
}

func tenMegabytes() []byte {
	record := `{"id":12345,"amount":901.50,"category":"travel","note":"a \"quoted\" note","tags":["a","b"],"ok":true},`
	return []byte("[" + strings.Repeat(record, 10_000_000/len(record)) + "{}]")
}

func BenchmarkDecodeAndRun10MB(b *testing.B) {
	const filter = "map(select(.amount > 900)) | length"
	p := tenMegabytes()
	b.Run("engine", func(b *testing.B) {
		b.SetBytes(int64(len(p)))
		q, err := Compile(filter)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			v, err := Decode(p)
			if err != nil {
				b.Fatal(err)
			}
			q.Run(context.Background(), v, nil, func(any) bool { return true })
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(p)))
		parsed, err := gojq.Parse(filter)
		if err != nil {
			b.Fatal(err)
		}
		code, err := gojq.Compile(parsed)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			var v any
			d := json.NewDecoder(bytes.NewReader(p))
			d.UseNumber()
			if err := d.Decode(&v); err != nil {
				b.Fatal(err)
			}
			for it := code.Run(v); ; {
				if _, ok := it.Next(); !ok {
					break
				}
			}
		}
	})
}
