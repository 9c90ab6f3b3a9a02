package engine

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// Functions that make one value of many, or many of one, with limits on what they make.

// toJSON is a value as JSON, objects of a payload in its order.
func (r *filterRun) toJSON(v any) any {
	w := jsonWriter{orders: r.orders, poll: r.poll, most: maxStepBytes}
	if !w.write(v) {
		return room("the JSON text", maxStepBytes+1)
	}
	return string(w.out)
}

func (r *filterRun) toString(v any) any {
	if s, ok := v.(string); ok {
		return s
	}
	return r.toJSON(v)
}

func (r *filterRun) fromJSON(v any, _ []any) any {
	s, ok := v.(string)
	if !ok {
		return libFromJSON(v)
	}
	d := jsonDecoder{text: s, poll: r.poll}
	if !utf8.ValidString(s) || !d.run() || d.problem() != nil {
		if err := d.problem(); err != nil {
			return err
		}
		// Why it is not JSON, in the library's words; what only the library takes is taken too.
		if len(s) < 1<<20 {
			return libFromJSON(v)
		}
		return libFromJSON(s[:1<<20])
	}
	return d.values[0]
}

// format is what @name does to a value.
func (r *filterRun) format(v any, args []any) any {
	name, ok := args[0].(string)
	if !ok {
		return libFormat([]any{v, args[0]})
	}
	switch name {
	case "text":
		return r.toString(v)
	case "json":
		return r.toJSON(v)
	case "csv", "tsv", "sh":
		list, ok := v.([]any)
		if !ok {
			break
		}
		size := 0
		for _, e := range list {
			r.poll()
			size += 24
			if s, ok := e.(string); ok {
				size += 2 * len(s)
			}
		}
		if err := room("the row", size); err != nil {
			return err
		}
	default:
		if v = r.toString(v); rank(v) != 4 {
			return v
		}
		if err := room("the text", 2*len(v.(string))); err != nil {
			return err
		}
	}
	return libFormat([]any{v, name})
}

// sum is jq's add. Only strings, arrays and objects can grow.
func (r *filterRun) sum(v any, _ []any) any {
	var list []any
	switch v := v.(type) {
	case []any:
		list = v
	case map[string]any:
		for _, key := range sortedKeys(v) {
			list = append(list, v[key])
		}
	default:
		return libAddAll(v)
	}
	var text strings.Builder
	var array []any
	var object map[string]any
	var total any
	for i := 0; i < len(list); {
		kind := rank(list[i])
		if kind < 4 || total != nil {
			if total = plus(nil, []any{total, list[i]}); isError(total) {
				return total
			}
			r.poll()
			i++
			continue
		}
		// A run of strings, arrays or objects is put together in one piece.
		from := i
		for ; i < len(list) && (rank(list[i]) == kind || list[i] == nil); i++ {
			r.poll()
			switch x := list[i].(type) {
			case string:
				if err := room("the string", text.Len()+len(x)); err != nil {
					return err
				}
				text.WriteString(x)
			case []any:
				if err := room("the array", 16*(len(array)+len(x))); err != nil {
					return err
				}
				array = append(array, x...)
			case map[string]any:
				if object == nil {
					object = make(map[string]any, len(x))
				}
				if err := room("the object", 40*(len(object)+len(x))); err != nil {
					return err
				}
				for key, e := range x {
					object[key] = e
				}
			}
		}
		switch {
		case i == from+1:
			total = list[from]
		case kind == 4:
			total = text.String()
		case kind == 5:
			total = append([]any{}, array...)
		default:
			total = object
		}
	}
	return total
}

func isError(v any) bool {
	_, is := v.(error)
	return is
}

func (r *filterRun) join(v any, args []any) any {
	list, ok := v.([]any)
	between, is := args[0].(string)
	if !ok || !is {
		return libJoin([]any{v, args[0]})
	}
	var text strings.Builder
	for i, e := range list {
		r.poll()
		if i > 0 {
			text.WriteString(between)
		}
		switch e := e.(type) {
		case nil:
		case string:
			text.WriteString(e)
		case bool, int, float64, *big.Int, json.Number:
			text.Write(Marshal(e, 0))
		default:
			return libJoin([]any{[]any{"", e}, between})
		}
		if err := room("the string", text.Len()); err != nil {
			return err
		}
	}
	return text.String()
}

// flatten is jq's flatten; args[0] is a list with the depth, or nil for all of it.
func (r *filterRun) flatten(v any, args []any) any {
	most := -1
	if depth, ok := args[0].([]any); ok {
		n, ok := depth[0].(int)
		if !ok || n < 0 {
			if err := libFlatten([]any{[]any{}, depth[0]}); isError(err) {
				return err
			}
			return libFlatten([]any{v, depth[0]})
		}
		most = n
	}
	list, ok := v.([]any)
	if !ok {
		object, ok := v.(map[string]any)
		if !ok {
			return libFlatten([]any{v, 1})
		}
		for _, key := range sortedKeys(object) {
			list = append(list, object[key])
		}
	}
	flat := []any{}
	var into func(list []any, depth int) error
	into = func(list []any, depth int) error {
		for _, e := range list {
			r.poll()
			if inner, ok := e.([]any); ok && depth != 0 {
				if err := into(inner, depth-1); err != nil {
					return err
				}
				continue
			}
			if err := room("the array", 16*len(flat)); err != nil {
				return err
			}
			flat = append(flat, e)
		}
		return nil
	}
	if err := into(list, most); err != nil {
		return err
	}
	return flat
}

// transpose is jq's transpose; one long row makes as many columns for every other.
func (r *filterRun) transpose(v any, _ []any) any {
	if rows, ok := v.([]any); ok {
		longest := 0
		for _, row := range rows {
			r.poll()
			list, _ := row.([]any)
			longest = max(longest, len(list))
		}
		if err := room("the table", 16*longest*len(rows)); err != nil {
			return err
		}
	}
	return libTranspose(v)
}

// explode is jq's explode for a string that leaves room for its numbers.
func explode(v any, _ []any) any {
	if s, ok := v.(string); ok {
		if err := room("the list of numbers", 24*len(s)); err != nil {
			return err
		}
	}
	return libExplode(v)
}

// split is jq's split by a string, where there is room for the parts.
func split(v any, args []any) any {
	if s, ok := v.(string); ok {
		if by, ok := args[0].(string); ok {
			parts := utf8.RuneCountInString(s)
			if by != "" {
				parts = strings.Count(s, by) + 1
			}
			if err := room("the list of parts", 48*parts); err != nil {
				return err
			}
		}
	}
	return libSplit([]any{v, args[0]})
}

// indices are the places at which x stands in v: all, the first ("index") or the last ("rindex"). In
// a string they are counted in code points.
func (r *filterRun) indices(which string, v, x any) any {
	var found []any
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		part, ok := x.(string)
		if !ok {
			return libIndices([]any{v, x})
		}
		if part != "" {
			points, from := 0, 0
			for {
				at := strings.Index(v[from:], part)
				if at < 0 {
					break
				}
				points += utf8.RuneCountInString(v[from : from+at])
				found = append(found, points)
				if which == "index" {
					break
				}
				if err := room("the list of places", 24*len(found)); err != nil {
					return err
				}
				r.poll()
				_, size := utf8.DecodeRuneInString(v[from+at:])
				from += at + size
				points++
			}
		}
	case []any:
		part, ok := x.([]any)
		if !ok {
			part = []any{x}
		}
		found = r.places(v, part, which == "index")
	default:
		return libIndices([]any{v, x})
	}
	switch {
	case which == "indices":
		return append([]any{}, found...)
	case len(found) == 0:
		return nil
	}
	return found[len(found)-1]
}

// places are the indices at which part stands in list, all or the first.
func (r *filterRun) places(list, part []any, first bool) (found []any) {
	for i := 0; len(part) > 0 && i+len(part) <= len(list); i++ {
		if slices.EqualFunc(list[i:i+len(part)], part, r.equal) {
			if found = append(found, i); first {
				break
			}
		}
	}
	return found
}

// indexBy is the first argument indexed by the second, which can be an array to look for.
func (r *filterRun) indexBy(_ any, args []any) any {
	switch v := args[0].(type) {
	case map[string]any:
		if key, ok := args[1].(string); ok {
			return v[key]
		}
	case []any:
		switch x := args[1].(type) {
		case []any:
			return append([]any{}, r.places(v, x, false)...)
		case int:
			if x < 0 {
				x += len(v)
			}
			if x < 0 || x >= len(v) {
				return nil
			}
			return v[x]
		}
	}
	return libIndex([]any{args[0], args[1]})
}
