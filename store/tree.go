package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A page begins with its number, its kind, how many elements it has and how many pages it takes beyond
// the first. Its elements follow: in a branch the pages below, in a leaf where key and value are.
const (
	pageHead     = 16
	pageBranch   = 0x01
	pageLeaf     = 0x02
	elementBytes = 16
	leafBucket   = 0x01 // a leaf element's flag: its value begins with the root page of a bucket
)

var errTree = errors.New("its pages don't make a tree")

// A tree follows the pages that branch, to find the one damage that gives neither a fault nor a failed
// assertion: a page below itself, on which bbolt would go down until the program's stack is used up.
// The leaves of the buckets are not read, which leaves a hundredth of the pages or so.
type tree struct {
	f        io.ReaderAt
	header   header
	branches map[uint64]bool
}

// checkTree follows the pages of the newest transaction. The file must be locked meanwhile.
func checkTree(f io.ReaderAt) error {
	h, ok := newestHeader(f)
	if !ok {
		return errTree
	}
	t := &tree{f: f, header: h, branches: map[uint64]bool{}}
	kind, page, count, err := t.read(h.root)
	if err != nil {
		return err
	}
	if kind != pageLeaf || pageHead+count*elementBytes > len(page) { // a handful of buckets needs no branch
		return errTree
	}
	for i := range count {
		at := pageHead + i*elementBytes
		order := binary.NativeEndian
		if order.Uint32(page[at:])&leafBucket == 0 {
			continue
		}
		value := uint64(at) + uint64(order.Uint32(page[at+4:])) + uint64(order.Uint32(page[at+8:]))
		if value+8 > uint64(len(page)) {
			return errTree
		}
		root := order.Uint64(page[value:])
		if root == 0 {
			continue // a small bucket is kept inside the element
		}
		if err := t.descend(root); err != nil {
			return err
		}
	}
	return nil
}

// descend follows the branches from a page down. All leaves of a bucket are equally deep, so one
// child tells what the others are.
func (t *tree) descend(id uint64) error {
	kind, page, count, err := t.read(id)
	if err != nil || kind == pageLeaf {
		return err
	}
	if t.branches[id] || count == 0 {
		return errTree
	}
	t.branches[id] = true
	child := func(i int) uint64 { return binary.NativeEndian.Uint64(page[pageHead+i*elementBytes+8:]) }
	below, _, _, err := t.read(child(0))
	for i := 0; i < count && err == nil; i++ {
		switch {
		case child(i) >= t.header.pages || t.branches[child(i)]:
			err = errTree
		case below == pageBranch:
			err = t.descend(child(i))
		}
	}
	return err
}

// read gives a page of a tree with all that belongs to it, checked as far as its elements reach.
func (t *tree) read(id uint64) (kind uint16, page []byte, count int, err error) {
	if id < 2 || id >= t.header.pages {
		return 0, nil, 0, errTree
	}
	order, at := binary.NativeEndian, int64(id)*t.header.pageSize
	head := make([]byte, pageHead)
	if _, err := t.f.ReadAt(head, at); err != nil {
		return 0, nil, 0, fmt.Errorf("page %d: %w", id, err)
	}
	kind, count = order.Uint16(head[8:]), int(order.Uint16(head[10:]))
	more := uint64(order.Uint32(head[12:]))
	if order.Uint64(head) != id || kind != pageBranch && kind != pageLeaf || id+more >= t.header.pages {
		return 0, nil, 0, errTree
	}
	size := t.header.pageSize
	if kind == pageBranch || id == t.header.root {
		size *= int64(more + 1)
	}
	page = make([]byte, size)
	if _, err := t.f.ReadAt(page, at); err != nil {
		return 0, nil, 0, fmt.Errorf("page %d: %w", id, err)
	}
	if kind == pageBranch && pageHead+count*elementBytes > len(page) {
		return 0, nil, 0, errTree
	}
	return kind, page, count, nil
}
