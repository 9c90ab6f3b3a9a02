package engine

import (
	"reflect"
	"slices"
	"strings"
)

// A keyOrder knows the order in which the objects of a payload have their keys, which the library's
// maps do not keep. It knows an object by where it is in memory, so an object that a filter makes,
// however alike, has none. Records have their keys in the same few orders: each is kept once.
type keyOrder struct {
	orders  [][]string        // the first is nil: sorted
	numbers map[uintptr]int32 // by object; an index into orders
	known   map[string]int32
	last    int32
}

// keep notes the order of an object just decoded. keys are its keys as they came, and can be
// changed later. Of a key that comes twice the first place counts.
func (o *keyOrder) keep(object map[string]any, keys []string) {
	if len(keys) < 2 {
		return
	}
	if o.numbers == nil {
		o.numbers, o.known, o.orders = map[uintptr]int32{}, map[string]int32{}, [][]string{nil}
	}
	if len(object) < len(keys) {
		once := make([]string, 0, len(object))
		for _, key := range keys {
			if !slices.Contains(once, key) {
				once = append(once, key)
			}
		}
		keys = once
	}
	o.numbers[identity(object)] = o.number(keys)
}

// number is the number of an order of keys. The one before is likely to be the same.
func (o *keyOrder) number(keys []string) int32 {
	if slices.Equal(o.orders[o.last], keys) {
		return o.last
	}
	if slices.IsSorted(keys) {
		return 0
	}
	name := strings.Join(keys, "\x00")
	n, ok := o.known[name]
	if !ok {
		n = int32(len(o.orders))
		o.orders = append(o.orders, slices.Clone(keys))
		o.known[name] = n
	}
	o.last = n
	return n
}

// of are an object's keys in the payload's order; nil where that is sorted or the object is none of
// the payload's.
func (o keyOrder) of(object map[string]any) []string {
	n, ok := o.numbers[identity(object)]
	if !ok || len(o.orders[n]) != len(object) {
		return nil
	}
	return o.orders[n]
}

// has tells whether an object is one of the payload's.
func (o keyOrder) has(object map[string]any) bool {
	_, ok := o.numbers[identity(object)]
	return ok
}

func identity(object map[string]any) uintptr { return reflect.ValueOf(object).Pointer() }
