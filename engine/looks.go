package engine

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"regexp"
	"strings"
)

// What a text that is not JSON can look like, as Diagnosis.LooksLike names it.
const (
	LooksProse         = "prose"
	LooksLog           = "log"
	LooksCSV           = "csv"
	LooksTSV           = "tsv"
	LooksMarkdownTable = "markdown-table"
	LooksXML           = "xml"
	LooksHTML          = "html"
	LooksYAML          = "yaml"
	LooksSQL           = "sql"
	LooksBase64        = "base64"
	LooksList          = "list"
	LooksPython        = "python-repr"
	LooksJSONLines     = "json-lines"
	LooksJSONAfterText = "json-after-text" // a line or two before JSON
	LooksNumberedLines = "numbered-lines"  // a file as readers show it, with line numbers
	LooksCode          = "code"
	LooksBinary        = "binary"
	LooksBlank         = "white-space"
)

// looksBytes is how much of a text is looked at: enough lines to know it by, whatever its size.
const looksBytes = 64 << 10

// looksLike says what p, which is not JSON, is instead; f are its facts. Empty where it is something
// close to JSON and nothing else.
func looksLike(p []byte, f *Facts) string {
	text := bytes.TrimSpace(p)
	switch {
	case f.Valid:
		return ""
	case f.Kind == Binary:
		return LooksBinary
	case len(text) == 0:
		return LooksBlank
	case f.Kind == InvalidJSON:
		return looksNearJSON(text, f)
	case f.Syntax.Fault == "code-fence":
		return "" // what is in it is seen once it is off
	case jsonAfterText(p) > 0:
		return LooksJSONAfterText
	}
	sample := firstLines(text)
	switch lower := bytes.ToLower(sample); {
	case share(sample, numberedLine) > 0.8:
		return LooksNumberedLines
	case text[0] == '<':
		return markup(lower)
	case isBase64(sample):
		return LooksBase64
	case sqlStart.Match(sample) && bytes.IndexByte(sample, ';') > 0:
		return LooksSQL
	case pythonCall.Match(sample), text[0] == '(' && bytes.ContainsRune(sample, '\'') && text[len(text)-1] == ')':
		return LooksPython
	}
	return looksByLines(sample)
}

// looksNearJSON is looksLike for what starts like JSON.
func looksNearJSON(text []byte, f *Facts) string {
	switch f.Syntax.Fault {
	case "single-quotes":
		return LooksPython
	case "nan":
		if word := wordAt(f.rest(text)); word == "None" || word == "True" || word == "False" {
			return LooksPython
		}
	case "several-values":
		if everyLineIsJSON(firstLines(text)) {
			return LooksJSONLines
		}
	}
	return ""
}

// rest is what Syntax.Around shows from the fault on.
func (f *Facts) rest(text []byte) []byte {
	around := []byte(f.Syntax.Around)
	return around[min(int(min(f.Syntax.Offset, 20)), len(around)):]
}

// firstLines is the beginning of a text, whole lines of it where there are any.
func firstLines(text []byte) []byte {
	if len(text) <= looksBytes {
		return text
	}
	text = text[:looksBytes]
	if end := bytes.LastIndexByte(text, '\n'); end > 0 {
		return text[:end]
	}
	return text
}

func markup(lower []byte) string {
	if bytes.HasPrefix(lower, []byte("<?xml")) {
		return LooksXML
	}
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<body", "<div", "<table", "<p>"} {
		if bytes.Contains(lower, []byte(tag)) {
			return LooksHTML
		}
	}
	if bytes.Contains(lower, []byte("</")) || bytes.Contains(lower, []byte("/>")) {
		return LooksXML
	}
	return looksByLines(lower)
}

// isBase64 tells whether a text is nothing but base64, and not a word that could be.
func isBase64(text []byte) bool {
	_, text = base64Body(base64Label.ReplaceAll(text, nil))
	text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r"), nil), []byte("\n"), nil)
	whole := text[:len(text)&^3]
	if len(whole) < 64 || !bytes.ContainsAny(whole, "0123456789+/") ||
		bytes.Equal(whole, bytes.ToLower(whole)) || bytes.Equal(whole, bytes.ToUpper(whole)) {
		return false
	}
	_, err := base64.StdEncoding.Decode(make([]byte, len(whole)), whole)
	return err == nil
}

// base64Body is a text without the head of a data URL, and the length of that head.
func base64Body(text []byte) (head int, body []byte) {
	const end = ";base64,"
	if i := bytes.Index(text[:min(len(text), 128)], []byte(end)); i > 0 && bytes.HasPrefix(text, []byte("data:")) {
		head = i + len(end)
	}
	return head, text[head:]
}

var (
	// base64Label is what a tool writes before base64.
	base64Label = regexp.MustCompile(`^[\w-]{1,40}: `)
	// numberedLine has a few forms: "  12→", "12: ", "12|", and cat -n's.
	numberedLine = regexp.MustCompile(`^\s*\d+(?:→|:\s|:$|\|)|^\s+\d+\t`)
	codeLine     = regexp.MustCompile(`[{};,()\[\]:]$|^\s*(?://|/?\*|#|import |from |return |package |use |def |class )`)
	oneWord      = regexp.MustCompile(`^\S+$`)
	sqlStart     = regexp.MustCompile(`(?i)^(?:\s*(?:--[^\n]*|/\*[^\n]*\*/;?)?\n)*\s*(?:INSERT INTO|CREATE TABLE|DROP TABLE|CREATE DATABASE|BEGIN|SET|START TRANSACTION|COPY|UPDATE|SELECT)\b`)
	pythonCall   = regexp.MustCompile(`^\[?[A-Za-z_][\w.]*\([a-z_]\w*=`)
	logLine      = regexp.MustCompile(`^\W{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b|\S+ \S+ \S+ \[\d\d/[A-Z][a-z]{2}/\d{4}|(?:time|ts|level)=)`)
	ansiColour   = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)
	yamlLine     = regexp.MustCompile(`^\s*(?:- )*[A-Za-z_][\w.-]*:(?:\s|$)`)
	listLine     = regexp.MustCompile(`^\s*(?:[-*•‣]|\d+[.)])\s+\S`)
	tableRule    = regexp.MustCompile(`^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?$`)
)

// share is how many of a text's lines match, those without text and those of markup not counted.
func share(sample []byte, line *regexp.Regexp) float64 {
	var lines, matching float64
	for _, l := range bytes.Split(sample, []byte("\n")) {
		if l = bytes.TrimRight(l, " \r"); len(l) > 0 && l[0] != '<' {
			lines++
			matching += one(line.Match(l))
		}
	}
	if lines < 2 {
		return 0
	}
	return matching / lines
}

// looksByLines recognises what most lines of a text have in common.
func looksByLines(sample []byte) string {
	var lines, logs, yaml, items, pipes, rules float64
	for _, line := range strings.Split(string(sample), "\n") {
		line = strings.TrimRight(ansiColour.ReplaceAllString(line, ""), " \r")
		if line == "" {
			continue
		}
		lines++
		logs += one(logLine.MatchString(line))
		yaml += one(yamlLine.MatchString(line) || strings.HasPrefix(line, "---"))
		items += one(listLine.MatchString(line))
		pipes += one(strings.Contains(line, "|"))
		rules += one(tableRule.MatchString(strings.TrimSpace(line)))
	}
	switch {
	case rules > 0 && pipes >= lines/2:
		return LooksMarkdownTable
	case logs >= lines/2 && lines > 1:
		return LooksLog
	}
	switch {
	case yaml+items >= 0.9*lines && yaml > items/2 && lines > 1:
		return LooksYAML
	case items >= lines/2 && lines > 1:
		return LooksList
	}
	switch separator(sample) {
	case '\t':
		return LooksTSV
	case ',', ';':
		return LooksCSV
	}
	switch {
	case share(sample, codeLine) >= 0.6:
		return LooksCode
	case share(sample, oneWord) >= 0.9:
		return LooksList
	}
	return LooksProse
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// separator is what stands between the cells of a text in which every row has as many, two or
// more; 0 where there is none.
func separator(sample []byte) rune {
	for _, comma := range "\t,;" {
		if !bytes.ContainsRune(sample, comma) {
			continue
		}
		r := csv.NewReader(bytes.NewReader(sample))
		r.Comma = comma
		rows, err := r.ReadAll() // an error where rows differ in length
		if err == nil && len(rows) >= 3 && len(rows[0]) >= 2 && couldBeHead(rows[0]) {
			return comma
		}
	}
	return 0
}

// couldBeHead tells whether a row could be a head: no cell empty, none twice, none a sentence.
func couldBeHead(row []string) bool {
	seen := map[string]bool{}
	for _, cell := range row {
		cell = strings.TrimSpace(cell)
		if cell == "" || seen[cell] || len(strings.Fields(cell)) > 4 || strings.HasSuffix(cell, ".") {
			return false
		}
		seen[cell] = true
	}
	return true
}

// everyLineIsJSON tells whether a text is two JSON values or more, one a line.
func everyLineIsJSON(text []byte) bool {
	n := 0
	for _, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if !valid(line) {
			return false
		}
		n++
	}
	return n > 1
}

// jsonAfterText is where JSON begins that makes up the rest, and most, of a text; 0 without.
func jsonAfterText(p []byte) int {
	const tries, within = 4, 4096
	for i, n := 1, 0; i < min(len(p), within) && n < tries; i++ {
		if p[i] != '{' && p[i] != '[' || !startsLikeJSON(p[i:]) {
			continue
		}
		n++
		if 2*i < len(p) && valid(p[i:]) {
			return i
		}
	}
	return 0
}
