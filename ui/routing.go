package ui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// Who gets a key: a line being typed first, then what covers the screen, then the focused pane, then
// the explorer itself.

// A typist is a tab in which something can be typed.
type typist interface {
	isTyping() bool
	Type(k tea.KeyMsg, a action, bound bool) tea.Cmd
}

// typed routes what one read brought: keys typed fast arrive as one message of several runes.
func (e *explorer) typed(k tea.KeyMsg) tea.Cmd {
	if k.Type != tea.KeyRunes || len(k.Runes) < 2 || k.Paste {
		return e.key(k)
	}
	var cmds []tea.Cmd
	for _, r := range k.Runes {
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: k.Alt}
		if r == ' ' {
			one.Type = tea.KeySpace
		}
		cmds = append(cmds, e.key(one))
	}
	return tea.Batch(cmds...)
}

func (e *explorer) key(k tea.KeyMsg) tea.Cmd {
	name := k.String()
	if k.Paste {
		name = "" // pasted text is text, whatever it spells
	}
	e.status = ""
	if e.lay.small {
		if a, ok := e.keys.find(name, inPrompt, everywhere); ok && a == quit {
			return tea.Quit
		}
		return nil
	}
	if e.prompt != nil {
		a, ok := e.keys.find(name, inPrompt)
		return e.keyInPrompt(k, a, ok)
	}
	if t, ok := e.tabs[e.tab].(typist); ok && t.isTyping() && e.overlay == nil {
		a, bound := e.keys.find(name, inPrompt)
		if bound && a == quit {
			return tea.Quit
		}
		return t.Type(k, a, bound)
	}
	if e.overlay != nil {
		if a, ok := e.keys.find(name, e.overlayScope()); ok {
			return e.keyInOverlay(a)
		}
		return nil
	}
	if e.tuning {
		a, ok := e.keys.find(name, inTune)
		if !ok {
			return nil
		}
		return e.keyInTune(a)
	}
	focus := inList
	if e.inResult {
		focus = inResult
	}
	scopes := []scope{focus, everywhere}
	if _, ok := e.tabs[e.tab].(*variableTab); ok && e.inResult {
		scopes = []scope{inVariable, focus, everywhere}
	}
	a, ok := e.keys.find(name, scopes...)
	if !ok {
		// The workbench's own keys hold while it is in front, wherever the focus is: they take it there.
		_, bench := e.tabs[e.tab].(*variableTab)
		if a, ok = e.keys.find(name, inVariable); !ok || !bench || e.inResult || e.list.selected().row.call == nil {
			return nil
		}
		e.focus(true)
	}
	if a == stopLoading {
		if e.visiting != nil {
			return e.backToTune()
		}
		e.stopLoading()
		return nil
	}
	return e.do(a)
}

func (e *explorer) keyInPrompt(k tea.KeyMsg, a action, bound bool) tea.Cmd {
	p := e.prompt
	if bound {
		switch a {
		case quit:
			return tea.Quit
		case leave:
			e.prompt = nil
			return nil
		case accept:
			e.prompt = nil
			return p.accept(p.edit.value())
		}
	}
	p.edit.key(k)
	return nil
}

// overlayScope is where the keys of what covers the screen hold.
func (e *explorer) overlayScope() scope {
	switch e.overlay.(type) {
	case *compareOverlay:
		return inCompare
	case *faultOverlay:
		return inFaults
	case *helpOverlay, *wordsOverlay:
		return inWords
	}
	return inOverlay
}

func (e *explorer) keyInOverlay(a action) tea.Cmd {
	if a == quit {
		return tea.Quit
	}
	if o, ok := e.overlay.(*compareOverlay); ok {
		return e.keyInCompare(o, a)
	}
	if o, ok := e.overlay.(*faultOverlay); ok {
		return e.keyInFaults(o, a)
	}
	closes, chosen := e.overlay.Key(a)
	if !closes {
		return nil
	}
	e.overlay = nil
	e.jobs.stop("survey")
	if chosen >= 0 && chosen < len(e.session.convs) && chosen != e.conv {
		return e.open(chosen)
	}
	return nil
}

// do carries out an action that is not typing.
func (e *explorer) do(a action) tea.Cmd {
	switch a {
	case quit:
		return tea.Quit
	case showHelp:
		e.cover(newHelp(e.theme, e.session))
		return nil
	case showList:
		o := newConversations(e.deps, max(e.conv, 0), e.totals)
		e.cover(o)
		return e.survey()
	case switchPane:
		e.focus(!e.inResult)
		return nil
	case openTune:
		return e.openTune()
	}
	if e.conv < 0 {
		return nil
	}
	switch a {
	case viewOriginal, viewInline, viewSchema, viewVariable, viewWhy, viewContext, viewValues:
		return e.view(tabOf[a])
	case nextTab:
		return e.view((e.tab + 1) % len(e.tabs))
	case prevTab:
		return e.view((e.tab + len(e.tabs) - 1) % len(e.tabs))
	case markResult:
		return e.markResult()
	case showBeside:
		return e.besideMarked()
	case showCompare:
		return e.compare()
	case showFaults:
		return e.chooseFault()
	case openResult:
		e.focus(true)
		return nil
	case leave:
		if t, ok := e.tabs[e.tab].(*variableTab); ok && t.back() {
			return nil
		}
		e.focus(false)
		return nil
	case typeQuery:
		if e.list.selected().row.call == nil {
			e.status = "no result is selected: there is nothing to query"
			return nil
		}
		cmd := e.view(tabOf[viewVariable])
		e.focus(true)
		typing, _ := e.tabs[e.tab].Key(typeQuery)
		return tea.Batch(cmd, typing)
	case editFilter:
		switch t := e.tabs[e.tab].(type) {
		case *variableTab:
			return t.begin()
		case *whyTab:
			if filter := t.repair(); filter != "" {
				cmd := e.view(tabOf[viewVariable])
				return tea.Batch(cmd, e.tabs[e.tab].(*variableTab).try(filter))
			}
			if off, ok := t.where(); ok {
				cmd := e.view(tabOf[viewOriginal])
				e.tabs[e.tab].(*originalTab).point(off)
				return cmd
			}
		}
		return nil
	case lowerLimit, raiseLimit:
		return e.moveLimit(a)
	case typeLimit:
		e.askLimit()
	case typeCombined:
		e.askCombined()
		return nil
	case resetLimit:
		if err := e.session.change(tuned{}); err != nil {
			e.status = visible(err.Error())
		}
		return e.changed()
	case nextPolicy, prevPolicy:
		by := 1
		if a == prevPolicy {
			by = -1
		}
		e.session.choose(e.session.chosen + by)
		return e.changed()
	case nextEstimator:
		return e.cycleEstimator()
	case playPause:
		if e.playing {
			e.stop()
			return nil
		}
		e.playing, e.list.playing, e.gauge.playing = true, true, true
		if e.list.at() >= len(e.list.steps)-1 {
			e.list.move(0) // from the end it starts again
		}
		return tea.Batch(e.selected(), e.play())
	case stepForward, stepBack:
		e.stop()
		by := 1
		if a == stepBack {
			by = -1
		}
		if !e.list.step(by) {
			e.status = "no step there"
		}
		return e.selected()
	case nextWarning:
		if !e.list.seek(1, e.list.suspicious) {
			e.status = "no warnings under this policy"
		}
		return e.selected()
	case search:
		e.askSearch()
		return nil
	case nextMatch, prevMatch:
		return e.match(a)
	case toPercent:
		e.ask("go to percent: ", func(s string) tea.Cmd {
			n, err := parseCount(s)
			if p := e.tabs[e.tab].text(); err == nil && p != nil {
				p.toPercent(n)
			}
			return nil
		})
		return nil
	}
	if e.inResult {
		cmd, _ := e.tabs[e.tab].Key(a)
		return cmd
	}
	if e.list.Key(a) {
		if e.playing {
			e.stop()
		}
		return e.selected()
	}
	return nil
}

// focus gives the keys to the result, or to the list.
func (e *explorer) focus(result bool) { e.inResult, e.list.focus = result, !result }

// tabOf is the view that an action names.
var tabOf = map[action]int{viewOriginal: 0, viewInline: 1, viewSchema: 2, viewVariable: 3, viewWhy: 4, viewContext: 5, viewValues: 6}

// view brings a tab to the front.
func (e *explorer) view(i int) tea.Cmd {
	e.tab = i
	return e.selected()
}

func (e *explorer) cover(o overlay) {
	e.stop()
	e.overlay = o
	o.SetRect(e.overlayRect())
}
