package engine

import (
	"cmp"
	"slices"
	"strings"
)

// Sorting, as jq does it: stable, by keys of which each value has a list. The keys of one string or
// one number each, which is what people sort by, are compared without looking at types.

// sorting sorts the numbers of the values by their keys.
func (r *filterRun) sorting(keys []any) []int {
	at := make([]int, len(keys))
	for i := range at {
		at[i] = i
	}
	texts, numbers := plainKeys(keys)
	switch {
	case texts != nil:
		slices.SortFunc(at, func(i, j int) int {
			r.poll()
			return cmp.Or(strings.Compare(texts[i], texts[j]), i-j)
		})
	case numbers != nil:
		slices.SortFunc(at, func(i, j int) int {
			r.poll()
			return cmp.Or(compareNumbers(numbers[i], numbers[j]), i-j)
		})
	default:
		slices.SortFunc(at, func(i, j int) int { return cmp.Or(r.compare(keys[i], keys[j]), i-j) })
	}
	return at
}

// plainKeys are the keys where all are one string, or all one number, either each in a list or none.
func plainKeys(keys []any) (texts []string, numbers []any) {
	inList := false
	for i, key := range keys {
		list, ok := key.([]any)
		if i == 0 {
			inList = ok
		}
		if ok != inList || ok && len(list) != 1 {
			return nil, nil
		}
		if ok {
			key = list[0]
		}
		if text, ok := key.(string); ok && numbers == nil {
			if texts == nil {
				texts = make([]string, len(keys))
			}
			texts[i] = text
			continue
		}
		n, ok := numeric(key)
		if !ok || texts != nil {
			return nil, nil
		}
		if numbers == nil {
			numbers = make([]any, len(keys))
		}
		numbers[i] = n
	}
	return texts, numbers
}

// sorted are the values in the order of their keys.
func (r *filterRun) sorted(values, keys []any) []any {
	list := make([]any, len(values))
	for i, at := range r.sorting(keys) {
		list[i] = values[at]
	}
	return list
}

// keyed takes apart a value and its keys; ok is false where it is no array.
func keyed(v any, args []any) (values, keys []any, ok bool) {
	values, ok = v.([]any)
	keys, is := args[0].([]any)
	return values, keys, ok && is && len(values) == len(keys)
}

func (r *filterRun) sortBy(v any, args []any) any {
	values, keys, ok := keyed(v, args)
	if !ok {
		return libSort([]any{v, args[0]})
	}
	return r.sorted(values, keys)
}

func (r *filterRun) groupBy(v any, args []any) any {
	groups := []any{}
	values, keys, ok := keyed(v, args)
	if !ok {
		return libGroup([]any{v})
	}
	var group []any
	last := -1
	for _, at := range r.sorting(keys) {
		if last >= 0 && r.compare(keys[last], keys[at]) != 0 {
			groups = append(groups, group)
			group = nil
		}
		group = append(group, values[at])
		last = at
	}
	if group != nil {
		groups = append(groups, group)
	}
	return groups
}

func (r *filterRun) uniqueBy(v any, args []any) any {
	values, keys, ok := keyed(v, args)
	if !ok {
		return libSort([]any{v, args[0]})
	}
	list := []any{}
	last := -1
	for _, at := range r.sorting(keys) {
		if last < 0 || r.compare(keys[last], keys[at]) != 0 {
			list = append(list, values[at])
		}
		last = at
	}
	return list
}

// extreme is the first least value by its key, or the last greatest.
func (r *filterRun) extreme(v, by any, sign int) any {
	values, keys, ok := keyed(v, []any{by})
	if !ok {
		return libMin([]any{v})
	}
	if len(values) == 0 {
		return nil
	}
	best := 0
	for i := 1; i < len(keys); i++ {
		c := r.compare(keys[best], keys[i])
		if sign < 0 && c > 0 || sign > 0 && c <= 0 {
			best = i
		}
	}
	return values[best]
}
