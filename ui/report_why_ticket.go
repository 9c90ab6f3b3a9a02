package ui

import (
	"fmt"
	"io"
	"strings"

	"floodmark/engine"
)

// ticket writes a finding in Markdown: question, verdict, cause, evidence, repair, and what it was
// measured with.
func (w *whyReport) ticket(f finding) error {
	o := f.Outcome
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	line("## %s\n", question(f))
	line("**Verdict:** %s\n", verdictWord(o))
	line("**Cause:** %s: %s.\n", code(string(f.Cause)), prose(summary(f.Diagnosis)))
	line("### Evidence\n")
	line("- result: %s", prose(strings.Join(standing(f), " · ")))
	if o.Facts != nil {
		line("- payload: %s bytes, %s; %s", grouped(o.Original.Bytes), tokens(o.Original.Tokens), prose(shapeEvidence(o)))
	}
	line("- in the context: %s; reachable: %s", prose(inContext(o)+", "+tokens(o.Inline.Tokens)), prose(obtainable(o)))
	for _, h := range help(f.Diagnosis) {
		if h.word != "repair" {
			line("- %s: %s", h.word, prose(h.text))
		}
	}
	if f.Syntax != nil && f.Cause == engine.CauseInvalidJSON {
		line("- fault: %s, %s", code(f.Syntax.Fault), f.Syntax.Reason)
	}
	for _, c := range o.Trace {
		if c.Check != "verdict" {
			line("- check %s: %s", c.Check, prose(checkSentence(c)))
		}
	}
	if f.field != nil {
		for _, s := range fieldSentences(f) {
			line("- field: %s", prose(s))
		}
	}
	if f.chain != nil {
		for _, s := range chainLines(f.chain) {
			line("- chain: %s", prose(s))
		}
	}
	for _, warning := range o.Warnings {
		line("- warning %s: %s", code(warning.Code), prose(warningText(warning)))
	}
	if f.excerpt != "" {
		line("\nThe payload there:\n")
		line("%s", fenced("text", visible(f.excerpt)))
	}
	w.ticketRepair(&b, f)
	line("\n### Measured with\n")
	line("%s; policy %s, tokens by %s. A replay knows sizes, visibility and reachability, not how the agent would have acted.\n",
		version(), prose(policyTitle(w.policy)), w.policy.Estimator)
	_, err := io.WriteString(w.out, visibleLines(b.String()))
	return err
}

func (w *whyReport) ticketRepair(b *strings.Builder, f finding) {
	r := f.Repair
	if r == nil {
		return
	}
	o := f.Outcome
	fmt.Fprintf(b, "\n### Repair\n\n%s\n\n", fenced("jq", r.Filter))
	fmt.Fprintf(b, "| | before | after | saved |\n|---|---|---|---|\n| verdict | %s | %s | |\n| tokens in the context | %s | %s | %s |\n",
		o.Verdict, r.Verdict, rounded(r.Before), rounded(r.After), saved(r))
	if r.Mapper != "" {
		fmt.Fprintf(b, "\nThe shape for an output mapper to return:\n\n%s\n", fenced("yaml", r.Mapper))
	}
}

// question is what support was asked, by the verdict.
func question(f finding) string {
	tool := code(f.Outcome.Call.Tool)
	switch {
	case f.field != nil:
		return fmt.Sprintf("Did the model see the field %s of %s?", code(f.field.Path), tool)
	case f.Outcome.Verdict == engine.Inline:
		return fmt.Sprintf("Why was the result of %s not analysed as a variable?", tool)
	case f.Outcome.Verdict == engine.Offloaded:
		return fmt.Sprintf("What did the model see of the result of %s?", tool)
	case f.Outcome.Verdict == engine.Rejected:
		return fmt.Sprintf("Why did nothing of the result of %s enter the context?", tool)
	case f.Outcome.Verdict == "":
		return fmt.Sprintf("What became of the result of %s?", tool)
	}
	return fmt.Sprintf("Where is the rest of the result of %s?", tool)
}

// code is a code span, whatever the text.
func code(s string) string { return "`" + strings.ReplaceAll(visible(s), "`", "'") + "`" }

// prose is text in which Markdown sees no markup.
func prose(s string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, "|", `\|`, "[", `\[`, "]", `\]`).Replace(visible(s))
}

// fenced is a block of code whose fence the text cannot close.
func fenced(language, text string) string {
	fence := "~~~"
	for strings.Contains(text, fence) {
		fence += "~"
	}
	return fence + language + "\n" + text + "\n" + fence
}

// markdownTable writes rows under their heads.
func (w *whyReport) markdownTable(heads []string, rows [][]string) error {
	var b strings.Builder
	b.WriteString("| " + strings.Join(heads, " | ") + " |\n|" + strings.Repeat("---|", len(heads)) + "\n")
	for _, row := range rows {
		for _, cell := range row {
			b.WriteString("| " + prose(cell) + " ")
		}
		b.WriteString("|\n")
	}
	_, err := io.WriteString(w.out, visibleLines(b.String()))
	return err
}
