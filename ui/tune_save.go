package ui

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// askFile asks where to save the policy.
func (e *explorer) askFile() {
	name := e.tune.policy.Name + "-tuned.json"
	e.ask("save the policy as ("+visible(name)+"): ", func(s string) tea.Cmd {
		if s = strings.TrimSpace(s); s == "" {
			s = name
		}
		e.save(s, false)
		return nil
	})
}

// save writes the policy to a file. One that is there is replaced only when that was said.
func (e *explorer) save(path string, replace bool) {
	mode := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if replace {
		mode = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, mode, 0o644)
	if errors.Is(err, fs.ErrExist) {
		e.ask(visible(path)+" is there already; yes replaces it: ", func(s string) tea.Cmd {
			if strings.EqualFold(strings.TrimSpace(s), "yes") {
				e.save(path, true)
			} else {
				e.status = "not saved"
			}
			return nil
		})
		return
	}
	if err == nil {
		_, err = f.Write(e.tune.document())
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		e.status = "not saved: " + visible(err.Error())
		return
	}
	e.status = "saved; floodmark --policy " + visible(path) + " uses it"
}

// document is the tuned policy. Its title and its sources say which numbers were tuned: a document's
// citation does not vouch for them.
func (t *tuneScreen) document() []byte {
	p := *t.policy
	if len(p.Changed) == 0 {
		return p.Document()
	}
	if !strings.HasSuffix(p.Title, tunedTitle) {
		p.Title += tunedTitle
	}
	var sources []engine.Citation
	for _, c := range p.Sources {
		c.Fields = slices.DeleteFunc(slices.Clone(c.Fields), func(f string) bool { return slices.Contains(p.Changed, f) })
		if len(c.Fields) > 0 {
			sources = append(sources, c)
		}
	}
	p.Sources = append(sources, engine.Citation{Fields: p.Changed, From: "tuned on recordings", Status: "ours"})
	return p.Document()
}

const tunedTitle = ", tuned"
