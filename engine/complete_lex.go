package engine

import "strings"

// A filter that is being typed is seldom one that parses, so completion reads it by words: enough to
// know what each name is applied to.

type wordKind int

const (
	fieldWord    wordKind = iota // .name, with or without its name
	dotsWord                     // ..
	nameWord                     // a function or a keyword
	variableWord                 // $name, with or without its name
	formatWord                   // @name
	numberWord
	stringWord   // whole, without an interpolation
	openWord     // a string that is not closed
	interpolated // \( within a string: a new expression begins
	signWord     // an operator or a bracket
)

// A filterWord is a piece of a filter.
type filterWord struct {
	kind     wordKind
	text     string // a name without its dot, $ or @; of a string what is between the quotes, as written
	from, to int    // bytes in the filter
}

// signs are the operators of several characters, longer ones first.
var signs = []string{"?//=", "?//", "//=", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", "::"}

// filterWords cuts a filter into words. The end may be anywhere.
func filterWords(s string) []filterWord {
	var words []filterWord
	var resume []int // brackets open within each interpolation, innermost last
	depth := 0
	add := func(kind wordKind, text string, from, to int) {
		words = append(words, filterWord{kind, text, from, to})
	}
	i := 0
	// text goes on with a string whose opening quote or interpolation ended before i.
	text := func(from int) {
		for j := i; j < len(s); j++ {
			switch {
			case s[j] == '\\' && j+1 < len(s) && s[j+1] == '(':
				add(interpolated, s[from+1:j], from, j+2)
				resume = append(resume, depth)
				depth, i = 0, j+2
				return
			case s[j] == '\\':
				j++
			case s[j] == '"':
				add(stringWord, s[from+1:j], from, j+1)
				i = j + 1
				return
			}
		}
		add(openWord, s[from+1:], from, len(s))
		i = len(s)
	}
	for i < len(s) {
		c := s[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
		case c == '#':
			n := strings.IndexByte(s[i:], '\n')
			if n < 0 {
				return words
			}
			i += n
		case c == '"':
			i++
			text(i - 1)
		case c == '.' && i+1 < len(s) && s[i+1] == '.':
			add(dotsWord, "..", i, i+2)
			i += 2
		case c == '.' && i+1 < len(s) && isDigit(s[i+1]), isDigit(c):
			n := 1
			for i+n < len(s) && (isDigit(s[i+n]) || s[i+n] == '.' || s[i+n]|0x20 == 'e') {
				n++
			}
			add(numberWord, s[i:i+n], i, i+n)
			i += n
		case c == '.', c == '$', c == '@':
			n := nameLength(s[i+1:])
			kind := map[byte]wordKind{'.': fieldWord, '$': variableWord, '@': formatWord}[c]
			add(kind, s[i+1:i+1+n], i, i+1+n)
			i += 1 + n
		case nameLength(s[i:]) > 0:
			n := nameLength(s[i:])
			add(nameWord, s[i:i+n], i, i+n)
			i += n
		default:
			n := 1
			for _, sign := range signs {
				if strings.HasPrefix(s[i:], sign) {
					n = len(sign)
					break
				}
			}
			if c == '(' {
				depth++
			}
			if c == ')' {
				if depth == 0 && len(resume) > 0 {
					depth = resume[len(resume)-1]
					resume = resume[:len(resume)-1]
					add(signWord, ")", i, i+1)
					i++
					text(i - 1)
					continue
				}
				depth--
			}
			add(signWord, s[i:i+n], i, i+n)
			i += n
		}
	}
	return words
}

// nameLength is the length of the name that s begins with.
func nameLength(s string) int {
	n := 0
	for n < len(s) && (s[n] == '_' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && isDigit(s[n])) {
		n++
	}
	return n
}
