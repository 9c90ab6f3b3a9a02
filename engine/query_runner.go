package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Queries is what the filters of all variables share: the payloads that are decoded, and the one
// run that could not be stopped. It is safe for use by several goroutines.
type Queries struct {
	cache *dataCache
	heap  heapLimit

	mu        sync.Mutex
	running   int
	lingering Lingering
}

// NewQueries returns Queries that keep decoded payloads, least recently used out first, while their
// estimated size in memory is at most so many bytes. One that alone is larger is kept until another
// comes.
func NewQueries(cacheBytes int64) *Queries { return &Queries{cache: newDataCache(cacheBytes)} }

// Runner returns a runner for one place where filters are typed, a pane for example.
func (q *Queries) Runner() *Runner { return &Runner{queries: q} }

// Lingering tells of the run that was cancelled or went over a limit and has not ended yet: it is
// within a step of the jq library that nothing can interrupt. While there is one, no other run
// starts. The zero value says that there is none.
func (q *Queries) Lingering() Lingering {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lingering
}

// enter lets a run start, unless an earlier one lingers.
func (q *Queries) enter() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.lingering.Since.IsZero() {
		return &LingeringError{q.lingering}
	}
	q.running++
	return nil
}

// leave notes that a run has ended. What lingered is over when nothing runs.
func (q *Queries) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running--; q.running == 0 {
		q.lingering = Lingering{}
	}
}

// linger notes that a run was given up, if it has not ended meanwhile.
func (q *Queries) linger(filter string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running > 0 {
		q.lingering = Lingering{filter, time.Now()}
	}
}

// A Lingering is a run that has been given up but still uses a processor.
type Lingering struct {
	Filter string
	Since  time.Time // when it was given up
}

// A LingeringError says that a filter was not run, since an earlier one has not ended yet.
type LingeringError struct{ Lingering }

func (e *LingeringError) Error() string {
	return fmt.Sprintf("an earlier filter is still in a step that can't be stopped: %s", e.Filter)
}

// ErrSuperseded is the error of a run that a newer one of the same Runner replaced.
var ErrSuperseded = errors.New("replaced by a newer filter")

// A QuerySource gives a payload to query. Key names its content: two sources of one key have the
// same payload. Load is called only where the payload is not decoded yet.
type QuerySource struct {
	Key string
	// Load gives the payload, which nobody may change afterwards: values are parts of it.
	Load func(ctx context.Context) ([]byte, error)
}

// A QueryRequest is one filter to run.
type QueryRequest struct {
	Filter string
	Input  QuerySource
	// Variables are the payloads that the filter can name, by their names with "$". One that it does
	// not name is not loaded.
	Variables map[string]QuerySource
	// Values are values made by Decode, by their names with "$"; they win over Variables.
	Values map[string]any
	Limits QueryLimits
	Indent int // spaces a level; 0 for one line a result
}

// A QueryResult is one value that a filter gave.
type QueryResult struct {
	JSON []byte
	// Text is the string that the value is; IsText is false for any other value.
	Text   string
	IsText bool
	// Sorted tells that the value holds an object that the filter made, whose keys are sorted: the jq
	// library keeps no order. An object that comes from a payload keeps the payload's.
	Sorted bool
}

// A QueryStop names the limit that a run ended at; empty for one that ended by itself.
type QueryStop string

// The limits of a run.
const (
	StopResults QueryStop = "results"
	StopBytes   QueryStop = "bytes"
	StopTime    QueryStop = "time"
	StopMemory  QueryStop = "memory"
)

// A QueryReport says what a run did.
type QueryReport struct {
	Results int
	Bytes   int64 // of the results as JSON, without line ends
	Stopped QueryStop
	Sorted  bool  // of any result
	Read    int64 // bytes of the input's payload
	Cached  bool  // the input was decoded before
	// Decoding and Running are what the two parts took.
	Decoding, Running time.Duration
}

// A Runner runs the filters of one place, one at a time: a newer run ends the one before it. It is
// safe for use by several goroutines.
type Runner struct {
	queries *Queries
	mu      sync.Mutex
	stop    context.CancelCauseFunc // of the run that goes on; nil without one
}

// patience is how long a run that has been given up may take to end before it lingers.
const patience = 50 * time.Millisecond

// Run runs a filter and gives each result to yield until it returns false. It returns soon after ctx
// ends, a newer Run starts, Stop is called or a limit is met, whatever the filter does and while
// payloads are loaded too. A limit is no error: Stopped of the report names it, and the results that
// came before it stand. yield is not called after Run has returned. Error: *QueryError, *DataError,
// *DepthError, *NumberError, *LingeringError, ErrSuperseded, ctx's, or that of a source.
func (r *Runner) Run(ctx context.Context, req QueryRequest, yield func(QueryResult) bool) (QueryReport, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.begin(cancel)
	if req.Limits.Time > 0 {
		timer := time.AfterFunc(req.Limits.Time, func() { cancel(overLimit{StopTime}) })
		defer timer.Stop()
	}
	if req.Limits.Memory > 0 {
		go r.queries.watchHeap(ctx, req.Limits.Memory, func() { cancel(overLimit{StopMemory}) })
	}
	var report QueryReport
	err := r.limited(ctx, req, &report, yield)
	err = reasonOf(ctx, err)
	if limit, ok := errors.AsType[overLimit](err); ok {
		report.Stopped, err = limit.stop, nil
	}
	return report, err
}

// limited runs a filter as long as ctx goes on.
func (r *Runner) limited(ctx context.Context, req QueryRequest, report *QueryReport, yield func(QueryResult) bool) error {
	data, err := r.load(ctx, req, report)
	if err != nil {
		return err
	}
	q, err := Compile(req.Filter, data.names...)
	if err != nil {
		return err
	}
	if err := r.queries.enter(); err != nil {
		return err
	}
	gate := &gate{ctx: ctx, orders: data.orders, req: &req, report: report, yield: yield}
	defer gate.close()
	start := time.Now()
	defer func() { report.Running = time.Since(start) }()
	ended := make(chan error, 1)
	go func() {
		err := q.run(ctx, data.input, data.values, data.orders, gate.take)
		r.queries.leave()
		ended <- err
	}()
	err, over := patiently(ctx, ended)
	if !over {
		r.queries.linger(req.Filter)
		return ctx.Err()
	}
	return err
}

// patiently waits for a result, after ctx only for a short time more: then over is false.
func patiently[T any](ctx context.Context, ended <-chan T) (result T, over bool) {
	select {
	case result = <-ended:
		return result, true
	case <-ctx.Done():
	}
	select {
	case result = <-ended:
		return result, true
	case <-time.After(patience):
		return result, false
	}
}

// begin makes a run the one that goes on.
func (r *Runner) begin(cancel context.CancelCauseFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop != nil {
		r.stop(ErrSuperseded)
	}
	r.stop = cancel
}

// Stop ends the run that is going on, if any, with ErrSuperseded.
func (r *Runner) Stop() { r.begin(nil) }

// reasonOf is why a run ended: what its context says where that is why it failed.
func reasonOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return context.Cause(ctx)
	}
	return err
}

// overLimit is the cause of a run that is ended at a limit.
type overLimit struct{ stop QueryStop }

func (e overLimit) Error() string { return "over the limit of " + string(e.stop) }

// A queryData is what a filter works on.
type queryData struct {
	input  any
	names  []string // of variables, with values in the same order
	values []any
	orders []keyOrder
	read   int64 // bytes of the input's payload
	cached bool  // the input was decoded before
}

// load gives what a request's filter works on. Of the variables those are loaded which the filter
// names. A load that does not end with ctx at once is left to end behind it: it goes on for no longer
// than the system takes to read or to find memory, so it does not count as a run that lingers.
func (r *Runner) load(ctx context.Context, req QueryRequest, report *QueryReport) (queryData, error) {
	type loaded struct {
		data  queryData
		err   error
		panic any // what the load panicked with: it goes on in the caller, which knows what to do
	}
	start := time.Now()
	ended := make(chan loaded, 1)
	go func() {
		var l loaded
		defer func() {
			l.panic = recover()
			ended <- l
		}()
		l.data, l.err = r.queries.dataOf(ctx, req)
	}()
	result, over := patiently(ctx, ended)
	report.Decoding = time.Since(start)
	if !over {
		return queryData{}, ctx.Err()
	}
	if result.panic != nil {
		panic(result.panic)
	}
	report.Read, report.Cached = result.data.read, result.data.cached
	return result.data, result.err
}

func (q *Queries) dataOf(ctx context.Context, req QueryRequest) (d queryData, err error) {
	data, cached, err := q.cache.get(ctx, req.Input)
	if err != nil {
		return d, err
	}
	d.input, d.read, d.cached, d.orders = data.root, data.read, cached, append(d.orders, data.order)
	for name, value := range req.Values {
		d.names, d.values = append(d.names, name), append(d.values, value)
	}
	for name, source := range req.Variables {
		if _, given := req.Values[name]; given || !namesVariable(req.Filter, name) {
			continue
		}
		other, _, err := q.cache.get(ctx, source)
		if err != nil {
			return d, err
		}
		d.names, d.values = append(d.names, name), append(d.values, other.root)
		d.orders = append(d.orders, other.order)
	}
	return d, nil
}

// namesVariable tells whether a filter spells a variable's name, which starts with "$".
func namesVariable(filter, name string) bool {
	for {
		_, rest, ok := strings.Cut(filter, name)
		if !ok {
			return false
		}
		if rest == "" || !inWord(rest[0]) {
			return true
		}
		filter = rest
	}
}

// A gate passes results on until its run has been given up.
type gate struct {
	ctx    context.Context
	orders []keyOrder
	req    *QueryRequest
	report *QueryReport
	yield  func(QueryResult) bool
	mu     sync.Mutex
	closed bool
}

// take passes a result on. false ends the run: a limit is met, or nobody wants more.
func (g *gate) take(v any) bool {
	limits := &g.req.Limits
	steps := filterRun{ctx: g.ctx}
	w := jsonWriter{indent: g.req.Indent, orders: g.orders, poll: steps.poll}
	if limits.Bytes > 0 {
		w.most = int(limits.Bytes)
	}
	fits, err := g.marshal(&w, v)
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed || err != nil:
		return false
	case limits.Results > 0 && g.report.Results == limits.Results:
		g.report.Stopped = StopResults
		return false
	case !fits || limits.Bytes > 0 && g.report.Bytes+int64(len(w.out)) > limits.Bytes:
		g.report.Stopped = StopBytes
		return false
	}
	g.report.Results++
	g.report.Bytes += int64(len(w.out))
	g.report.Sorted = g.report.Sorted || w.sorted
	result := QueryResult{JSON: w.out, Sorted: w.sorted}
	result.Text, result.IsText = v.(string)
	return g.yield(result)
}

func (g *gate) marshal(w *jsonWriter, v any) (fits bool, err error) {
	defer recoverStop(&err)
	return w.write(v), nil
}

func (g *gate) close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
}

// Collect runs a filter and returns its results; those that came before an error too.
func (r *Runner) Collect(ctx context.Context, req QueryRequest) ([]QueryResult, QueryReport, error) {
	var results []QueryResult
	report, err := r.Run(ctx, req, func(v QueryResult) bool { results = append(results, v); return true })
	return results, report, err
}
