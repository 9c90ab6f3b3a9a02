package engine

import (
	"strings"
	"testing"

	"floodmark/history"
)

func TestCleanToolName(t *testing.T) {
	for _, c := range []struct{ tool, want string }{
		{"list_expenses", "list_expenses"},
		{"mcp__github__search-code", "mcp__github__search-code"},
		{"functions.search", "functions_search"},
		{"browse web/page", "browse_web_page"},
		{"größe", "gr__e"},
		{"数据🎉", "___"},
		{"a\xffb", "a_b"},
		{"", "result"},
		{"2fa", "_2fa"},
		{"../../etc", "______etc"},
		{strings.Repeat("a", 41), strings.Repeat("a", 40)},
		{"9" + strings.Repeat("a", 60), "_9" + strings.Repeat("a", 38)},
	} {
		if got := cleanToolName(c.tool); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.tool, got, c.want)
		}
	}
}

// threadOf makes a thread of one step with calls of these tools, recorded at these places.
func threadOf(name string, tools []string, orders []int) *history.Thread {
	s := &history.Step{Number: 1}
	for i, tool := range tools {
		s.Calls = append(s.Calls, &history.Call{Tool: tool, Order: orders[i]})
	}
	return &history.Thread{Name: name, Turns: []*history.Turn{{Number: 1, Steps: []*history.Step{s}}}}
}

func TestNamesCountCallsMainThreadFirst(t *testing.T) {
	scout := threadOf("scout", []string{"search", "read"}, []int{1, 2})
	main := threadOf(history.Main, []string{"search", "Search", "search"}, []int{0, 4, 5})
	critic := threadOf("critic", []string{"search"}, []int{3})
	names := VariableNames(&history.Conversation{Threads: []*history.Thread{scout, main, critic}})
	for _, c := range []struct {
		thread *history.Thread
		want   []string
	}{
		{main, []string{"search_1", "Search_1", "search_2"}},
		{scout, []string{"search_3", "read_1"}},
		{critic, []string{"search_4"}},
	} {
		for i, want := range c.want {
			if got := names[c.thread.Turns[0].Steps[0].Calls[i]]; got != want {
				t.Errorf("call %d of %s is %q, want %q", i, c.thread.Name, got, want)
			}
		}
	}
}

func TestNoTwoCallsShareAName(t *testing.T) {
	// Names that come close: tools that end as names do, that clean to one another, that are long.
	long := strings.Repeat("x", 40)
	tools := []string{"a", "a_1", "a", "a.1", "a_1_1", "a_1", "", "result", "result_1", long + "1", long + "2", "1", "_1", "a_", "a"}
	orders := make([]int, len(tools))
	for i := range orders {
		orders[i] = i
	}
	main := threadOf(history.Main, tools, orders)
	names := VariableNames(&history.Conversation{Threads: []*history.Thread{main}})
	want := []string{"a_1", "a_1_1", "a_2", "a_1_2", "a_1_1_1", "a_1_3", "result_1", "result_2", "result_1_1", long + "_1", long + "_2", "_1_1", "_1_2", "a__1", "a_3"}
	seen := map[string]bool{}
	for i, call := range main.Turns[0].Steps[0].Calls {
		name := names[call]
		if name != want[i] {
			t.Errorf("call %d of %q is %q, want %q", i, call.Tool, name, want[i])
		}
		if seen[name] {
			t.Errorf("%q is the name of two calls", name)
		}
		seen[name] = true
	}
}

func TestJQName(t *testing.T) {
	if got := JQName("mcp__github__search-code_12"); got != "mcp__github__search_code_12" {
		t.Errorf("the name in jq is %q", got)
	}
}
