package engine

import (
	"encoding/json"
	"strings"
	"testing"
)

// filler are words in which nothing is sensitive.
func filler(bytes int) string { return strings.Repeat("nothing here, ", bytes/14+1)[:bytes] }

func TestASecretThatACutDividesIsMasked(t *testing.T) {
	lines := strings.Repeat("nothing here\n", 8000)
	for name, test := range map[string]struct {
		set     []string
		payload string
		want    string // stands in the preview
	}{
		"head of both ends": {[]string{"preview.kind=head-tail", "preview.head_chars=100", "preview.tail_chars=100"},
			filler(90) + " " + key + " " + filler(100_000), filler(90) + " [redacted"},
		"tail of both ends": {[]string{"preview.kind=head-tail", "preview.head_chars=100", "preview.tail_chars=100"},
			filler(100_000) + " " + key + " " + filler(80), "ithub-pat] nothing here"},
		"a cut's start": {[]string{"preview.kind=cut", "preview.size=100", "preview.head_share=1"},
			filler(80) + " " + key + " " + filler(100_000), filler(80) + " [redacted: github-p"},
		"a cut's end": {[]string{"preview.kind=cut", "preview.size=100", "preview.head_share=0"},
			filler(100_000) + " " + key + " " + filler(80), "ted: github-pat] nothing here"},
		"a clipped line": {[]string{"preview.kind=end-lines", "preview.head_lines=2", "preview.tail_lines=0", "preview.line_chars=40"},
			filler(20) + " " + key + "\n" + filler(20) + " " + key + "\n" + lines, filler(20) + " [redacted: github-p\n"},
		"a long line that is clipped": {[]string{"preview.kind=whole-lines", "preview.long_line=clip", "preview.size=100", "preview.clip_size=1", "preview.head_share=1"},
			filler(80) + " " + key + " " + filler(100_000), "here, nothing he [redacted: github-…"},
		"the end of the last line": {[]string{"preview.kind=whole-lines", "preview.long_line=end", "preview.size=100", "preview.head_share=0"},
			filler(100_000) + " " + key + " " + filler(80), "ted: github-pat] nothing here"},
		"a string of records": {[]string{"preview.kind=records", "preview.string_chars=100"},
			`{"rows":[{"note":"` + filler(80) + " " + key + " " + filler(200) + `"}` + strings.Repeat(`,{"note":"nothing here"}`, 5000) + `]}`,
			`"note":"` + filler(80) + ` [redacted: github-pat]"`},
	} {
		set := append([]string{"preview.redact=true", "sandbox.enabled=true"}, test.set...)
		o := replay(t, policy(t, "trueforge", set...), RunOptions{}, result(test.payload))[0]
		if o.Package == nil {
			t.Errorf("%s: no package: %s", name, o.Verdict)
			continue
		}
		text := o.Package.Text
		if !strings.Contains(text, test.want) {
			t.Errorf("%s: %q is not in\n%s", name, test.want, text)
		}
		for n := 0; n+4 <= len(key)-4; n++ { // any four of the secret's own characters
			if strings.Contains(text, key[4+n:4+n+4]) {
				t.Errorf("%s: %q is in\n%s", name, key[4+n:4+n+4], text)
				break
			}
		}
	}
}

func TestAKeyOverManyLinesOfWhichAFewAreKeptIsMasked(t *testing.T) {
	body := strings.Repeat("MIIEpAIBAAKCAQEAx7Kq2mP9vR4tW8zB1nC6dF3gH5jL0sYaQeUiOpLkMnBvCxZa\n", 24)
	pem := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + body + "-----END RSA " + "PRIVATE KEY-----\n"
	payload := "nothing here\n" + pem + strings.Repeat("nothing here\n", 8000)
	o := replay(t, policy(t, "trueforge", "preview.redact=true", "sandbox.enabled=true", "preview.kind=end-lines", "preview.head_lines=5", "preview.tail_lines=0"),
		RunOptions{}, result(payload))[0]
	if text := o.Package.Text; strings.Contains(text, "MIIE") || !strings.Contains(text, "nothing here\n[redacted: private-key]\nnothing here\n") {
		t.Error(text)
	}
}

func TestAPreviewsBudgetHoldsWithItsMarks(t *testing.T) {
	// Ten bytes become 17: "+493012345", the fewest digits of a phone number, and "[redacted: phone]".
	rows := `{"rows":[` + strings.Repeat(`{"p":"+493012345"},`, 5000) + `{}]}`
	p := policy(t, "moveworks", "preview.redact=true", "preview.budget=60", "preview.records=100")
	v := replay(t, p, RunOptions{}, result(rows))[0].Package.Preview
	// 60 tokens are 240 bytes. {"rows":[]} and the line "\n.rows: left out 4994 records" have 40, a record with its comma 26.
	if v.Records != 7 || strings.Count(v.Text, "[redacted: phone]") != 7 || len(v.Text) > 240 || !json.Valid(v.JSON) {
		t.Errorf("%d records, %d bytes:\n%s", v.Records, len(v.Text), v.Text)
	}
	if plain := replay(t, policy(t, "moveworks", "preview.budget=60", "preview.records=100"), RunOptions{}, result(rows))[0].Package.Preview; plain.Records != 10 {
		t.Errorf("%d records without marks:\n%s", plain.Records, plain.Text)
	}
}

func TestACutsSizeHoldsWithItsMarks(t *testing.T) {
	payload := strings.Repeat("call +493012345 ", 5000)
	o := replay(t, policy(t, "trueforge", "preview.redact=true", "sandbox.enabled=true", "preview.kind=cut", "preview.size=46", "preview.head_share=1", "preview.mark=false"),
		RunOptions{}, result(payload))[0]
	if want := "call [redacted: phone] call [redacted: phone] "; o.Package.Preview.Text != want {
		t.Errorf("%q, not %q", o.Package.Preview.Text, want)
	}
}

func TestKeysOfASchemaThatAreSensitiveAreMasked(t *testing.T) {
	payload := `{"ana@example.com":{"` + key + `":1},"ben@example.com":2,"[redacted: mail] 2":3,"rows":[` + strings.Repeat(`{"id":2,"note":"nothing here"},`, 2000) + `{}]}`
	o := replay(t, policy(t, "moveworks", "preview.redact=true"), RunOptions{}, result(payload))[0]
	const want = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{` +
		`"[redacted: mail]":{"type":"object","properties":{"[redacted: github-pat]":{"type":"integer"}},"required":["[redacted: github-pat]"]},` +
		`"[redacted: mail] 3":{"type":"integer"},"[redacted: mail] 2":{"type":"integer"},` +
		`"rows":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"note":{"type":"string"}}}}},` +
		`"required":["[redacted: mail]","[redacted: mail] 3","[redacted: mail] 2","rows"]}`
	if got := string(o.Package.Schema.JSON); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	for _, w := range o.Warnings {
		if w.Code == WarnSensitive {
			t.Errorf("%+v", w)
		}
	}
	for _, secret := range []string{key, "ana@", "ben@"} {
		if strings.Contains(o.Package.Text, secret) {
			t.Errorf("%s is in\n%s", secret, o.Package.Text)
		}
	}
}

func TestAPreviewThatDidNotEnterIsMaskedToo(t *testing.T) {
	conv := conversation(result(`{"rows":[{"mail":"ana@example.com"}]}`))
	r := NewReplayer(conv)
	p := policy(t, "moveworks", "preview.redact=true")
	run, err := r.Run(t.Context(), p, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := r.Preview(p, run.Outcomes[0]); err != nil || v.Text != `{"rows":[{"mail":"[redacted: mail]"}]}` {
		t.Errorf("%+v, %v", v, err)
	}
}
