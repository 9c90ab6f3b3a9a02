package ui

import "strings"

// The tuned settings in the words of the harness that has them.

// wordsOverlay shows lines of text.
type wordsOverlay struct{ linesPane }

func (o *wordsOverlay) SetRect(r rect) { o.rect = r; o.scrollTo(o.top) }

func (o *wordsOverlay) Key(a action) (bool, int) {
	if a == leave || a == accept {
		return true, -1
	}
	o.linesPane.Key(a)
	return false, -1
}

// harnessWords shows what is tuned as the harness's own settings; where it has none, it says so.
func (e *explorer) harnessWords() {
	t := e.tune
	list := t.policy.HarnessSettings()
	if len(list) == 0 {
		e.status = visible(t.policy.Name) + " has no settings of its own that its users could set"
		return
	}
	var out []string
	for _, s := range list {
		out = append(out, "", " "+t.theme.strong.on(visible(s.Harness+": "+s.File)), "")
		for _, line := range strings.Split(strings.TrimRight(s.Text, "\n"), "\n") {
			out = append(out, "   "+visible(strings.ReplaceAll(line, "\t", "    ")))
		}
		if len(s.Refused) > 0 {
			for _, line := range wrapWords("it has no setting for "+visible(strings.Join(s.Refused, ", "))+"; these stay as the harness has them", t.W-4) {
				out = append(out, "   "+t.theme.over.on(line))
			}
		}
	}
	o := &wordsOverlay{}
	o.set(out)
	e.cover(o)
}
