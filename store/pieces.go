package store

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// pieceBytes is what a piece holds of a payload. Larger values are rewritten whenever a neighbour in
// their page changes; smaller ones cost more pages and compress less.
const pieceBytes = 1 << 20

// A piece is kept as one byte that says how, the CRC-32C of its bytes of the payload, big endian, and
// the bytes. A sealed one is a byte that says so and, encrypted, a piece of another kind.
const (
	pieceHead  = 5
	kindRaw    = 0
	kindZstd   = 1
	kindSealed = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errPiece = errors.New("a piece does not hold what was stored")

// A rawPiece is room for one piece before it is compressed, its head included.
type rawPiece struct{ b []byte }

// A codec turns a payload's bytes into pieces and back. The compressor is
// made at the first use. A sealer must be given.
type codec struct {
	makeEncoder, makeDecoder sync.Once
	encoder                  *zstd.Encoder
	decoder                  *zstd.Decoder

	sealer *sealer
}

// encode gives the piece for raw, whose first pieceHead bytes are left for the head; sealed where the
// store encrypts, to which the key must be there. It may return raw itself.
func (c *codec) encode(raw []byte) []byte {
	piece := c.compress(raw)
	if c.sealer.wrapped != nil {
		return c.sealer.seal(piece)
	}
	return piece
}

// compress returns raw itself where compression would not make it smaller.
func (c *codec) compress(raw []byte) []byte {
	c.makeEncoder.Do(func() {
		// The options are constants that the library takes: no error is possible.
		c.encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
			zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)), zstd.WithWindowSize(pieceBytes))
	})
	body := raw[pieceHead:]
	raw[0] = kindRaw
	binary.BigEndian.PutUint32(raw[1:], crc32.Checksum(body, castagnoli))
	out := append(make([]byte, 0, pieceHead+len(body)/4), raw[:pieceHead]...)
	out = c.encoder.EncodeAll(body, out)
	if len(out) >= len(raw) {
		return raw
	}
	out[0] = kindZstd
	return out
}

// decode gives the n bytes of the payload that a piece holds, in room's memory where they fit. Errors:
// errPiece, *EncryptedError.
func (c *codec) decode(piece []byte, room []byte, n int) ([]byte, error) {
	if len(piece) > 0 && piece[0] == kindSealed {
		var err error
		if piece, err = c.sealer.open(piece); err != nil {
			return nil, err
		}
	}
	if len(piece) < pieceHead {
		return nil, errPiece
	}
	dst := room[:0]
	switch kind, body := piece[0], piece[pieceHead:]; kind {
	case kindRaw:
		dst = append(dst, body...)
	case kindZstd:
		c.makeDecoder.Do(func() {
			c.decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(runtime.GOMAXPROCS(0)),
				zstd.WithDecoderMaxMemory(pieceBytes), zstd.WithDecoderMaxWindow(pieceBytes))
		})
		var err error
		if dst, err = c.decoder.DecodeAll(body, dst); err != nil {
			return nil, errPiece
		}
	default:
		return nil, errPiece
	}
	if len(dst) != n || crc32.Checksum(dst, castagnoli) != binary.BigEndian.Uint32(piece[1:]) {
		return nil, errPiece
	}
	return dst, nil
}

func (c *codec) close() {
	if c.decoder != nil {
		c.decoder.Close()
	}
}
