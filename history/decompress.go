package history

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// watched tells how much was read of a stream, and stops where its context is done.
type watched struct {
	ctx      context.Context
	r        io.Reader
	progress func(read, total int64)
	n, total int64
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.r.Read(p)
	w.n += int64(n)
	if w.progress != nil {
		w.progress(w.n, w.total)
	}
	return n, err
}

// openSource opens the plain file at path: as it lies there, or its decompressed text. What takes long
// can be stopped, and tells how far it is.
func openSource(ctx context.Context, path string, progress func(read, total int64)) (*source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if !info.Mode().IsRegular() { // opening a pipe could take for ever
		return nil, &OpenError{Path: path, Reason: "it is not a plain file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, headSize)
	n, err := readFull(f, head)
	if err != nil {
		return nil, unreadable(path, err)
	}
	head = head[:n]
	if bytes.HasPrefix(head, zipMagic) {
		return zipSource(ctx, path, f, info.Size())
	}
	if refused := refuse(path, head); refused != nil {
		return nil, refused
	}
	if compressed(head) {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, unreadable(path, err)
		}
		return streamSource(path, &watched{ctx, f, progress, 0, info.Size()})
	}
	src, err := fileSource(path, f, head)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return src, nil
}

// headSize is how much of a recording is looked at before it is read, in bytes.
const headSize = 8 << 10

// streamSource keeps what r gives, decompressed.
func streamSource(name string, r io.Reader) (*source, error) {
	for depth := 0; ; depth++ {
		b := bufio.NewReaderSize(r, headSize)
		head, err := b.Peek(headSize)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, broken(name, depth, err)
		}
		if bytes.HasPrefix(head, zipMagic) {
			whole, err := spoolSource(name, b, spoolAbove)
			if err != nil {
				return nil, broken(name, depth, err)
			}
			return zipSource(context.Background(), name, whole.readerAt(), whole.size)
		}
		if refused := refuse(name, head); refused != nil {
			return nil, refused
		}
		if !compressed(head) || depth == 2 {
			src, err := spoolSource(name, b, spoolAbove)
			if err != nil && (depth == 0 || src == nil || src.size == 0) {
				return nil, broken(name, depth, err)
			}
			if err != nil {
				src.damage = "the compressed data ends early or is damaged"
			}
			return src, nil
		}
		if bytes.HasPrefix(head, gzipMagic) {
			r, err = gzip.NewReader(b)
		} else {
			var d *zstd.Decoder
			if d, err = zstd.NewReader(b, zstd.WithDecoderConcurrency(1)); err == nil {
				defer d.Close()
				r = d
			}
		}
		if err != nil {
			return nil, broken(name, depth+1, err)
		}
	}
}

var (
	gzipMagic   = []byte{0x1f, 0x8b}
	zstdMagic   = []byte{0x28, 0xb5, 0x2f, 0xfd}
	zipMagic    = []byte("PK\x03\x04")
	sqliteMagic = []byte("SQLite format 3\x00")
)

func compressed(head []byte) bool {
	return bytes.HasPrefix(head, gzipMagic) || bytes.HasPrefix(head, zstdMagic)
}

// refuse says what a recording is not, by its first bytes; nil where it may be one.
func refuse(path string, head []byte) error {
	e := &OpenError{Path: path}
	switch text := bytes.TrimLeft(bytes.TrimPrefix(head, utf8BOM), " \t\r\n"); {
	case len(head) == 0:
		e.Reason, e.Hint = "the file is empty", "was the recording written to another place?"
	case len(text) == 0 && len(head) < headSize:
		e.Reason, e.Hint = "the file holds nothing but white space", "was the recording written to another place?"
	case bytes.HasPrefix(head, zipMagic):
		e.Reason, e.Hint = "this is a zip archive", "unpack it and open the folder"
	case bytes.HasPrefix(head, sqliteMagic):
		e.Reason, e.Hint = refuseDatabase(head)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		e.Reason, e.Hint = "this is UTF-16 text", "convert it to UTF-8 first"
	case compressed(head):
		return nil
	case len(text) > 0 && text[0] != '{' && text[0] != '[' && bytes.IndexByte(head, 0) >= 0:
		e.Reason, e.Hint = "this is a binary file, not a recording", "recordings are JSON or JSON Lines, plain or compressed with gzip or zstd"
	default:
		return nil
	}
	return e
}

func broken(name string, depth int, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if depth == 0 {
		return unreadable(name, err)
	}
	return &OpenError{Path: name, Reason: "the compressed data is damaged: " + err.Error(), Hint: "get the file again, or decompress what is left of it", Err: err}
}

func readFull(r io.Reader, p []byte) (int, error) {
	n, err := io.ReadFull(r, p)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}
