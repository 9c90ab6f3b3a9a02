package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"floodmark/history"
)

// plantings is how many wrong ids are put into copies of real conversations.
const plantings = 30

// Of 30 ids planted wrong in copies of the τ-bench recording – digits exchanged, the id of a record of another
// conversation, invented – every one is found, at its argument.
func TestIdsPlantedWrongAreFound(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(recordings(t), "tau_bench", "tau_gpt-4o-airline_4MB.json"))
	if err != nil {
		t.Fatal(err)
	}
	var runs []map[string]any
	if err := json.Unmarshal(b, &runs); err != nil {
		t.Fatal(err)
	}
	p, err := Load("moveworks")
	if err != nil {
		t.Fatal(err)
	}
	d := rand.New(rand.NewPCG(7, 30))
	ids := []string{"user_id", "reservation_id", "payment_id", "flight_number"}
	planted := 0
	for tries := 0; planted < plantings && tries < 2000; tries++ {
		run := runs[d.IntN(len(runs))]
		text, _ := json.Marshal(run)
		var copied map[string]any
		if err := json.Unmarshal(text, &copied); err != nil {
			t.Fatal(err)
		}
		calls := idCalls(copied, ids)
		if len(calls) == 0 {
			continue
		}
		at := calls[d.IntN(len(calls))]
		right := at.args[at.key].(string)
		var wrong string
		switch planted % 3 {
		case 0:
			wrong = exchanged(right)
		case 1:
			other, _ := json.Marshal(runs[d.IntN(len(runs))])
			var from map[string]any
			if json.Unmarshal(other, &from) != nil {
				continue
			}
			for _, c := range idCalls(from, []string{at.key}) {
				wrong = c.args[at.key].(string)
			}
		case 2:
			wrong = map[string]string{"user_id": fmt.Sprintf("erin_novak_%d", 1000+d.IntN(9000)), "reservation_id": fmt.Sprintf("Q%dZK%dX", d.IntN(10), d.IntN(10)),
				"payment_id": fmt.Sprintf("gift_card_%d", 1000000+d.IntN(9000000)), "flight_number": fmt.Sprintf("HAT%d", 900+d.IntN(100))}[at.key]
		}
		if wrong == "" || strings.Contains(string(text), wrong) {
			continue // it would not be wrong here
		}
		at.set(wrong)
		changed, _ := json.Marshal([]any{copied})
		rec, err := history.Read(context.Background(), "-", strings.NewReader(string(changed)), history.Options{Format: "tau-bench"})
		if err != nil {
			t.Fatal(err)
		}
		planted++
		found := false
		for _, c := range rec.Conversations {
			run, err := NewReplayer(c).Run(context.Background(), p, RunOptions{SkipExact: true, Track: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range run.Tracking.Arguments {
				found = found || a.Text == wrong && a.Suspicious()
			}
		}
		if !found {
			t.Errorf("planted %s for %s %s: not found", wrong, at.key, right)
		}
	}
	if planted != plantings {
		t.Errorf("%d ids planted, want %d", planted, plantings)
	}
}

type idCall struct {
	function, args map[string]any
	key            string
}

func (c idCall) set(text string) {
	c.args[c.key] = text
	b, _ := json.Marshal(c.args)
	c.function["arguments"] = string(b)
}

// idCalls are the calls of a run that have one of the keys.
func idCalls(run map[string]any, keys []string) []idCall {
	var list []idCall
	for _, m := range run["traj"].([]any) {
		calls, _ := m.(map[string]any)["tool_calls"].([]any)
		for _, c := range calls {
			f := c.(map[string]any)["function"].(map[string]any)
			args := map[string]any{}
			if json.Unmarshal([]byte(f["arguments"].(string)), &args) != nil {
				continue
			}
			for _, k := range keys {
				if _, ok := args[k].(string); ok {
					list = append(list, idCall{f, args, k})
				}
			}
		}
	}
	return list
}

// exchanged exchanges the first two neighbours that differ, of which the first is a digit; else the first two that differ.
func exchanged(id string) string {
	for _, digits := range []bool{true, false} {
		for i := len(id) - 2; i >= 0; i-- {
			if id[i] != id[i+1] && (!digits || id[i]-'0' < 10 && id[i+1]-'0' < 10) {
				return id[:i] + id[i+1:i+2] + id[i:i+1] + id[i+2:]
			}
		}
	}
	return ""
}
