package engine

import (
	"bytes"
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"floodmark/history"
)

func TestFactsOfTwoHalvesMergedAnswerAsTheWhole(t *testing.T) {
	all := conversationsIn(t, filepath.Join("..", "fixtures"))
	for _, name := range []string{"moveworks", "trueforge"} {
		p := policy(t, name)
		whole := collected(t, all, p)
		var files bytes.Buffer
		var halves []*Corpus
		for _, half := range [][]int{{0, len(all) / 2}, {len(all) / 2, len(all)}} {
			var b bytes.Buffer
			if err := collected(t, all[half[0]:half[1]], p).WriteFacts(&b); err != nil {
				t.Fatal(err)
			}
			files.Write(b.Bytes())
			c, err := ReadFacts(&b)
			if err != nil {
				t.Fatal(err)
			}
			halves = append(halves, c)
		}
		merged, err := MergeFacts(halves...)
		if err != nil {
			t.Fatal(err)
		}
		oneAfterAnother, err := ReadFacts(&files)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range waysOf(t, p) {
			want, err := whole.Decide(w)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []*Corpus{merged, oneAfterAnother} {
				got, err := c.Decide(w)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %+v, of the whole %+v", settings(w), got.Point, want.Point)
				}
			}
		}
		a, err := whole.Recommend(context.Background(), p, PerResultKey, Goal{Aim: LowestTokens, MaxStepTokens: 5000})
		if err != nil {
			t.Fatal(err)
		}
		b, err := merged.Recommend(context.Background(), p, PerResultKey, Goal{Aim: LowestTokens, MaxStepTokens: 5000})
		if err != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%+v, of the whole %+v (%v)", b, a, err)
		}
		if i := whole.Len() - 1; !reflect.DeepEqual(whole.At(i), merged.At(i)) {
			t.Errorf("%+v, of the whole %+v", merged.At(i), whole.At(i))
		}
	}
}

func TestFactsHoldNoPayloadText(t *testing.T) {
	conv := conversation(result(`{"rows":[{"name":"Ada Lovelace"},{"name":"Grace Hopper"}]}`), result("a secret word"))
	conv.Threads[0].Turns[0].Prompt = history.Of("what did she write")
	var b bytes.Buffer
	if err := collected(t, []*history.Conversation{conv}, policy(t, "trueforge")).WriteFacts(&b); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"Ada", "rows", "secret", "what did"} {
		if strings.Contains(b.String(), text) {
			t.Errorf("%q is in the facts: %s", text, b.String())
		}
	}
	if n := strings.Count(b.String(), "\n"); n != 3 {
		t.Errorf("%d lines, want a header, a thread and a step", n)
	}
}

func TestDamagedFactsSayWhereAndWhy(t *testing.T) {
	var b bytes.Buffer
	if err := collected(t, []*history.Conversation{conversation(result("text"))}, policy(t, "moveworks")).WriteFacts(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(b.String(), "\n"), "\n")
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "line 1: is not there: the file is empty"},
		{"no header", lines[1], `line 1: is not the header of a facts file, {"floodmark_facts": …}`},
		{"another version", strings.Replace(lines[0], `"floodmark_facts":2`, `"floodmark_facts":9`, 1), `line 1: has facts of version 9 in "quarters of a token"; this program reads version 2`},
		{"cut off", lines[0] + lines[1] + lines[2][:40], "line 3: is not a line of a facts file: unexpected end of JSON input"},
		{"a step without its thread", lines[0] + lines[2], "line 2: is neither a thread nor a step of one"},
		{"the middle of a thread", lines[0] + lines[1] + strings.Replace(lines[2], `"reset":true,`, "", 1), "line 3: is in the middle of a thread, whose beginning is missing: facts are parted between files, not within one"},
		{"other settings", lines[0] + strings.Replace(lines[0], `"preview.records":3`, `"preview.records":2`, 1), "line 2: preview.records was 3 for some of the facts and 2 for others"},
		{"a negative size", lines[0] + lines[1] + strings.Replace(lines[2], `"tokens":4`, `"tokens":-4`, 1), "line 3: has a negative size"},
	} {
		_, err := ReadFacts(strings.NewReader(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestFactsOfDifferentPoliciesAreNotMerged(t *testing.T) {
	conv := []*history.Conversation{conversation(result("text"))}
	_, err := MergeFacts(collected(t, conv, policy(t, "moveworks")), collected(t, conv, policy(t, "moveworks", "estimator=chars/4")))
	if want := `estimator was "bytes/4" for some of the facts and "chars/4" for others`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
