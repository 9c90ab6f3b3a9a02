package engine

import (
	"math"
	"strconv"
	"strings"

	"floodmark/history"
)

// packageText is what the model gets in a payload's place. kind is Offloaded, Lost, PreviewOnly or
// Truncated; path is that of the file where the policy keeps files; records is the number of
// records in the payload, -1 without any; schema is nil where the package has none.
//
// The notice, which ends where the preview's label starts, has its path in it and keeps to
// package.notice_chars.
func packageText(kind Verdict, p *Policy, name, path string, original Measure, records int, preview *Preview, schema *Schema) string {
	size := "about " + wholeTokens(original.Tokens) + " tokens, " + counted(original.Bytes, "byte")
	limit := p.Package.NoticeChars
	switch {
	case kind == Truncated:
		if preview.Whole && p.Strategy == Truncate {
			return preview.Text + "\n… nothing left out …"
		}
		if preview.Whole {
			return preview.Text
		}
		return strings.TrimSuffix(preview.Text, headTailMark)
	case kind == PreviewOnly && (p.Strategy == ShowPreview || p.Strategy == Reject):
		return paragraphs(longestWithin(limit,
			"This result ("+size+") is too large for the context and was not kept. "+
				"If you need it, call the tool again and ask for less: a filter, fewer fields, or a page.",
			"This result is too large and was not kept. Ask for less.",
			"Too large, not kept."), labelled(preview))
	case kind == PreviewOnly:
		return longestWithin(limit,
			"This output ("+size+") is too large for the context and was not kept. Run the command again and write its output to a file, "+
				"then read parts of that file: search it, or print a few lines.",
			"This output is too large and was not kept. Write it to a file and read parts of that.",
			"Too large, not kept.") + "\n\n" + labelled(preview)
	case kind == Lost:
		return paragraphs(longestWithin(limit,
			"This result ("+size+") is too large for the context, and the complete result could not be kept: it can't be read back. "+
				"Only the preview is left. If you need more, call the tool again and ask for less: a filter, fewer fields, or a page.",
			"This result is too large and could not be kept: it can't be read back, only the preview is left.",
			"Too large, could not be kept."), labelled(preview))
	case p.Package.Reference == FileReference:
		file := "file"
		if p.Sandbox.Required {
			file = "sandbox file"
		}
		return paragraphs(longestWithin(limit, fileNotices(size, file, path)...), withSchema(preview, schema))
	}
	if records >= 0 {
		size += ", " + counted(int64(records), "record")
	}
	return paragraphs(withSchema(preview, schema), longestWithin(limit, variableNotices(size, name)...))
}

// paragraphs puts an empty line between two texts, where both have something to say.
func paragraphs(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + "\n\n" + second
}

// fileNotices say that a payload is in a file, the fullest first. The path ends its line, so that
// nothing can be taken for a part of it.
func fileNotices(size, file, path string) []string {
	const advice = "\nLook at a small prefix or infer the schema first, then search it, and filter or aggregate it with code."
	kept := "This result (" + size + ") was kept out of the context. The complete data is in the " + file + "\n" + path
	return []string{
		kept + advice + " Print only what you need, never the whole file.",
		kept + advice,
		kept,
		"The complete result is in the " + file + "\n" + path,
		shortestFileNotice(path),
	}
}

func shortestFileNotice(path string) string { return "Kept in\n" + path }

// variableNotices say that a payload is a variable, the fullest first.
func variableNotices(size, name string) []string {
	kept := "The complete data (" + size + ") is the variable " + name + " and is available through the Code Interpreter."
	return []string{
		kept + " Use it for anything that the preview does not show; print only what you need.",
		kept,
		name + " is available through the Code Interpreter.",
	}
}

// longestWithin returns the first text of at most limit UTF-16 units, else the last; 0 is no limit.
func longestWithin(limit int, texts ...string) string {
	for _, t := range texts {
		if limit == 0 || history.Measure(t).UTF16 <= int64(limit) {
			return t
		}
	}
	return texts[len(texts)-1]
}

func withSchema(preview *Preview, schema *Schema) string {
	if schema == nil {
		return labelled(preview)
	}
	return paragraphs(labelled(preview), "JSON Schema of the complete data:\n"+string(schema.JSON))
}

// labelled puts above a preview what it is a preview of.
func labelled(v *Preview) string {
	label := "Preview, both ends:"
	switch {
	case v.label == noPreview:
		return ""
	case v.Whole:
		label = "Preview, nothing left out:"
	case v.Records >= 0 && v.Records == v.Of:
		label = "Preview, " + counted(int64(v.Of), "record") + " with parts left out:"
	case v.Records == 1:
		label = "Preview, the first of " + counted(int64(v.Of), "record") + ":"
	case v.Records >= 0:
		label = "Preview, the first " + strconv.Itoa(v.Records) + " of " + counted(int64(v.Of), "record") + ":"
	case v.label != "":
		label = v.label
	case v.JSON != nil:
		label = "Preview, with parts left out:"
	}
	return label + "\n" + v.Text
}

// wholeTokens writes an estimate as screens do, rounded half up.
func wholeTokens(x float64) string { return strconv.FormatFloat(math.Floor(x+0.5), 'f', 0, 64) }

func counted(n int64, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.FormatInt(n, 10) + " " + unit
}

// file is the path of the file that keeps the payload of this name.
func (r PackageRules) file(name string) string { return strings.ReplaceAll(r.Path, "NAME", name) }

// longestName is as long as any that VariableNames gives: its N has up to ten digits.
var longestName = strings.Repeat("x", toolNameChars) + "_0000000000"

// leastNotice is what package.notice_chars must leave room for, whatever the name.
func (r PackageRules) leastNotice() int {
	return int(history.Measure(shortestFileNotice(r.file(longestName))).UTF16)
}
