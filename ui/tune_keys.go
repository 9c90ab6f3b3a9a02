package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// keyInTune carries out what a key does in the Tune screen.
func (e *explorer) keyInTune(a action) tea.Cmd {
	t := e.tune
	switch a {
	case quit:
		return tea.Quit
	case showHelp:
		h := newHelp(e.theme, e.session)
		e.cover(h)
		h.scrollTo(h.sections[inTune])
	case leave:
		e.leaveTune()
	case switchPane:
		t.inList = !t.inList && len(t.flips.list) > 0
		if len(t.flips.list) == 0 {
			e.status = "no result flips"
		}
	case up:
		t.walk(-1)
		return e.sweepTune()
	case down:
		t.walk(1)
		return e.sweepTune()
	case pageUp, pageDown, toTop, toEnd:
		t.page(a)
		return e.sweepTune()
	case lowerValue, raiseValue, lowerFine, raiseFine:
		return e.followed(t.turn(a))
	case accept:
		if t.inList {
			return e.visitFlip()
		}
		e.typeKnob()
	case nextTool, prevTool:
		by := 1
		if a == prevTool {
			by = -1
		}
		t.narrow(t.toolScopes(), by)
	case nextAgent:
		if len(t.agents) == 0 {
			e.status = "there are no subagents here"
			return nil
		}
		t.narrow(t.agents, 1)
	case addOverride:
		return e.followed(t.override())
	case removeOverride:
		return e.followed(t.remove())
	case undoTuned:
		if !t.back() {
			e.status = "nothing to undo"
			return nil
		}
		return e.followTune()
	case nextGoal:
		t.goal = (t.goal + 1) % len(t.goals)
		return e.sweepTune()
	case typeGoal:
		e.askTokens(t.currentGoal().what+"(now "+rounded(t.currentGoal().tokens)+"): ", func(n float64) tea.Cmd {
			t.goals[t.goal].tokens = n
			t.countOver()
			return e.sweepTune()
		})
	case typeWindow:
		e.askTokens("the model's context window, in tokens (0: not given): ", func(n float64) tea.Cmd {
			t.window = n
			return nil
		})
	case takeAdvice:
		return e.takeAdvice()
	case applyTuned:
		return e.applyTune()
	case savePolicy:
		e.askFile()
	case showCosts:
		e.showCosts()
	case asSettings:
		e.harnessWords()
	case asTable:
		t.table = !t.table
	}
	return nil
}

// followed shows what is wrong with a change, or what follows from it.
func (e *explorer) followed(wrong string) tea.Cmd {
	e.status = wrong
	return e.followTune()
}

// walk goes through the knobs and on into the list.
func (t *tuneScreen) walk(by int) {
	switch {
	case t.inList && by < 0 && t.flips.cursor == 0:
		t.inList = false
	case t.inList:
		t.flips.move(by)
	case by > 0 && t.chosen == len(t.knobs)-1:
		t.inList = len(t.flips.list) > 0
	default:
		t.chosen = max(min(t.chosen+by, len(t.knobs)-1), 0)
	}
}

// page goes far in the list, or to the first and the last knob.
func (t *tuneScreen) page(a action) {
	if !t.inList {
		t.chosen = len(t.knobs) - 1
		if a == pageUp || a == toTop {
			t.chosen = 0
		}
		return
	}
	page := max(t.flips.h-1, 1)
	t.flips.move(map[action]int{pageUp: -page, pageDown: page, toTop: -len(t.flips.list), toEnd: len(t.flips.list)}[a])
}

// turn moves the chosen knob; the words say what is wrong.
func (t *tuneScreen) turn(a action) string {
	by := 1
	if a == lowerValue || a == lowerFine {
		by = -1
	}
	return t.move(by, a == lowerFine || a == raiseFine)
}

// typeKnob asks for the chosen knob's value.
func (e *explorer) typeKnob() {
	t := e.tune
	k := t.knob()
	now, some := k.value(t.policy)
	e.ask(k.name+" (now "+k.write(now, some)+"): ", func(s string) tea.Cmd {
		if strings.TrimSpace(s) == "" {
			return nil
		}
		v, some, wrong := k.read(s)
		if wrong == "" {
			wrong = t.set(v, some)
		}
		return e.followed(wrong)
	})
}

// takeAdvice sets the recommended value.
func (e *explorer) takeAdvice() tea.Cmd {
	t := e.tune
	if t.advice == nil {
		e.status = "there is no recommendation yet"
		return nil
	}
	for i, k := range t.knobs {
		if k.field == t.advice.Key && k.override < 0 {
			t.chosen, t.inList = i, false
			return e.followed(t.set(t.advice.Best.Value, true))
		}
	}
	return nil
}
