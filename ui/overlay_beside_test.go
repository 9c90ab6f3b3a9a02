package ui

import "testing"

func TestAMarkedResultIsShownBesideAnother(t *testing.T) {
	c := newScreen(t, 110, 30, colourTheme(), sampleRecording())
	c.press("g", "down", "down", "B")
	c.shows("m marks a result to be shown beside another")
	c.press("m")
	c.shows("marked call_9; B shows another beside it")
	c.press("down", "down", "down", "5", "B")
	c.shows("call_9", "call_10", "offloaded", "inline, a flood", "all of it, in $list_expenses_1", "what is in the context, as text")
	c.press("esc")
	c.hides("what is in the context, as text")
}
