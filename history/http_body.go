package history

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A body is what a request or a response had in it.
type body struct {
	whole   value   // of a JSON document
	events  []event // of an event stream
	at      Location
	problem string // why it can't be read; empty where it can, or is nothing to read
}

// An event is one of a stream's, with the name that the stream gave it, if it did.
type event struct {
	name string
	value
}

// values lists the JSON values of a body.
func (b body) values() []value {
	if b.whole.ok() {
		return []value{b.whole}
	}
	var list []value
	for _, e := range b.events {
		list = append(list, e.value)
	}
	return list
}

// newBody reads a body as it was recorded: as a value, as text, or encoded.
func newBody(v value, encoding string) body {
	b := body{at: v.at()}
	if binary := v.get(binaryKey); binary.isText() {
		v, encoding = binary, "base64"
	}
	switch {
	case v.isObject() || v.isArray():
		b.whole = v
		return b
	case !v.isText():
		return b
	}
	text := v.decoded()
	if encoding == "base64" {
		plain, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(text)), ""))
		if err != nil {
			b.problem = "a body is not valid base64"
			return b
		}
		text = plain
	}
	text, b.problem = inflate(text)
	src := memorySource(v.d.src.name, text)
	src.places = []place{{0, b.at}}
	b.read(src)
	return b
}

// bodyMost is how much of a body is read, in bytes once it is decompressed.
const bodyMost = 256 << 20

// inflate undoes a body's compression, as far as it goes.
func inflate(text []byte) (plain []byte, problem string) {
	r, done, err := inflater(text)
	if r == nil && err == nil {
		return text, ""
	}
	if err == nil {
		defer done()
		plain, err = io.ReadAll(io.LimitReader(r, bodyMost))
	}
	switch {
	case err == nil:
		return plain, ""
	case len(plain) > 0:
		return plain, "a body is compressed, and damaged: what could be read of it is used"
	}
	return nil, "a body is compressed, and damaged"
}

// inflater is a reader of what text was before it was compressed; nil where it is not.
func inflater(text []byte) (r io.Reader, done func(), err error) {
	done = func() {}
	switch {
	case bytes.HasPrefix(text, gzipMagic):
		r, err = gzip.NewReader(bytes.NewReader(text))
	case bytes.HasPrefix(text, zstdMagic):
		var d *zstd.Decoder
		if d, err = zstd.NewReader(bytes.NewReader(text), zstd.WithDecoderConcurrency(1)); err == nil {
			r, done = d, d.Close
		}
	case len(text) > 2 && text[0] == 0x78 && binary.BigEndian.Uint16(text)%31 == 0:
		r, err = zlib.NewReader(bytes.NewReader(text))
	}
	return r, done, err
}

// read finds the JSON in the text of a body: a document, or the events of a stream.
func (b *body) read(src *source) {
	text := src.memory
	start := bytes.TrimLeft(text, " \t\r\n")
	switch {
	case len(start) == 0:
	case start[0] == '{' || start[0] == '[':
		v, bad := parse(src, 0, 1, text)
		switch {
		case bad == nil:
			b.whole = v
		case bad.cut:
			b.problem = "a body of JSON ends early"
		default:
			b.events = jsonLines(src)
		}
	default:
		if frames, ok := awsFrames(src); ok {
			b.events = frames
			return
		}
		b.events = eventData(src)
	}
}

// jsonLines reads a body of one value a line; none where the first line is no value.
func jsonLines(src *source) []event {
	var list []event
	off := int64(0)
	for line := range bytes.Lines(src.memory) {
		v, bad := parse(src, off, 1, bytes.TrimRight(line, "\r\n"))
		off += int64(len(line))
		switch {
		case bad == nil:
			list = append(list, event{value: v})
		case len(list) == 0 || len(bytes.TrimSpace(line)) > 0:
			return list
		}
	}
	return list
}

// eventData lists the data of the events of a stream that are JSON.
func eventData(src *source) []event {
	var list []event
	var name string
	var data []byte
	from, pieces := int64(0), 0
	end := func() {
		of, base := src, from
		if pieces > 1 { // the data is not one piece of the body
			of, base = memorySource(src.name, data), 0
			of.places = src.places
			data = of.memory
		}
		if pieces > 0 {
			if v, bad := parse(of, base, 1, data); bad == nil {
				list = append(list, event{name, v})
			}
		}
		name, data, pieces = "", nil, 0
	}
	off := int64(0)
	for line := range bytes.Lines(src.memory) {
		here := off
		off += int64(len(line))
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			end()
			continue
		}
		key, rest, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			continue
		}
		trimmed := bytes.TrimPrefix(rest, []byte(" "))
		switch string(key) {
		case "event":
			name = string(trimmed)
		case "data":
			if pieces++; pieces == 1 {
				from = here + int64(len(line)-len(trimmed))
				data = trimmed[:len(trimmed):len(trimmed)]
				continue
			}
			data = append(append(data, '\n'), trimmed...)
		}
	}
	end()
	return list
}
