package ui

import (
	"context"
	"fmt"
	"path"
	"strings"
	"testing"

	"floodmark/engine"
	"floodmark/history"
)

// What each built-in recording is there to show. Between them they show every verdict, and every
// warning that a recording and a fault can bring about.
func TestTheBuiltInRecordingsShowWhatTheyAreFor(t *testing.T) {
	recordings, err := builtin(context.Background(), history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	shown, tracked := map[string]bool{}, false
	results := func(name, policy string, fault engine.Fault) map[string]string {
		var p *engine.Policy
		var err error
		if policy == "a day" { // moveworks with a retention of a day
			if p, err = engine.Load("moveworks"); err == nil {
				p, err = p.Set("retention.seconds=86400")
			}
		} else {
			p, err = engine.Load(policy)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, r := range recordings {
			if path.Base(r.Name) != name {
				continue
			}
			for n, c := range r.Conversations {
				run, err := engine.NewReplayer(c).Run(context.Background(), p, engine.RunOptions{Fault: fault, Track: tracked})
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range run.Outcomes {
					words := []string{string(o.Verdict)}
					for _, w := range o.Warnings {
						words = append(words, w.Code)
						shown[w.Code] = true
					}
					shown[string(o.Verdict)] = true
					key := o.Call.ID
					if n > 0 {
						key = fmt.Sprintf("%d/%s", n+1, o.Call.ID)
					}
					got[key] = strings.TrimSpace(strings.Join(words, " "))
				}
			}
		}
		return got
	}
	for _, c := range []struct {
		recording, policy string
		fault             engine.Fault
		want              map[string]string
	}{
		{"support-day.json", "moveworks", "", map[string]string{
			"call_1": "inline", "call_2": "offloaded", "call_3": "inline", "call_4": "inline large-plaintext rendered-text",
			"call_5": "inline large-plaintext stringified-json", "call_6": "inline near-threshold within-estimator-error",
			"call_7": "inline", "call_support_export": "rejected"}},
		{"expenses-structured.json", "moveworks", "", map[string]string{"call_map": "offloaded"}},
		{"expenses-structured.json", "moveworks", engine.SandboxDown, map[string]string{"call_map": "lost lost sandbox-unavailable"}},
		{"expenses-rendered.json", "moveworks", "", map[string]string{"call_render": "inline large-plaintext rendered-text"}},
		{"expenses-rendered.json", "trueforge", "", map[string]string{"call_render": "offloaded"}},
		{"crm-stringified.json", "moveworks", "", map[string]string{"call_crm": "inline large-plaintext stringified-json"}},
		{"threshold-edge.json", "moveworks", "", map[string]string{ // 28,000 and 28,001 bytes
			"toolu_at": "inline near-threshold within-estimator-error", "toolu_over": "offloaded near-threshold"}},
		{"four-parallel.jsonl", "trueforge", "", map[string]string{ // four times 16,000 characters; then four small ones
			"call_1": "offloaded within-estimator-error combined-limit", "call_2": "offloaded within-estimator-error combined-limit",
			"call_3": "inline within-estimator-error", "call_4": "inline within-estimator-error",
			"2/call_1": "inline", "2/call_2": "inline", "2/call_3": "inline", "2/call_4": "inline"}},
		{"instructions.json", "moveworks", "", map[string]string{
			"toolu_small": "inline", "toolu_large": "offloaded near-threshold",
			"toolu_only_with": "inline near-threshold within-estimator-error", "toolu_deeper": "inline"}},
		{"failed-call.json", "trueforge", "", map[string]string{
			"toolu_refused": "inline", "toolu_crashed": "truncated", "toolu_worked": "inline"}},
		{"incident-session.jsonl", "trueforge", "", map[string]string{
			"toolu_exec": "preview-only", "toolu_search": "offloaded", "toolu_task": "inline"}},
		{"customer-directory.json", "moveworks", "", map[string]string{"call_directory": "offloaded sensitive-boundary sensitive-boundary sensitive-boundary sensitive-boundary sensitive-boundary"}},
		{"customer-directory.json", "trueforge", "", map[string]string{"call_directory": "offloaded sensitive-boundary sensitive-boundary sensitive-boundary sensitive-boundary sensitive-boundary"}},
		{"cjk-emoji.json", "trueforge", "", map[string]string{
			"call_survey": "offloaded near-threshold", "call_reviews": "offloaded near-threshold"}},
		{"ids.json", "moveworks", "", map[string]string{
			"call_ids": "offloaded near-threshold", "call_hosts": "offloaded near-threshold"}},
		{"unpaired.json", "moveworks", "", map[string]string{
			"call_paired": "inline", "call_of_nobody": "inline orphan-result", "call_without_result": "no-result"}},
		{"export-all.json", "moveworks", "", map[string]string{"call_export_all": "rejected"}},
	} {
		got := results(c.recording, c.policy, c.fault)
		for call, want := range c.want {
			if got[call] != want {
				t.Errorf("%s under %s %s, %s: %q, want %q", c.recording, c.policy, c.fault, call, got[call], want)
			}
		}
	}
	tracked = true
	for policy, want := range map[string]map[string]string{
		"moveworks": {"toolu_first": "offloaded near-threshold superseded", "toolu_again": "offloaded near-threshold", "toolu_lines": "inline reread",
			"toolu_wrong": "inline ungrounded", "toolu_mixed": "inline mixed-records", "toolu_late": "inline"},
		"a day": {"toolu_first": "offloaded near-threshold superseded expired", "toolu_late": "inline"},
	} {
		got := results("resumed-workflow.jsonl", policy, "")
		for call, words := range want {
			if got[call] != words {
				t.Errorf("resumed-workflow.jsonl under %s, %s: %q, want %q", policy, call, got[call], words)
			}
		}
	}
	tracked = false
	for call, outcome := range results("many-small.json", "trueforge", "") { // 101 of 100 tokens
		if !strings.HasPrefix(outcome, "offloaded") || !strings.Contains(outcome, "combined-limit package-larger") {
			t.Errorf("many-small.json, %s: %s", call, outcome)
		}
	}
	invalid := 0
	for _, outcome := range results("broken-json.jsonl", "moveworks", "") {
		if strings.Contains(outcome, "json-like-invalid") {
			invalid++
		}
	}
	if invalid != 3 {
		t.Errorf("broken-json.jsonl: %d results start like JSON and are not, want 3", invalid)
	}
	for _, v := range engine.Verdicts {
		if !shown[string(v)] {
			t.Errorf("no built-in recording shows the verdict %s", v)
		}
	}
	for _, w := range []string{"large-plaintext", "stringified-json", "rendered-text", "json-like-invalid", "near-threshold",
		"within-estimator-error", "combined-limit", "package-larger", "lost", "no-result", "orphan-result",
		"superseded", "expired", "reread", "ungrounded", "mixed-records", "sensitive-boundary"} {
		if !shown[w] {
			t.Errorf("no built-in recording shows the warning %s", w)
		}
	}
	if n := len(recordings); n < 10 {
		t.Errorf("%d recordings, want ten or more", n)
	}
}
