package history

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// zstdInZip is the number of the compression method that newer logs are packed with.
const zstdInZip = 93

// zipSource is the text of an Inspect log that is packed as a zip archive: its header and its
// samples, one after another. Any other archive is refused.
func zipSource(ctx context.Context, name string, r io.ReaderAt, size int64) (*source, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, &OpenError{Path: name, Reason: "this is a zip archive without its end, where the list of its files stands", Hint: "copy it again: it is cut or damaged", Err: err}
	}
	z.RegisterDecompressor(zstdInZip, zstd.ZipDecompressor())
	var header *zip.File
	var texts []io.Reader
	for _, f := range z.File {
		switch folder, file := path.Split(f.Name); {
		case f.Name == "header.json", f.Name == "_journal/start.json" && header == nil:
			header = f
		case folder == "samples/" && strings.HasSuffix(file, ".json"):
			texts = append(texts, &member{f: f}, bytes.NewReader(newline))
		}
	}
	if header == nil {
		return nil, refuse(name, zipMagic)
	}
	texts = append([]io.Reader{&member{f: header}, bytes.NewReader(newline)}, texts...)
	src, err := spoolSource(name, &watched{ctx, io.MultiReader(texts...), nil, 0, -1}, spoolAbove)
	switch {
	case err != nil && (src == nil || src.size == 0):
		return nil, broken(name, 1, err)
	case err != nil:
		src.damage = "a file of the archive is damaged"
	}
	return src, nil
}

// A member reads a file of an archive, which is opened only then.
type member struct {
	f *zip.File
	r io.ReadCloser
}

func (m *member) Read(p []byte) (int, error) {
	if m.r == nil {
		r, err := m.f.Open()
		if err != nil {
			return 0, err
		}
		m.r = r
	}
	n, err := m.r.Read(p)
	if err != nil {
		_ = m.r.Close()
	}
	return n, err
}

// readerAt reads a text that is held here, in memory or in a private file.
func (s *source) readerAt() io.ReaderAt {
	if s.spool != nil {
		return s.spool
	}
	return bytes.NewReader(s.memory)
}
