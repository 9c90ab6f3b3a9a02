package engine

import (
	"reflect"
	"strconv"

	"github.com/itchyny/gojq"
)

// A filter is changed before it is compiled, so that nothing in it can take more than its share in
// one step of the library, which nothing can interrupt: operators and some built-in functions become
// our own (query_prelude.go), and what can nest values, make long paths or reach far into an array is
// followed by a check.

// bounded returns a filter changed in this way. q is changed too.
func bounded(q *gojq.Query) *gojq.Query {
	boundNodes(q)
	q.FuncDefs = append(preludeFor(q), q.FuncDefs...)
	return q
}

func boundNodes(q *gojq.Query) {
	eachNode(reflect.ValueOf(q), func(node any) {
		switch node := node.(type) {
		case *gojq.Query:
			boundQuery(node)
		case *gojq.Term:
			boundTerm(node)
		case *gojq.PatternObject:
			if node.KeyQuery != nil {
				node.KeyQuery = pipe(node.KeyQuery, fnKey)
			}
		}
	})
}

// operators are the functions that stand for the operators.
var operators = map[gojq.Operator]string{
	gojq.OpAdd: fnAdd, gojq.OpSub: fnSubtract, gojq.OpMul: fnMultiply, gojq.OpDiv: fnDivide,
	gojq.OpEq: fnEqual, gojq.OpNe: fnNotEqual, gojq.OpLt: fnLess, gojq.OpLe: fnLessEqual, gojq.OpGt: fnGreater, gojq.OpGe: fnGreaterEqual,
}

func boundQuery(q *gojq.Query) {
	if name, ok := operators[q.Op]; ok {
		q.Term = call(name, q.Left, q.Right)
		q.Op, q.Left, q.Right = 0, nil, nil
		return
	}
	switch q.Op {
	case gojq.OpAssign, gojq.OpModify, gojq.OpUpdateAdd, gojq.OpUpdateSub, gojq.OpUpdateMul, gojq.OpUpdateDiv,
		gojq.OpUpdateMod, gojq.OpUpdateAlt:
		update := &gojq.Query{Op: q.Op, Left: shortPaths(q.Left), Right: q.Right}
		*q = gojq.Query{FuncDefs: q.FuncDefs, Op: gojq.OpPipe, Left: update, Right: &gojq.Query{Term: call(fnNested)}}
	}
}

// deepening are the built-in functions whose result can be nested deeper than what it is made of.
var deepening = map[string]bool{
	"map/1": true, "map_values/1": true, "to_entries/0": true, "with_entries/1": true, "group_by/1": true, "setpath/2": true,
	"pick/1": true, "fromstream/1": true, "add/1": true, "combinations/0": true, "combinations/1": true, "INDEX/1": true, "INDEX/2": true,
	"JOIN/2": true, "JOIN/3": true, "JOIN/4": true, "tostream/0": true, "walk/1": true, "transpose/0": true, "from_entries/0": true,
}

func boundTerm(t *gojq.Term) {
	nested := false
	switch t.Type {
	case gojq.TermTypeArray:
		nested = t.Array.Query != nil && !onlyLiterals(t.Array.Query)
	case gojq.TermTypeObject:
		nested = len(t.Object.KeyVals) > 0
	case gojq.TermTypeFunc:
		f := t.Func
		switch f.Name + "/" + strconv.Itoa(len(f.Args)) {
		case "setpath/2", "getpath/1":
			f.Args[0] = pipe(f.Args[0], fnPath)
		case "pick/1":
			f.Args[0] = shortPaths(f.Args[0])
		case "fromstream/1":
			f.Args[0] = pipe(f.Args[0], fnEvent)
		}
		nested = deepening[f.Name+"/"+strconv.Itoa(len(f.Args))]
	}
	if nested {
		inner := *t
		inner.SuffixList = nil
		*t = gojq.Term{Type: gojq.TermTypeQuery, Query: pipe(&gojq.Query{Term: &inner}, fnNested), SuffixList: t.SuffixList}
	}
	boundIndexes(t)
}

// boundIndexes has our own function do what an index that is computed can ask for, and lets none
// reach far beyond the end of an array. An index can be an array, which means a search: the library's
// goes through all of the array without an end in between.
func boundIndexes(t *gojq.Term) {
	if t.Type == gojq.TermTypeIndex && computed(t.Index) {
		*t = *indexed(&gojq.Term{Type: gojq.TermTypeIdentity}, t.Index.Start, t.SuffixList)
	}
	for i := 0; i < len(t.SuffixList); i++ {
		if x := t.SuffixList[i].Index; x != nil && computed(x) {
			base := *t
			base.SuffixList = t.SuffixList[:i:i]
			*t = *indexed(&base, x.Start, t.SuffixList[i+1:])
			i = -1
		}
	}
}

// computed tells whether an index is neither a name, a range, a string nor a short number.
func computed(x *gojq.Index) bool {
	if x.Start == nil || x.IsSlice {
		return false
	}
	t := x.Start.Term
	return t == nil || len(t.SuffixList) > 0 || len(x.Start.FuncDefs) > 0 ||
		t.Type != gojq.TermTypeString && (t.Type != gojq.TermTypeNumber || len(t.Number) > 6)
}

// indexed is base[start] and what follows it, as start as $x | base | index by $x: the index is
// computed first and on the same input, as in the library.
func indexed(base *gojq.Term, start *gojq.Query, suffixes []*gojq.Suffix) *gojq.Term {
	const name = "$__floodmark_index"
	variable := &gojq.Query{Term: call(name)}
	identity := &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIdentity}}
	null := &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeNull}}
	at := &gojq.Query{Op: gojq.OpPipe, Left: &gojq.Query{Term: base}, Right: &gojq.Query{Term: call(fnIndexBy, identity, variable, null)}}
	return &gojq.Term{Type: gojq.TermTypeQuery, SuffixList: suffixes, Query: &gojq.Query{Op: gojq.OpPipe,
		Left: pipe(start, fnIndex), Patterns: []*gojq.Pattern{{Name: name}}, Right: at}}
}

// shortPaths returns a filter for the same paths as q that fails at one that is too long. A filter
// that calls no function has none.
func shortPaths(q *gojq.Query) *gojq.Query {
	calls := someNode(reflect.ValueOf(q), func(node any) bool {
		t, ok := node.(*gojq.Term)
		return ok && (t.Type == gojq.TermTypeFunc && t.Func.Name[0] != '$' || t.Type == gojq.TermTypeRecurse ||
			t.Type == gojq.TermTypeReduce || t.Type == gojq.TermTypeForeach)
	})
	if !calls {
		return q
	}
	return &gojq.Query{Term: call("getpath", pipe(&gojq.Query{Term: call("path", q)}, fnPath))}
}

// onlyLiterals tells whether a query is numbers, strings, null, true and false alone.
func onlyLiterals(q *gojq.Query) bool {
	for q.Op == gojq.OpComma {
		if !onlyLiterals(q.Right) {
			return false
		}
		q = q.Left
	}
	if q.Term == nil || len(q.Term.SuffixList) > 0 || len(q.FuncDefs) > 0 {
		return false
	}
	switch q.Term.Type {
	case gojq.TermTypeNull, gojq.TermTypeTrue, gojq.TermTypeFalse, gojq.TermTypeNumber:
		return true
	case gojq.TermTypeString:
		return q.Term.Str.Queries == nil
	}
	return false
}

func call(name string, args ...*gojq.Query) *gojq.Term {
	return &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name, Args: args}}
}

func pipe(q *gojq.Query, name string) *gojq.Query {
	return &gojq.Query{Op: gojq.OpPipe, Left: q, Right: &gojq.Query{Term: call(name)}}
}

// eachNode calls f for every pointer to a struct within v, the inner ones first.
func eachNode(v reflect.Value, f func(node any)) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		eachNode(v.Elem(), f)
		f(v.Interface())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				eachNode(v.Field(i), f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachNode(v.Index(i), f)
		}
	}
}

// someNode tells whether is holds for some pointer to a struct within v. It looks at the last fields
// first, so that what stands behind a nested query is found before going into it.
func someNode(v reflect.Value, is func(node any) bool) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && (is(v.Interface()) || someNode(v.Elem(), is))
	case reflect.Struct:
		for i := v.NumField() - 1; i >= 0; i-- {
			if v.Type().Field(i).IsExported() && someNode(v.Field(i), is) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if someNode(v.Index(i), is) {
				return true
			}
		}
	}
	return false
}
