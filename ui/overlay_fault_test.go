package ui

import (
	"testing"

	"floodmark/engine"
)

func TestTheMenuOfFaultsListsWhatTheModelWouldNoLongerReach(t *testing.T) {
	s := openScreen(t)
	s.press("!")
	s.shows("none (now)", "Everything works. Kept: 1 payload outside the context", "1 of 1", "61,603")
	s.press("down")
	s.shows("The sandbox is down. What the model would no longer reach:", "list_expenses_1", "↑ offloaded", "! lost")
	s.press("down", "down")
	s.shows("reading it back fails. What the model", "! unreadable")
	s.press("down")
	s.shows("! expired")
	s.press("esc")
	if s.e.overlay != nil || s.e.session.fault != engine.NoFault || s.e.session.store != nil {
		t.Errorf("closing it left the fault %q", s.e.session.fault)
	}
}

func TestAChosenFaultHoldsInTheExplorer(t *testing.T) {
	s := openScreen(t)
	s.press("down")
	s.shows("↑ offloaded")
	s.press("!", "down", "enter")
	s.shows("fault sandbox-down: moveworks", "! lost")
	s.press("p", "P")
	s.shows("fault sandbox-down: moveworks", "! lost") // another policy, the same fault
	s.press("!")
	s.shows("sandbox-down (now)")
	s.press("home", "enter")
	s.hides("fault sandbox-down")
	s.hides("! lost")
	s.shows("↑ offloaded")
}

func TestUnderAPolicyThatKeepsNothingNoFaultChangesAnything(t *testing.T) {
	s := openScreen(t)
	s.e.session.choose(policyNumber(t, s.e.session.policies, "none"))
	s.press("!", "end")
	s.shows("The disk is full. Nothing changes: this policy keeps nothing here.", "0 of 0")
}
