package engine

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// An OfferKind says what an offer is.
type OfferKind string

// Kinds of offers.
const (
	FieldOffer    OfferKind = "field"
	FunctionOffer OfferKind = "function"
	VariableOffer OfferKind = "variable"
	ValueOffer    OfferKind = "value"
)

// An Offer is a way to go on with a filter.
type Offer struct {
	Kind    OfferKind
	Text    string // takes the place of the last Replace bytes before the cursor
	Replace int
	Label   string // what a list shows
	Detail  string // a type, or a function's form
	Help    string // one line; empty for most
}

// maxOffers is how many offers are made at most.
const maxOffers = 200

// Complete tells how a filter can go on after before, the text up to the cursor: fields of what stands
// there, by the outline, also within map( and select( and after |; functions, variables, and after a
// comparison the values of a field that has few. variables are those that the filter may use, without
// their $; an outline may be nil. typed tells that the offers finish a word that is begun, or a value
// that must follow; without, they are only what could come next.
//
// Where nothing is known of the place, every key of the payload is offered.
func Complete(before string, root *Outline, variables map[string]*Outline) (offers []Offer, typed bool) {
	words := filterWords(before)
	c := completer{root: root, f: newFollower(root, variables), before: before}
	last := filterWord{kind: -1}
	if n := len(words); n > 0 && words[n-1].to == len(before) {
		switch words[n-1].kind {
		case fieldWord, nameWord, variableWord, formatWord, openWord:
			last = words[n-1]
			words = words[:n-1]
		case stringWord, numberWord, dotsWord:
			return nil, false // finished as they are
		}
	}
	if strings.Contains(before[strings.LastIndexByte(before, '\n')+1:], "#") && inComment(before, words, last) {
		return nil, false
	}
	for _, w := range words {
		c.f.read(w)
	}
	t := c.f.top()
	switch last.kind {
	case fieldWord:
		c.fields(last.text, len(last.text)+1)
		return c.offers, true
	case variableWord:
		if t.binding {
			return nil, false
		}
		for _, name := range byName(c.f.variables) {
			c.offer(last.text, Offer{Kind: VariableOffer, Text: "$" + name, Label: "$" + name, Detail: c.f.variables[name].Type(), Replace: len(last.text) + 1}, name)
		}
		return c.offers, true
	case formatWord:
		c.words("@"+last.text, formats)
		return c.offers, true
	case openWord:
		switch {
		case t.open == "[" && t.index && !t.has && t.operator == "":
			for _, f := range fieldsOf(t.indexed) {
				c.text(last, f.Name, f.Type())
			}
		case t.comparing():
			for _, v := range t.left.few() {
				if strings.HasPrefix(v, `"`) {
					c.offer(last.text, Offer{Kind: ValueOffer, Text: v, Label: v, Replace: len(last.text) + 1}, v[1:])
				}
			}
		}
		return c.offers, true
	case nameWord:
		if t.binding {
			return nil, false
		}
		c.keys(t, last.text)
		if t.comparing() {
			c.values(t, last.text)
		}
		if t.open != "{" || t.value {
			c.words(last.text, defined(words))
			c.words(last.text, builtins)
			c.words(last.text, keywords)
		}
		return c.offers, true
	}
	if t.comparing() {
		c.values(t, "")
		return c.offers, true
	}
	if t.has {
		return nil, false
	}
	if t.open == "{" && !t.value {
		c.keys(t, "")
		return c.offers, false
	}
	c.fields("", 0)
	c.words("", builtins)
	return c.offers, false
}

type completer struct {
	root   *Outline
	f      *follower
	before string
	offers []Offer
}

// offer adds o where its name begins with what is typed, and says more than that.
func (c *completer) offer(typed string, o Offer, name string) {
	if len(c.offers) < maxOffers && strings.HasPrefix(name, typed) && o.Text != c.before[len(c.before)-o.Replace:] {
		c.offers = append(c.offers, o)
	}
}

// fields offers what can follow a dot; replace counts the dot and what is typed after it.
func (c *completer) fields(typed string, replace int) {
	base, t := c.f.base(), c.f.top()
	dot := "."
	if base == nil {
		c.everyKey(typed, replace)
		return
	}
	through := ""
	if len(base.Fields) == 0 && base.elements() != nil && base.Values == nil {
		// The elements' fields lie one step further.
		through, base = "[]", base.elements()
		if !t.has {
			through = ".[]"
		}
		for base != nil && len(base.Fields) == 0 && base.Items != nil {
			through, base = through+"[]", base.Items
		}
		if typed == "" {
			c.offer(typed, Offer{Kind: FieldOffer, Text: through, Label: through, Detail: "every element", Replace: replace}, "")
		}
		dot = through + "."
	}
	for _, f := range fieldsOf(base) {
		c.field(typed, f, dot, replace)
	}
}

// field offers a key after dot; one that is no plain name stands in quotes.
func (c *completer) field(typed string, f *OutlineField, dot string, replace int) {
	o := Offer{Kind: FieldOffer, Text: dot + f.Name, Label: dot + f.Name, Detail: f.Type(), Replace: replace}
	if nameLength(f.Name) != len(f.Name) || f.Name == "" {
		o.Text = dot + string(Marshal(f.Name, 0))
		o.Label = o.Text
	}
	if !f.Always {
		o.Help = "not in every object"
	}
	c.offer(typed, o, f.Name)
}

// everyKey offers the keys that stand anywhere in the payload.
func (c *completer) everyKey(typed string, replace int) {
	seen := map[string]bool{}
	var walk func(o *Outline)
	walk = func(o *Outline) {
		if o == nil || len(c.offers) >= maxOffers {
			return
		}
		for _, f := range o.Fields {
			if !seen[f.Name] {
				seen[f.Name] = true
				c.field(typed, f, ".", replace)
			}
		}
		for _, f := range o.Fields {
			walk(f.Outline)
		}
		walk(o.Items)
		walk(o.Values)
	}
	walk(c.root)
}

// keys offers, in an object that is being made, the fields of its input.
func (c *completer) keys(t *followed, typed string) {
	if t.open != "{" || t.value {
		return
	}
	for _, f := range fieldsOf(t.pipe) {
		o := Offer{Kind: FieldOffer, Text: f.Name, Label: f.Name, Detail: f.Type(), Replace: len(typed)}
		if nameLength(f.Name) != len(f.Name) || f.Name == "" {
			o.Text = string(Marshal(f.Name, 0))
			o.Label = o.Text
		}
		c.offer(typed, o, f.Name)
	}
}

// values offers what the compared field holds.
func (c *completer) values(t *followed, typed string) {
	for _, v := range t.left.few() {
		c.offer(typed, Offer{Kind: ValueOffer, Text: v, Label: v, Replace: len(typed)}, v)
	}
	if len(c.offers) == 0 && typed == "" && t.left.Is("boolean") {
		for _, v := range []string{"true", "false"} {
			c.offer("", Offer{Kind: ValueOffer, Text: v, Label: v}, v)
		}
	}
}

// text offers a key within quotes.
func (c *completer) text(open filterWord, name, detail string) {
	quoted := string(Marshal(name, 0))
	c.offer(open.text, Offer{Kind: FieldOffer, Text: quoted, Label: quoted, Detail: detail, Replace: len(open.text) + 1}, quoted[1:len(quoted)-1])
}

func (c *completer) words(typed string, table []languageWord) {
	for _, b := range table {
		text := b.name
		if strings.Contains(b.forms, b.name+"(") && !strings.Contains(b.forms, ",") {
			text += "("
		}
		c.offer(typed, Offer{Kind: FunctionOffer, Text: text, Label: b.name, Detail: b.forms, Help: b.help, Replace: len(typed)}, b.name)
	}
}

// defined are the functions that a filter defines before the cursor, the last first. A name that is being
// given is none yet.
func defined(words []filterWord) []languageWord {
	var out []languageWord
	for i := len(words) - 2; i > 0; i-- {
		if words[i-1].text != "def" || words[i-1].kind != nameWord || words[i].kind != nameWord {
			continue
		}
		name, form := words[i].text, words[i].text
		if words[i+1].text == "(" {
			for _, w := range words[i+1:] {
				form += w.text
				if w.kind == variableWord {
					form = form[:len(form)-len(w.text)] + "$" + w.text
				}
				if w.text == ";" {
					form += " "
				}
				if w.text == ")" {
					break
				}
			}
		}
		if !slices.ContainsFunc(out, func(b languageWord) bool { return b.name == name }) {
			out = append(out, languageWord{name, form, "defined in this filter"})
		}
	}
	return out
}

// comparing tells that the right side of a comparison comes next.
func (t *followed) comparing() bool {
	switch t.operator {
	case "==", "!=", "<", ">", "<=", ">=":
		return !t.has
	}
	return false
}

func (o *Outline) few() []string {
	if o == nil {
		return nil
	}
	return o.Few
}

func fieldsOf(o *Outline) []*OutlineField {
	if o == nil {
		return nil
	}
	return o.Fields
}

// inComment tells whether the cursor stands in a comment: what is typed last is no word.
func inComment(before string, words []filterWord, last filterWord) bool {
	end := 0
	if n := len(words); n > 0 {
		end = words[n-1].to
	}
	if last.kind >= 0 {
		end = last.to
	}
	_, n := utf8.DecodeLastRuneInString(before)
	return end <= len(before)-n && strings.Contains(before[end:], "#")
}

func byName(variables map[string]*Outline) []string {
	counts := map[string]int{}
	for name := range variables {
		counts[name] = 0
	}
	return byCount(counts)
}
