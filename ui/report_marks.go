package ui

import (
	"bytes"
	"io"
	"strings"

	"floodmark/engine"
)

// markdownMarks writes a Markdown report on, and remembers its beginning to say at its end what looks sensitive in it.
type markdownMarks struct {
	out   io.Writer
	begun bytes.Buffer // the first mostMarked bytes
}

func (m *markdownMarks) Write(p []byte) (int, error) {
	m.begun.Write(p[:min(len(p), max(mostMarked-m.begun.Len(), 0))])
	return m.out.Write(p)
}

// end writes a line that says what was found under which heading, never the value; nothing where nothing was.
func (m *markdownMarks) end() error {
	var marks sensitiveMarks
	for _, s := range markdownSections(m.begun.String()) {
		for _, found := range engine.Sensitives([]byte(s.text)) {
			marks.count(engine.SensitiveFind{Kind: found.Kind, Path: s.heading, N: 1})
		}
	}
	places := marks.places("under")
	if places == "" {
		return nil
	}
	_, err := io.WriteString(m.out, "\n"+code(engine.WarnSensitive)+": this report has what looks like "+prose(places)+". "+code("--redact")+" takes it out.\n")
	return err
}

// A markdownSection is what stands under a heading, and the heading itself, as text without Markdown's escapes.
type markdownSection struct {
	heading string // with that of the section around it, what is sensitive masked
	text    string
}

// headingCells is how much of a heading's end names a place.
const headingCells = 48

// markdownSections takes a report of ours apart at its headings. A fence ends at the line that repeats it, and nothing
// in it is a heading or an escape.
func markdownSections(report string) []markdownSection {
	sections := []markdownSection{{heading: "its first lines"}}
	var text strings.Builder
	close := func() {
		sections[len(sections)-1].text = text.String()
		text.Reset()
	}
	around, fence := "", ""
	for line := range strings.Lines(report) {
		plain := strings.TrimSuffix(line, "\n")
		switch {
		case fence != "":
			if plain == fence {
				fence = ""
			}
			text.WriteString(line)
			continue
		case strings.HasPrefix(plain, "~~~"):
			fence = plain[:len(plain)-len(strings.TrimLeft(plain, "~"))]
			continue
		}
		line = markdownEscapes.Replace(line)
		if level, heading, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok && strings.Trim(level, "#") == "" && level != "" {
			close()
			heading = clipStart(engine.MaskSensitive(strings.ReplaceAll(heading, "`", "")), headingCells)
			switch {
			case len(level) <= 2:
				around = heading
			case around != "":
				heading = around + " › " + heading
			}
			sections = append(sections, markdownSection{heading: `"` + heading + `"`})
		}
		text.WriteString(line)
	}
	close()
	return sections
}

// markdownEscapes takes back what prose escapes.
var markdownEscapes = strings.NewReplacer(`\\`, `\`, "\\`", "`", `\*`, `*`, `\_`, `_`, `\<`, `<`, `\|`, `|`, `\[`, `[`, `\]`, `]`)
