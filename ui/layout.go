package ui

// Geometry only: which rectangle each pane gets on a screen of some size.

// A rect is a place on the screen, in cells.
type rect struct{ X, Y, W, H int }

// The smallest screen on which the explorer is drawn; below it stands a message.
const (
	minWidth  = 60
	minHeight = 16
	// twoPanes is the width from which list and result stand side by side.
	twoPanes = 80
)

// A layout is a frame cut into rectangles. On a narrow screen list and result share one place, and
// only one of them is drawn.
type layout struct {
	W, H                      int
	small                     bool // too small to draw
	narrow                    bool // one pane at a time
	header, list, body, gauge rect
	footer                    rect
	ruleTop, ruleBottom       int // rows of the two rules
}

// layOut cuts a screen of w×h cells.
func layOut(w, h int) layout {
	l := layout{W: w, H: h, small: w < minWidth || h < minHeight, narrow: w < twoPanes}
	if l.small {
		return l
	}
	gauge := 1
	if h >= 32 {
		gauge = 3
	}
	rest := h - 2 - gauge - 2
	l.header = rect{0, 0, w, 1}
	l.ruleTop = 1
	l.ruleBottom = 2 + rest
	l.gauge = rect{0, 3 + rest, w, gauge}
	l.footer = rect{0, h - 1, w, 1}
	if l.narrow {
		l.list = rect{0, 2, w, rest}
		l.body = l.list
		return l
	}
	left := min(max(w*42/100, 39), 72)
	l.list = rect{0, 2, left, rest}
	l.body = rect{left + 1, 2, w - left - 1, rest}
	return l
}
