package engine

import (
	"reflect"
	"strconv"
	"sync"

	"github.com/itchyny/gojq"
)

// The names of our functions. A filter that spells one gets that function: it does no harm.
const (
	fnAdd          = "_bounded_add"
	fnSubtract     = "_bounded_subtract"
	fnMultiply     = "_bounded_multiply"
	fnDivide       = "_bounded_divide"
	fnEqual        = "_bounded_equal"
	fnNotEqual     = "_bounded_not_equal"
	fnLess         = "_bounded_less"
	fnLessEqual    = "_bounded_less_equal"
	fnGreater      = "_bounded_greater"
	fnGreaterEqual = "_bounded_greater_equal"
	fnNested       = "_bounded_nested"
	fnPath         = "_bounded_path"
	fnIndex        = "_bounded_index"
	fnKey          = "_bounded_key"
	fnEvent        = "_bounded_event"
	// fnIndexBy has the name of the library's function, which has two arguments, with a third that
	// means nothing: by this name the library knows that it makes a path.
	fnIndexBy = "_index"
)

// options are our functions, those of one run.
func (r *filterRun) options() []gojq.CompilerOption {
	var list []gojq.CompilerOption
	quick := func(name string, arity int, f func(any, []any) any) {
		list = append(list, gojq.WithFunction(name, arity, arity, f))
	}
	long := func(name string, arity int, f func(any, []any) any) { quick(name, arity, step(f)) }

	quick("debug", 0, itself)
	quick("stderr", 0, itself)
	quick("input_filename", 0, func(any, []any) any { return nil })
	quick(fnNested, 0, r.nested)
	quick(fnPath, 0, shortPath)
	quick(fnIndex, 0, nearIndex)
	quick(fnKey, 0, noArray)
	quick(fnEvent, 0, streamEvent)
	long(fnIndexBy, 3, r.indexBy)

	quick(fnAdd, 2, plus)
	long(fnMultiply, 2, r.multiply)
	quick(fnDivide, 2, divide)
	long(fnSubtract, 2, r.subtract)
	long(fnEqual, 2, func(_ any, a []any) any { return r.equal(a[0], a[1]) })
	long(fnNotEqual, 2, func(_ any, a []any) any { return !r.equal(a[0], a[1]) })
	long(fnLess, 2, func(_ any, a []any) any { return r.compare(a[0], a[1]) < 0 })
	long(fnLessEqual, 2, func(_ any, a []any) any { return r.compare(a[0], a[1]) <= 0 })
	long(fnGreater, 2, func(_ any, a []any) any { return r.compare(a[0], a[1]) > 0 })
	long(fnGreaterEqual, 2, func(_ any, a []any) any { return r.compare(a[0], a[1]) >= 0 })

	long("_bounded_sort", 1, r.sortBy)
	long("_bounded_group", 1, r.groupBy)
	long("_bounded_unique", 1, r.uniqueBy)
	long("_bounded_min", 1, func(v any, a []any) any { return r.extreme(v, a[0], -1) })
	long("_bounded_max", 1, func(v any, a []any) any { return r.extreme(v, a[0], 1) })
	long("_bounded_bsearch", 1, r.bsearch)
	long("_bounded_contains", 1, func(v any, a []any) any { return r.contains(v, a[0]) })

	long("_bounded_sum", 0, r.sum)
	long("_bounded_join", 1, r.join)
	long("_bounded_flatten", 1, r.flatten)
	long("_bounded_transpose", 0, r.transpose)
	long("_bounded_tojson", 0, func(v any, _ []any) any { return r.toJSON(v) })
	long("_bounded_tostring", 0, func(v any, _ []any) any { return r.toString(v) })
	long("_bounded_fromjson", 0, r.fromJSON)
	long("_bounded_format", 1, r.format)
	long("_bounded_explode", 0, explode)
	long("_bounded_split", 1, split)
	long("_bounded_indices", 1, func(v any, a []any) any { return r.indices("indices", v, a[0]) })
	long("_bounded_first_index", 1, func(v any, a []any) any { return r.indices("index", v, a[0]) })
	long("_bounded_last_index", 1, func(v any, a []any) any { return r.indices("rindex", v, a[0]) })
	list = append(list, gojq.WithIterFunction("_bounded_match", 3, 3, r.match))
	long("_bounded_replace", 2, replaceMatches)
	quick("_bounded_tonumber", 0, toNumber)
	quick("_bounded_jn", 2, func(_ any, a []any) any { return bessel("jn", a) })
	quick("_bounded_yn", 2, func(_ any, a []any) any { return bessel("yn", a) })
	return list
}

// preludeText are the definitions that stand before a filter, as far as it uses them. A definition
// of the filter's own hides them, as it hides the built-in ones.
const preludeText = `
def _add(f; g): _bounded_add(f; g);
def _subtract(f; g): _bounded_subtract(f; g);
def _multiply(f; g): _bounded_multiply(f; g);
def _divide(f; g): _bounded_divide(f; g);
def sort: _bounded_sort(.);
def sort_by(f): _bounded_sort([.[] | [f]]);
def group_by(f): _bounded_group([.[] | [f]]);
def unique: _bounded_unique(.);
def unique_by(f): _bounded_unique([.[] | [f]]);
def min: _bounded_min(.);
def min_by(f): _bounded_min([.[] | [f]]);
def max: _bounded_max(.);
def max_by(f): _bounded_max([.[] | [f]]);
def bsearch($x): _bounded_bsearch($x);
def contains($x): _bounded_contains($x);
def inside($x): . as $v | $x | _bounded_contains($v);
def add: _bounded_sum;
def add(f): [f] | _bounded_sum;
def join($x): _bounded_join($x);
def flatten: _bounded_flatten(null);
def flatten($x): _bounded_flatten([$x]);
def transpose: _bounded_transpose;
def tojson: _bounded_tojson;
def tostring: _bounded_tostring;
def fromjson: _bounded_fromjson;
def format($x): _bounded_format($x);
def _tohtml: _bounded_format("html");
def _touri: _bounded_format("uri");
def _tourid: _bounded_format("urid");
def _tocsv: _bounded_format("csv");
def _totsv: _bounded_format("tsv");
def _tosh: _bounded_format("sh");
def _tobase64: _bounded_format("base64");
def _tobase64d: _bounded_format("base64d");
def explode: _bounded_explode;
def split($x): _bounded_split($x);
def indices($x): _bounded_indices($x);
def index($x): _bounded_first_index($x);
def rindex($x): _bounded_last_index($x);
def tonumber: _bounded_tonumber;
def jn(f; g): _bounded_jn(f; g);
def yn(f; g): _bounded_yn(f; g);
def match($re): if $re | type == "array" then _bounded_match($re[0]; $re[1]; false) else _bounded_match($re; null; false) end;
def match($re; $flags): _bounded_match($re; $flags; false);
def test($re): if $re | type == "array" then _bounded_match($re[0]; $re[1]; true) else _bounded_match($re; null; true) end;
def test($re; $flags): _bounded_match($re; $flags; true);
def capture($re): match($re) | .captures | _captures;
def capture($re; $flags): match($re; $flags) | .captures | _captures;
def scan($re; $flags): match($re; $flags + "g") | if .captures == [] then .string else [.captures[].string] end;
def scan($re): scan($re; null);
def split($re; $flags): [_bounded_match($re; $flags + "g"; "parts")];
def splits($re; $flags): _bounded_match($re; $flags + "g"; "parts");
def splits($re): splits($re; null);
def sub($re; f; $flags):
  . as $text | [_bounded_match($re; $flags; false)] as $found |
  if $found == [] then .
  else
    [_bounded_match($re; $flags; "parts")] as $parts |
    _bounded_replace($parts; [$found[] | [.captures | _captures | f]]) |
    if . == [] then $text else .[] end
  end;
def sub($re; f): sub($re; f; null);
def gsub($re; f; $flags): sub($re; f; $flags + "g");
def gsub($re; f): sub($re; f; "g");
def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | _bounded_tostring] = $row);
def INDEX(f): INDEX(.[]; f);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
`

type preludeDefs struct {
	inOrder []*gojq.FuncDef
	byName  map[string]*gojq.FuncDef
}

var prelude = sync.OnceValue(func() preludeDefs {
	q, err := gojq.Parse(preludeText + ".")
	if err != nil {
		panic(err)
	}
	boundNodes(q)
	defs := preludeDefs{q.FuncDefs, map[string]*gojq.FuncDef{}}
	for _, def := range q.FuncDefs {
		defs.byName[arity(def.Name, len(def.Args))] = def
	}
	return defs
})

func arity(name string, args int) string { return name + "/" + strconv.Itoa(args) }

// preludeFor are the definitions that q uses, and those that they use, each before what uses it.
func preludeFor(q *gojq.Query) []*gojq.FuncDef {
	defs := prelude()
	used := map[string]bool{}
	var use func(v any)
	use = func(v any) {
		called(v, func(name string) {
			if def := defs.byName[name]; def != nil && !used[name] {
				used[name] = true
				use(def.Body)
			}
		})
	}
	use(q)
	var list []*gojq.FuncDef
	for _, def := range defs.inOrder {
		if used[arity(def.Name, len(def.Args))] {
			list = append(list, def)
		}
	}
	return list
}

// called gives f the functions that are called within v, those too that the library calls for a
// format, a string with a filter in it, or an operator that updates.
func called(v any, f func(name string)) {
	eachNode(reflect.ValueOf(v), func(node any) {
		switch node := node.(type) {
		case *gojq.Func:
			f(arity(node.Name, len(node.Args)))
		case *gojq.String:
			if node.Queries != nil {
				f("tostring/0")
			}
		case *gojq.Term:
			switch node.Format {
			case "":
			case "@text":
				f("tostring/0")
			case "@json":
				f("tojson/0")
			default:
				f("_to" + node.Format[1:] + "/0")
				f("format/1")
			}
		case *gojq.Query:
			if name := updates[node.Op]; name != "" {
				f(name + "/2")
			}
		}
	})
}

// updates are the functions that the library calls for the operators that update.
var updates = map[gojq.Operator]string{gojq.OpUpdateAdd: "_add", gojq.OpUpdateSub: "_subtract",
	gojq.OpUpdateMul: "_multiply", gojq.OpUpdateDiv: "_divide"}
