package engine

import (
	"cmp"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
)

// rank is a value's place among the types.
func rank(v any) int {
	switch v := v.(type) {
	case bool:
		if v {
			return 2
		}
		return 1
	case int, float64, *big.Int, json.Number:
		return 3
	case string:
		return 4
	case []any:
		return 5
	case map[string]any:
		return 6
	}
	return 0
}

// compare is jq's order of values. It ends with the run.
func (r *filterRun) compare(x, y any) int {
	r.poll()
	switch x := x.(type) {
	case string:
		if y, ok := y.(string); ok {
			return strings.Compare(x, y)
		}
	case []any:
		if y, ok := y.([]any); ok {
			for i := range min(len(x), len(y)) {
				if c := r.compare(x[i], y[i]); c != 0 {
					return c
				}
			}
			return cmp.Compare(len(x), len(y))
		}
	case map[string]any:
		if y, ok := y.(map[string]any); ok {
			return r.compareObjects(x, y)
		}
	default:
		if a, ok := numeric(x); ok {
			if b, ok := numeric(y); ok {
				return compareNumbers(a, b)
			}
		}
	}
	return cmp.Compare(rank(x), rank(y))
}

func (r *filterRun) compareObjects(x, y map[string]any) int {
	keys, others := sortedKeys(x), sortedKeys(y)
	if c := slices.Compare(keys, others); c != 0 {
		return c
	}
	for _, key := range keys {
		if c := r.compare(x[key], y[key]); c != 0 {
			return c
		}
	}
	return 0
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// equal tells whether compare gives 0, without the order.
func (r *filterRun) equal(x, y any) bool {
	r.poll()
	switch x := x.(type) {
	case string:
		y, ok := y.(string)
		return ok && x == y
	case []any:
		y, ok := y.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !r.equal(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, ok := y.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for key, v := range x {
			if w, ok := y[key]; !ok || !r.equal(v, w) {
				return false
			}
		}
		return true
	}
	return r.compare(x, y) == 0
}

// subtract is jq's subtraction. Of arrays it takes out what is equal to an element of the other.
func (r *filterRun) subtract(_ any, args []any) any {
	if x, ok := args[0].(int); ok {
		if y, ok := args[1].(int); ok {
			if d := x - y; (d < x) == (y > 0) {
				return d
			}
		}
	}
	x, ok := args[0].([]any)
	y, is := args[1].([]any)
	if !ok || !is {
		return libSubtract([]any{args[0], args[1]})
	}
	// Sorted, the others are found without going through all of them.
	sorted := r.sorted(y, y)
	left := make([]any, 0, len(x))
	for _, v := range x {
		if _, found := slices.BinarySearchFunc(sorted, v, r.compare); !found {
			left = append(left, v)
		}
	}
	return left
}

func (r *filterRun) bsearch(v any, args []any) any {
	if list, ok := v.([]any); ok {
		i, found := slices.BinarySearchFunc(list, args[0], r.compare)
		if !found {
			i = -i - 1
		}
		return i
	}
	return libBsearch([]any{v, args[0]})
}

// contains is jq's contains.
func (r *filterRun) contains(v, x any) any {
	if rank(v) != rank(x) || rank(v) < 4 {
		return libContains([]any{v, x})
	}
	return r.holds(v, x)
}

func (r *filterRun) holds(v, x any) bool {
	r.poll()
	switch v := v.(type) {
	case string:
		x, ok := x.(string)
		return ok && strings.Contains(v, x)
	case []any:
		x, ok := x.([]any)
		return ok && !slices.ContainsFunc(x, func(e any) bool {
			return !slices.ContainsFunc(v, func(w any) bool { return r.holds(w, e) })
		})
	case map[string]any:
		x, ok := x.(map[string]any)
		if !ok || len(v) < len(x) {
			return false
		}
		for key, e := range x {
			if w, ok := v[key]; !ok || !r.holds(w, e) {
				return false
			}
		}
		return true
	}
	return r.compare(v, x) == 0
}
