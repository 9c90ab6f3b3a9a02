package engine

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiledSchema is the published schema as a validator of its own reads it.
func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(DocumentSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("policy.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("policy.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func schemaTakes(t *testing.T, s *jsonschema.Schema, doc string) bool {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	return s.Validate(v) == nil
}

func TestPoliciesKeepToTheSchema(t *testing.T) {
	s := compiledSchema(t)
	for _, name := range Builtin() {
		if doc := builtinPolicy(t, name).Document(); !schemaTakes(t, s, string(doc)) {
			t.Errorf("the schema refuses %s", name)
		}
	}
	for _, doc := range []string{
		`{}`, `{"name": "mine", "limits": {"per_result": null}}`, `{"limits": {"hard_bytes": 7e3}}`,
		`{"overrides": [{"tool": "search", "per_result": null}, {"role": "subagent", "combined": 5.5}]}`,
	} {
		if _, err := Parse([]byte(doc)); err != nil || !schemaTakes(t, s, doc) {
			t.Errorf("%s: Parse says %v, the schema takes it: %v", doc, err, schemaTakes(t, s, doc))
		}
	}
}

// The schema refuses what Parse refuses, but for what fields must keep to among themselves and for
// repeated keys, which no schema sees.
func TestTheSchemaRefusesWhatParseRefuses(t *testing.T) {
	s := compiledSchema(t)
	for _, doc := range []string{
		`[]`, `null`, `{"limit": {}}`, `{"limits": {"per_reslut": 1}}`, `{"Estimator": "bytes/4"}`,
		`{"overrides": [{"rol": "root"}]}`, `{"enabled": "yes"}`, `{"enabled": null}`, `{"limits": {"per_result": "4000"}}`,
		`{"limits": []}`, `{"limits": {"hard_bytes": 1.5}}`, `{"sandbox": {"tools": ["exec", 1]}}`, `{"sandbox": {"tools": [""]}}`,
		`{"name": ""}`, `{"sources": [{"fields": ["name"], "from": "me"}]}`,
		`{"sources": [{"fields": [], "from": "me", "status": "ours", "date": "today"}]}`,
		`{"limits": {"per_result": -1}}`, `{"limits": {"per_result": 1e99}}`, `{"limits": {"hard_bytes": 9007199254740993}}`,
		`{"preview": {"head_chars": -1}}`, `{"preview": {"records": 0}}`, `{"structured": {"max_string_share": 0}}`,
		`{"structured": {"max_string_share": 1.01}}`, `{"estimator": "bytes/5"}`, `{"boundary": "over"}`, `{"preview": {"kind": "lines"}}`,
		`{"package": {"reference": "url"}}`, `{"unwrap": {"mcp": "both"}}`, `{"overrides": [{"role": "leaf", "per_result": 1}]}`,
		`{"overrides": [` + strings.TrimSuffix(strings.Repeat(`{"tool":"a","per_result":1},`, 257), ",") + `]}`,
	} {
		if _, err := Parse([]byte(doc)); err == nil {
			t.Errorf("Parse takes %s", doc)
		}
		if schemaTakes(t, s, doc) {
			t.Errorf("the schema takes %s", doc)
		}
	}
}

func TestTheSchemaHasTheFieldsOfThePolicy(t *testing.T) {
	compareFields(t, "", documentField(), reflect.TypeFor[Policy]())
}

// compareFields holds a field's properties against the JSON names of a struct, both ways.
func compareFields(t *testing.T, path string, f *policyField, s reflect.Type) {
	t.Helper()
	inStruct := map[string]bool{}
	for i := range s.NumField() {
		tag, _, _ := strings.Cut(s.Field(i).Tag.Get("json"), ",")
		if tag == "-" {
			continue
		}
		inStruct[tag] = true
		name, p := dotted(path, tag), f.Properties[tag]
		if p == nil {
			t.Errorf("the schema has no %s", name)
			continue
		}
		typ := s.Field(i).Type
		if typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Struct {
			compareFields(t, name+"[]", p.Items, typ.Elem())
		} else if typ.Kind() == reflect.Struct && typ != reflect.TypeFor[Threshold]() {
			compareFields(t, name, p, typ)
		}
	}
	for key := range f.Properties {
		if !inStruct[key] {
			t.Errorf("the policy has no %s", dotted(path, key))
		}
	}
}

func TestTheSchemaDescribesEveryField(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(DocumentSchema(), &doc); err != nil {
		t.Fatal(err)
	}
	describeFields(t, "", doc, true)
}

func describeFields(t *testing.T, path string, object map[string]any, defaults bool) {
	t.Helper()
	if object["additionalProperties"] != false {
		t.Errorf("the schema lets unknown fields into %q", path)
	}
	for key, v := range object["properties"].(map[string]any) {
		f, name := v.(map[string]any), dotted(path, key)
		if d, _ := f["description"].(string); !strings.HasSuffix(d, ".") {
			t.Errorf("%s has no description that is a sentence", name)
		}
		if f["properties"] != nil {
			describeFields(t, name, f, defaults)
			continue
		}
		if _, has := f["default"]; defaults && !has {
			t.Errorf("%s has no default", name)
		}
		types, _ := f["type"].([]any)
		if types == nil {
			types = []any{f["type"]}
		}
		unit, _ := f["$comment"].(string)
		if (slices.Contains(types, any("number")) || slices.Contains(types, any("integer"))) && !strings.HasPrefix(unit, "unit: ") {
			t.Errorf("%s has no unit", name)
		}
		if items, ok := f["items"].(map[string]any); ok && items["properties"] != nil {
			describeFields(t, name+"[]", items, false)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range Builtin() {
		p, err := Load(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.Document())
	}
	f.Add([]byte(`{"limits":{"per_result":1e3},"overrides":[{"role":"root","per_result":null}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		p, err := Parse(doc)
		if err != nil {
			if _, ok := err.(*PolicyError); !ok {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		q, err := Parse(p.Document())
		if err != nil || !reflect.DeepEqual(p, q) {
			t.Fatalf("%s\nis not read back: %v", p.Document(), err)
		}
	})
}
