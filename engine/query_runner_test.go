package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestAWrongNameSaysWhatThereIs(t *testing.T) {
	for filter, want := range map[string]string{
		"test":        "test/1, test/2",
		"group":       "group_by/1",
		"selct(.)":    "select/1",
		"$list_2":     "$list_1",
		"zzz(.)":      "",
		".a | min(1)": "min/0",
	} {
		_, err := Compile(filter, "$list_1")
		var wrong *QueryError
		if !errors.As(err, &wrong) || wrong.Knows != want {
			t.Errorf("%s: %+v, want to know %q", filter, err, want)
		}
		if wrong != nil && filter == "test" && (wrong.Offset != 0 || wrong.Length() != 4) {
			t.Errorf("%s: at %d, %d bytes", filter, wrong.Offset, wrong.Length())
		}
	}
}

func TestAWrongTokenSaysWhatFits(t *testing.T) {
	for filter, want := range map[string]string{
		".a |":          "", // not finished, and not wrong
		"[1, 2":         "",
		"if . then 1 ]": "here fits |  ,  as  elif  else  end",
		". as ]":        "here fits a variable",
		".a ]":          "here fits |  ,  as",
		"map(.a]":       "here fits |  ,  as  )  ;",
		"{a ; 1}":       "here fits ,  }  :",
	} {
		_, err := Compile(filter)
		var wrong *QueryError
		if !errors.As(err, &wrong) || wrong.Knows != want {
			t.Errorf("%s: %+v, want to know %q", filter, err, want)
		}
	}
}

func TestTheLongestValidPrefix(t *testing.T) {
	for filter, want := range map[string]string{
		".a | foo":            ".a",
		".a | map(.b) | sel":  ".a | map(.b)",
		".a.b[":               ".a.b",
		"{a: .b, c":           "",
		".a ]":                ".a",
		". as $x | $x.a | $y": ". as $x | $x.a",
		`.a | "é`:             ".a",
		"":                    "",
		"length":              "length",
	} {
		if got := LongestValidPrefix(filter); got != want {
			t.Errorf("of %s it is %q, want %q", filter, got, want)
		}
	}
}

func TestANewerRunReplacesTheOneBefore(t *testing.T) {
	runner := NewQueries(0).Runner()
	started, ended := make(chan bool, 1), make(chan error, 1)
	go func() {
		_, err := runner.Run(context.Background(), requestOf("0, range(1e12) | select(. == 0)", "null"),
			func(QueryResult) bool {
				select {
				case started <- true:
				default:
				}
				return true
			})
		ended <- err
	}()
	<-started
	results, _, err := runner.Collect(context.Background(), requestOf(". + 1", "1"))
	if linesOf(results) != "2" || err != nil {
		t.Errorf("the newer run gives %s, %v", linesOf(results), err)
	}
	if err := <-ended; !errors.Is(err, ErrSuperseded) {
		t.Errorf("the older run ends with %v", err)
	}
}

func TestARunSaysAtWhichLimitItEnded(t *testing.T) {
	for _, c := range []struct {
		filter string
		limits QueryLimits
		want   QueryStop
		lines  string
	}{
		{"range(5)", QueryLimits{Results: 2}, StopResults, "0\n1"},
		{"range(2)", QueryLimits{Results: 2}, "", "0\n1"},
		{`"abc", "d", "e"`, QueryLimits{Bytes: 8}, StopBytes, "\"abc\"\n\"d\""},
		{"0, (range(1e12) | select(. < 0))", QueryLimits{Time: 50 * time.Millisecond}, StopTime, "0"},
		{"0, [limit(1e9; repeat(1))]", QueryLimits{Memory: 1 << 20, Time: time.Minute}, StopMemory, "0"},
	} {
		request := requestOf(c.filter, "null")
		request.Limits = c.limits
		results, report, err := NewQueries(0).Runner().Collect(context.Background(), request)
		if report.Stopped != c.want || linesOf(results) != c.lines || err != nil {
			t.Errorf("%s stops at %q with %q, %v; want %q with %q", c.filter, report.Stopped, linesOf(results), err, c.want, c.lines)
		}
	}
}

func TestWhileARunLingersNoOtherStarts(t *testing.T) {
	queries := NewQueries(0)
	hold := make(chan bool)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	// What nothing can stop stands in for a step of the library: a run that has entered and not left.
	if err := queries.enter(); err != nil {
		t.Fatal(err)
	}
	queries.linger("sort")
	go func() { <-hold; queries.leave(); done <- nil }()
	_, err := queries.Runner().Run(ctx, requestOf(".", "1"), func(QueryResult) bool { return true })
	var lingering *LingeringError
	if !errors.As(err, &lingering) || lingering.Filter != "sort" || queries.Lingering().Since.IsZero() {
		t.Errorf("error %v", err)
	}
	close(hold)
	<-done
	cancel()
	if got, err := runAgain(queries); got != "1" || err != nil || !queries.Lingering().Since.IsZero() {
		t.Errorf("afterwards it gives %s, %v", got, err)
	}
}

func runAgain(q *Queries) (string, error) {
	results, _, err := q.Runner().Collect(context.Background(), requestOf(".", "1"))
	return linesOf(results), err
}

func TestAPayloadIsDecodedOnceWhileThereIsRoom(t *testing.T) {
	loads := map[string]int{}
	source := func(key string) QuerySource {
		return QuerySource{Key: key, Load: func(context.Context) ([]byte, error) {
			loads[key]++
			return []byte(`"` + strings.Repeat(key, 1000) + `"`), nil
		}}
	}
	runner := NewQueries(2500).Runner()
	for _, key := range []string{"a", "b", "a", "c", "a", "b"} { // c takes b's room: a was used later
		if _, _, err := runner.Collect(context.Background(), QueryRequest{Filter: "length", Input: source(key)}); err != nil {
			t.Fatal(err)
		}
	}
	if loads["a"] != 1 || loads["b"] != 2 || loads["c"] != 1 {
		t.Errorf("loaded %v, want a once, b twice, c once", loads)
	}
}

// TestALimitHoldsWhileThePayloadIsLoaded: the source gives nothing until its context ends, or after
// that either.
func TestALimitHoldsWhileThePayloadIsLoaded(t *testing.T) {
	hold := make(chan bool)
	defer close(hold)
	for name, load := range map[string]func(context.Context) ([]byte, error){
		"that ends":     func(ctx context.Context) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() },
		"that is stuck": func(context.Context) ([]byte, error) { <-hold; return []byte("1"), nil },
	} {
		queries := NewQueries(0)
		request := QueryRequest{Filter: ".", Input: QuerySource{Key: name, Load: load}, Limits: QueryLimits{Time: time.Millisecond}}
		results, report, err := queries.Runner().Collect(context.Background(), request)
		if len(results) != 0 || report.Stopped != StopTime || err != nil {
			t.Errorf("%s: %d results, stops at %q, %v", name, len(results), report.Stopped, err)
		}
		if got, err := runAgain(queries); got != "1" || err != nil {
			t.Errorf("%s: the next run gives %s, %v", name, got, err)
		}
	}
}

func TestDecodingEndsWithItsContext(t *testing.T) {
	for name, payload := range map[string]string{
		"numbers":         "[" + strings.Repeat("1,", 4000) + "1]",
		"arrays":          "[" + strings.Repeat("[],", 4000) + "1]",
		"escapes":         `"` + strings.Repeat(`\n`, 4000) + `"`,
		"what is no JSON": strings.Repeat("é", 4000),
	} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := decode(ctx, payload); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestAnArrayAsAnIndexIsASearch(t *testing.T) {
	for _, c := range []struct{ filter, payload, want string }{
		{".[[1, 2]]", "[0,1,2,1,2]", "[1,3]"},
		{".[[]]", "[0]", "[]"},
		{"[9] as $x | .[$x]", "[0]", "[]"},
		{".a[.b]", `{"a":[0,1,1],"b":[1]}`, "[1,2]"},
		{".a[.b][0]", `{"a":[0,1,1],"b":[1]}`, "1"},
		{".a[.b, .c].d", `{"a":[{"d":5},{"d":6}],"b":1,"c":-1}`, "6\n6"},
		{`.[("a", "b")]`, `{"a":1,"b":2}`, "1\n2"},
		{`path(.[("a", "b")].c)`, `{}`, "[\"a\",\"c\"]\n[\"b\",\"c\"]"},
		{`.[.k] = 5`, `{"k":"x"}`, `{"k":"x","x":5}`},
		{`.[.k].y |= 5`, `{"k":"x"}`, `{"k":"x","x":{"y":5}}`},
		{`[.[range(3)]?]`, `"abc"`, `["a","b","c"]`},
		{`[.[range(2)]?]`, `{}`, `[]`},
		{`.[[1]]`, "null", "null"},
		{`reduce ("a", "b", "a") as $k ({}; .[$k] += 1)`, "null", `{"a":2,"b":1}`},
	} {
		if got, _, err := outputOf(c.filter, c.payload); got != c.want || err != nil {
			t.Errorf("%s of %s gives %s, %v; want %s", c.filter, c.payload, got, err, c.want)
		}
	}
}
