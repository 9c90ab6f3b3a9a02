package history

import (
	"slices"
	"strings"
	"testing"
)

// pairingLine builds a thread from words, in order: ">id" a call, "<id=text" its result, "step" a
// new model response, "step:id" the response of this id, "user" a prompt. A tool's name stands
// behind a slash: ">/grep" is a call without an id.
func pairingLine(t *testing.T, line string) *builder {
	t.Helper()
	b := newBuilder(&Recording{Name: "r", Format: "f"}, "0123456789abcdef0123")
	main := b.conversation("").thread(Main)
	var s *Step
	for i, word := range strings.Fields(line) {
		at := Location{File: "r", Line: i + 1}
		switch {
		case word == "user":
			main.prompt(Of("hi"), at)
		case word == "step":
			s = main.step("")
		case strings.HasPrefix(word, "step:"):
			s = main.step(word[5:])
		case word[0] == '>':
			id, tool, _ := strings.Cut(word[1:], "/")
			main.call(s, id, tool, Of("{}"), at)
		case word[0] == '<':
			id, text, _ := strings.Cut(word[1:], "=")
			id, tool, _ := strings.Cut(id, "/")
			main.result(id, tool, &Result{Payload: Of(text), At: at})
		default:
			t.Fatalf("what is %q?", word)
		}
	}
	b.finish()
	return b
}

// told lists the calls of a conversation as "turn.step id=result flags".
func told(t *testing.T, b *builder) []string {
	t.Helper()
	var list []string
	for _, c := range b.rec.Conversations {
		for _, th := range c.Threads {
			for _, u := range th.Turns {
				for _, s := range u.Steps {
					for _, call := range s.Calls {
						line := string(rune('0'+u.Number)) + "." + string(rune('0'+s.Number)) + " " + call.ID
						if call.Result != nil {
							p, err := call.Result.Payload.Bytes()
							if err != nil {
								t.Fatal(err)
							}
							line += "=" + string(p)
						}
						if names := call.Flags.Names(); names != nil {
							line += " " + strings.Join(names, ",")
						}
						list = append(list, line)
					}
				}
			}
		}
	}
	return list
}

func TestPairingRules(t *testing.T) {
	for _, c := range []struct {
		rule, line string
		want       []string
	}{
		{"a result goes to the call of its id", "user step >a >b <b=2 <a=1", []string{"1.1 a=1", "1.1 b=2"}},
		{"an id is free again once it has its result", "user step >a <a=1 step >a <a=2", []string{"1.1 a=1", "1.2 a=2 id-reused"}},
		{"a reused id belongs to the newest step, also where the old call stayed open", "user step >a step >a <a=2",
			[]string{"1.1 a no-result", "1.2 a=2 id-reused"}},
		{"calls of one step that share an id get their results in order", "user step >0 >0 <0=1 <0=2", []string{"1.1 0=1", "1.1 0=2 id-reused"}},
		{"a result before its call waits for it", "user step <a=1 >a", []string{"1.1 a=1 result-before-call"}},
		{"a result before its call waits beyond the step", "user step <a=1 step >a", []string{"1.2 a=1 result-before-call"}},
		{"a call with a result behind it gives back the one before", "user step >x <a=0 step >a <a=1",
			[]string{"1.1 x no-result", "1.1 a=0 orphan-result", "1.2 a=1"}},
		{"a result whose id nobody opens is an orphan, where it arrived", "user step >x <x=1 step <a=2",
			[]string{"1.1 x=1", "1.2 a=2 orphan-result"}},
		{"an orphan before everything sits in turn 0", "<a=1 user", []string{"0.1 a=1 orphan-result"}},
		{"the same result again is dropped", "user step >a <a=1 <a=1", []string{"1.1 a=1"}},
		{"a different second result is shown too", "user step >a <a=1 <a=2", []string{"1.1 a=1", "1.1 a=2 repeated-result"}},
		{"what was shown already is dropped too", "user step >a <a=1 <a=2 <a=2 <a=1", []string{"1.1 a=1", "1.1 a=2 repeated-result"}},
		{"a call without a result is pending", "user step >a", []string{"1.1 a no-result"}},
		{"without ids results pair by order", "user step >/f >/g <=1 <=2",
			[]string{"1.1 line3-0=1 synthetic-id,paired-by-order", "1.1 line4-1=2 synthetic-id,paired-by-order"}},
		{"without ids a name has to agree", "user step >/f >/g </g=1 </f=2",
			[]string{"1.1 line3-0=2 synthetic-id,paired-by-name", "1.1 line4-1=1 synthetic-id,paired-by-name"}},
		{"without ids nothing is paired across steps", "user step >/f step >/g <=1 <=2",
			[]string{"1.1 line3-0 no-result,synthetic-id", "1.2 line5-1=1 synthetic-id,paired-by-order", "1.2 line7-2=2 orphan-result,synthetic-id"}},
		{"calls of one response are one batch, also with a result between", "user step:m >a <a=1 step:n >c step:m >b <b=2 <c=3",
			[]string{"1.1 a=1", "1.1 b=2", "1.2 c=3"}},
		{"a response's id counts within its turn", "user step:m >a <a=1 user step:m >b <b=2", []string{"1.1 a=1", "2.1 b=2"}},
		{"a turn may have no step", "user user step >a <a=1", []string{"2.1 a=1"}},
	} {
		if got := told(t, pairingLine(t, c.line)); !slices.Equal(got, c.want) {
			t.Errorf("%s\n%s\ngot  %q\nwant %q", c.rule, c.line, got, c.want)
		}
	}
}

func TestOrderAndArrival(t *testing.T) {
	b := pairingLine(t, "user step >a >b <b=2 <a=1 <b=2 step >c <c=3")
	var got []int
	for _, c := range b.rec.Conversations[0].Calls() {
		got = append(got, c.Order, c.Result.Arrival)
	}
	if want := []int{0, 1, 1, 0, 2, 2}; !slices.Equal(got, want) {
		t.Errorf("order and arrival of a, b, c are %v, want %v: the dropped result counts nothing", got, want)
	}
}

func TestThreadsPairOnTheirOwn(t *testing.T) {
	b := newBuilder(&Recording{}, "x")
	conv := b.conversation("c")
	main, sub := conv.thread(Main), conv.thread("agent-1")
	main.call(main.step(""), "a", "Task", Of("{}"), Location{})
	sub.call(sub.step(""), "a", "Read", Of("{}"), Location{})
	main.result("a", "", &Result{Payload: Of("main")})
	b.finish()
	calls := b.rec.Conversations[0].Calls()
	if calls[0].Result == nil || calls[1].Result != nil || !calls[1].Flags.Has(NoResult|IDReused) {
		t.Errorf("the result belongs to main's call: %+v %+v", calls[0], calls[1])
	}
}

func TestConversationsGetAnID(t *testing.T) {
	b := newBuilder(&Recording{}, "0123456789abcdef0123456789abcdef")
	for _, id := range []string{"", "own", "own", ""} {
		b.newConversation(id).thread(Main).prompt(Of("hi"), Location{})
	}
	b.newConversation("silent")
	b.finish()
	var ids []string
	for _, c := range b.rec.Conversations {
		ids = append(ids, c.ID)
	}
	if want := []string{"0123456789abcdef-0", "own", "own-2", "0123456789abcdef-3"}; !slices.Equal(ids, want) {
		t.Errorf("ids %q, want %q: the silent one is left out", ids, want)
	}
}
