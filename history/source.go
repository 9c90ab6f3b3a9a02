package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"
)

// A source is where the bytes of a recording lie: a plain file that is read again on demand, or
// text that was decompressed or came from standard input. Offsets count from the end of a byte
// order mark.
type source struct {
	name string // as given
	skip int64  // the length of the byte order mark
	size int64  // of the text, without the mark

	damage string   // empty, or why the text may end early
	memory []byte   // all of it, where it is held
	spool  *os.File // all of it, where it is too large to be held

	places []place // of a text that was taken out of a recording: where that lies

	path string // of a plain file
	mu   sync.Mutex
	seen fileState
	id   string // hash of the first 64 KiB
}

// fileState is what a file looked like when it was opened.
type fileState struct {
	size int64
	time time.Time
}

// spoolAbove is how much decompressed text is held in memory, in bytes.
const spoolAbove = 64 << 20

var errChanged = errors.New("the recording changed since it was opened: open it again")

func memorySource(name string, p []byte) *source {
	s := &source{name: name, memory: p}
	if bytes.HasPrefix(p, utf8BOM) {
		s.memory = p[len(utf8BOM):]
	}
	s.size = int64(len(s.memory))
	return s
}

// spoolSource keeps what r gives: up to inMemory bytes in memory, more in a private file that is
// gone when the program ends.
func spoolSource(name string, r io.Reader, inMemory int64) (*source, error) {
	var head bytes.Buffer
	n, err := io.Copy(&head, io.LimitReader(r, inMemory+1))
	if err != nil {
		return memorySource(name, head.Bytes()), err
	}
	if n <= inMemory {
		return memorySource(name, head.Bytes()), nil
	}
	f, err := os.CreateTemp("", "floodmark-*")
	if err != nil {
		return nil, fmt.Errorf("no room for the decompressed text: %w", err)
	}
	s := &source{name: name, spool: f}
	if os.Remove(f.Name()) != nil {
		// Some systems can't remove an open file: do it when nobody needs it any more.
		runtime.AddCleanup(s, func(f *os.File) { _ = f.Close(); _ = os.Remove(f.Name()) }, f)
	}
	if bytes.HasPrefix(head.Bytes(), utf8BOM) {
		s.skip = int64(len(utf8BOM))
	}
	if _, err := f.Write(head.Bytes()); err != nil {
		return nil, fmt.Errorf("no room for the decompressed text: %w", err)
	}
	head = bytes.Buffer{}
	_, err = io.Copy(f, r)
	end, serr := f.Seek(0, io.SeekCurrent)
	s.size = end - s.skip
	return s, errors.Join(err, serr)
}

// fileSource is the plain file f, of which head is the beginning.
func fileSource(name string, f *os.File, head []byte) (*source, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	s := &source{name: name, path: f.Name(), seen: fileState{info.Size(), info.ModTime()}}
	if bytes.HasPrefix(head, utf8BOM) {
		s.skip = int64(len(utf8BOM))
	}
	s.size = info.Size() - s.skip
	return s, nil
}

var utf8BOM = []byte("\xef\xbb\xbf")

// section returns a reader of n bytes from off on, and what closes it.
func (s *source) section(off, n int64) (io.Reader, func(), error) {
	nothing := func() {}
	switch {
	case off < 0 || n < 0 || off+n > s.size:
		return nil, nothing, errChanged
	case s.path == "" && s.spool == nil:
		return bytes.NewReader(s.memory[off : off+n]), nothing, nil
	case s.spool != nil:
		return io.NewSectionReader(s.spool, s.skip+off, n), func() { runtime.KeepAlive(s) }, nil
	}
	f, err := os.Open(s.path)
	if err != nil {
		return nil, nothing, fmt.Errorf("the recording can't be read again: %w", err)
	}
	if err := s.unchanged(f); err != nil {
		_ = f.Close()
		return nil, nothing, err
	}
	return io.NewSectionReader(f, s.skip+off, n), func() { _ = f.Close() }, nil
}

// slice returns bytes that are held in memory anyway, nil otherwise.
func (s *source) slice(off, n int64) []byte {
	if s.path != "" || s.spool != nil || off < 0 || n < 0 || off+n > s.size {
		return nil
	}
	return s.memory[off : off+n : off+n]
}

// unchanged tells whether f still holds what was opened. A file that grew is a session which goes
// on: what was there before is unchanged where its beginning is.
func (s *source) unchanged(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	now := fileState{info.Size(), info.ModTime()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.size == s.seen.size && now.time.Equal(s.seen.time) {
		return nil
	}
	if now.size <= s.seen.size {
		return errChanged
	}
	id, err := headHash(io.NewSectionReader(f, s.skip, min(s.size, identified)))
	if err != nil || s.id != "" && id != s.id {
		return errChanged
	}
	s.seen = now
	return nil
}

// identified is how much of a recording names it, in bytes.
const identified = 64 << 10

// identity is the hash of the first 64 KiB of the text, in hex.
func (s *source) identity() (string, error) {
	if s.id != "" {
		return s.id, nil
	}
	r, done, err := s.section(0, min(s.size, identified))
	if err != nil {
		return "", err
	}
	defer done()
	id, err := headHash(r)
	if err == nil {
		s.mu.Lock()
		s.id = id
		s.mu.Unlock()
	}
	return id, err
}

func headHash(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
