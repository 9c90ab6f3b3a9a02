package engine

// Following a filter: what each part of it is applied to, as far as outlines tell. nil is what nobody
// knows. Values are never looked at.

// A follower is where following a filter has come to.
type follower struct {
	frames    []*followed
	variables map[string]*Outline
	called    string // the function whose name came last: a bracket after it holds its arguments
	dotted    bool   // a dot came last: a string after it is a key
}

// A followed is an expression within brackets, or the whole filter.
type followed struct {
	open     string   // "(", "[", "{", "if", `"` for an interpolation; empty for the whole
	function string   // whose arguments these are
	indexed  *Outline // what [ is applied to
	index    bool     // the brackets are an index, not an array
	slice    bool

	input   *Outline // of the expression
	pipe    *Outline // of the part after the last |
	term    *Outline // the last term
	has     bool     // there is one
	literal string   // the last string in quotes
	quoted  bool     // there is one, and nothing after it

	left     *Outline // before the last operator
	operator string
	binding  bool // after "as": the next variable takes the term
	bound    bool // after "as $x": | goes on with what was before
	folding  bool // after reduce or foreach
	args     []*Outline

	object *Outline // of { }
	key    string
	value  bool // after the colon
}

func newFollower(root *Outline, variables map[string]*Outline) *follower {
	f := &follower{variables: map[string]*Outline{}}
	for name, o := range variables {
		f.variables[name] = o
	}
	f.frames = []*followed{{input: root, pipe: root}}
	return f
}

func (f *follower) top() *followed { return f.frames[len(f.frames)-1] }

// base is what a field that comes next would be taken from.
func (f *follower) base() *Outline {
	if t := f.top(); t.has {
		return t.term
	}
	return f.top().pipe
}

func (t *followed) take(o *Outline) {
	t.term, t.has, t.quoted = o, true, false
}

// result is what the expression gives.
func (t *followed) result() *Outline {
	switch t.operator {
	case "==", "!=", "<", ">", "<=", ">=", "and", "or":
		return outlineOf("boolean")
	case "|=", "=", "+=", "-=", "*=", "/=", "%=", "//=":
		return t.left
	case "//", ",":
		if t.left != nil {
			return t.left
		}
	}
	if t.has {
		return t.term
	}
	return t.pipe
}

func outlineOf(kind string) *Outline { return &Outline{Types: []string{kind}} }

func arrayOf(items *Outline) *Outline { return &Outline{Types: []string{"array"}, Items: items} }

// elements is what .[] gives.
func (o *Outline) elements() *Outline {
	switch {
	case o == nil:
		return nil
	case o.Items != nil:
		return o.Items
	case o.Values != nil:
		return o.Values
	case len(o.Fields) == 1:
		return o.Fields[0].Outline
	}
	return nil
}

// read follows one word.
func (f *follower) read(w filterWord) {
	t := f.top()
	called, dotted := f.called, f.dotted
	f.called, f.dotted = "", false
	switch w.kind {
	case fieldWord:
		base := f.base()
		if w.text != "" {
			base = base.Field(w.text)
		} else {
			f.dotted = true
		}
		t.take(base)
		if t.open == "{" && !t.value {
			t.key = w.text
		}
	case dotsWord:
		t.take(nil)
	case numberWord:
		t.take(outlineOf("number"))
	case stringWord, formatWord:
		if dotted {
			t.take(t.term.Field(w.text))
			return
		}
		t.take(outlineOf("string"))
		t.literal, t.quoted = w.text, true
		if t.open == "{" && !t.value {
			t.key = w.text
		}
	case interpolated:
		f.push(&followed{open: `"`, input: t.pipe, pipe: t.pipe})
	case variableWord:
		switch {
		case t.binding:
			f.variables[w.text] = t.term
			t.binding, t.bound, t.has = false, true, false
		default:
			t.take(f.variables[w.text])
			if t.open == "{" && !t.value {
				t.key = w.text
			}
		}
	case nameWord:
		f.name(t, w.text)
	case signWord:
		f.sign(t, w.text, called)
	}
}

func (f *follower) push(t *followed) { f.frames = append(f.frames, t) }

// pop ends the innermost brackets.
func (f *follower) pop() *followed {
	t := f.top()
	if len(f.frames) > 1 {
		f.frames = f.frames[:len(f.frames)-1]
	}
	return t
}

func (f *follower) name(t *followed, name string) {
	if t.open == "{" && !t.value {
		t.key, t.has = name, false
		return
	}
	switch name {
	case "and", "or":
		t.operate(name)
	case "as":
		t.binding = true
	case "reduce", "foreach":
		t.folding = true
	case "if":
		f.push(&followed{open: "if", input: t.pipe, pipe: t.pipe})
	case "then", "elif", "else":
		t.again(t.input)
	case "end":
		if t.open == "if" {
			result := f.pop().result()
			f.top().take(result)
		}
	case "try", "catch", "def", "label", "import", "include":
		t.has = false
	default:
		f.called = name
		t.take(resultOf(name, t.pipe, nil))
	}
}

// again begins another expression in the same brackets.
func (t *followed) again(input *Outline) {
	t.pipe, t.has, t.term, t.operator, t.left, t.binding, t.bound = input, false, nil, "", nil, false, false
}

// operate takes an operator: the next term stands on its right.
func (t *followed) operate(operator string) {
	if t.operator != "//" && t.operator != "," || t.left == nil {
		t.left = t.term
	}
	t.operator, t.has = operator, false
}

func (f *follower) sign(t *followed, sign, called string) {
	switch sign {
	case "|":
		switch {
		case t.bound:
			t.again(t.pipe)
		default:
			t.again(t.result())
		}
	case "(":
		in := &followed{open: "(", function: called, input: t.pipe}
		if called != "" {
			in.input = argumentOf(called, 0, t.pipe, nil)
		} else if t.folding && t.bound {
			in.function, t.folding, t.bound = "reduce", false, false
		}
		in.pipe = in.input
		f.push(in)
	case "[":
		f.push(&followed{open: "[", index: t.has, indexed: t.term, input: t.pipe, pipe: t.pipe})
	case "{":
		f.push(&followed{open: "{", input: t.pipe, pipe: t.pipe, object: outlineOf("object")})
	case ")":
		in := f.pop()
		result := in.result()
		up := f.top()
		switch {
		case in.function == "reduce":
			if len(in.args) > 0 {
				result = in.args[0]
			}
		case in.function != "":
			result = resultOf(in.function, up.pipe, append(in.args, result))
		case in.open == `"`:
			result = outlineOf("string")
		}
		up.take(result)
	case "]":
		in := f.pop()
		f.top().take(in.indexing())
	case "}":
		in := f.pop()
		in.member()
		f.top().take(in.object)
	case ":":
		if t.open == "{" {
			t.value, t.has, t.operator = true, false, ""
		}
		t.slice = true
	case ",":
		if t.open == "{" {
			t.member()
			return
		}
		t.operate(",")
	case ";":
		if t.open == "(" {
			t.args = append(t.args, t.result())
			next := t.input
			if t.function != "" {
				next = argumentOf(t.function, len(t.args), f.frames[max(len(f.frames)-2, 0)].pipe, t.args)
			}
			t.again(next)
			return
		}
		t.again(t.input)
	case "?", "::":
	case "|=":
		before := t.pipe
		t.pipe, t.left, t.operator, t.has = t.term, before, sign, false
	case "=", "+=", "-=", "*=", "/=", "%=", "//=":
		t.left, t.operator, t.has = t.pipe, sign, false
	default:
		t.operate(sign)
	}
}

// indexing is what [ ] gave.
func (t *followed) indexing() *Outline {
	switch {
	case !t.index:
		if !t.has {
			return arrayOf(nil)
		}
		return arrayOf(t.result())
	case t.indexed == nil:
		return nil
	case t.slice:
		return t.indexed
	case t.quoted:
		return t.indexed.Field(t.literal)
	}
	if e := t.indexed.elements(); e != nil || t.indexed.Is("object") || t.indexed.Is("array") {
		return e
	}
	return &Outline{} // what stands there has no parts
}

// member ends a member of an object.
func (t *followed) member() {
	if t.object != nil && t.key != "" {
		o := t.pipe.Field(t.key)
		if t.value {
			o = t.result()
		}
		if o == nil {
			o = &Outline{}
		}
		t.object.Fields = append(t.object.Fields, &OutlineField{Name: t.key, Always: true, Outline: o})
	}
	t.key, t.value = "", false
	t.again(t.input)
}

// argumentOf is what argument i of a function is applied to.
func argumentOf(function string, i int, pipe *Outline, args []*Outline) *Outline {
	switch function {
	case "map", "map_values", "sort_by", "group_by", "unique_by", "min_by", "max_by", "INDEX":
		return pipe.elements()
	case "any", "all":
		// Of two arguments the first gives the values, mostly .[]; it was read as a condition on them.
		if i == 0 || args[0] == nil {
			return pipe.elements()
		}
		return args[0]
	case "with_entries":
		return entryOf(pipe)
	case "reduce", "foreach":
		if i > 0 {
			return args[0]
		}
	case "walk", "paths":
		return nil
	case "sub", "gsub":
		if i == 1 {
			return nil // the named groups of the match
		}
	}
	return pipe
}

func entryOf(o *Outline) *Outline {
	value := o.elements()
	if value == nil {
		value = &Outline{}
	}
	return &Outline{Types: []string{"object"}, Fields: []*OutlineField{
		{Name: "key", Always: true, Outline: outlineOf("string")}, {Name: "value", Always: true, Outline: value}}}
}

// resultOf is what a function gives.
func resultOf(function string, pipe *Outline, args []*Outline) *Outline {
	arg := func(i int) *Outline {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	switch function {
	case "select", "sort", "sort_by", "unique", "unique_by", "reverse", "map_values", "del", "delpaths", "setpath", "debug", "stderr",
		"arrays", "objects", "iterables", "strings", "numbers", "booleans", "nulls", "values", "scalars", "with_entries", "pick", "until", "while":
		return pipe
	case "map":
		return arrayOf(arg(0))
	case "group_by":
		return arrayOf(pipe)
	case "first", "last", "add":
		if len(args) > 0 {
			return arg(0)
		}
		return pipe.elements()
	case "min", "max", "min_by", "max_by":
		return pipe.elements()
	case "nth", "limit", "skip":
		if len(args) > 1 {
			return arg(1)
		}
		return pipe.elements()
	case "to_entries":
		return arrayOf(entryOf(pipe))
	case "flatten":
		if e := pipe.elements(); e.Is("array") {
			return e
		}
		return pipe
	case "keys", "keys_unsorted", "split":
		return arrayOf(outlineOf("string"))
	case "explode", "indices":
		return arrayOf(outlineOf("number"))
	case "length", "utf8bytelength", "floor", "ceil", "round", "sqrt", "abs", "tonumber", "range", "index", "rindex", "now", "mktime":
		return outlineOf("number")
	case "type", "tostring", "tojson", "ascii_downcase", "ascii_upcase", "join", "ltrimstr", "rtrimstr", "trim", "ltrim", "rtrim", "splits",
		"sub", "gsub", "implode", "todate", "strftime":
		return outlineOf("string")
	case "has", "in", "inside", "contains", "startswith", "endswith", "test", "any", "all", "isempty", "not", "IN", "isvalid", "true", "false":
		return outlineOf("boolean")
	case "INDEX":
		return &Outline{Types: []string{"object"}, Values: pipe.elements()}
	case "match":
		o := outlineOf("object")
		for _, name := range []string{"offset", "length", "string", "captures"} {
			o.Fields = append(o.Fields, &OutlineField{Name: name, Always: true, Outline: &Outline{}})
		}
		return o
	}
	return nil
}
