package engine

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

// maxFilter is the most bytes that a filter can have. The compiler recurses into it, and its time
// can grow with the square.
const maxFilter = 32 << 10

// A QueryError says what is wrong with a filter.
type QueryError struct {
	Offset  int    // byte in the filter at which Token starts; -1 where it is not known
	Token   string // the offending token, empty where the filter ends before it is finished
	Message string
	// Knows is what jq has in its place, in words: a name that is near, other numbers of arguments,
	// the variables there are, or what could stand there. Empty where nothing fits, and where the filter
	// is only not finished.
	Knows string
	// syntax tells that the parser found no place for the token.
	syntax bool
}

func (e *QueryError) Error() string { return e.Message }

// Length is the number of bytes of the filter that are wrong, from Offset on; 0 where it is not
// finished.
func (e *QueryError) Length() int { return len(e.Token) }

// Unfinished tells whether the filter can become right by writing on.
func (e *QueryError) Unfinished() bool { return e.Token == "" && e.Offset >= 0 }

// Compile compiles a filter with the given variables ("$x", …). The filter sees no environment, no
// files, no modules and no other input. debug and stderr give their input and write nothing,
// input_filename is null, as for data that has none. A blank filter is ".", as for jq. Error:
// *QueryError.
func Compile(filter string, variables ...string) (*Query, error) {
	q, err := compile(filter, variables)
	if wrong, ok := errors.AsType[*QueryError](err); ok && wrong.syntax && !wrong.Unfinished() {
		wrong.Knows = expected(filter[:wrong.Offset])
	}
	return q, err
}

// compile is Compile without what could stand in a wrong token's place.
func compile(filter string, variables []string) (*Query, error) {
	if len(filter) > maxFilter {
		return nil, &QueryError{Offset: maxFilter, Token: "…",
			Message: fmt.Sprintf("the filter is too long: %d bytes, at most %d", len(filter), maxFilter)}
	}
	if !utf8.ValidString(filter) {
		i := strings.IndexFunc(filter, func(r rune) bool { return r == utf8.RuneError })
		return nil, &QueryError{Offset: i, Token: "\ufffd", Message: "the filter is not UTF-8"}
	}
	parsed, err := gojq.Parse(filter)
	if err != nil {
		return nil, parseError(filter, err)
	}
	if len(parsed.Imports) > 0 {
		return nil, wordError(filter, "modules are not available", "import", "include")
	}
	if blank(parsed) {
		parsed = &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIdentity}}
	}
	q := &Query{parsed: bounded(parsed), variables: variables}
	p, err := q.take()
	if err != nil {
		return nil, compileError(filter, err, variables)
	}
	q.giveBack(p)
	return q, nil
}

func itself(v any, _ []any) any { return v }

// blank tells whether a query is white space and comments only.
func blank(q *gojq.Query) bool {
	return q.Term == nil && q.Left == nil && q.Right == nil && len(q.FuncDefs) == 0 && q.Meta == nil
}

// parseError says what the parser does, in a person's words, and where the token starts.
func parseError(filter string, err error) *QueryError {
	var p *gojq.ParseError
	if !errors.As(err, &p) {
		return &QueryError{Offset: -1, Message: err.Error()}
	}
	kind := err.Error()
	switch {
	case kind == "unexpected EOF":
		return &QueryError{Offset: len(filter), Message: "the filter is not finished"}
	case kind == "unterminated string literal":
		return &QueryError{Offset: len(filter), Message: "the filter is not finished: a string is not closed"}
	}
	e := &QueryError{Offset: p.Offset - len(p.Token), Token: p.Token}
	if e.Token == "" || e.Offset < 0 || filter[e.Offset:p.Offset] != e.Token {
		// The library reports the token before: name the character at which it stopped.
		e.Offset = max(p.Offset-1, 0)
		_, size := utf8.DecodeRuneInString(filter[e.Offset:])
		e.Token = filter[e.Offset : e.Offset+size]
	}
	switch {
	case strings.HasPrefix(kind, "invalid escape"):
		e.Message = fmt.Sprintf("a string can't hold the escape %s", e.Token)
	case strings.HasPrefix(kind, "invalid token"):
		e.Message = fmt.Sprintf("%q is not a number or a name", e.Token)
	case strings.HasPrefix(e.Token, `"`):
		e.Message, e.syntax = "a string can't stand here: "+e.Token, true
	default:
		e.syntax = true
		e.Message = fmt.Sprintf("%q can't stand here", e.Token)
	}
	return e
}

// compileError says what the compiler does, with the place, which it does not report.
func compileError(filter string, err error, variables []string) *QueryError {
	kind := err.Error()
	if name, ok := strings.CutPrefix(kind, "function not defined: "); ok {
		name, arity, _ := strings.Cut(name, "/")
		many := arity + " arguments"
		switch arity {
		case "0":
			return known(wordError(filter, "there is no function "+name+" without arguments", name), functionsLike(name))
		case "1":
			many = "1 argument"
		}
		return known(wordError(filter, "there is no function "+name+" of "+many, name), functionsLike(name))
	}
	if name, ok := strings.CutPrefix(kind, "variable not defined: "); ok {
		return known(wordError(filter, "there is no variable "+name, name), variables)
	}
	if name, ok := strings.CutPrefix(kind, "label not defined: "); ok {
		return wordError(filter, "there is no label "+name, name)
	}
	switch {
	case strings.HasPrefix(kind, "input(s)/0"):
		return wordError(filter, "there is no other input: a filter gets one value", "inputs", "input")
	case strings.HasPrefix(kind, "cannot load module"):
		return wordError(filter, "modules are not available", "import", "include")
	case strings.HasPrefix(kind, "missing query"):
		return &QueryError{Offset: len(filter), Message: "the filter is not finished: after the definitions there is nothing to run"}
	}
	return &QueryError{Offset: -1, Message: kind}
}

// known adds to an error what there is instead.
func known(e *QueryError, names []string) *QueryError {
	e.Knows = strings.Join(names[:min(len(names), 5)], ", ")
	return e
}

// functionsLike are the functions of a name, as name/arity, or else those that start or end like it.
func functionsLike(name string) (like []string) {
	all := Builtins()
	for _, same := range []func(known string) bool{
		func(known string) bool { return known == name },
		func(known string) bool { return len(name) > 1 && strings.HasPrefix(known, name) },
		func(known string) bool { return len(name) > 3 && strings.HasPrefix(known, name[:3]) },
	} {
		for _, f := range all {
			if known, _, _ := strings.Cut(f, "/"); same(known) {
				like = append(like, f)
			}
		}
		if like != nil {
			return like
		}
	}
	return nil
}

// wordError is an error at the first place where one of the words stands.
func wordError(filter, message string, words ...string) *QueryError {
	for _, word := range words {
		if i := findWord(filter, word); i >= 0 {
			return &QueryError{Offset: i, Token: word, Message: message}
		}
	}
	return &QueryError{Offset: -1, Token: words[0], Message: message}
}

// findWord finds the first place where word is no part of a longer name, a field, a key or a
// comment; -1 without one.
func findWord(filter, word string) int {
	name := func(i int) bool {
		return i >= 0 && i < len(filter) && (filter[i] == '_' || filter[i] >= '0' && filter[i] <= '9' ||
			filter[i]|0x20 >= 'a' && filter[i]|0x20 <= 'z')
	}
	for from := 0; ; {
		i := strings.Index(filter[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		from = i + 1
		after := strings.TrimLeft(filter[i+len(word):], " \t\r\n")
		key := strings.HasPrefix(after, ":") && !strings.HasPrefix(after, "::")
		line := filter[strings.LastIndexByte(filter[:i], '\n')+1 : i]
		if key || name(i-1) || name(i+len(word)) || strings.HasSuffix(line, ".") || strings.HasSuffix(line, "$") ||
			strings.HasSuffix(line, `"`) || strings.Contains(line, "#") {
			continue
		}
		return i
	}
}
