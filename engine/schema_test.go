package engine

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const head = `{"$schema":"https://json-schema.org/draft/2020-12/schema",`

func schemaOf(t *testing.T, payload string, budget float64, mapKeys int) *Schema {
	t.Helper()
	f := Scan([]byte(payload), ScanOptions{Shape: true, MapKeys: mapKeys})
	if !f.Valid {
		t.Fatalf("%.60q is not valid: %v", payload, f.Syntax)
	}
	s := f.Shape.Schema(Bytes4, budget, mapKeys)
	if err := validates(s.JSON, []byte(payload)); err != nil {
		t.Errorf("%.200q does not fit its schema %s: %v", payload, s.JSON, err)
	}
	return s
}

func validates(schema, payload []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("schema.json", doc); err != nil {
		return err
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(payload))
	if err != nil {
		return err
	}
	return compiled.Validate(v)
}

func TestSchema(t *testing.T) {
	for _, c := range []struct{ name, payload, want string }{
		{"an empty object has no properties", `{}`, `"type":"object"}`},
		{"an empty array has no items", `[]`, `"type":"array"}`},
		{"arrays that are all empty have no items", `[[],[]]`, `"type":"array","items":{"type":"array"}}`},
		{"a scalar", ` 1 `, `"type":"integer"}`},
		{"only literals without fraction and exponent are integers", `[1,-0,12345678901234567890123456789]`, `"type":"array","items":{"type":"integer"}}`},
		{"1.0 is a number", `[1,1.0]`, `"type":"array","items":{"type":"number"}}`},
		{"1e2 is a number", `[1e2]`, `"type":"array","items":{"type":"number"}}`},
		{"1e400 is a number", `[1e400]`, `"type":"array","items":{"type":"number"}}`},
		{"several types are a list", `[null,"x",true,2]`, `"type":"array","items":{"type":["string","integer","boolean","null"]}}`},
		{"required is what every object has", `[{"a":1,"b":2},{"b":3,"c":4}]`,
			`"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"}},"required":["b"]}}`},
		{"an empty object takes all out of required", `[{"a":1},{}]`, `"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"}}}}`},
		{"items are merged over all elements", `{"a":[{"x":[1]},{"x":[""]}]}`,
			`"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"x":{"type":"array","items":{"type":["string","integer"]}}},"required":["x"]}}},"required":["a"]}`},
		{"properties keep the payload's order", `{"z":1,"a":2}`, `"type":"object","properties":{"z":{"type":"integer"},"a":{"type":"integer"}},"required":["z","a"]}`},
		{"a duplicate key has the shapes of all its values", `{"a":1,"a":"x"}`, `"type":"object","properties":{"a":{"type":["string","integer"]}},"required":["a"]}`},
		{"a key is one key however it is written", `[{"a":1},{"\u0061":2}]`, `"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}`},
		{"odd keys", `{"":1,"a\"b\\":2,"<é>\n":3}`,
			`"type":"object","properties":{"":{"type":"integer"},"a\"b\\":{"type":"integer"},"<é>\n":{"type":"integer"}},"required":["","a\"b\\","<é>\n"]}`},
		{"a key that decoders read differently is not named", `{"a":1,"\ud800":2}`, `"type":"object","$comment":"1 more key","properties":{"a":{"type":"integer"}},"required":["a"]}`},
		{"an object beside other types", `[{"a":1},[2],3]`, `"type":"array","items":{"type":["object","array","integer"],"properties":{"a":{"type":"integer"}},"required":["a"],"items":{"type":"integer"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := schemaOf(t, c.payload, 0, 64)
			if want := head + c.want; string(s.JSON) != want {
				t.Errorf("%s\nhas the schema %s\nwant           %s", c.payload, s.JSON, want)
			}
			if want := float64(len(s.JSON)) / 4; s.Tokens != want {
				t.Errorf("tokens are %v, want %v", s.Tokens, want)
			}
		})
	}
}

// members writes n members "k0":value, …, with a %d in value for their number.
func members(from, n int, value string) string {
	var b strings.Builder
	for i := from; i < from+n; i++ {
		if i > from {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"k%d":%s`, i, strings.ReplaceAll(value, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

func names(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint("k", i))
	}
	return names
}

func TestSchemaOfMaps(t *testing.T) {
	for _, c := range []struct{ name, payload, want string }{
		{"over 64 keys with values of one shape", `{` + members(0, 65, `{"n":%d}`) + `}`,
			`"type":"object","$comment":"a map with 65 keys","additionalProperties":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}`},
		{"null beside one type is one shape", `{` + members(0, 64, `%d`) + `,"x":null,"y":2.5}`,
			`"type":"object","$comment":"a map with 66 keys","additionalProperties":{"type":["number","null"]}}`},
		{"optional keys in the values are one shape", `{` + members(0, 64, `{"n":%d}`) + `,"x":{"m":true}}`,
			`"type":"object","$comment":"a map with 65 keys","additionalProperties":{"type":"object","properties":{"n":{"type":"integer"},"m":{"type":"boolean"}}}}`},
		{"several objects, most keys in one only", `[{` + members(0, 40, `1`) + `},{` + members(30, 40, `1`) + `}]`,
			`"type":"array","items":{"type":"object","$comment":"a map with 70 keys","additionalProperties":{"type":"integer"}}}`},
		{"maps of maps", `{` + members(0, 70, `{"`+`h%da":1,"h%db":2}`) + `}`,
			`"type":"object","$comment":"a map with 70 keys","additionalProperties":{"type":"object","$comment":"a map with 140 keys","additionalProperties":{"type":"integer"}}}`},
		{"values with many keys that recur", `{` + members(0, 70, `{`+members(0, 66, `1`)+`}`) + `}`, `"type":"object","$comment":"a map with 70 keys","additionalProperties":{"type":"object","properties":{` +
			members(0, 66, `{"type":"integer"}`) + `},"required":["` + strings.Join(names(66), `","`) + `"]}}`},
		{"thousands of keys", `{` + members(0, 20_000, `[%d]`) + `}`,
			`"type":"object","$comment":"a map with 20000 keys","additionalProperties":{"type":"array","items":{"type":"integer"}}}`},
		{"thousands of keys, and then another shape", `{` + members(0, 5_000, `1`) + `,"x":"y"}`,
			`"type":"object","$comment":"a map with 5001 keys","additionalProperties":{"type":["string","integer"]}}`},
		{"a map of maps with thousands of keys", `{` + members(0, 70, `{`+members(0, 5_000, `1`)+`}`) + `,"x":{"y":null}}`,
			`"type":"object","$comment":"a map with 71 keys","additionalProperties":{"type":"object","$comment":"maps with 350001 keys in 71 objects","additionalProperties":{"type":["integer","null"]}}}`},
		{"maps of which one is large", `{` + members(0, 70, `{"h%d":1}`) + `,"x":{` + members(0, 5_000, `1.5`) + `},"y":{"z":null}}`,
			`"type":"object","$comment":"a map with 72 keys","additionalProperties":{"type":"object","$comment":"maps with 5071 keys in 72 objects","additionalProperties":{"type":["number","null"]}}}`},
		{"new keys in every record", `[` + strings.Join([]string{
			`{` + members(0, 3000, `"x"`) + `}`, `{` + members(3000, 3000, `"x"`) + `}`, `{` + members(6000, 3000, `"x"`) + `}`}, ",") + `]`,
			`"type":"array","items":{"type":"object","$comment":"maps with 9000 keys in 3 objects","additionalProperties":{"type":"string"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := schemaOf(t, c.payload, 0, 64)
			if want := head + c.want; string(s.JSON) != want {
				t.Errorf("the schema is %.400s\nwant          %s", s.JSON, want)
			}
			if len(s.Maps) == 0 {
				t.Error("no map is listed")
			}
		})
	}
	for name, payload := range map[string]string{
		"64 keys":                    `{` + members(0, 64, `1`) + `}`,
		"values of different shapes": `{` + members(0, 64, `1`) + `,"x":"y"}`,
		"several objects that share half the keys": `[{` + members(0, 66, `1`) + `},{` + members(0, 33, `1`) + `}]`,
		"values with ever other keys and types":    `{` + members(0, 70, `{"h%da":1,"h%db":"x"}`) + `}`,
	} {
		if s := schemaOf(t, payload, 0, 64); len(s.Maps) > 0 || bytes.Contains(s.JSON, []byte("additionalProperties")) {
			t.Errorf("%s: counts as a map", name)
		}
	}
}

func TestSchemaLeavesOutTheDeepestAndRarest(t *testing.T) {
	payload := `{"list":[{"id":1,"at":{"city":"x"}},{"id":2,"note":""}],"ok":true}`
	for _, c := range []struct {
		tokens float64
		want   string
		folded []string
	}{
		{100, `"type":"object","properties":{"list":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"at":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},"note":{"type":"string"}},"required":["id"]}},"ok":{"type":"boolean"}},"required":["list","ok"]}`, nil},
		{80, `"type":"object","properties":{"list":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"at":{"type":"object","$comment":"1 more key"},"note":{"type":"string"}},"required":["id"]}},"ok":{"type":"boolean"}},"required":["list","ok"]}`,
			[]string{".list[].at: 1 of 1 keys left out"}},
		{71, `"type":"object","properties":{"list":{"type":"array","items":{"type":"object","$comment":"2 more keys","properties":{"id":{"type":"integer"}},"required":["id"]}},"ok":{"type":"boolean"}},"required":["list","ok"]}`,
			[]string{".list[]: 2 of 3 keys left out"}},
		{45, `"type":"object","properties":{"list":{"type":"array"},"ok":{"type":"boolean"}},"required":["list","ok"]}`,
			[]string{".list: what the elements look like left out"}},
		{27, `"type":"object","$comment":"2 more keys"}`, []string{".: 2 of 2 keys left out"}},
		{3, ``, []string{".: everything left out"}},
	} {
		s := schemaOf(t, payload, c.tokens, 64)
		want := head + c.want
		if c.want == "" {
			want = "{}"
		}
		if string(s.JSON) != want || fmt.Sprint(s.Folded) != fmt.Sprint(c.folded) {
			t.Errorf("within %v tokens: %s %q\nwant %s %q", c.tokens, s.JSON, s.Folded, want, c.folded)
		}
		if s.Tokens > c.tokens {
			t.Errorf("%v tokens, over %v", s.Tokens, c.tokens)
		}
	}
}

func TestSchemaKeepsABudgetOfRealTokens(t *testing.T) {
	f := Scan(business(5_000), ScanOptions{Shape: true})
	for _, budget := range []float64{30, 60, 100, 150, 1000} {
		s := f.Shape.Schema(O200kBase, budget, 64)
		if s.Tokens > budget || s.Tokens != O200kBase.Of(s.JSON) {
			t.Errorf("%v tokens within %v", s.Tokens, budget)
		}
		if whole := budget == 1000; whole != (len(s.Folded) == 0) {
			t.Errorf("within %v tokens %q is left out", budget, s.Folded)
		}
	}
}

// TestPayloadsFitTheirSchema: always, within every budget, with no value in it.
func TestPayloadsFitTheirSchema(t *testing.T) {
	const seed = 42
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	keys := []string{`a`, `b`, `c d`, ``, `\u0061`, `\"`, `\\`, `\ud800`, `\udc00x`, `é`, `😀`, `$ref`, `$schema`, `type`, `\u0000`, `__proto__`}
	var value func(b []byte, depth int) []byte
	value = func(b []byte, depth int) []byte {
		n := r.IntN(12)
		if depth > 5 {
			n = r.IntN(8)
		}
		switch n {
		case 0:
			return append(b, "null"...)
		case 1:
			return append(b, "true"...)
		case 2:
			return append(b, []string{"0", "-7", "123456789012345678901234567"}[r.IntN(3)]...)
		case 3:
			return append(b, []string{"1.0", "1e400", "-0.0", "2E-3"}[r.IntN(4)]...)
		case 4, 5:
			return append(b, []string{`"SECRET"`, `"\ud800SECRET"`, `"{\"SECRET\":1}"`}[r.IntN(3)]...)
		case 6:
			return append(b, "{}"...)
		case 7:
			return append(b, "[]"...)
		case 8, 9:
			b = append(b, '[')
			for i := range 1 + r.IntN(4) {
				if i > 0 {
					b = append(b, ',')
				}
				b = value(b, depth+1)
			}
			return append(b, ']')
		}
		b = append(b, '{')
		wide := r.IntN(6) == 0
		for i := range 1 + r.IntN(8) {
			if i > 0 {
				b = append(b, ',')
			}
			key := keys[r.IntN(len(keys))]
			if wide {
				key = fmt.Sprint("k", r.IntN(1000))
			}
			b = append(append(append(b, '"'), key...), `":`...)
			if wide {
				b = append(b, []string{"1", "null", "2.5"}[r.IntN(3)]...)
			} else {
				b = value(b, depth+1)
			}
		}
		return append(b, '}')
	}
	for n := range 250 {
		p := value(nil, 0)
		for _, mapKeys := range []int{1, 5, 64} {
			f := Scan(p, ScanOptions{Shape: true, MapKeys: mapKeys})
			if !f.Valid {
				t.Fatalf("seed %d, payload %d: %s is not valid: %v", seed, n, p, f.Syntax)
			}
			for _, budget := range []float64{0, 0.1, 5, 16, 20, 40, 80, 200, 1000} {
				s := f.Shape.Schema(Bytes4, budget, mapKeys)
				if err := validates(s.JSON, p); err != nil {
					t.Fatalf("seed %d, payload %d, budget %v: %s does not fit %s: %v", seed, n, budget, p, s.JSON, err)
				}
				if budget > 0.5 && s.Tokens > budget {
					t.Fatalf("seed %d, payload %d: %v tokens within %v", seed, n, s.Tokens, budget)
				}
				if bytes.Contains(s.JSON, []byte("SECRET")) {
					t.Fatalf("seed %d, payload %d: a value in %s", seed, n, s.JSON)
				}
				if again := f.Shape.Schema(Bytes4, budget, mapKeys); !bytes.Equal(again.JSON, s.JSON) {
					t.Fatalf("seed %d, payload %d: twice, two schemas", seed, n)
				}
			}
		}
	}
}

func TestShapeStaysSmallWhereNothingRepeats(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: it runs once, without the race detector")
	}
	var b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&b, `,{"a%d":1,"b%d":"x","c%d":{"d%d":[null]}}`, i, i, i, i)
	}
	payload := "[" + b.String()[1:] + "]"
	f := Scan([]byte(payload), ScanOptions{Shape: true})
	if n := f.Shape.root.size(); n > 100_002 {
		t.Errorf("%d nodes are kept, want 100,000 at most", n)
	}
	for _, budget := range []float64{100, 1000} {
		s := schemaOf(t, payload, budget, 64)
		if s.Tokens > budget || len(s.Folded) == 0 {
			t.Errorf("%v tokens within %v, folded %.100q", s.Tokens, budget, s.Folded)
		}
	}
}

func TestSchemaOfDeepNesting(t *testing.T) {
	const n = 9_000 // what decoders still open
	s := schemaOf(t, strings.Repeat("[", n)+strings.Repeat("]", n), 0, 64)
	if got := bytes.Count(s.JSON, []byte("items")); got != 128 {
		t.Errorf("%d levels are described, want 128", got)
	}
	if len(s.Folded) != 1 || !strings.HasSuffix(s.Folded[0], ": deeper than 128 levels") {
		t.Errorf("folded is %.200q", s.Folded)
	}
}
