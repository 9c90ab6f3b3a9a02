package ui

import (
	"testing"

	"floodmark/engine"
)

func TestCompareShowsTheSelectedResultUnderEveryPolicy(t *testing.T) {
	s := openScreen(t)
	s.press("down", "C")
	s.shows("list_expenses", "verdicts differ", "moveworks (now)", "trueforge", "offload: a package enters, the payload is kept", "moveworks: offloaded, ")
	s.press("end") // none
	s.shows("inline: it enters whole", "none: inline, 15,498 tokens", "nothing is left out")
	s.press("esc")
	s.hides("(now)")
	s.shows("moveworks · bytes/4")
}

func TestCompareGoesThroughTheResults(t *testing.T) {
	s := openScreen(t)
	s.press("C")
	s.shows("whoami", "result 1 of ", "all agree")
	s.press("right")
	s.shows("list_expenses", "result 2 of ")
	s.press("left", "left")
	s.hides("result 1 of ")
	s.press("right", "n")
	s.shows("list_expenses", "verdicts differ")
	s.press("n", "N")
	s.shows("list_expenses", "verdicts differ")
}

func TestThePolicyChosenInCompareIsUsedInTheExplorer(t *testing.T) {
	s := openScreen(t)
	s.press("C", "n", "end", "enter")
	s.shows("none · bytes/4 · no threshold", "= inline: 15,498 tokens")
	if s.e.list.selected().row.call.Tool != "list_expenses" {
		t.Error("the result that was looked at is not selected")
	}
	if s.e.session.store != nil {
		t.Error("comparing opened the store")
	}
}

func TestWhatIsTunedIsComparedAsItIs(t *testing.T) {
	s := openScreen(t)
	s.press("down", "t")
	s.typeText("20000")
	s.press("enter", "C")
	s.shows("moveworks, what if (now)", "moveworks: inline, 15,498 tokens")
	s.press("q")
	s.shows("what if: moveworks")
}

func TestClosingCompareStopsIt(t *testing.T) {
	s := openScreen(t)
	s.hold = "compare"
	s.press("C")
	s.shows("comparing ")
	s.press("down", "right", "n", "esc")
	s.release()
	s.shows("moveworks · bytes/4")
	if s.e.overlay != nil {
		t.Error("the late answer brought the screen back")
	}
}

func TestFaultsHoldInCompare(t *testing.T) {
	s := openScreen(t)
	s.e.session.fault = engine.SandboxDown
	s.press("down", "C")
	s.shows("! lost", "lost for good")
}
