package engine

import (
	"strings"

	"floodmark/history"
)

// Checklist lines 4 to 7: what became of payloads that were kept outside the context.

// inspectionEvidence is how the recordings read back what their own harness had kept elsewhere.
type inspectionEvidence struct {
	recorded     Recorded
	reads        int     // calls that read such a payload back
	worked       int     // of them, those that gave a text and did not fail
	rereads      int     // results that brought most of an offloaded payload back into the context
	rereadTokens float64 // what these put into the context
	// superseded, expired and ungrounded are warnings, of every conversation.
	superseded, expired, ungrounded int
}

// offloadedEvidence counts the payloads that the policy keeps.
type offloadedEvidence struct {
	results   int
	extracted int // whose schema and records, or lines, a query can address: valid JSON
	named     int // whose package names the tool, of a call that can be made again
	sensitive int // warnings that a preview, notice or schema shows something sensitive
}

func (a *Audit) addOffloaded(c *history.Conversation, o *Outcome) {
	if o.Verdict != Offloaded {
		return
	}
	e := &a.offloaded
	e.results++
	if o.Facts.Valid {
		e.extracted++
	}
	why := ""
	switch {
	case o.Call.Flags&noCall != 0:
		why = "no call of the recording asked for this result"
	case o.Call.Arguments.Size().Bytes == 0 || o.Call.Flags.Has(history.InvalidArguments):
		why = "the call's arguments are not recorded: it can't be made again"
	case !strings.Contains(o.Package.Text, cleanToolName(o.Call.Tool)) && !strings.Contains(o.Package.Text, o.Call.Tool):
		why = "what entered the context does not name the tool"
	default:
		e.named++
		return
	}
	a.evidence["authority"].add(at(c, o.Call, o.Original.Tokens, "%s: %s", o.Name, why))
}

func (a *Audit) addWarnings(c *history.Conversation, o *Outcome) {
	for _, w := range o.Warnings {
		line := ""
		switch w.Code {
		case WarnReread:
			line = "inspection"
		case WarnSuperseded:
			a.inspection.superseded++
		case WarnUngrounded:
			a.inspection.ungrounded++
		case WarnExpired:
			a.inspection.expired++
			line = "privacy"
		case WarnSensitive:
			a.offloaded.sensitive++
			line = "privacy"
		}
		if line != "" {
			a.evidence[line].add(at(c, o.Call, o.Original.Tokens, "%s: %s", w.Code, w.Detail))
		}
	}
}

// addRereads counts the results that bring most of something back, each once: one can bring back several.
func (a *Audit) addRereads(t *Tracking) {
	counted := map[*Outcome]bool{}
	for _, r := range t.Rereads {
		if r.Most && !counted[r.To] {
			counted[r.To] = true
			a.inspection.rereads++
			a.inspection.rereadTokens += r.Tokens
		}
	}
}

func (a *Audit) addReads(c *history.Conversation) {
	e := &a.inspection
	e.recorded.Add(recordedStrategies(c))
	for _, call := range readsBack(c) {
		e.reads++
		if call.Result != nil && !call.Result.Failed && !call.Result.Error && call.Result.Payload.Size().Bytes > 0 {
			e.worked++
		}
	}
}

func (a *Audit) inspectionLine() AuditLine {
	e := a.inspection
	l := AuditLine{Asks: "inspect the schema and extract by code instead of reading whole payloads again"}
	kept := a.offloaded.results + e.recorded.Offloaded
	switch {
	case e.rereads > 0:
		l.Answer, l.Summary = Fails, plural(e.rereads, "result brings", "results bring")+" most of an offloaded payload back into the context, "+amount(e.rereadTokens, "token")+"."
	case kept == 0:
		l.Answer, l.Summary = CannotTell, "Nothing was offloaded, by the policy or by the recordings' own harness."
	default:
		l.Answer = Holds
		l.Summary = "No later result brings back most of the " + plural(kept, "payload", "payloads") + " that the policy or the recordings' own harness kept outside."
	}
	if e.reads > 0 {
		l.Summary += " " + plural(e.reads, "recorded call reads", "recorded calls read") + " a file that the harness kept."
	}
	if a.offloaded.results > 0 && e.recorded.Offloaded == 0 {
		l.Unknown = []string{"How the agent would have read the payloads that only this policy keeps outside: in the recordings it saw them whole."}
	}
	l.Figures = AuditCounts{"rereads": float64(e.rereads), "reread_tokens": e.rereadTokens, "offloaded": float64(a.offloaded.results), "recorded_offloaded": float64(e.recorded.Offloaded), "recorded_reads": float64(e.reads), "superseded": float64(e.superseded)}
	return l
}

func (a *Audit) sizesLine() AuditLine {
	t, e := a.totals, a.inspection
	l := AuditLine{Asks: "track original, inline, model and billed sizes apart, with how extraction fared", Answer: Holds}
	l.Figures = AuditCounts{"original_bytes": float64(t.Original.Bytes), "original_tokens": t.Original.Tokens, "inline_bytes": float64(t.Inline.Bytes), "inline_tokens": t.Inline.Tokens,
		"model_tokens": t.Model, "offloaded": float64(a.offloaded.results), "offloaded_json": float64(a.offloaded.extracted), "recorded_reads": float64(e.reads), "recorded_reads_worked": float64(e.worked)}
	l.Summary = "Original " + amount(float64(t.Original.Bytes), "byte") + " (" + amount(t.Original.Tokens, "token") + "), inline " +
		amount(float64(t.Inline.Bytes), "byte") + " (" + amount(t.Inline.Tokens, "token") + "), model " + amount(t.Model, "token") + ", reported "
	if t.Reported != nil {
		l.Summary += figure(float64(t.Reported.Input+t.Reported.Cached)) + " in and " + figure(float64(t.Reported.Output)) + " out"
		l.Figures["reported_input_tokens"] = float64(t.Reported.Input)
		l.Figures["reported_cached_tokens"] = float64(t.Reported.Cached)
		l.Figures["reported_output_tokens"] = float64(t.Reported.Output)
	} else {
		l.Summary += "nothing"
		l.Answer = CannotTell
		l.Unknown = append(l.Unknown, "What the provider billed: the recordings do not say it.")
	}
	l.Summary += "; tokens by " + string(a.policy.Estimator) + "."
	if n := a.offloaded.results; n > 0 {
		l.Summary += " Of " + plural(n, "offloaded payload", "offloaded payloads") + " " + figure(float64(a.offloaded.extracted)) + " can be queried as JSON."
	}
	if e.reads > 0 {
		l.Summary += " " + figure(float64(e.worked)) + " of " + plural(e.reads, "recorded read", "recorded reads") + " of a kept file gave something."
	} else {
		l.Answer = CannotTell
		l.Unknown = append(l.Unknown, "Whether an agent's extraction succeeds: no recorded call reads a payload that was kept outside.")
	}
	return l
}

func (a *Audit) privacyLine() AuditLine {
	p, n := a.policy, a.offloaded.results
	l := AuditLine{Asks: "classify, protect, retain and delete kept payloads as their sources ask"}
	var missing []string
	if p.Retention == (Retention{}) {
		missing = append(missing, "no retention")
	}
	if !p.Preview.Redact {
		missing = append(missing, "no redaction of previews")
	}
	lacks := ""
	if len(missing) > 0 {
		lacks = " The policy states " + strings.Join(missing, " and ") + "."
	}
	late := ""
	if a.inspection.expired > 0 {
		late = "; " + plural(a.inspection.expired, "was", "were") + " referred to after the retention had passed"
	}
	found := plural(a.offloaded.sensitive, "preview or notice shows", "previews or notices show") + " what looks like a secret or personal data"
	switch {
	case n == 0:
		l.Answer, l.Summary = CannotTell, "Nothing is kept outside the context."+lacks
	case a.offloaded.sensitive > 0 || a.inspection.expired > 0:
		l.Answer, l.Summary = Fails, "Of "+plural(n, "payload", "payloads")+" that are kept, "+found+late+"."+lacks
	case p.Retention == (Retention{}):
		l.Answer, l.Summary = Fails, "Of "+plural(n, "payload", "payloads")+" that are kept, "+found+"."+lacks
	default:
		l.Answer, l.Summary = Holds, "Of "+plural(n, "payload", "payloads")+" that are kept, "+found+"."+lacks
	}
	l.Unknown = []string{"Who can read the kept files, and whether deletion reaches copies, logs and traces."}
	l.Figures = AuditCounts{"kept": float64(n), "sensitive": float64(a.offloaded.sensitive), "expired": float64(a.inspection.expired), "retention_seconds": float64(p.Retention.Seconds)}
	return l
}

func (a *Audit) authorityLine() AuditLine {
	n, named := a.offloaded.results, a.offloaded.named
	l := AuditLine{Asks: "leave authority with the source system, not with the kept copy"}
	switch {
	case n == 0:
		l.Answer, l.Summary = CannotTell, "Nothing is kept outside the context."
	case named < n:
		l.Answer, l.Summary = Fails, figure(float64(n-named))+" of "+plural(n, "kept payload", "kept payloads")+" can't be traced to a call that names its source and can be made again."
	default:
		l.Answer, l.Summary = Holds, "Each of "+plural(n, "kept payload", "kept payloads")+" names its tool in the context, and its call is recorded with arguments, so that the source can be asked again."
	}
	if s := a.inspection.superseded; s > 0 {
		l.Summary += " " + plural(s, "is", "are") + " out of date: the same call gave a newer one."
	}
	if u := a.inspection.ungrounded; u > 0 {
		l.Summary += " " + plural(u, "id-like argument of a call stands", "id-like arguments of calls stand") + " in nothing that came before."
	}
	l.Unknown = []string{"Whether the source still says the same, and whether what the tool asked is the authoritative system."}
	l.Figures = AuditCounts{"kept": float64(n), "named": float64(named), "ungrounded": float64(a.inspection.ungrounded), "superseded": float64(a.inspection.superseded)}
	return l
}
