package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"floodmark/engine"
)

// typedLimits are those of a filter that is run while it is typed; the screen says where one is met.
func typedLimits() engine.QueryLimits {
	return engine.QueryLimits{Results: 100_000, Bytes: 8 << 20, Time: 30 * time.Second, Memory: 1 << 30}
}

// queryCacheBytes is the memory that decoded payloads may take, about: a payload of 100 MB takes 900.
const queryCacheBytes = 1200 << 20

// A queryAnswer is what running a filter gave.
type queryAnswer struct {
	filter  string
	step    engine.InspectionKind
	lines   [][]byte // the results as JSON, each on one line
	text    []byte   // what the raw form shows
	doc     *document
	measure engine.Measure // one line a result, as a model would get it
	read    int64
	compact int64 // of the payload on one line
	stopped engine.QueryStop
	ended   string // the limit at which it was stopped, in words
	found   bool
	figures string
	marks   string // what looks sensitive in it and where, in words; empty without, and until it was looked at
}

// A queryProblem says why a filter gave no answer.
type queryProblem struct {
	text       string
	knows      string // what jq has in its place; empty without
	caret      int    // byte in the filter; -1 without
	unfinished bool   // no error: it may become right by writing on
	prefix     string // the longest beginning that runs; empty without
}

// A filterResult is an answer, or the problem in its place.
type filterResult struct {
	answer  *queryAnswer
	problem queryProblem
	filter  string
	read    int64
}

var (
	jqWord  = regexp.MustCompile(`\$[A-Za-z_][A-Za-z0-9_]*`)
	jqBound = regexp.MustCompile(`\bas\s*(\$[A-Za-z_][A-Za-z0-9_]*)`)
)

// namesIn tells whether a filter names the variable.
func namesIn(filter, name string) bool {
	return slices.Contains(jqWord.FindAllString(filter, -1), "$"+strings.TrimPrefix(name, "$"))
}

// named are the variables that a filter can name.
type named struct {
	sources map[string]engine.QuerySource
	bytes   map[string]func() int64 // that a filter which names it reads
}

// variables are what a filter can name: the other results of the conversation, and of the kept ones those
// that it does name.
func variables(d *deps, src *sources, s selection, filter string) (named, error) {
	m := named{map[string]engine.QuerySource{}, map[string]func() int64{}}
	if s.run != nil {
		for _, o := range s.run.Outcomes {
			if o.Verdict != "" && o.Verdict != engine.Rejected {
				m.sources[jqName(o.Name)] = src.of(d, s, o)
				if o.Name != s.outcome.Name { // which is read anyway, once
					m.bytes[jqName(o.Name)] = func() int64 { return src.facts(sourceKey(s, o)).bytes }
				}
			}
		}
	}
	bound := map[string]bool{"$__loc__": true, "$ENV": true, "$__prog_args": true}
	for _, b := range jqBound.FindAllStringSubmatch(filter, -1) {
		bound[b[1]] = true
	}
	for _, word := range jqWord.FindAllString(filter, -1) {
		if _, ok := m.sources[word]; ok || bound[word] {
			continue
		}
		v, err := d.session.keptVariable(s, word[1:])
		if err != nil {
			return m, err
		}
		if v != nil { // without one the filter says that there is no such variable
			m.sources[word] = d.session.ofKept(v)
			m.bytes[word] = func() int64 { return v.Bytes }
		}
	}
	return m, nil
}

// read is how many bytes a filter reads of what it names.
func (m named) read(filter string) (n int64) {
	bound := map[string]bool{}
	for _, b := range jqBound.FindAllStringSubmatch(filter, -1) {
		bound[b[1]] = true
	}
	for name, bytes := range m.bytes {
		if namesIn(filter, name) && !bound[name] {
			n += bytes()
		}
	}
	return n
}

// runFilter runs a filter over the selected payload.
func runFilter(ctx context.Context, d *deps, run *engine.Runner, src *sources, s selection, filter string) filterResult {
	r := filterResult{filter: filter, problem: queryProblem{caret: -1}}
	fail := func(err error, names []string) filterResult {
		r.problem.text = visible(err.Error())
		var q *engine.QueryError
		if errors.As(err, &q) {
			r.problem.caret, r.problem.unfinished = q.Offset, q.Unfinished()
			r.problem.knows = visible(q.Knows)
			r.problem.prefix = engine.LongestValidPrefix(filter, names...)
			if strings.TrimSpace(r.problem.prefix) == strings.TrimSpace(filter) {
				r.problem.prefix = ""
			}
		}
		return r
	}
	others, err := variables(d, src, s, filter)
	if err != nil {
		return fail(err, nil)
	}
	names := slices.Sorted(maps.Keys(others.sources))
	start := d.now()
	results, report, err := run.Collect(ctx, engine.QueryRequest{Filter: filter, Input: src.of(d, s, s.outcome), Variables: others.sources, Limits: src.limits})
	r.read = report.Read
	if r.read > 0 { // else nothing was loaded
		r.read += others.read(filter)
	}
	if err != nil {
		return fail(err, names)
	}
	a := &queryAnswer{filter: filter, step: engine.FilterStep, read: r.read, stopped: report.Stopped, ended: stopWords(report.Stopped, src.limits), compact: src.facts(sourceKey(s, s.outcome)).compact}
	var pretty, compact, raw bytes.Buffer
	for i, v := range results {
		if i > 0 {
			pretty.WriteByte('\n')
			compact.WriteByte('\n')
			raw.WriteByte('\n')
		}
		a.lines = append(a.lines, v.JSON)
		compact.Write(v.JSON)
		if err := json.Indent(&pretty, v.JSON, "", "  "); err != nil {
			pretty.Write(v.JSON)
		}
		if v.IsText {
			raw.WriteString(v.Text)
		} else {
			raw.Write(v.JSON)
		}
		a.found = a.found || !engine.Empties(v.JSON)
	}
	a.text, a.doc = raw.Bytes(), newDocument(pretty.Bytes())
	a.measure = engine.Measure{Bytes: int64(compact.Len()), Tokens: s.policy.Estimator.Of(compact.Bytes())}
	took := max(d.now().Sub(start)-report.Decoding, 0)
	a.figures = answerFigures(s.policy, a, report, took)
	r.answer = a
	return r
}

// answerFigures says how large an answer is, what it took and where it was ended.
func answerFigures(p *engine.Policy, a *queryAnswer, report engine.QueryReport, took time.Duration) string {
	s := fmt.Sprintf("%s · %s · %s · %.1f ms", count(len(a.lines), "result"), tokens(a.measure.Tokens), bytesText(a.measure.Bytes),
		float64(took.Microseconds())/1000)
	if p.WouldOffload(a.measure.Tokens) {
		s += " · over " + rounded(*p.Limits.PerResultTokens()) + ": offloaded again"
	}
	if report.Stopped != "" {
		s += " · " + a.ended
	}
	if report.Sorted {
		s += " · keys sorted by jq"
	}
	return s
}

// stopWords says which limit ended a run; empty where none did.
func stopWords(stop engine.QueryStop, l engine.QueryLimits) string {
	switch stop {
	case "":
		return ""
	case engine.StopResults:
		return "ended at " + grouped(int64(l.Results)) + " results"
	case engine.StopBytes:
		return "ended at " + grouped(l.Bytes>>20) + " MiB of results"
	case engine.StopTime:
		return "ended after " + l.Time.String()
	case engine.StopMemory:
		return "ended at " + grouped(l.Memory>>20) + " MiB of memory"
	}
	return "ended at the limit on " + string(stop)
}
