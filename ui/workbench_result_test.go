package ui

import (
	"strings"
	"testing"
)

func TestNumbersKeepTheirSpellingAndKeysTheirOrder(t *testing.T) {
	s := bench(t)
	s.filter("123456789012345678901234567890 + 1, .expenses[0].amount, 1.10")
	s.shows("123456789012345678901234567891", "10.50", "1.10")
	s.filter("{b: 1, a: 2}")
	s.shows("keys sorted by jq")
	s.filter(".expenses[0]")
	s.hides("keys sorted by jq")
	frame, last := s.frame(), 0
	for _, key := range []string{"id", "employee", "category", "amount", "currency", "note"} { // as in the payload
		at := strings.Index(frame, `"`+key+`": `)
		if at < last {
			t.Errorf("%s does not stand where the payload has it", key)
		}
		last = at
	}
}

func TestAWordIsSearchedInAResult(t *testing.T) {
	s := bench(t)
	s.filter(".expenses[:50]")
	s.press("/")
	s.typeText("seat 37")
	s.press("enter")
	s.shows(`"note": "Train to Lyon, seat 37"`, `"id": "EXP-20968"`)
	s.hides("not found")
	s.press("/", "ctrl+u")
	s.typeText("nowhere")
	s.press("enter")
	s.shows("not found: nowhere")
}
