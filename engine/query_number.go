package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/itchyny/gojq"
)

// numeric is a number to calculate with: int, float64 or *big.Int. ok is false for what is none.
func numeric(v any) (n any, ok bool) {
	switch v := v.(type) {
	case int, float64, *big.Int:
		return v, true
	case json.Number:
		return readNumber(string(v)), true
	}
	return nil, false
}

func readNumber(s string) any {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	if strings.ContainsAny(s, ".eE") {
		f, err := strconv.ParseFloat(s, 64)
		if err == nil || f != 0 { // a number too large is infinite
			return f
		}
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return math.NaN()
	}
	return n
}

// compareNumbers compares what numeric gives; NaN is less than all.
func compareNumbers(l, r any) int {
	switch x := l.(type) {
	case int:
		switch y := r.(type) {
		case int:
			if x < y {
				return -1
			} else if x > y {
				return 1
			}
			return 0
		case float64:
			return compareFloats(float64(x), y)
		}
	case float64:
		switch y := r.(type) {
		case int:
			return compareFloats(x, float64(y))
		case float64:
			return compareFloats(x, y)
		}
	}
	return gojq.Compare(l, r)
}

func compareFloats(x, y float64) int {
	switch {
	case x < y || math.IsNaN(x):
		return -1
	case x == y:
		return 0
	}
	return 1
}

// plus is jq's addition with a limit on what it makes.
func plus(_ any, args []any) any {
	l, r := args[0], args[1]
	switch x := l.(type) {
	case int:
		switch y := r.(type) {
		case int:
			if sum := x + y; (sum > x) == (y > 0) {
				return sum
			}
		case float64:
			return float64(x) + y
		}
	case float64:
		switch y := r.(type) {
		case int:
			return x + float64(y)
		case float64:
			return x + y
		}
	case string:
		if y, ok := r.(string); ok {
			if err := room("the string", len(x)+len(y)); err != nil {
				return err
			}
			return x + y
		}
	case []any:
		if y, ok := r.([]any); ok {
			if err := room("the array", 16*(len(x)+len(y))); err != nil {
				return err
			}
		}
	}
	if x, ok := numeric(l); ok {
		if y, ok := numeric(r); ok {
			return libAdd([]any{x, y})
		}
	}
	return libAdd([]any{l, r})
}

// multiply is jq's multiplication with a limit on what it makes.
func (run *filterRun) multiply(_ any, args []any) any {
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
	case map[string]any:
		if y, ok := r.(map[string]any); ok {
			return run.merge(x, y)
		}
	}
	for _, pair := range [][2]any{{l, r}, {r, l}} {
		if s, ok := pair[0].(string); ok {
			if n, ok := gojq.ToFloat64(pair[1]); ok && n*float64(len(s)) > maxRepeated {
				return fmt.Errorf("a string repeated to %.3g bytes is too long: at most %d", n*float64(len(s)), maxRepeated)
			}
		}
	}
	if x, ok := l.(*big.Int); ok {
		if y, ok := r.(*big.Int); ok && x.BitLen()+y.BitLen() > maxDigits*4 {
			return fmt.Errorf("an integer of more than %d digits is too long", maxDigits)
		}
	}
	return libMultiply([]any{l, r})
}

// merge is what jq makes of two objects multiplied: both, and where both have an object, those merged.
func (run *filterRun) merge(l, r map[string]any) map[string]any {
	m := make(map[string]any, len(l)+len(r))
	for key, v := range l {
		run.poll()
		m[key] = v
	}
	for key, v := range r {
		run.poll()
		if x, ok := m[key].(map[string]any); ok {
			if y, ok := v.(map[string]any); ok {
				v = run.merge(x, y)
			}
		}
		m[key] = v
	}
	return m
}

func divide(_ any, args []any) any {
	if _, ok := args[0].(string); ok {
		if _, ok := args[1].(string); ok {
			return split(args[0], args[1:])
		}
	}
	return libDivide([]any{args[0], args[1]})
}

// toNumber is jq's tonumber for a string that is not too long.
func toNumber(v any, _ []any) any {
	if s, ok := v.(string); ok && len(s) > maxDigits {
		return fmt.Errorf("a number of %d digits is too long: at most %d", len(s), maxDigits)
	}
	return libToNumber(v)
}

// bessel is jn or yn for an order that is not too large.
func bessel(name string, args []any) any {
	if n, ok := gojq.ToFloat64(args[0]); ok && math.Abs(n) > maxOrder {
		return fmt.Errorf("%s of the order %g would take too long: at most %d", name, n, maxOrder)
	}
	if name == "jn" {
		return libJn([]any{args[0], args[1]})
	}
	return libYn([]any{args[0], args[1]})
}
