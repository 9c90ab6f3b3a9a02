package ui

import (
	"fmt"
	"io"
	"strings"

	"floodmark/engine"
)

// answerWords are the answers as reports write them.
var answerWords = map[engine.AuditAnswer]string{engine.Holds: "yes", engine.Fails: "no", engine.CannotTell: "can't tell"}

// auditHead says what was audited.
func auditHead(a *engine.Audit, skipped int) string {
	s := fmt.Sprintf("%s in %s under %s", count(a.Totals().Results, "result"), count(a.Conversations(), "conversation"), visible(policyTitle(a.Policy())))
	if skipped > 0 {
		s += "; " + count(skipped, "record") + " could not be used"
	}
	return s
}

// auditSum counts the answers.
func auditSum(lines []engine.AuditLine) string {
	n := map[engine.AuditAnswer]int{}
	for _, l := range lines {
		n[l.Answer]++
	}
	return fmt.Sprintf("%d yes, %d no, %d that a recording can't tell", n[engine.Holds], n[engine.Fails], n[engine.CannotTell])
}

func auditText(out io.Writer, t *theme, a *engine.Audit, lines []engine.AuditLine, skipped int) error {
	rows := []string{"Production checklist: " + auditHead(a, skipped), auditSum(lines)}
	const cells = 16 // number, answer
	wrapped := func(first, text string) {
		for i, row := range wrapWords(text, reportCells-cells) {
			if i > 0 {
				first = blank(cells)
			}
			rows = append(rows, first+row)
		}
	}
	for i, l := range lines {
		word := pad(answerWords[l.Answer], 11)
		if l.Answer == engine.Fails {
			word = t.over.on(word)
		}
		rows = append(rows, "")
		rows = append(rows, fmt.Sprintf(" %d  %s %s", i+1, word, t.strong.on(upperFirst(l.Asks))))
		wrapped(blank(cells), visible(l.Summary))
		for _, e := range l.Evidence {
			wrapped(blank(cells-2)+"- ", visible(evidencePlace(e)+": "+e.Detail))
		}
		if l.More > 0 {
			rows = append(rows, blank(cells)+grouped(int64(l.More))+" more")
		}
		for _, u := range l.Unknown {
			wrapped(blank(cells-2)+"? ", visible(u))
		}
	}
	rows = append(rows, "", "? stands before what a recording can't tell.")
	return t.write(out, rows...)
}

// evidencePlace says where evidence stands.
func evidencePlace(e engine.Evidence) string {
	return strings.Join([]string{e.File, e.Tool, e.Call}, " · ")
}

func auditMarkdown(out io.Writer, a *engine.Audit, lines []engine.AuditLine, skipped int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Production checklist\n\n%s: %s.\n\n| | line | answer | |\n|--:|---|---|---|\n", prose(auditHead(a, skipped)), auditSum(lines))
	for i, l := range lines {
		fmt.Fprintf(&b, "| %d | %s | **%s** | %s |\n", i+1, prose(upperFirst(l.Asks)), answerWords[l.Answer], prose(l.Summary))
	}
	for i, l := range lines {
		if len(l.Evidence)+len(l.Unknown) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %d. %s\n\n", i+1, prose(upperFirst(l.Asks)))
		for _, e := range l.Evidence {
			fmt.Fprintf(&b, "- %s: %s\n", code(evidencePlace(e)), prose(e.Detail))
		}
		if l.More > 0 {
			fmt.Fprintf(&b, "- %s more\n", grouped(int64(l.More)))
		}
		for _, u := range l.Unknown {
			fmt.Fprintf(&b, "- Can't tell: %s\n", prose(u))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
