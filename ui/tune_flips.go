package ui

import (
	"fmt"
	"slices"

	"floodmark/engine"
	"floodmark/history"
)

// tuneFlips are the results whose verdict is another one after than before.
type tuneFlips struct {
	corpus *engine.Corpus
	list   []engine.Flip
	others int // that flip and are not shown
	cursor int
	top    int
	h      int
}

// take shows other flips. Where keep is set, what was selected stays selected, if it still flips, or what
// comes after it; else the list begins anew.
func (f *tuneFlips) take(c *engine.Corpus, list []engine.Flip, only tuneScope, keep bool) {
	f.others = 0
	was := -1
	if keep && f.cursor < len(f.list) {
		was = f.list[f.cursor].Fact
	}
	if !only.all() {
		kept := make([]engine.Flip, 0, len(list))
		for _, flip := range list {
			if only.holds(c.At(flip.Fact)) {
				kept = append(kept, flip)
			}
		}
		f.others = len(list) - len(kept)
		list = kept
	}
	f.corpus, f.list = c, list
	f.cursor, _ = slices.BinarySearchFunc(list, was, func(flip engine.Flip, fact int) int { return flip.Fact - fact }) // corpus order
	if !keep {
		f.top = 0
	}
	f.move(0)
}

// move moves the cursor by rows.
func (f *tuneFlips) move(by int) {
	f.cursor = max(min(f.cursor+by, len(f.list)-1), 0)
	f.top = max(min(f.top, f.cursor), f.cursor+1-max(f.h, 1))
	f.top = max(min(f.top, len(f.list)-f.h), 0)
}

// selected is the fact under the cursor; false where nothing flips.
func (f *tuneFlips) selected() (engine.Fact, int, bool) {
	if f.cursor >= len(f.list) {
		return engine.Fact{}, 0, false
	}
	i := f.list[f.cursor].Fact
	return f.corpus.At(i), i, true
}

// position says which rows are in sight.
func (f *tuneFlips) position() string {
	if len(f.list) <= f.h || f.h == 0 {
		return ""
	}
	return fmt.Sprintf("%s–%s of %s", grouped(int64(f.top+1)), grouped(int64(min(f.top+f.h, len(f.list)))), grouped(int64(len(f.list))))
}

// rows draws the rows in sight.
func (f *tuneFlips) rows(w, h int, focus bool, t *theme) []string {
	f.h = h
	f.move(0)
	var out []string
	for i := f.top; i < min(f.top+h, len(f.list)); i++ {
		flip := f.list[i]
		fact := f.corpus.At(flip.Fact)
		pointer := " "
		if i == f.cursor && focus {
			pointer = t.pointer
		}
		figures := padLeft(sized(fact.Tokens, 9), 10) + " " + t.verdicts[flip.From] + " → " + t.verdicts[flip.To] + " " + string(flip.To) + ", " + inUnits(rounded(flip.After), "tokens")
		place := fmt.Sprintf("turn %d", fact.Turn)
		if fact.Thread != history.Main {
			place = clip(visible(fact.Thread), 8) + " " + place
		}
		name := min(max(w/5, 12), 30)
		line := pointer + pad(clip(visible(fact.Tool), name), name) + figures
		if room := w - width(line) - 5 - width(place); room >= 8 {
			line = pad(line+"  "+clipStart(visible(fact.File), room), w-width(place)-1) + place
		} else if room >= -2 {
			line = pad(line, w-width(place)-1) + place
		}
		line = pad(clip(line, w), w)
		if i == f.cursor && focus {
			line = t.selected.on(line)
		}
		out = append(out, line)
	}
	return out
}
