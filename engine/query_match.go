package engine

import (
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

const (
	maxPattern      = 4096      // bytes of a regular expression
	maxInstructions = 50_000    // of the machine made from it
	maxDirect       = 2_000_000 // instructions times bytes of text that are searched in one go
)

// A pattern is a regular expression, and how to find it once more behind a place in a text.
type pattern struct {
	first *regexp.Regexp
	// next reads one character before the place, for what looks behind itself, and finds the
	// expression as its first group.
	next         *regexp.Regexp
	instructions int
	literal      bool // a plain text, which is found without a machine
	names        []string
}

func (r *filterRun) pattern(expression, flags string) (*pattern, error) {
	key := [2]string{expression, flags}
	if p := r.patterns[key]; p != nil {
		return p, nil
	}
	if len(expression) > maxPattern {
		return nil, fmt.Errorf("a regular expression of %d bytes is too long: at most %d", len(expression), maxPattern)
	}
	if i := strings.IndexFunc(flags, func(c rune) bool { return !strings.ContainsRune("gim", c) }); i >= 0 {
		return nil, fmt.Errorf("unsupported regular expression flag: %q", flags)
	}
	for _, flag := range [][2]string{{"i", "(?i)"}, {"m", "(?s)"}} {
		if strings.Contains(flags, flag[0]) {
			expression = flag[1] + expression
		}
	}
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("invalid regular expression %q: %s", key[0], err)
	}
	machine, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(machine.Inst) > maxInstructions {
		return nil, fmt.Errorf("the regular expression %q is too large", key[0])
	}
	p := &pattern{instructions: len(machine.Inst)}
	if p.first, err = regexp.Compile(expression); err != nil {
		return nil, err
	}
	if p.next, err = regexp.Compile(`\A(?s:.)(?s:.*?)(` + expression + `)`); err != nil {
		return nil, err
	}
	_, p.literal = p.first.LiteralPrefix()
	p.names = p.first.SubexpNames()
	if r.patterns == nil {
		r.patterns = map[[2]string]*pattern{}
	}
	r.patterns[key] = p
	return p, nil
}

// match finds a regular expression in v: args are the expression, flags and what to give: true tells
// whether there is a match, false gives each as jq describes it, "parts" gives the texts around the
// matches.
func (r *filterRun) match(v any, args []any) gojq.Iter {
	text, ok := v.(string)
	expression, is := args[0].(string)
	flags, fine := args[1].(string)
	if !ok || !is || !fine && args[1] != nil {
		return gojq.NewIter(libTest([]any{v, args[0], args[1]}))
	}
	p, err := r.pattern(expression, flags)
	if err != nil {
		return gojq.NewIter(error(err))
	}
	s := &search{run: r, pattern: p, text: text, all: strings.Contains(flags, "g"), parts: args[2] == "parts"}
	if args[2] == true {
		found, err := s.found()
		if err != nil {
			return gojq.NewIter(err)
		}
		return gojq.NewIter[any](found)
	}
	return s
}

// A search goes through a text match by match. A long text is read character by character, so that
// the search ends with its run.
type search struct {
	run        *filterRun
	pattern    *pattern
	text       string
	all, parts bool
	at         int // where the next match can start
	behind     int // where the character before that starts
	counted    int // bytes of the text of which points is the number of code points
	points     int
	cut        int // end of the last match
	done       bool
}

func (s *search) found() (found bool, err error) {
	defer recoverStop(&err)
	if s.direct(len(s.text)) {
		return s.pattern.first.MatchString(s.text), nil
	}
	return s.pattern.first.MatchReader(&runes{text: s.text, run: s.run}), nil
}

func recoverStop(err *error) {
	switch p := recover().(type) {
	case nil:
	case stopped:
		*err = p.err
	default:
		panic(p)
	}
}

func (s *search) direct(size int) bool {
	return s.pattern.literal || s.pattern.instructions*size <= maxDirect
}

// Next gives the next match or part.
func (s *search) Next() (v any, ok bool) {
	var err error
	defer func() {
		if err != nil {
			v, ok, s.done = err, true, true
		}
	}()
	defer recoverStop(&err)
	if s.done {
		return nil, false
	}
	m := s.next()
	if m == nil {
		s.done = true
		if s.parts {
			return s.text[s.cut:], true
		}
		return nil, false
	}
	s.done = !s.all && !s.parts
	if !s.parts {
		return s.describe(m), true
	}
	part := s.text[s.cut:m[0]]
	s.cut = m[1]
	if !s.all {
		s.at = len(s.text) + 1
	}
	return part, true
}

// next is the place of the next match and its groups in bytes of the text; nil where there is none.
func (s *search) next() []int {
	s.run.poll()
	if s.at > len(s.text) {
		return nil
	}
	var m []int
	find := func(re *regexp.Regexp, from int) []int {
		if s.direct(len(s.text) - from) {
			return re.FindStringSubmatchIndex(s.text[from:])
		}
		return re.FindReaderSubmatchIndex(&runes{text: s.text[from:], run: s.run})
	}
	switch {
	case s.at == 0:
		m = find(s.pattern.first, 0)
	case s.pattern.literal:
		// What looks at nothing around it needs no character before it.
		m = find(s.pattern.first, s.at)
		shift(m, s.at)
	default:
		if m = find(s.pattern.next, s.behind); m != nil {
			m = m[2:]
		}
		shift(m, s.behind)
	}
	if m == nil {
		s.at = len(s.text) + 1
		return nil
	}
	s.at = m[1]
	if m[0] == m[1] { // go on behind the next character
		_, size := utf8.DecodeRuneInString(s.text[s.at:])
		s.behind = s.at
		s.at += max(size, 1)
	} else {
		_, size := utf8.DecodeLastRuneInString(s.text[:s.at])
		s.behind = s.at - size
	}
	return m
}

func shift(places []int, by int) {
	for i := range places {
		if places[i] >= 0 {
			places[i] += by
		}
	}
}

// describe is a match as jq shows it.
func (s *search) describe(m []int) any {
	s.points += utf8.RuneCountInString(s.text[s.counted:m[0]])
	s.counted = m[0]
	one := func(from, to int) map[string]any {
		return map[string]any{"offset": s.points + utf8.RuneCountInString(s.text[m[0]:max(from, m[0])]),
			"length": utf8.RuneCountInString(s.text[from:to]), "string": s.text[from:to]}
	}
	captures := make([]any, 0, len(m)/2-1)
	for i := 2; i < len(m); i += 2 {
		capture := map[string]any{"offset": -1, "length": 0, "string": nil}
		if m[i] >= 0 {
			capture = one(m[i], m[i+1])
		}
		capture["name"] = nil
		if name := s.pattern.names[i/2]; name != "" {
			capture["name"] = name
		}
		captures = append(captures, capture)
	}
	match := one(m[0], m[1])
	match["captures"] = captures
	return match
}

// runes reads a text character by character as long as the run goes on.
type runes struct {
	text string
	at   int
	run  *filterRun
}

// ReadRune reads the next character.
func (r *runes) ReadRune() (rune, int, error) {
	r.run.poll()
	if r.at == len(r.text) {
		return 0, 0, io.EOF
	}
	c, size := rune(r.text[r.at]), 1
	if c >= utf8.RuneSelf {
		c, size = utf8.DecodeRuneInString(r.text[r.at:])
	}
	r.at += size
	return c, size, nil
}

// replaceMatches puts texts in the matches' places: args are the parts around the matches, and for each
// match a list of texts. It gives a list: the first text of each, then the second, and so on.
func replaceMatches(_ any, args []any) any {
	parts, news := args[0].([]any), args[1].([]any)
	results := 0
	for _, list := range news {
		results = max(results, len(list.([]any)))
	}
	list := []any{}
	for i := range results {
		var b strings.Builder
		for j, with := range news {
			options := with.([]any)
			if i >= len(options) {
				continue
			}
			text, ok := options[i].(string)
			if !ok {
				return libAdd([]any{"", options[i]})
			}
			b.WriteString(parts[j].(string))
			b.WriteString(text)
			if err := room("the string", b.Len()); err != nil {
				return err
			}
		}
		b.WriteString(parts[len(parts)-1].(string))
		list = append(list, b.String())
	}
	return list
}
