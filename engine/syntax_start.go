package engine

import (
	"bytes"
	"slices"
	"strings"
)

// startsLikeJSON tells whether a text was meant as JSON, or as something close to it: a brace or a
// bracket, and behind it what can stand there. "[INFO] started", "[1] a footnote", "{{name}}" and
// "[see](here)" are text.
func startsLikeJSON(p []byte) bool {
	for len(p) > 0 && p[0] == '[' {
		inside := bytes.TrimLeft(p[1:], " \t\r\n")
		if len(inside) == 0 {
			return true // cut off
		}
		switch c := inside[0]; {
		case c == '[' || c == '{':
			p = inside
			continue
		case c == '"' || c == '\'' || c == ']' || c == '/' || c == '#' || c == '\\':
			return true
		}
		return firstElement(inside)
	}
	if len(p) == 0 || p[0] != '{' {
		return false
	}
	inside := bytes.TrimLeft(p[1:], " \t\r\n")
	if len(inside) == 0 {
		return true
	}
	switch inside[0] {
	case '"', '\'', '}', '/', '#', ',', '\\':
		return true
	}
	word := 0
	for word < len(inside) && (isLetter(inside[word]) || isDigit(inside[word]) || inside[word] == '_' || inside[word] == '$' || inside[word] == '-') {
		word++
	}
	behind := bytes.TrimLeft(inside[word:], " \t\r\n")
	return word > 0 && (len(behind) == 0 || behind[0] == ':')
}

// firstElement tells whether p starts with what was meant as a number or a literal: not with a date
// and a time, nor with a number that prose follows.
func firstElement(p []byte) bool {
	end := bytes.IndexAny(p, ",]}/ \t\r\n")
	if end < 0 {
		end = len(p)
	}
	word, behind := p[:end], bytes.TrimLeft(p[end:], " \t\r\n")
	number := len(word) > 0 && (isDigit(word[0]) || bytes.IndexByte([]byte("+-."), word[0]) >= 0)
	if !number && !notANumber[string(word)] && !literal(word, len(behind) == 0) {
		return false
	}
	switch {
	case len(behind) == 0, behind[0] == ',', behind[0] == '/', behind[0] == '}':
		return true
	case behind[0] == ']':
		after := bytes.TrimLeft(behind[1:], " \t\r\n")
		return len(after) == 0 || !isLetter(after[0])
	}
	return !isLetter(behind[0]) && !bytes.ContainsAny(word[1:], "-:")
}

func literal(word []byte, cutOff bool) bool {
	return slices.ContainsFunc(literals, func(l string) bool {
		return l == string(word) || cutOff && strings.HasPrefix(l, string(word))
	})
}

var literals = []string{"true", "false", "null"}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
