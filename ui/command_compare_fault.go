package ui

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"floodmark/engine"
	"floodmark/history"
)

// compare --fault NAME --healthy: each policy with the fault beside itself without it.

// A faultReport writes what a fault takes from the model's reach, and the sums of each policy.
type faultReport interface {
	effect(c *history.Conversation, policy string, e *engine.FaultEffect) error
	sums(policies []faultSum, conversations int) error
}

// A faultSum is what a fault does to one policy over all conversations.
type faultSum struct {
	policy          *engine.Policy
	label           string
	healthy, faulty engine.Totals
	engine.FaultSums
}

func compareHealthy(ctx context.Context, s *Streams, o *compareOptions, paths []string) error {
	policies, labels, err := o.policies()
	if err != nil {
		return err
	}
	fault := engine.Fault(o.fault)
	out := bufio.NewWriter(s.Out)
	var report faultReport = &faultText{out: out, theme: s.theme(), fault: fault}
	if o.json {
		report = &faultJSON{out: out, fault: fault}
	}
	sums := make([]faultSum, len(policies))
	conversations := 0
	n := corpusUnder(s, &o.replayOptions, nil)
	err = n.each(ctx, paths, func(rec *history.Recording) error {
		for _, c := range rec.Conversations {
			conversations++
			r := engine.NewReplayer(c)
			for i, p := range policies {
				_, runs, err := r.FaultRuns(ctx, p, []engine.Fault{fault}, engine.RunOptions{SkipExact: true})
				if err != nil {
					return fmt.Errorf("%s: %w", rec.Name, err)
				}
				f := runs[0]
				sums[i].healthy.Add(f.Healthy)
				sums[i].faulty.Add(f.Faulty)
				sums[i].Add(f.FaultSums)
				for k := range f.Effects {
					if err := report.effect(c, labels[i], &f.Effects[k]); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, p := range policies {
		sums[i].policy, sums[i].label = p, labels[i]
	}
	if err := report.sums(sums, conversations); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return n.end()
}

// faultText writes a line for each payload.
type faultText struct {
	out   io.Writer
	theme *theme
	fault engine.Fault
}

func (t *faultText) effect(c *history.Conversation, policy string, e *engine.FaultEffect) error {
	place := visible(strings.Join([]string{c.File, stepNumber(e.Healthy.Turn, e.Healthy.Step), e.Healthy.Call.Tool, e.Healthy.Call.ID}, " · "))
	what := fmt.Sprintf("%s: %s %s → %s", policy, t.theme.verdicts[e.Healthy.Verdict], e.Healthy.Verdict, afterFault(t.theme, e.Faulty))
	if e.Unreachable() == 0 {
		return t.theme.write(t.out, fmt.Sprintf("%s · %s; %s tokens enter, not %s", place, what, rounded(e.Faulty.Inline.Tokens), rounded(e.Healthy.Inline.Tokens)))
	}
	return t.theme.write(t.out, fmt.Sprintf("%s · %s; %s: %s, %s tokens %s", place, what, visible(e.Healthy.Name), bytesText(e.Unreachable()), rounded(e.UnreachableTokens()),
		t.theme.bad.on("out of reach")))
}

func (t *faultText) sums(policies []faultSum, conversations int) error {
	lines := []string{"", fmt.Sprintf("%s: what the model would no longer reach in %s", t.fault, count(conversations, "conversation"))}
	for _, p := range policies {
		lines = append(lines, fmt.Sprintf("  %s: %s of %s, %s, %s tokens (%s); %s tokens enter, healthy %s", p.label,
			grouped(int64(p.Lost)), count(p.Variables, "kept payload"), bytesText(p.Bytes), rounded(p.Tokens), p.policy.Estimator,
			rounded(p.faulty.Inline.Tokens), rounded(p.healthy.Inline.Tokens)))
	}
	return t.theme.write(t.out, lines...)
}

// faultJSON writes an object a payload, and the totals last.
type faultJSON struct {
	out   io.Writer
	fault engine.Fault
}

type faultSideJSON struct {
	Verdict     engine.Verdict `json:"verdict"`
	Inline      engine.Measure `json:"inline"`
	Seen        int64          `json:"seen_bytes"`
	Retrievable int64          `json:"retrievable_bytes"`
	Gone        int64          `json:"lost_bytes"`
}

func faultSide(s engine.Sight) faultSideJSON {
	return faultSideJSON{s.Verdict, s.Inline, s.Seen, s.Retrievable, s.Gone}
}

func (j *faultJSON) effect(c *history.Conversation, policy string, e *engine.FaultEffect) error {
	return writeJSON(j.out, struct {
		File         string         `json:"file"`
		Conversation string         `json:"conversation"`
		Thread       string         `json:"thread"`
		Turn         int            `json:"turn"`
		Step         int            `json:"step"`
		Call         string         `json:"call"`
		Tool         string         `json:"tool"`
		Policy       string         `json:"policy"`
		Fault        engine.Fault   `json:"fault"`
		Variable     string         `json:"variable"`
		Healthy      faultSideJSON  `json:"healthy"`
		Faulty       faultSideJSON  `json:"faulty"`
		Unreachable  engine.Measure `json:"unreachable"`
		Why          string         `json:"why"`
	}{c.File, c.ID, e.Healthy.Thread.Name, e.Healthy.Turn, e.Healthy.Step, e.Healthy.Call.ID, e.Healthy.Call.Tool, policy, j.fault, e.Healthy.Name,
		faultSide(e.HealthySight), faultSide(e.InFault), engine.Measure{Bytes: e.Unreachable(), Tokens: e.UnreachableTokens()}, e.Why})
}

func (j *faultJSON) sums(policies []faultSum, conversations int) error {
	type sum struct {
		Policy      string         `json:"policy"`
		Estimator   string         `json:"estimator"`
		Variables   int            `json:"variables"`
		Lost        int            `json:"lost"`
		Unwarned    int            `json:"unwarned"`
		Unreachable engine.Measure `json:"unreachable"`
		Healthy     engine.Measure `json:"healthy_inline"`
		Faulty      engine.Measure `json:"faulty_inline"`
	}
	type totals struct {
		Fault         engine.Fault `json:"fault"`
		Conversations int          `json:"conversations"`
		Policies      []sum        `json:"policies"`
	}
	t := totals{Fault: j.fault, Conversations: conversations}
	for _, p := range policies {
		t.Policies = append(t.Policies, sum{p.label, string(p.policy.Estimator), p.Variables, p.Lost, p.Unwarned,
			engine.Measure{Bytes: p.Bytes, Tokens: p.Tokens}, p.healthy.Inline, p.faulty.Inline})
	}
	return writeJSON(j.out, struct {
		Totals totals `json:"totals"`
	}{t})
}
