package engine

import (
	"fmt"
	"runtime"
)

// A Bug is a panic that was caught: a mistake in the program. Its text never has a payload's: of what the panic says
// only the runtime's own words are taken, which name numbers and types; of anything else its type alone.
type Bug struct {
	Words string
}

func (b *Bug) Error() string { return "a bug in floodmark: " + b.Words }

// BugOf is the bug that recover gave the reason of.
func BugOf(reason any) *Bug {
	switch r := reason.(type) {
	case *Bug:
		return r
	case runtime.Error:
		return &Bug{r.Error()}
	}
	return &Bug{fmt.Sprintf("a panic with a %T", reason)}
}
