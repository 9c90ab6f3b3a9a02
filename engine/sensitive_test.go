package engine

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// key is a made-up token of the form that a rule knows; in two parts, so that no scanner takes this file for a leak.
const key = "ghp_" + "x7Kq2mP9vR4tW8zB1nC6dF3gH5jL0sYaQeUi"

func TestWhatLooksSensitiveIsFoundByKind(t *testing.T) {
	for text, want := range map[string][]string{
		`{"mail":"ana.silva@example.com"}`:                    {"mail: ana.silva@example.com"},
		`line\nana@example.com`:                               {"mail: ana@example.com"},
		`{"card":"4242 4242 4242 4242"}`:                      {"card: 4242 4242 4242 4242"},
		`{"card":4242424242424242}`:                           {"card: 4242424242424242"},
		`{"card":"4242424242424241"}`:                         nil, // wrong check digit
		`378282246310005 and 0.4242424242424242`:              {"card: 378282246310005"},
		`DE89 3704 0044 0532 0130 00 is theirs`:               {"iban: DE89 3704 0044 0532 0130 00"},
		`GB82WEST12345698765432`:                              {"iban: GB82WEST12345698765432"},
		`GB82WEST12345698765433`:                              nil, // wrong check digits
		`call +49 30 901820 123`:                              {"phone: +49 30 901820 123"},
		`2026-10-19T10:00:00+0200 1e+10 call 030 901820`:      nil,
		`git@github.com:a/b.git icon@2x.png https://u:p@h.io`: nil,
		`{"note":"` + key + `"}`:                              {"github-pat: " + key},
		"plain words, 42, true":                               nil,
	} {
		var got []string
		for _, s := range Sensitives([]byte(text)) {
			got = append(got, s.Kind+": "+text[s.Start:s.End])
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}

// The registry's own examples, and lengths of the two ends.
func TestAnIBANHasItsCountrysLength(t *testing.T) {
	for _, iban := range []string{
		"NO9386011117947",                   // 15, the shortest
		"RU0204452560040702810412345678901", // 33, the longest
		"BI4210000100010000332045181", "DJ2100010000000154000100186", "FK88SC123456789012", "HN88CABF00000000000250005469",
		"LY83002048000020100120361", "MN121234123456789123", "NI45BAPR00000013000003558124", "OM810180000001299123456",
		"SD2129010501234001", "SO211000001001000100141", "TL380080012345678910157", "YE15CBYE0001018861234567891234",
	} {
		if got := Sensitives([]byte(iban)); len(got) != 1 || got[0] != (Sensitive{IBAN, 0, len(iban)}) {
			t.Errorf("%s: %v", iban, got)
		}
		if got := Sensitives([]byte(iban[:len(iban)-1])); len(got) != 0 {
			t.Errorf("%s without its last digit: %v", iban, got)
		}
	}
	if got := Sensitives([]byte("DZ3512341234123412341234")); len(got) != 0 { // check digits are right, the country is not registered
		t.Errorf("Algeria: %v", got)
	}
	if len(ibanLengths) != 89 {
		t.Errorf("%d countries", len(ibanLengths))
	}
}

func TestEveryRuleForSecretsCompiles(t *testing.T) {
	l := loadSecretRules()
	if len(l.Rules) < 200 {
		t.Fatalf("%d rules", len(l.Rules))
	}
	for _, r := range append(l.Rules, &secretRule{Allowlists: []secretAllowed{l.Allowlist}}) {
		if r.shape != nil && (r.shape() == nil || len(r.Keywords) == 0) {
			t.Errorf("%s has no keyword", r.ID)
		}
		for _, a := range r.Allowlists {
			a.shapes()
		}
	}
}

// customers is over the thresholds, its first record sensitive.
func customers() string {
	first := `{"id":1,"card":"4242424242424242","mail":"ana.silva@example.com","note":"` + key + `"}`
	return `{"rows":[` + first + strings.Repeat(`,{"id":2,"card":null,"mail":null,"note":"nothing here"}`, 1000) + `]}`
}

func TestAWarningNamesPathAndKindAndNeverTheValue(t *testing.T) {
	got := map[string]string{}
	for _, w := range replay(t, policy(t, "moveworks"), RunOptions{}, result(customers()))[0].Warnings {
		if w.Code == WarnSensitive {
			got[w.Path] = w.Detail
		}
	}
	want := map[string]string{
		".rows[0].card": "the preview has what looks like 1 card number",
		".rows[0].mail": "the preview has what looks like 1 mail address",
		".rows[0].note": "the preview has what looks like 1 secret (github-pat)",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestAKeyThatIsSensitiveIsNamedByItsObject(t *testing.T) {
	payload := `{"by":{"ana.silva@example.com":1},"rows":[` + strings.Repeat(`{"id":2,"note":"nothing here"},`, 1000) + `0]}`
	n := 0
	for _, w := range replay(t, policy(t, "moveworks"), RunOptions{}, result(payload))[0].Warnings {
		if w.Code != WarnSensitive {
			continue
		}
		n++
		if w.Path != ".by" || strings.Contains(w.Detail, "ana") {
			t.Errorf("%+v", w)
		}
	}
	if n != 2 { // in the preview, and in the schema
		t.Errorf("%d warnings", n)
	}
}

func TestMaskedJSONIsValid(t *testing.T) {
	for text, want := range map[string]string{
		`{"card":4242424242424242,"a":"to ana@example.com, now"}`: `{"card":"[redacted: card]","a":"to [redacted: mail], now"}`,
		`{"ana@example.com":"line\nana@example.com"}`:             `{"[redacted: mail]":"line\n[redacted: mail]"}`,
		`[1,"\\",true]`: `[1,"\\",true]`,
	} {
		got := MaskSensitiveJSON([]byte(text))
		if string(got) != want || !json.Valid(got) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestAPolicyThatAsksMasksItsPreviews(t *testing.T) {
	for _, name := range []string{"moveworks", "trueforge"} {
		plain := replay(t, policy(t, name), RunOptions{}, result(customers()))[0]
		o := replay(t, policy(t, name, "preview.redact=true"), RunOptions{}, result(customers()))[0]
		if !strings.Contains(plain.Package.Text, "4242424242424242") {
			t.Fatalf("%s: without redaction the preview has no card number", name)
		}
		for _, secret := range []string{"4242424242424242", "ana.silva@example.com", key} {
			if strings.Contains(o.Package.Text, secret) {
				t.Errorf("%s: %s is in the package", name, secret)
			}
		}
		if !strings.Contains(o.Package.Text, `"card":"[redacted: card]","mail":"[redacted: mail]"`) || o.Inline.Bytes != int64(len(o.Package.Text)) {
			t.Errorf("%s: %d bytes\n%s", name, o.Inline.Bytes, o.Package.Text)
		}
		if o.Package.Preview.JSON != nil && !json.Valid(o.Package.Preview.JSON) {
			t.Errorf("%s: the preview is not JSON", name)
		}
		for _, w := range o.Warnings {
			if w.Code == WarnSensitive {
				t.Errorf("%s: %+v", name, w)
			}
		}
	}
}
