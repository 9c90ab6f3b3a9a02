package history

import (
	"slices"
	"testing"
	"time"
)

func mustParse(t *testing.T, text string) value {
	t.Helper()
	v, err := parse(memorySource("m", []byte(text)), 0, 1, []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestValuesAreFoundByTheirKeys(t *testing.T) {
	v := mustParse(t, `{"a": {"b\n": [10, "x", {"c": null}]}, "k": 1, "\u006b": 2}`)
	if got := v.get("a", "b\n").first().raw(); string(got) != "10" {
		t.Errorf("%q", got)
	}
	if got := v.get("k").raw(); string(got) != "2" {
		t.Errorf("of two members with one key the last one counts, not %s", got)
	}
	if v.get("none", "deeper").ok() || v.get("k", "deeper").ok() || (value{}).get("a").ok() {
		t.Error("what is not there has nothing in it")
	}
	if got := v.keys(); !slices.Equal(got, []string{"a", "k", "k"}) {
		t.Errorf("%q", got)
	}
	var kinds []kind
	for e := range v.get("a", "b\n").elements() {
		kinds = append(kinds, e.kind())
	}
	if !slices.Equal(kinds, []kind{number, text, object}) {
		t.Errorf("%v", kinds)
	}
	if c := v.get("a", "b\n"); c.offset() != 14 || c.at().Line != 1 {
		t.Errorf("at %+v", c.at())
	}
	for range v.members() {
		break
	}
}

func TestScalars(t *testing.T) {
	v := mustParse(t, `{"n": 12, "s": "9223372036854775807", "f": 1.5e3, "huge": 1e300, "t": true, "x": null}`)
	for key, want := range map[string]int64{"n": 12, "s": 9223372036854775807, "f": 1500} {
		if got, ok := v.get(key).int64(); !ok || got != want {
			t.Errorf("%s is %d, want %d", key, got, want)
		}
	}
	for _, key := range []string{"huge", "t", "x", "none"} {
		if got, ok := v.get(key).int64(); ok {
			t.Errorf("%s is no integer, not %d", key, got)
		}
	}
	if !v.get("t").truth() || v.get("n").truth() || v.get("x").given() || !v.get("x").ok() || v.get("none").ok() {
		t.Error("true is true, null is there but not given")
	}
}

func TestTimes(t *testing.T) {
	want := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, s := range []string{`"2026-01-02T03:04:05Z"`, `"2026-01-02T04:04:05+01:00"`, `"2026-01-02 03:04:05Z"`, `"2026-01-02T03:04:05"`,
		`1767323045`, `1767323045.0`, `1767323045000`, `1767323045000000`, `1767323045000000000`} {
		if got := mustParse(t, s).time(); !got.Equal(want) {
			t.Errorf("%s is %v", s, got)
		}
	}
	for _, s := range []string{`"yesterday"`, `-1`, `0`, `null`, `1e300`, `{}`} {
		if got := mustParse(t, s).time(); !got.IsZero() {
			t.Errorf("%s is %v", s, got)
		}
	}
}

func TestArgumentsAreJSONOrNot(t *testing.T) {
	for s, want := range map[string]bool{`"{}"`: true, `"{\"a\":1}"`: true, `"{\"a\":"`: false, `"{"`: false, `""`: true, `null`: true, `{"a":1}`: true, `"x y"`: false} {
		if _, got := mustParse(t, s).arguments(); got != want {
			t.Errorf("%s: %v, want %v", s, got, want)
		}
	}
}
