package engine

import (
	"reflect"
	"strings"
	"testing"

	"floodmark/history"
)

func TestAHistogramHasStructuredAndPlainApart(t *testing.T) {
	conv := conversation(result(numbers(40)), result(numbers(60)), result(strings.Repeat("x", 64)), result(""), result(numbers(256)))
	conv.Threads[0].Turns[0].Steps[0].Calls[4].Tool = "other"
	p := policy(t, "moveworks")
	c := collected(t, []*history.Conversation{conv}, p)
	h, err := c.Histogram(p, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []Bucket{
		{0, 1, 0, 1, 0, 0}, {1, 2, 0, 0, 0, 0}, {2, 4, 0, 0, 0, 0}, {4, 8, 0, 0, 0, 0},
		{8, 16, 2, 0, 25, 0}, {16, 32, 0, 1, 0, 16}, {32, 64, 0, 0, 0, 0}, {64, 128, 1, 0, 64, 0},
	}
	if h.Results != 5 || !reflect.DeepEqual(h.Buckets, want) {
		t.Errorf("%d results in %v\nwant %v", h.Results, h.Buckets, want)
	}
	if h, err = c.Histogram(p, "other", 2); err != nil || h.Results != 1 || len(h.Buckets) != 14 || h.Buckets[13].From != 64 {
		t.Errorf("%+v, %v", h, err)
	}
	if got := c.Tools(); !reflect.DeepEqual(got, []ToolFacts{{"other", 1, 64}, {"tool", 4, 41}}) {
		t.Errorf("tools %v", got)
	}
}

// Three steps: the first brings 10,000 tokens, of which the two others read the package instead.
func TestTheBreakEvenCountsWhatLaterStepsRead(t *testing.T) {
	conv := conversation(result(strings.Repeat("x", 40_000)))
	turn := conv.Threads[0].Turns[0]
	turn.Prompt = history.Of("")
	turn.Steps = append(turn.Steps, &history.Step{Number: 2}, &history.Step{Number: 3, Text: history.Of("text")})
	p := policy(t, "trueforge")
	c := collected(t, []*history.Conversation{conv}, p)
	d, err := c.Decide(p)
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.BreakEven(d)
	if err != nil {
		t.Fatal(err)
	}
	in := d.InlineTokens(0)
	if want := (BreakEven{Offloads: 1, Saved: 2 * (10_000 - in), Step: in, Later: 2}); *b != want {
		t.Errorf("%+v, want %+v", *b, want)
	}
	if got, want := b.Inspections(1000), 2*(10_000-in)/(in+2000); got != want {
		t.Errorf("%v inspections, want %v", got, want)
	}
	if d.ModelOriginal-d.Point.ModelTokens != b.Saved {
		t.Errorf("the model reads %v less, saved is %v", d.ModelOriginal-d.Point.ModelTokens, b.Saved)
	}
	if got := (&BreakEven{}).Inspections(100); got != 0 {
		t.Errorf("without offloads %v inspections", got)
	}
}

func TestAdviceOnShapesNamesTheToolThatGainsMost(t *testing.T) {
	text := result(strings.Repeat("many words ", 4000))
	text.Tool = "log"
	rendered := result(`{"summary":"` + strings.Repeat("x", 60_000) + `"}`)
	rendered.Tool = "report"
	structured := result(numbers(40_000))
	structured.Tool = "list"
	small := result(numbers(400))
	c := collected(t, []*history.Conversation{conversation(text, rendered, structured, small)}, policy(t, "moveworks"))
	list, err := c.Shapes(policy(t, "moveworks"))
	if err != nil {
		t.Fatal(err)
	}
	var tools []string
	for _, s := range list {
		tools = append(tools, s.Tool+" "+string(s.Cause))
	}
	if got := strings.Join(tools, ", "); got != "report rendered-text, log not-json, list structured" {
		t.Errorf("got %s", got)
	}
	if list[0].Whole != 1 || list[0].WholeTokens != 15_003.5 || list[2].Whole != 0 || list[2].Gain != 0 || list[2].Results != 1 {
		t.Errorf("got %+v", list)
	}
}
