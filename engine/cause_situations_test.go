package engine

import (
	"context"
	"fmt"
	"testing"

	"floodmark/history"
)

// asked are the situation's calls.
func (s situation) asked() []*history.Call {
	if s.calls != nil {
		return s.calls
	}
	return []*history.Call{result(s.text)}
}

func (s situation) policyOf(t *testing.T) *Policy {
	if s.policy == "" {
		s.policy = "moveworks"
	}
	return policy(t, s.policy, s.set...)
}

func TestEverySituationHasItsCausePlaceAndRepair(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and with one goroutine at a time")
	}
	list := situations(t)
	if len(list) < 60 {
		t.Fatalf("%d situations", len(list))
	}
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			p := s.policyOf(t)
			d := diagnose(t, p, RunOptions{Fault: s.fault, SkipExact: true}, s.asked()...)
			if d.Cause != s.cause || d.LooksLike != s.looks {
				t.Errorf("%s, looks like %q; want %s, %q", d.Cause, d.LooksLike, s.cause, s.looks)
			}
			fault := ""
			if f := d.Outcome.Facts; f != nil && f.Syntax != nil {
				fault = f.Syntax.Fault
			}
			if s.syntax != "" && fault != s.syntax {
				t.Errorf("fault %s, want %s", fault, s.syntax)
			}
			path, offset := "", int64(noPlace)
			if d.At != nil {
				path, offset = d.At.Path, d.At.Offset
			}
			if path != s.path || offset != s.offset {
				t.Errorf("at %q, byte %d; want %q, %d", path, offset, s.path, s.offset)
			}
			filter := ""
			if d.Repair != nil {
				filter = d.Repair.Filter
			}
			if filter != s.repair {
				t.Fatalf("repair\n%s, want\n%s", filter, s.repair)
			}
			if filter != "" {
				after := repairedBy(t, p, filter, s.text)
				if after.Verdict != Offloaded || d.Repair.Verdict != Offloaded || after.Inline.Tokens != d.Repair.After {
					t.Errorf("repaired %s with %v tokens; the repair says %s, %v", after.Verdict, after.Inline.Tokens, d.Repair.Verdict, d.Repair.After)
				}
			}
		})
	}
}

// repairedBy runs a filter over a payload as a user would, and the policy over what it gives.
func repairedBy(t *testing.T, p *Policy, filter, payload string) *Outcome {
	t.Helper()
	q, err := Compile(filter)
	if err != nil {
		t.Fatal(err)
	}
	input, err := Decode([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	results, _, err := q.Collect(context.Background(), input, nil, QueryLimits{}, 0)
	if err != nil || len(results) != 1 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	return replay(t, p, RunOptions{SkipExact: true}, result(string(results[0])))[0]
}

func TestTheSituationsHaveEveryCauseAndFault(t *testing.T) {
	causes, faults, seen := map[Cause]bool{}, map[string]bool{}, map[string]string{}
	for _, s := range situations(t) {
		causes[s.cause], faults[s.syntax] = true, true
		shape := fmt.Sprint(s.cause, s.policy, s.set, s.fault, len(s.calls), s.text)
		if seen[shape] != "" {
			t.Errorf("%s is %s again", s.name, seen[shape])
		}
		seen[shape] = s.name
	}
	for _, c := range Causes() {
		if !causes[c] && c != CauseCleared { // a situation has one step: nothing goes later
			t.Errorf("no situation of %s", c)
		}
	}
	for _, f := range []string{"trailing-comma", "comment", "cut-off", "bom", "raw-control", "bad-utf8", "unquoted-key", "bad-escape", "bad-number",
		"single-quotes", "nan", "escaped", "several-values", "trailing-data", "code-fence", "not-json", "other"} {
		if !faults[f] {
			t.Errorf("no situation with the fault %s", f)
		}
	}
}
