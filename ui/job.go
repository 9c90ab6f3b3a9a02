package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// Everything slow is a job: reading a payload, running a policy, a schema, a filter, a search. A job
// has a kind; starting one cancels the one of the same kind that is running, and an answer that
// comes too late is dropped.

// A jobKind names what a job is for.
type jobKind string

// An answer is what a job brings back: it runs in the program's own loop, where state may change.
type answer func() tea.Cmd

// A jobMsg carries an answer home.
type jobMsg struct {
	kind  jobKind
	id    int
	apply answer
}

type jobs struct {
	ctx     context.Context
	last    int
	current map[jobKind]runningJob
	// broken is told of a job that panicked: a bug, and not a reason to lose the screen.
	broken func(kind jobKind, reason any)
}

type runningJob struct {
	id     int
	cancel context.CancelFunc
}

func newJobs(ctx context.Context) *jobs {
	return &jobs{ctx: ctx, current: map[jobKind]runningJob{}}
}

// start runs work in the background. work must return soon after its context ends, or at least must
// not do harm when it goes on.
func (j *jobs) start(kind jobKind, work func(ctx context.Context) answer) tea.Cmd {
	j.stop(kind)
	j.last++
	id := j.last
	ctx, cancel := context.WithCancel(j.ctx)
	j.current[kind] = runningJob{id, cancel}
	return func() tea.Msg {
		if ctx.Err() != nil {
			return nil
		}
		a := j.guarded(kind, ctx, work)
		if ctx.Err() != nil {
			return nil
		}
		return jobMsg{kind, id, a}
	}
}

// guarded runs work; where it panics, the answer says so.
func (j *jobs) guarded(kind jobKind, ctx context.Context, work func(context.Context) answer) (a answer) {
	defer func() {
		if reason := recover(); reason != nil {
			a = func() tea.Cmd {
				if j.broken != nil {
					j.broken(kind, reason)
				}
				return nil
			}
		}
	}()
	return work(ctx)
}

// stop cancels the job of this kind; its answer will be dropped.
func (j *jobs) stop(kind jobKind) {
	if r, ok := j.current[kind]; ok {
		r.cancel()
		delete(j.current, kind)
	}
}

// running tells whether a job of this kind has not answered yet.
func (j *jobs) running(kind jobKind) bool {
	_, ok := j.current[kind]
	return ok
}

// finish applies the answer, unless a later job of the kind has been started.
func (j *jobs) finish(m jobMsg) tea.Cmd {
	r, ok := j.current[m.kind]
	if !ok || r.id != m.id {
		return nil
	}
	r.cancel()
	delete(j.current, m.kind)
	if m.apply == nil {
		return nil
	}
	return m.apply()
}
