package engine

import (
	"context"
	"testing"
)

// Whatever the payload, looking for a repair ends, and every filter that is offered compiles.
func FuzzRepairs(f *testing.F) {
	for _, text := range []string{`[1,]`, `{'a': None}`, `{"a":1} {"a":2}`, "// x\n[1]", `{"a":"b` + "\n" + `"}`, `{a:1}`, "```json\n[]\n```", "a,b\n1,2\n3,4",
		"|a|b|\n|-|-|\n|1|2|", `[-Infinity]`, "x: [1]", `{\"a\": 1}`, "\ufeff[1]", `["\'"]`, `"{\"a\":1}"`, `{"content":[{"type":"text","text":"[1]"}]}`, `[1] tail`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := []byte(text)
		facts := Scan(p, ScanOptions{})
		if facts.Kind != Empty {
			looksLike(p, facts)
		}
		value, err := Decode(p)
		if err != nil {
			return
		}
		for range maxRepairSteps {
			before := value
			for _, filter := range repairsOf(value, 0.5) {
				if _, err := Compile(filter); err != nil {
					t.Fatalf("%s: %v", filter, err)
				}
				next, ok, err := runOnce(context.Background(), filter, value)
				if err != nil {
					t.Fatal(err)
				}
				if ok {
					value = next
					break
				}
			}
			if s, ok := value.(string); ok && s == before {
				return
			}
		}
	})
}
