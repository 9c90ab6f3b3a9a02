package history

import "context"

// tauBench reads the results of τ-bench: a list of runs, each with its chat messages in traj.
var tauBench = &Format{
	Name:   "tau-bench",
	Title:  "τ-bench runs",
	How:    "runs with a task_id and their chat messages in traj",
	detect: detectTauBench,
	read:   readTauBench,
}

func detectTauBench(s *sample) (int, string) {
	runs := 0
	for _, v := range s.items() {
		if v.get("task_id").given() && isMessages(v.get("traj")) {
			runs++
		}
	}
	if runs == 0 {
		return 0, ""
	}
	return 93, "runs with a task_id and chat messages in traj"
}

func readTauBench(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		runs := false
		for v := range oneOrMore(rec.value) {
			if list := v.get("traj"); list.isArray() {
				readTauRun(b, v, list)
				runs = true
			}
		}
		if !runs {
			b.problem(rec.at(), "the record has no runs")
		}
	}
	return in.err()
}

func readTauRun(b *builder, run, list value) {
	id := "task" + wordOf(run.get("task_id"))
	if trial := run.get("trial"); trial.given() {
		id += "-trial" + wordOf(trial)
	}
	t := b.newConversation(id).thread(Main)
	chat := &chatReader{b: b}
	for m := range list.elements() {
		if !m.get("role").is("tool") {
			chat.message(t, m)
			continue
		}
		r := chatResult(m)
		r.Error = begins(m.get("content"), "Error: ") // its tools report errors in this way only
		r.Failed = r.Error
		t.result(m.get("tool_call_id").str(), m.get("name").str(), r)
	}
}
