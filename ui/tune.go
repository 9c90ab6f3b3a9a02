package ui

import (
	"floodmark/engine"
)

// A tuneScreen shows what other numbers of a policy would have made of everything that is open. It
// decides from facts, so that every key is answered at once; it writes nothing and changes nothing
// outside itself until it is told to.
type tuneScreen struct {
	*deps
	rect
	own    *engine.Policy // the chosen policy as it is: what "before" means
	from   *engine.Policy // what the explorer had when the screen was opened, or was given since
	policy *engine.Policy // with what is tuned: "after"
	undo   []tuneStep
	fault  engine.Fault
	facts  *tuneFacts // what is measured for the policy that the screen was opened with
	total  int        // conversations that there are
	measured

	knobs  []knob
	chosen int  // of knobs
	top    int  // the first knob in sight
	inList bool // the results that flip have the keys, not the knobs
	scope  tuneScope
	tools  []engine.ToolFacts
	agents []tuneScope // roles and agents that the facts have
	goals  []tuneGoal
	goal   int
	window float64 // the model's context in tokens; 0 is not given
	table  bool    // figures in words, not plots

	before, after *engine.Decisions // that are shown; of settings before the last ones where missing is set
	over          [2]int            // steps over the goal's limit, before and after
	problem       string            // why nothing could be decided
	flips         tuneFlips
	sizes         tuneSizes
	sweep         *tuneSweep
	wanted        sweepBasis     // of the sweep that is under way
	swept         *engine.Policy // what is tuned, with the swept setting as before; nil: to be made
	sweptField    string
	advice        *engine.Recommendation
	costs         *tuneCosts           // of what was shown last; nil until they are counted
	prices        *TokenPrices         // nil where they are not given
	latency       float64              // of one inspection, in seconds; 0 is not given
	shapes        []engine.ShapeAdvice // for a policy whose limits are fixed
	adviceProblem string
}

// A tuneStep is a state that undo returns to.
type tuneStep struct {
	policy *engine.Policy
	by     string // the knob that was moved from here; moves of one knob in a row are one step
}

// A tuneScope narrows the sizes and the list of what flips: to a tool, a role or an agent.
type tuneScope struct{ tool, role, agent string }

func (s tuneScope) all() bool { return s == tuneScope{} }

// words name the scope.
func (s tuneScope) words() string {
	switch {
	case s.tool != "":
		return visible(s.tool)
	case s.agent != "":
		return "agent " + visible(s.agent)
	case s.role == engine.RootRole:
		return "main threads"
	case s.role != "":
		return "subagents"
	}
	return "all tools"
}

// override selects the scope.
func (s tuneScope) override() engine.Override {
	return engine.Override{Tool: s.tool, Role: s.role, Agent: s.agent}
}

// holds tells whether a result belongs to the scope.
func (s tuneScope) holds(f engine.Fact) bool {
	return (s.tool == "" || s.tool == f.Tool) && (s.role == "" || s.role == f.Role) && (s.agent == "" || s.agent == f.Agent)
}

// newTune tunes a policy, from what it was already changed to.
func newTune(d *deps, own, from *engine.Policy) *tuneScreen {
	t := &tuneScreen{deps: d, own: own, from: from, policy: from, fault: d.session.fault, goals: newGoals(), table: d.theme.over.open == "",
		prices: d.session.prices, latency: d.session.latency, window: d.session.window}
	t.knobs = knobsOf(own, from)
	t.chosen = t.settable()
	return t
}

// take takes in facts.
func (t *tuneScreen) take(f *tuneFacts) {
	t.facts = f
	t.tools = f.corpus.Tools()
	t.agents = scopesOf(f.corpus)
	t.decide()
	t.measureSizes()
}

// scopesOf lists the roles and agents that have results, where there is more than one.
func scopesOf(c *engine.Corpus) []tuneScope {
	var list []tuneScope
	seen := map[tuneScope]bool{}
	add := func(s tuneScope) {
		if !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	for i := range c.Len() {
		f := c.At(i)
		add(tuneScope{role: f.Role})
		if f.Agent != "" {
			add(tuneScope{agent: f.Agent})
		}
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

// decide makes the verdicts of before and after. Where one of them takes measuring first, what is shown stays.
func (t *tuneScreen) decide() {
	t.problem, t.missing = "", nil
	if t.facts == nil || t.facts.corpus.Len() == 0 {
		t.before, t.after = nil, nil
	} else {
		before, err := t.decideOwn()
		var after *engine.Decisions
		if err == nil && before != nil {
			after, t.source, err = t.decided(t.policy)
		}
		switch {
		case err != nil:
			t.problem, t.after = visible(err.Error()), nil
		case before == nil:
			t.missing = t.own
			return
		case after == nil:
			t.missing = t.policy
			return
		default:
			t.before, t.after = before, after
		}
	}
	t.listFlips()
	t.countOver()
}

// countOver counts the steps over the goal's limit.
func (t *tuneScreen) countOver() {
	t.over = [2]int{}
	limit := t.stepLimit()
	if limit <= 0 || t.after == nil || t.before == nil {
		return
	}
	t.over = [2]int{len(t.before.StepsOver(limit)), len(t.after.StepsOver(limit))}
}

// measureSizes lists the results of the scope by size.
func (t *tuneScreen) measureSizes() {
	t.sizes = tuneSizes{}
	if t.facts == nil {
		return
	}
	structured, plain, err := t.facts.corpus.Sizes(t.policy, t.scope.override())
	if err != nil { // it was measured for another setting, which has the same sizes
		structured, plain, err = t.facts.corpus.Sizes(t.from, t.scope.override())
	}
	if err == nil {
		t.sizes = tuneSizes{structured, plain}
	}
}

// knob is the chosen one.
func (t *tuneScreen) knob() knob { return t.knobs[min(t.chosen, len(t.knobs)-1)] }

// changed tells whether anything is tuned.
func (t *tuneScreen) changed() bool { return t.policy != t.own }

// rules are the policy's as the screen measures by it.
func (t *tuneScreen) rules() rules {
	r := rules{policy: t.policy, own: t.own}
	if t.changed() {
		r.tuned.base = t.policy
	}
	return r
}

// put makes p what is tuned; by names the knob that did it, empty for what stands for itself.
func (t *tuneScreen) put(p *engine.Policy, by string) {
	if n := len(t.undo); by == "" || n == 0 || t.undo[n-1].by != by {
		t.undo = append(t.undo, tuneStep{t.policy, by})
	}
	t.become(p)
}

// become shows p.
func (t *tuneScreen) become(p *engine.Policy) {
	share := t.policy.Structured != p.Structured
	t.policy, t.swept = p, nil
	t.knobs = knobsOf(t.own, p)
	t.chosen = min(t.chosen, len(t.knobs)-1)
	t.decide()
	if share {
		t.measureSizes()
	}
}

// back undoes the last change; false where there is none.
func (t *tuneScreen) back() bool {
	n := len(t.undo)
	if n == 0 {
		return false
	}
	last := t.undo[n-1].policy
	t.undo = t.undo[:n-1]
	t.become(last)
	return true
}

// set puts the chosen knob at v, or takes its limit away. The words say what is wrong.
func (t *tuneScreen) set(v float64, some bool) (wrong string) {
	k := t.knob()
	p, err := k.set(t.policy, v, some)
	if err != nil {
		return visible(err.Error())
	}
	if own, had := k.value(t.own); own == v && had == some && string(p.Document()) == string(t.own.Document()) {
		p = t.own // as it was: nothing is changed
	}
	swept := t.swept
	t.put(p, k.field+k.name)
	if k.override < 0 && k.field == t.sweptField {
		t.swept = swept // the swept setting's own value is no part of it
	}
	return ""
}

// move moves the chosen knob.
func (t *tuneScreen) move(by int, fine bool) (wrong string) {
	k := t.knob()
	v, ok := k.value(t.policy)
	if !ok {
		return t.set(k.start(), true)
	}
	next, ok := k.step(v, by, fine)
	if !ok {
		return k.name + " goes no further"
	}
	return t.set(next, true)
}

// override adds a threshold of its own for the scope, with the policy's number, and chooses it. A
// second one for a role or an agent is its combined threshold.
func (t *tuneScreen) override() (wrong string) {
	s := t.scope
	if s.all() {
		return keyOf(nextTool, t.theme.ascii, inTune) + " chooses a tool first, " + keyOf(nextAgent, t.theme.ascii, inTune) + " a role or an agent"
	}
	o := s.override()
	list := append([]engine.Override(nil), t.policy.Overrides...)
	at := -1
	for i, have := range list {
		if have.Tool == o.Tool && have.Role == o.Role && have.Agent == o.Agent {
			at = i
		}
	}
	limits := t.policy.LimitsFor(s.role, s.agent, s.tool)
	combined := false
	switch {
	case at < 0 || !list[at].PerResult.Given:
		o.PerResult = engine.Threshold{Given: true, Limit: limits.PerResult}
	case s.tool == "" && !list[at].Combined.Given:
		o.Combined = engine.Threshold{Given: true, Limit: limits.Combined}
		combined = true
	default:
		t.chooseOverride(at, false)
		return "there is one for " + s.words() + " already"
	}
	if at < 0 {
		at = len(list)
		list = append(list, o)
	} else if combined {
		list[at].Combined = o.Combined
	} else {
		list[at].PerResult = o.PerResult
	}
	p, err := setOverrides(t.policy, list)
	if err != nil {
		return visible(err.Error())
	}
	t.put(p, "")
	t.chooseOverride(at, combined)
	return ""
}

// chooseOverride chooses the knob of an override.
func (t *tuneScreen) chooseOverride(at int, combined bool) {
	for i, k := range t.knobs {
		if k.override == at && k.combined == combined {
			t.chosen, t.inList = i, false
		}
	}
}

// remove takes the chosen override's threshold away.
func (t *tuneScreen) remove() (wrong string) {
	k := t.knob()
	if k.override < 0 || t.inList {
		return "only an override can be removed; choose one of the settings after the policy's own"
	}
	list := append([]engine.Override(nil), t.policy.Overrides...)
	o := &list[k.override]
	if k.combined {
		o.Combined = engine.Threshold{}
	} else {
		o.PerResult = engine.Threshold{}
	}
	if !o.PerResult.Given && !o.Combined.Given {
		list = append(list[:k.override], list[k.override+1:]...)
	}
	p, err := setOverrides(t.policy, list)
	if err != nil {
		return visible(err.Error())
	}
	if string(p.Document()) == string(t.own.Document()) {
		p = t.own
	}
	t.put(p, "")
	return ""
}

// narrow goes to the next scope of a kind, and after the last to all.
func (t *tuneScreen) narrow(list []tuneScope, by int) {
	at := -1
	for i, s := range list {
		if s == t.scope {
			at = i
		}
	}
	n := len(list) + 1
	at = ((at+1+by)%n+n)%n - 1
	t.scope = tuneScope{}
	if at >= 0 {
		t.scope = list[at]
	}
	t.measureSizes()
	t.listFlips()
}

// listFlips lists the results of the scope that flip.
func (t *tuneScreen) listFlips() {
	if t.before == nil || t.after == nil {
		t.flips = tuneFlips{}
	} else {
		t.flips.take(t.facts.corpus, engine.Flips(t.before, t.after), t.scope, t.inList)
	}
	t.inList = t.inList && len(t.flips.list) > 0
}

func (t *tuneScreen) toolScopes() []tuneScope {
	list := make([]tuneScope, len(t.tools))
	for i, u := range t.tools {
		list[i].tool = u.Tool
	}
	return list
}
