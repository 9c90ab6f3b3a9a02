package engine

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"floodmark/history"
)

// recordings is the folder of real recordings; the test is skipped where there is none.
func recordings(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("all real recordings take their time, and one goroutine replays them")
	}
	if dir := os.Getenv("FLOODMARK_RECORDINGS"); dir != "" {
		return dir
	}
	for dir := ".."; ; dir = filepath.Join(dir, "..") {
		if found := filepath.Join(dir, "shared", "recordings"); isDir(found) {
			return found
		}
		if abs, err := filepath.Abs(dir); err != nil || abs == filepath.Dir(abs) {
			t.Skip("no folder shared/recordings above this one, and FLOODMARK_RECORDINGS is not set")
		}
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// eachResult opens every recording that can be opened, and gives each result to do.
func eachResult(t *testing.T, do func(file string, c *history.Call)) {
	err := filepath.WalkDir(recordings(t), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		opened, _ := history.Open(context.Background(), path, history.Options{})
		for _, r := range opened {
			for _, c := range r.Conversations {
				for _, call := range c.Calls() {
					if call.Result != nil {
						do(path, call)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryRealJSONPayloadValidatesAgainstItsOwnSchema(t *testing.T) {
	checked := 0
	check := func(file string, payload []byte) {
		f := Scan(payload, ScanOptions{Shape: true, MapKeys: 64})
		if !f.Valid {
			return
		}
		for _, budget := range []float64{0, 1000, 30} {
			s := f.Shape.Schema(Bytes4, budget, 64)
			if err := validate(s.JSON, payload); err != nil {
				t.Errorf("%s: %v\nschema %s", file, err, s.JSON)
			}
		}
		checked++
	}
	eachResult(t, func(file string, c *history.Call) {
		b, err := c.Result.Payload.Bytes()
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if !json.Valid(b) {
			return
		}
		check(file, b)
		if parsed := ParseStrings(b); string(parsed) != string(b) {
			check(file+", strings parsed", parsed)
		}
	})
	if checked == 0 {
		t.Fatal("no payload was JSON")
	}
	t.Logf("%d JSON payloads validate against their own schemas", checked)
}

func validate(schema, payload []byte) error {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(schema)))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		return err
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(payload)))
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}

// Nothing is lost on the way: every call has an outcome, and the policy none keeps every byte.
func TestRealConversationsReplayUnderEveryPolicy(t *testing.T) {
	var policies []*Policy
	for _, name := range Builtin() {
		policies = append(policies, policy(t, name))
	}
	err := filepath.WalkDir(recordings(t), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		opened, _ := history.Open(context.Background(), path, history.Options{})
		for _, r := range opened {
			for _, c := range r.Conversations {
				replayer := NewReplayer(c)
				for _, p := range policies {
					if p.Estimator.Exact() {
						continue // minutes of counting
					}
					run, err := replayer.Run(context.Background(), p, RunOptions{SkipExact: true})
					if err != nil {
						t.Errorf("%s: %v", path, err)
						continue
					}
					if len(run.Outcomes) != len(c.Calls()) {
						t.Errorf("%s: %d outcomes of %d calls", path, len(run.Outcomes), len(c.Calls()))
					}
					if p.Name == "none" && run.Totals.Inline.Bytes < run.Totals.Original.Bytes {
						t.Errorf("%s: the policy none left out %d bytes", path, run.Totals.Original.Bytes-run.Totals.Inline.Bytes)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
