package engine

import (
	"slices"
	"testing"
)

func TestLint(t *testing.T) {
	for _, c := range []struct {
		policy  string
		changes []string
		want    []Finding
	}{
		{"trueforge", nil, nil},
		{"moveworks", nil, nil},
		{"none", nil, nil},
		{"trueforge", []string{"enabled=false", "limits.per_result=0"}, nil},
		{"trueforge", []string{"sandbox.enabled=false"}, []Finding{{"no-store", "error", "sandbox.enabled",
			"the policy requires a sandbox and there is none: whatever it would offload is lost"}}},
		{"trueforge", []string{"limits.per_result=null"}, []Finding{{"combined-only", "warning", "limits.combined",
			"there is no limits.per_result: a large result alone is replaced only where its batch is over the combined limit"}}},
		{"trueforge", []string{"limits.per_result=null", "limits.combined=null"}, []Finding{{"no-limit", "warning", "limits.per_result",
			"there is no limit: nothing is ever replaced, whatever the strategy offload says"}}},
		{"trueforge", []string{"limits.per_result=50", "errors.truncate_chars=100"}, []Finding{{"preview-not-smaller", "warning", "preview.head_chars",
			"both ends are 50 tokens against limits.per_result 50: a preview can be as large as its payload"}}},
		{"trueforge", []string{"limits.per_result=50", "errors.truncate_chars=100", "package.must_shrink=true"}, nil},
		{"trueforge", []string{"limits.per_result=51", "errors.truncate_chars=100"}, nil},
		{"trueforge", []string{"limits.per_result=100"}, []Finding{{"errors-over-threshold", "warning", "errors.truncate_chars",
			"a failed call keeps 125 tokens against limits.per_result 100: some that are over it stay whole"}}},
		{"moveworks", []string{"limits.per_result=1000"}, []Finding{{"preview-not-smaller", "warning", "preview.budget",
			"a preview is up to 1000 tokens against limits.per_result 1000: it can be as large as its payload"}}},
		{"moveworks", []string{"limits.per_result=2000"}, []Finding{{"package-not-smaller", "warning", "schema.budget",
			"preview and schema are up to 2000 tokens against limits.per_result 2000: a package can be as large as its payload"}}},
		{"moveworks", []string{"preview.budget=0"}, []Finding{{"preview-unbounded", "warning", "preview.budget",
			"a budget of 0 is without limit: a preview can be as large as its payload"}}},
		{"moveworks", []string{"limits.hard_bytes=28000"}, []Finding{{"cap-below-threshold", "warning", "limits.hard_bytes",
			"a result that is not rejected has up to 7000 tokens against limits.per_result 7000: none is ever offloaded for its size"}}},
		{"moveworks", []string{"limits.hard_bytes=28004"}, nil},
		{"none", []string{"limits.combined=0"}, []Finding{{"threshold-zero", "error", "limits.combined",
			"a threshold of 0 replaces every result that is not empty; null takes it away"}}},
		{"trueforge", []string{`overrides=[{"tool": "search", "per_result": 0}]`}, []Finding{{"threshold-zero", "error", "overrides[0].per_result",
			"a threshold of 0 replaces every result that is not empty; null takes it away"}}},
		{"trueforge", []string{"limits.unit=utf16", "limits.per_result=40000", "limits.combined=null", "preview.kind=cut"}, []Finding{{"preview-not-smaller", "warning", "preview.size",
			"a preview is as large as limits.per_result 40000 utf16 allows: with its notice, what enters can be larger than its payload"}}},
		{"trueforge", []string{"strategy=truncate", "limits.unit=utf16", "limits.per_result=40000", "limits.combined=null", "preview.kind=cut"}, nil},
		{"trueforge", []string{"strategy=truncate", "limits.unit=bytes", "limits.per_result=8000", "limits.combined=null", "preview.kind=cut", "preview.size=8004"}, []Finding{{"preview-not-smaller", "warning", "preview.size",
			"a preview is up to 2001 tokens against limits.per_result 8000 bytes: it can be as large as its payload"}}},
		{"trueforge", []string{"preview.kind=whole-lines", "preview.size=2000"}, []Finding{{"long-line", "warning", "preview.long_line",
			"whole lines are kept: of a payload that is one long line, as JSON is as a rule, the preview is empty"}}},
		{"trueforge", []string{"preview.kind=whole-lines", "preview.size=2000", "preview.long_line=clip"}, nil},
		{"trueforge", []string{"preview.kind=end-lines"}, []Finding{{"long-line", "warning", "preview.line_chars",
			"lines are kept however long: of a payload that is one long line the preview is the payload"}}},
		{"trueforge", []string{"preview.kind=end-lines", "preview.line_chars=1000"}, nil},
		{"trueforge", []string{"retention.count=8"}, []Finding{{"store-overwritten", "warning", "retention.count",
			"8 results are kept at a time: the next one overwrites the first, which the history still names"}}},
	} {
		p, err := builtinPolicy(t, c.policy).Set(c.changes...)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Lint(); !slices.Equal(got, c.want) {
			t.Errorf("%s with %q has findings\n%q\nwant\n%q", c.policy, c.changes, got, c.want)
		}
	}
}

// A built-in policy may have weaknesses, which are its harness's own; it can do what it is for.
func TestNoBuiltinPolicyHasAnErrorAndEveryCodeIsListed(t *testing.T) {
	for _, name := range Builtin() {
		for _, f := range builtinPolicy(t, name).Lint() {
			if f.Severity == LintError {
				t.Errorf("%s: %+v", name, f)
			}
			if !slices.Contains(LintCodes, f.Code) {
				t.Errorf("%s is not listed", f.Code)
			}
		}
	}
}
