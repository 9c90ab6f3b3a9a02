package ui

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// What a preview comes to is known only of previews that were made. The facts hold the policy's own;
// others are measured when their knob is moved for the first time.

// previewValues are the values that a knob of the preview goes through.
var previewValues = map[string][]float64{
	"preview.records":      {1, 2, 3, 5, 10, 20},
	"preview.string_chars": {50, 100, 200, 400, 800},
	"preview.head_chars":   {0, 50, 100, 200, 500, 1000, 2000},
	"preview.tail_chars":   {0, 50, 100, 200, 500, 1000, 2000},
}

// measurePreviews starts measuring the values of a knob of the preview; nil where they are known, or
// being measured.
func (e *explorer) measurePreviews(k knob) tea.Cmd {
	t := e.tune
	if len(previewValues[k.field]) == 0 || t.facts == nil || len(t.ladder(k)) != 1 {
		return nil
	}
	if t.growing != t.facts {
		e.status = "previews are being measured: " + t.progress()
		return func() tea.Msg { return nil }
	}
	now, _ := k.value(t.from)
	for _, v := range previewValues[k.field] {
		if v == now {
			continue
		}
		q, err := t.from.Set(k.field + "=" + strconv.FormatFloat(v, 'f', -1, 64))
		if err != nil {
			continue // this one does not go with the rest
		}
		t.ladders = append(t.ladders, q)
	}
	e.status = "measuring previews by " + k.name + "; what there is stays in sight"
	growing, err := e.session.factsFor(t.from, append([]*engine.Policy(nil), t.ladders...))
	if err != nil {
		e.status = visible(err.Error())
		return nil
	}
	t.growing = growing
	e.jobs.stop("facts")
	t.follow(len(e.collectable()))
	if cmd := e.collect(); cmd != nil {
		return cmd
	}
	return e.sweepTune()
}
