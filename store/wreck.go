package store

import (
	"encoding/binary"
	"io"
)

// A wreck reads the entries of a damaged file without bbolt: page by page down from the root, past every
// page and entry that can't be read. Nothing is mapped and nothing asserted, so nothing can fault, and no
// page is read twice, so that it ends.
type wreck struct {
	f      io.ReaderAt
	head   header
	seen   map[uint64]bool
	broken int // pages and entries that can't be read
}

// A found entry is where a value is in the file.
type found struct {
	at    int64
	bytes int
}

// newWreck looks for where everything begins; ok is false where that can't be read.
func newWreck(f io.ReaderAt) (w *wreck, ok bool) {
	h, ok := newestHeader(f)
	return &wreck{f: f, head: h, seen: map[uint64]bool{}}, ok
}

// buckets gives each bucket's name and root page, and, of a small one, which is kept inside its entry, the
// page instead.
func (w *wreck) buckets(f func(name string, root uint64, inside []byte)) {
	w.page(w.head.root, func(_ int64, page []byte) {
		w.leaf(page, func(flags uint32, key, value []byte, _ int) {
			if flags&leafBucket == 0 || len(value) < 16 {
				w.broken++
				return
			}
			root := binary.NativeEndian.Uint64(value)
			f(string(key), root, value[16:])
		})
	})
}

// entries gives the entries of a bucket. The slices are f's only until it returns. at is where the value
// is in the file; -1 in a bucket that is kept inside an entry.
func (w *wreck) entries(root uint64, inside []byte, f func(key, value []byte, at found)) {
	if root == 0 {
		if len(inside) >= pageHead {
			w.leaf(inside, func(_ uint32, key, value []byte, _ int) { f(key, value, found{-1, len(value)}) })
		}
		return
	}
	w.page(root, func(start int64, page []byte) {
		w.leaf(page, func(flags uint32, key, value []byte, offset int) {
			if flags == 0 {
				f(key, value, found{start + int64(offset), len(value)})
			}
		})
	})
}

// page goes down from a page to the leaves.
func (w *wreck) page(id uint64, leaf func(start int64, page []byte)) {
	if id < 2 || id >= w.head.pages || w.seen[id] {
		w.broken++
		return
	}
	w.seen[id] = true
	start := int64(id) * w.head.pageSize
	b := make([]byte, pageHead)
	if _, err := w.f.ReadAt(b, start); err != nil || binary.NativeEndian.Uint64(b) != id {
		w.broken++
		return
	}
	kind, more := binary.NativeEndian.Uint16(b[8:]), uint64(binary.NativeEndian.Uint32(b[12:]))
	if kind != pageBranch && kind != pageLeaf || id+more >= w.head.pages {
		w.broken++
		return
	}
	b = make([]byte, w.head.pageSize*int64(more+1))
	n, _ := w.f.ReadAt(b, start) // of a page that is cut off there is a part
	if b = b[:n]; n < pageHead {
		w.broken++
		return
	}
	if kind == pageLeaf {
		leaf(start, b)
		return
	}
	count := int(binary.NativeEndian.Uint16(b[10:]))
	for i := range count {
		at := pageHead + i*elementBytes
		if at+elementBytes > len(b) {
			w.broken++
			return
		}
		w.page(binary.NativeEndian.Uint64(b[at+8:]), leaf)
	}
}

// leaf gives the entries of a leaf page; offset is where the value is in it.
func (w *wreck) leaf(page []byte, f func(flags uint32, key, value []byte, offset int)) {
	order, count := binary.NativeEndian, int(binary.NativeEndian.Uint16(page[10:]))
	for i := range count {
		at := pageHead + i*elementBytes
		if at+elementBytes > len(page) {
			w.broken++
			return
		}
		key := uint64(at) + uint64(order.Uint32(page[at+4:]))
		value := key + uint64(order.Uint32(page[at+8:]))
		end := value + uint64(order.Uint32(page[at+12:]))
		if end > uint64(len(page)) {
			w.broken++
			continue
		}
		f(order.Uint32(page[at:]), page[key:value], page[value:end], int(value))
	}
}
