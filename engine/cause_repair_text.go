package engine

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// textRepairs are filters that bring a text nearer to structure. Those that replace are offered only
// where what they replace occurs in no string, so that no data is changed.
func textRepairs(text string) []string {
	p := []byte(text)
	f := Scan(p, ScanOptions{})
	if f.Kind == Empty || f.BadUTF8 > 0 {
		return nil
	}
	if f.Valid {
		return []string{"fromjson"}
	}
	if f.Kind == InvalidJSON || f.Syntax.Fault != "not-json" {
		if list := faultRepairs(p, f); list != nil {
			return list
		}
	}
	return looksRepairs(p, f)
}

// faultRepairs put right the first place at which a text is not JSON.
func faultRepairs(p []byte, f *Facts) []string {
	at := int(f.Syntax.Offset)
	switch f.Syntax.Fault {
	case "bom":
		return []string{`ltrimstr("\ufeff")`}
	case "code-fence":
		return fenceRepair(p)
	case "trailing-comma":
		comma := bytes.LastIndexByte(p[:at], ',')
		return replacedOutside(p, string(p[comma:at+1]), string(p[comma+1:at+1]))
	case "single-quotes":
		// A text with double quotes or backslashes in it needs more than other quotes.
		if bytes.ContainsAny(p, `"\`) {
			return nil
		}
		return []string{replaced("'", `"`)}
	case "nan":
		return wordRepairs(p, at)
	case "comment":
		return commentRepair(p, at)
	case "unquoted-key":
		return keyRepair(p, at)
	case "escaped":
		return []string{`"\"\(.)\"" | fromjson`}
	case "raw-control":
		return controlRepair(p, at)
	case "bad-escape":
		if p[at] == '\'' && !bytes.Contains(p, []byte(`\\'`)) {
			return []string{replaced(`\'`, "'")}
		}
	case "several-values":
		return severalRepair(p, at)
	case "trailing-data":
		n := utf8.RuneCount(p[:at])
		return []string{fmt.Sprintf("{json: (.[:%d] | fromjson), rest: .[%d:]}", n, n)}
	}
	return nil
}

// replacedOutside replaces a text that no string of p contains.
func replacedOutside(p []byte, old, new string) []string {
	if inside, _ := parted(p); old == "" || bytes.Contains(inside, []byte(old)) {
		return nil
	}
	return []string{replaced(old, new)}
}

// parted splits a text that is nearly JSON into what is inside its strings and what is not, line
// breaks inside strings taken as part of them.
func parted(p []byte) (inside, outside []byte) {
	in := false
	for i := 0; i < len(p); i++ {
		switch {
		case in && p[i] == '\\' && i+1 < len(p):
			inside = append(inside, p[i], p[i+1])
			i++
		case p[i] == '"':
			in = !in
			inside, outside = append(inside, 0), append(outside, '"')
		case in:
			inside = append(inside, p[i])
		default:
			outside = append(outside, p[i])
		}
	}
	return inside, outside
}

// fenceRepair takes off a code fence that is around the whole text.
func fenceRepair(p []byte) []string {
	text := bytes.TrimSpace(p)
	if bytes.Count(text, []byte("```")) != 2 || !bytes.HasSuffix(text, []byte("```")) {
		return nil
	}
	language, _, _ := bytes.Cut(text[3:], []byte("\n"))
	filter := "split(\"```\")[1]"
	if word := bytes.TrimSpace(language); len(word) > 0 && string(wordAt(word)) == string(word) {
		filter += " | ltrimstr(" + string(appendQuoted(nil, string(word))) + ")"
	}
	return []string{filter}
}

// jsonInFence tells whether p is JSON but for a code fence around it.
func jsonInFence(p []byte) bool {
	text := bytes.TrimSpace(p)
	inside, closed := bytes.CutSuffix(text, []byte("```"))
	_, inside, lines := bytes.Cut(inside, []byte("\n"))
	return closed && lines && bytes.HasPrefix(text, []byte("```")) && valid(bytes.TrimSpace(inside))
}

// wordRepairs write a word of another language as JSON's.
func wordRepairs(p []byte, at int) []string {
	word := wordAt(p[at:])
	if word == "" {
		return nil
	}
	instead := "null"
	if lower := strings.ToLower(word); lower == "true" || lower == "false" {
		instead = lower
	}
	start := at
	if at > 0 && (p[at-1] == '-' || p[at-1] == '+') {
		start--
	}
	end := at + len(word)
	list := replacedOutside(p, string(p[start:end]), instead)
	// With what is around it, a word is seldom in a string too.
	from, to := max(0, start-2), min(len(p), end+1)
	return append(list, replacedOutside(p, string(p[from:to]), string(p[from:start])+instead+string(p[end:to]))...)
}

// commentRepair takes out comments like the one at at.
func commentRepair(p []byte, at int) []string {
	inside, _ := parted(p)
	mark := string(p[at : at+1])
	if mark == "/" && at+1 < len(p) {
		mark = string(p[at : at+2])
	}
	quoted := string(appendQuoted(nil, mark))
	switch {
	case mark == "/*" && !bytes.Contains(inside, []byte("/*")):
		return []string{`split("/*") | [.[0], (.[1:][] | split("*/")[1:] | join("*/"))] | join("")`}
	case mark == "/*":
		return nil
	case !bytes.Contains(inside, []byte(mark)):
		return []string{`split("\n") | map(split(` + quoted + `)[0] // "") | join("\n")`}
	}
	return []string{`split("\n") | map(select(test("^\\s*` + mark + `") | not)) | join("\n")`}
}

// keyRepair puts quotes around a key.
func keyRepair(p []byte, at int) []string {
	word := wordAt(p[at:])
	colon := bytes.IndexByte(p[at:], ':')
	if word == "" || colon < 0 || len(bytes.TrimSpace(p[at+len(word):at+colon])) > 0 {
		return nil
	}
	before := bytes.LastIndexAny(p[:at], "{,")
	if before < 0 {
		return nil
	}
	head, tail := string(p[before:at]), string(p[at+len(word):at+colon+1])
	return replacedOutside(p, head+word+tail, head+`"`+word+`"`+tail)
}

// controlRepair escapes raw line breaks or tabs, where all of them are inside strings.
func controlRepair(p []byte, at int) []string {
	_, outside := parted(p)
	escape, ok := map[byte]string{'\n': `\n`, '\r': `\r`, '\t': `\t`}[p[at]]
	if !ok || bytes.IndexByte(outside, p[at]) >= 0 {
		return nil
	}
	return []string{replaced(string(p[at]), escape)}
}

// severalRepair makes an array of values that follow each other.
func severalRepair(p []byte, at int) []string {
	if everyLineIsJSON(p) {
		return []string{`split("\n") | map(select(test("\\S")) | fromjson)`}
	}
	between := bytes.TrimRight(p[:at], ", \t\r\n")
	gap := string(p[len(between)-1 : at+1])
	if strings.Contains(gap, ",") {
		return []string{`"[\(.)]"`}
	}
	var list []string
	for _, filter := range replacedOutside(p, gap, gap[:1]+","+gap[len(gap)-1:]) {
		list = append(list, filter+` | "[\(.)]"`)
	}
	return list
}

// looksRepairs make records of a text by what it looks like.
func looksRepairs(p []byte, f *Facts) []string {
	lines := `split("\n")`
	if bytes.Contains(p, []byte("\r\n")) {
		lines = `split("\r\n")`
	}
	switch looksLike(p, f) {
	case LooksJSONAfterText:
		n := utf8.RuneCount(p[:jsonAfterText(p)])
		return []string{fmt.Sprintf("{text: .[:%d], json: (.[%d:] | fromjson)}", n, n)}
	case LooksCSV, LooksTSV:
		comma := separator(p) // of all rows, not of the first alone
		if comma == 0 || bytes.IndexByte(p, '"') >= 0 {
			return nil
		}
		return []string{lines + ` | map(select(. != "") | split(` + string(appendQuoted(nil, string(comma))) + `)) | ` + rowsToRecords(1)}
	case LooksMarkdownTable:
		return tableRepair(p, lines)
	case LooksLog, LooksList:
		return []string{lines + ` | map(select(. != ""))`}
	case LooksBase64:
		return base64Repair(p)
	}
	return nil
}

// rowsToRecords makes objects of rows of cells: the first are the keys, the data begins at row from.
func rowsToRecords(from int) string {
	return fmt.Sprintf(".[0] as $keys | .[%d:] | map([$keys, .] | transpose | map({(.[0]): .[1]}) | add)", from)
}

// tableRepair makes records of a Markdown table; what stands around it is kept beside them.
func tableRepair(p []byte, lines string) []string {
	rules, text := 0, false
	for _, line := range strings.Split(string(p), "\n") {
		line = strings.TrimSpace(line)
		if tableRule.MatchString(line) {
			rules++
		}
		text = text || line != "" && !strings.HasPrefix(line, "|")
	}
	if rules != 1 {
		return nil
	}
	rows := `map(select(startswith("|")) | split("|")[1:-1] | map(trim)) | ` + rowsToRecords(2)
	if text {
		return []string{lines + ` | {text: map(select(startswith("|") | not)) | join("\n"), rows: (` + rows + `)}`}
	}
	return []string{lines + " | " + rows}
}

// base64Repair decodes base64 of JSON.
func base64Repair(p []byte) []string {
	text := bytes.TrimSpace(p)
	head, body := base64Body(text)
	decoded, err := base64.StdEncoding.DecodeString(string(body)) // passes over line breaks
	if err != nil || !valid(decoded) {
		return nil
	}
	filter := "@base64d"
	if bytes.ContainsAny(text, "\r\n") {
		filter = `split("\n") | join("") | ` + filter
	}
	if head > 0 {
		filter = fmt.Sprintf(".[%d:] | ", head) + filter
	}
	return []string{filter}
}
