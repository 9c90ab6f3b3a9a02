package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"floodmark/history"
)

// Checklist line 1: could the source give less?

// narrowing are names of arguments by which tools page or project, in lower case without - and _. A
// name that also means other things (size, count, include) is not among them.
var narrowing = []string{
	"limit", "page", "pagesize", "perpage", "offset", "cursor", "pagetoken", "nexttoken", "pagination",
	"fields", "columns", "select", "projection", "first", "head", "tail", "headlimit", "viewrange",
	"maxresults", "maxrecords", "maxitems", "maxcount", "maxlines", "maxrows", "numresults", "top", "topk", "skip",
	"startat", "startindex", "startline", "endline",
}

// A toolUse is how a tool was called.
type toolUse struct {
	calls, large int
	unused       int            // large results of which no later call uses a value
	named        map[string]int // calls that had a narrowing argument, by its name as written
	narrowed     int            // calls that had any
	largeOpen    []Evidence     // large results of calls that had none, the largest maxEvidence
	openLarge    int            // how many
	openTokens   float64        // and their tokens
}

// largeFrom is the size in tokens over which a result is large: the policy's own threshold, else the
// 6,000 tokens that the checklist's document gives for one response.
func (p *Policy) largeFrom() float64 {
	if limit := p.Limits.PerResultTokens(); limit != nil {
		return *limit
	}
	return checklistPerResult
}

// Defaults of the checklist's document, sections 2 and 3, in tokens.
const (
	checklistPerResult = 6_000
	checklistCombined  = 10_000
)

// usedResults are the results from which later calls took a value of their arguments.
func usedResults(t *Tracking) map[*Outcome]bool {
	used := map[*Outcome]bool{}
	for _, arg := range t.Arguments {
		for _, from := range []*Origin{arg.First, arg.Seen} {
			if from != nil && from.Outcome != nil && !from.Argument && arg.Ground != TrivialGround {
				used[from.Outcome] = true
			}
		}
	}
	return used
}

// addUse takes in a call. used tells whether a later one took a value from its result.
func (a *Audit) addUse(c *history.Conversation, o *Outcome, used bool) {
	if o.Call.Flags&noCall != 0 {
		return // nobody knows how it was called
	}
	t := a.tools[o.Call.Tool]
	if t == nil {
		t = &toolUse{named: map[string]int{}}
		a.tools[o.Call.Tool] = t
	}
	t.calls++
	names := narrowingArguments(o.Call.Arguments)
	for _, n := range names {
		t.named[n]++
	}
	if len(names) > 0 {
		t.narrowed++
	}
	if o.Verdict == "" || o.Original.Tokens <= a.policy.largeFrom() {
		return
	}
	t.large++
	if !used {
		t.unused++
	}
	if len(names) == 0 {
		t.openLarge++
		t.openTokens += o.Original.Tokens
		l := evidenceList{kept: t.largeOpen}
		l.add(at(c, o.Call, o.Original.Tokens, "%s tokens", beside(o.Original.Tokens, a.policy.largeFrom())))
		t.largeOpen = l.kept
	}
}

// narrowingArguments are the names of the arguments that page or project: at the top level, and one
// level below it. A value that narrows nothing (null, an empty text) counts as absent.
func narrowingArguments(p history.Payload) []string {
	if n := p.Size().Bytes; n == 0 || n > longestArguments {
		return nil
	}
	b, err := p.Bytes()
	if err != nil {
		return nil
	}
	var names []string
	var walk func(b []byte, deeper bool)
	walk = func(b []byte, deeper bool) {
		var object map[string]json.RawMessage
		if json.Unmarshal(b, &object) != nil {
			return
		}
		for key, value := range object {
			word := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(key))
			switch {
			case slices.Contains(narrowing, word):
				if s := string(value); s != "null" && s != `""` && s != "[]" {
					names = append(names, key)
				}
			case deeper && len(value) > 0 && value[0] == '{':
				walk(value, false)
			}
		}
	}
	walk(b, true)
	slices.Sort(names)
	return slices.Compact(names)
}

func (a *Audit) sourceLine() AuditLine {
	l := AuditLine{Asks: "ask the source for less where it can page or project"}
	e := &evidenceList{}
	large, unused, open, openTokens, unknown, narrowed := 0, 0, 0, 0.0, []string{}, 0
	for _, name := range sortedKeys(a.tools) {
		t := a.tools[name]
		large += t.large
		unused += t.unused
		switch {
		case t.large == 0:
		case t.narrowed == 0:
			unknown = append(unknown, name)
		case t.openLarge == 0:
			narrowed += t.large
		default:
			narrowed += t.large - t.openLarge
			open += t.openLarge
			openTokens += t.openTokens
			for _, x := range t.largeOpen {
				x.Detail = x.Detail + " from a call without " + strings.Join(sortedKeys(t.named), ", ") + "; " +
					figure(float64(t.narrowed)) + " of " + plural(t.calls, "call", "calls") + " had one"
				e.add(x)
			}
			e.more += t.openLarge - len(t.largeOpen)
		}
	}
	a.evidence["source"] = e
	over := "over " + amount(a.policy.largeFrom(), "token")
	switch {
	case a.totals.Results == 0:
		l.Answer, l.Summary = CannotTell, "There is no result."
	case large == 0:
		l.Answer, l.Summary = Holds, "No result of "+figure(float64(a.totals.Results))+" is "+over+"."
	case open > 0:
		l.Answer, l.Summary = Fails, plural(open, "result", "results")+" "+over+" came from calls without an argument for pages or fields that other calls of the tool had: "+
			amount(openTokens, "token")+"."
	case narrowed == large:
		l.Answer, l.Summary = Holds, "All "+plural(large, "result", "results")+" "+over+" came from calls that asked for pages or fields."
	default:
		l.Answer, l.Summary = CannotTell, plural(large, "result is ", "results are ")+over+", and no call of their tools asked for pages or fields."
	}
	if unused > 0 {
		l.Summary += " No later call takes a value from " + figure(float64(unused)) + " of the " + plural(large, "large result", "large results") + "."
	}
	if len(unknown) > 0 {
		l.Unknown = append(l.Unknown, "Whether "+listed(unknown)+" can page or project: no call did.")
	}
	if large > 0 {
		l.Unknown = append(l.Unknown, "Whether the answers needed all of what the large results hold.")
	}
	l.Figures = AuditCounts{"large_results": float64(large), "large_unused": float64(unused), "without_narrowing": float64(open), "without_narrowing_tokens": openTokens, "tools_unknown": float64(len(unknown))}
	return l
}

// listed names the first few of a list.
func listed(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + figure(float64(len(names)-most)) + " more"
}
