package ui

import (
	"encoding/json"
	"testing"
)

func TestACSVCellDoesNoHarm(t *testing.T) {
	for value, want := range map[string]string{
		`null`:                "",
		`-5`:                  "-5",
		`1.10`:                "1.10",
		`true`:                "true",
		`["=1"]`:              `["=1"]`,
		`"plain"`:             "plain",
		`""`:                  "",
		`"a=b"`:               "a=b",
		`"=HYPERLINK(\"x\")"`: `'=HYPERLINK("x")`,
		`"+1"`:                "'+1",
		`"-5"`:                "'-5",
		`"@SUM(A1)"`:          "'@SUM(A1)",
		`"\t=1"`:              "'\t=1",
		`"\u001b[2J"`:         "␛[2J",
		`"=\u001b]0;x"`:       "'=␛]0;x",
		`"a\u202eb"`:          "a<U+202E>b",
		`"two\nlines"`:        "two\nlines",
	} {
		if got := csvCell(json.RawMessage(value)); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}
