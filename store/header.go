package store

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"time"
)

// The two meta pages at the start of a BoltDB file, in the byte order of the machine that wrote it:
// a page header of 16 bytes, then the fields below.
const (
	metaMagic      = 0xED0CDAED
	metaVersion    = 2
	metaOffset     = 16
	metaBytes      = 64
	noFreelistPage = ^uint64(0)
	minPage        = 1 << 10
	maxPage        = 1 << 24
)

// A header is what a meta page says.
type header struct {
	pageSize int64
	root     uint64 // the page of the list of buckets
	freelist uint64 // the page of the list of free pages
	pages    uint64 // all pages of the file as of this transaction
	txid     uint64
}

// inspect checks that the file at path is a BoltDB file as long as it says. A shorter one faults as
// soon as it is mapped. It is read twice before it is refused, since another process may be making it.
func inspect(path string) error {
	err := inspectOnce(path)
	if err != nil {
		time.Sleep(20 * time.Millisecond)
		err = inspectOnce(path)
	}
	return err
}

func inspectOnce(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("cannot open the store: %w", err)
	}
	defer f.Close()
	h, ok := newestHeader(f)
	if !ok {
		return &DamagedError{Path: path, Reason: "it does not start like one"}
	}
	info, err := f.Stat() // after the header: the file only ever grows before a header says so
	if err != nil {
		return fmt.Errorf("cannot open the store: %w", err)
	}
	switch size := info.Size(); {
	case h.pages > uint64(1)<<62/uint64(h.pageSize) || size < int64(h.pages)*h.pageSize:
		return &DamagedError{Path: path, Reason: fmt.Sprintf("it is cut off: %d bytes of %d pages of %d", size, h.pages, h.pageSize)}
	case h.freelist == noFreelistPage || h.freelist >= h.pages:
		return &DamagedError{Path: path, Reason: "another program's BoltDB file"}
	}
	return nil
}

// newestHeader reads the valid meta page with the highest transaction, which is the one that bbolt takes.
func newestHeader(f io.ReaderAt) (newest header, ok bool) {
	offsets := []int64{0}
	if h, ok := readHeader(f, 0); ok {
		offsets = append(offsets, h.pageSize)
	} else {
		for size := int64(minPage); size <= maxPage; size <<= 1 {
			offsets = append(offsets, size)
		}
	}
	for _, at := range offsets {
		if h, valid := readHeader(f, at); valid && (!ok || h.txid > newest.txid) {
			newest, ok = h, true
		}
	}
	return newest, ok
}

func readHeader(f io.ReaderAt, page int64) (header, bool) {
	var b [metaBytes]byte
	if _, err := f.ReadAt(b[:], page+metaOffset); err != nil {
		return header{}, false
	}
	order := binary.NativeEndian
	sum := fnv.New64a()
	sum.Write(b[:56])
	if order.Uint32(b[0:]) != metaMagic || order.Uint32(b[4:]) != metaVersion || order.Uint64(b[56:]) != sum.Sum64() {
		return header{}, false
	}
	h := header{pageSize: int64(order.Uint32(b[8:])), root: order.Uint64(b[16:]), freelist: order.Uint64(b[32:]), pages: order.Uint64(b[40:]), txid: order.Uint64(b[48:])}
	return h, h.pageSize >= minPage && h.pageSize <= maxPage
}
