package store

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"testing"
)

// A pageMap says on which pages of a healthy file each variable depends: those on the way down to its
// record, to its list of pieces, to its pieces, and to its name.
type pageMap struct {
	t       *testing.T
	b       []byte
	size    int64
	buckets map[string]uint64 // root pages
	inside  map[string][]byte // of small buckets, the page
	root    []int64

	needed map[Key]map[int64]bool
}

// pagesOf follows the pages of a file by the rules of the format, without the program's own reader.
func pagesOf(t *testing.T, b []byte) (*pageMap, header) {
	t.Helper()
	h, ok := newestHeader(bytes.NewReader(b))
	if !ok {
		t.Fatal("a healthy store has no header")
	}
	m := &pageMap{t: t, b: b, size: h.pageSize, buckets: map[string]uint64{}, inside: map[string][]byte{}, needed: map[Key]map[int64]bool{}}
	m.root = append(m.pages(h.root), int64(h.txid%2)) // the head that leads to it, too
	for _, e := range elements(m.page(h.root)) {
		m.buckets[string(e.key)] = binary.NativeEndian.Uint64(e.value)
		m.inside[string(e.key)] = e.value[16:]
	}
	m.each("variables", func(key, value []byte) {
		k, err := decodeKey(key)
		if err != nil {
			t.Fatal(err)
		}
		needs := map[int64]bool{}
		add := func(pages []int64) {
			for _, p := range pages {
				needs[p] = true
			}
		}
		var r struct {
			SHA256  string
			Ordinal uint64
		}
		if err := json.Unmarshal(value, &r); err != nil {
			t.Fatal(err)
		}
		sum, err := hex.DecodeString(r.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		add(m.root)
		add(m.way("variables", key, nil))
		var list []byte
		add(m.way("blobs", sum, &list))
		var blob struct {
			ID     uint64
			Pieces uint32
		}
		if err := json.Unmarshal(list, &blob); err != nil {
			t.Fatal(err)
		}
		for i := range blob.Pieces {
			add(m.way("pieces", binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(nil, blob.ID), i), nil))
		}
		add(m.way("names", nameKey(k.Name, r.Ordinal), nil))
		m.needed[k] = needs
	})
	return m, h
}

type element struct {
	key, value []byte
	child      uint64
}

// pages are a page and those that it goes on in.
func (m *pageMap) pages(id uint64) []int64 {
	more := binary.NativeEndian.Uint32(m.b[int64(id)*m.size+12:])
	var all []int64
	for i := range int64(more) + 1 {
		all = append(all, int64(id)+i)
	}
	return all
}

func isLeaf(page []byte) bool { return binary.NativeEndian.Uint16(page[8:]) == 2 }

func (m *pageMap) page(id uint64) []byte { return m.b[int64(id)*m.size:] }

func elements(page []byte) []element {
	order := binary.NativeEndian
	var all []element
	for i := range int(order.Uint16(page[10:])) {
		e := page[16+16*i:]
		if isLeaf(page) {
			pos, k, v := order.Uint32(e[4:]), order.Uint32(e[8:]), order.Uint32(e[12:])
			all = append(all, element{key: e[pos : pos+k], value: e[pos+k : pos+k+v]})
			continue
		}
		pos, k := order.Uint32(e), order.Uint32(e[4:])
		all = append(all, element{key: e[pos : pos+k], child: order.Uint64(e[8:])})
	}
	return all
}

// each goes through a bucket.
func (m *pageMap) each(bucket string, f func(key, value []byte)) {
	var down func(page []byte)
	down = func(page []byte) {
		for _, e := range elements(page) {
			if isLeaf(page) {
				f(e.key, e.value)
			} else {
				down(m.page(e.child))
			}
		}
	}
	down(m.top(bucket))
}

// top is a bucket's first page; of a small one it is inside the page of buckets.
func (m *pageMap) top(bucket string) []byte {
	if id := m.buckets[bucket]; id != 0 {
		return m.page(id)
	}
	return m.inside[bucket]
}

// way gives the pages down to a key, and its value. Of the last it needs the list of elements, the keys
// and its own value.
func (m *pageMap) way(bucket string, key []byte, value *[]byte) []int64 {
	id, page := m.buckets[bucket], m.top(bucket)
	var all []int64
	for !isLeaf(page) {
		all = append(all, m.pages(id)...)
		next := uint64(0)
		for _, e := range elements(page) {
			if next == 0 || bytes.Compare(e.key, key) <= 0 {
				next = e.child
			}
		}
		id, page = next, m.page(next)
	}
	span := func(part []byte) { // what it lies on, by where it is in the file
		first := int64(cap(m.b) - cap(part))
		for p := first / m.size; p*m.size < first+int64(max(len(part), 1)); p++ {
			all = append(all, p)
		}
	}
	list := elements(page)
	span(page[:16+16*len(list)])
	found := false
	for _, e := range list {
		span(e.key)
		if bytes.Equal(e.key, key) {
			found = true
			span(e.value)
			if value != nil {
				*value = e.value
			}
		}
	}
	if !found {
		m.t.Fatalf("%s has no %x", bucket, key)
	}
	return all
}

// only is a page that this variable needs and no other.
func (m *pageMap) only(k Key) int64 {
	for p := range m.needed[k] {
		alone := true
		for other, pages := range m.needed {
			alone = alone && (other == k || !pages[p])
		}
		if alone {
			return p
		}
	}
	m.t.Fatalf("%s has no page of its own", k)
	return 0
}

// untouched are the variables that need no byte from first to before end.
func (m *pageMap) untouched(first, end int64) map[Key]bool {
	all := map[Key]bool{}
	for k, pages := range m.needed {
		all[k] = true
		for p := range pages {
			if p*m.size < end && first < (p+1)*m.size {
				delete(all, k)
				break
			}
		}
	}
	return all
}
