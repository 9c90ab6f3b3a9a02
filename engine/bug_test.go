package engine

import (
	"errors"
	"testing"
)

func TestABugHasTheRuntimesWordsAndNoOthers(t *testing.T) {
	caught := func(f func()) (text string) {
		defer func() { text = BugOf(recover()).Error() }()
		f()
		return ""
	}
	var list []int
	at := 3
	for want, f := range map[string]func(){
		"a bug in floodmark: runtime error: index out of range [3] with length 0": func() { list[at]++ },
		"a bug in floodmark: a panic with a string":                               func() { panic("confidentialwords") },
		"a bug in floodmark: a panic with a *errors.errorString":                  func() { panic(errors.New("confidentialwords")) },
		"a bug in floodmark: a panic with a *engine.DataError": func() {
			panic(BugOf(&DataError{Message: "confidentialwords"})) // passed on once
		},
	} {
		if got := caught(f); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
