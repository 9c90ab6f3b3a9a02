package engine

import (
	"bytes"
	"cmp"
	"slices"
)

// Kinds of what is sensitive; a secret's kind is the id of the rule in gitleaks' list that found it,
// as "github-pat".
const (
	Mail  = "mail"  // an address
	Card  = "card"  // a payment card's number: an issuer's range and length, and its check digit
	IBAN  = "iban"  // a bank account's number: a country's length, and its check digits
	Phone = "phone" // a number in international form, with +, 9 to 15 digits; others are not told from any number
)

// A Sensitive is a stretch of a text that looks like a secret or personal data.
type Sensitive struct {
	Kind       string
	Start, End int // bytes in the text
}

// Sensitives finds what looks like a secret or personal data in a text of any kind, in order and
// without overlaps. In JSON nothing is found across an escape of a control character: an escape ends
// a word. The rules for secrets are read with the first call (2 ms) and each is compiled
// when one of its keywords is there; it takes time in proportion to the text, about 1 MB a second.
func Sensitives(text []byte) []Sensitive {
	looked := withoutEscapes(text)
	found := personal(looked)
	found = append(found, secrets(looked)...)
	// Of two at one place the longer one stands; of equals the one that says more.
	slices.SortStableFunc(found, func(a, b Sensitive) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(vague(a.Kind), vague(b.Kind)))
	})
	kept := found[:0]
	end := 0
	for _, s := range found {
		if s.Start >= end {
			kept, end = append(kept, s), s.End
		}
	}
	return kept
}

func vague(kind string) int {
	if kind == genericRule {
		return 1
	}
	return 0
}

// withoutEscapes is text with each escape of JSON replaced by as many bytes that start no word, so
// that the n of \n is not read as the start of a name, and offsets stay.
func withoutEscapes(text []byte) []byte {
	at := bytes.IndexByte(text, '\\')
	if at < 0 {
		return text
	}
	out := slices.Clone(text)
	for i := at; i+1 < len(out); i++ {
		if out[i] != '\\' {
			continue
		}
		switch out[i+1] {
		case '"', '/':
			out[i] = ' '
			i++
		case 'n', 'r':
			out[i], out[i+1] = ' ', '\n'
			i++
		case 'u':
			n := min(len(out), i+6)
			for k := i; k < n; k++ {
				out[k] = ' '
			}
			i = n - 1
		case 'b', 'f', 't', '\\':
			out[i], out[i+1] = ' ', ' '
			i++
		}
	}
	return out
}
