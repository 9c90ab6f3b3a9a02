package engine

import (
	"fmt"
	"math"
	"reflect"
	"sync"

	"github.com/itchyny/gojq"
)

// A string times a number is made in one step that nothing can interrupt, so it has a limit.
// Every multiplication of a filter is replaced by a function that holds it.
const (
	boundedMultiply = "_bounded_multiply"
	maxRepeated     = 64 << 20 // bytes of the string made
)

// boundMultiply replaces the multiplications in a filter.
func boundMultiply(q *gojq.Query) {
	updates := false
	eachQuery(reflect.ValueOf(q), func(q *gojq.Query) {
		switch q.Op {
		case gojq.OpMul:
			q.Term = &gojq.Term{Type: gojq.TermTypeFunc,
				Func: &gojq.Func{Name: boundedMultiply, Args: []*gojq.Query{q.Left, q.Right}}}
			q.Op, q.Left, q.Right = 0, nil, nil
		case gojq.OpUpdateMul:
			updates = true
		}
	})
	if updates {
		// The library looks up what *= does by this name.
		def, err := gojq.Parse("def _multiply(f; g): " + boundedMultiply + "(f; g); .")
		if err != nil {
			panic(err)
		}
		q.FuncDefs = append(def.FuncDefs, q.FuncDefs...)
	}
}

// eachQuery calls f for every query within v, the inner ones first.
func eachQuery(v reflect.Value, f func(*gojq.Query)) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		eachQuery(v.Elem(), f)
		if q, ok := v.Interface().(*gojq.Query); ok {
			f(q)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				eachQuery(v.Field(i), f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachQuery(v.Index(i), f)
		}
	}
}

// multiply is jq's multiplication with the limit.
func multiply(_ any, args []any) any {
	l, r := args[0], args[1]
	switch x := l.(type) {
	case int:
		switch y := r.(type) {
		case int:
			if p := x * y; x == 0 || p/x == y && !(x == -1 && y == math.MinInt) {
				return p
			}
		case float64:
			return float64(x) * y
		}
	case float64:
		switch y := r.(type) {
		case int:
			return x * float64(y)
		case float64:
			return x * y
		}
	}
	for _, pair := range [][2]any{{l, r}, {r, l}} {
		if s, ok := pair[0].(string); ok {
			if n, ok := gojq.ToFloat64(pair[1]); ok && n*float64(len(s)) > maxRepeated {
				return fmt.Errorf("a string repeated to %.3g bytes is too long: at most %d", n*float64(len(s)), maxRepeated)
			}
		}
	}
	v, _ := times().Run([]any{l, r}).Next()
	return v
}

// times is the library's own multiplication.
var times = sync.OnceValue(func() *gojq.Code {
	q, err := gojq.Parse(".[0] * .[1]")
	if err != nil {
		panic(err)
	}
	code, err := gojq.Compile(q)
	if err != nil {
		panic(err)
	}
	return code
})
