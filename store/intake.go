package store

import (
	"context"
	"crypto/sha256"
	"hash"

	bolt "go.etcd.io/bbolt"
)

const (
	piecesPerCommit = 16 // what a long payload has in one transaction at most
	piecesWaiting   = 4  // what is compressed ahead of the commits
)

// An intake takes one payload in, as an io.Writer. A payload of up to one piece stays in memory. Of a
// longer one, piece after piece is hashed where it arrives, compressed beside that, and committed by
// one goroutine, 16 at a time; the last ones wait for the commit that makes the payload somebody's.
type intake struct {
	s     *Store
	ctx   context.Context
	hash  hash.Hash
	bytes int64
	last  *rawPiece // the piece that fills; it is handed on when more follows
	fail  error     // why Write takes no more

	queue   chan *pending // nil until a first piece is handed on
	done    chan struct{} // closed when nothing is committed any more
	err     error         // why committing ended; read after done
	id      uint64
	kept    int64
	stored  uint32      // pieces that are in the file
	batch   [][]byte    // the pieces after them
	raws    []*rawPiece // memory in which pieces of batch live
	stopped bool
}

// A pending piece is being compressed.
type pending struct {
	raw   *rawPiece
	piece []byte
	ready chan struct{}
}

func (s *Store) newIntake(ctx context.Context) *intake {
	in := &intake{s: s, ctx: ctx, hash: sha256.New(), last: s.buffers.Get().(*rawPiece)}
	in.last.b = append(in.last.b[:0], make([]byte, pieceHead)...) // encode fills the head
	return in
}

func (in *intake) started() bool { return in.queue != nil }

// Write takes bytes of the payload. It fails when the context ends or the store can't take more.
func (in *intake) Write(p []byte) (int, error) {
	n := len(p)
	if in.fail == nil {
		in.fail = in.ctx.Err()
	}
	if in.fail != nil {
		return 0, in.fail
	}
	for len(p) > 0 {
		room := pieceHead + pieceBytes - len(in.last.b)
		if room == 0 {
			if in.fail = in.handOn(); in.fail != nil {
				return 0, in.fail
			}
			continue
		}
		k := min(room, len(p))
		in.last.b = append(in.last.b, p[:k]...)
		in.bytes += int64(k)
		p = p[k:]
	}
	return n, nil
}

// handOn gives the full piece away and takes a new one.
func (in *intake) handOn() error {
	if in.queue == nil {
		in.queue, in.done = make(chan *pending, piecesWaiting), make(chan struct{})
		go in.commit()
	}
	in.hash.Write(in.last.b[pieceHead:])
	p := &pending{raw: in.last, ready: make(chan struct{})}
	in.last = nil
	go func() {
		p.piece = in.s.codec.encode(p.raw.b)
		close(p.ready)
	}()
	select {
	case in.queue <- p:
	case <-in.done:
		return in.err
	case <-in.ctx.Done():
		return in.ctx.Err()
	}
	in.last = in.s.buffers.Get().(*rawPiece)
	if cap(in.last.b) < pieceHead+pieceBytes {
		in.last.b = make([]byte, 0, pieceHead+pieceBytes) // what follows a full piece will likely fill one too
	}
	in.last.b = in.last.b[:pieceHead]
	return nil
}

// commit stores pieces as they come, until the queue ends or one commit fails.
func (in *intake) commit() {
	defer close(in.done)
	for p := range in.queue {
		<-p.ready
		in.take(p)
		if len(in.batch) < in.s.perCommit {
			continue
		}
		if in.err = in.ctx.Err(); in.err == nil {
			in.err = in.flush()
		}
		if in.err != nil {
			return
		}
	}
}

// take adds a compressed piece to those that the next commit stores.
func (in *intake) take(p *pending) {
	in.batch = append(in.batch, p.piece)
	in.kept += int64(len(p.piece))
	if &p.piece[0] == &p.raw.b[0] {
		in.raws = append(in.raws, p.raw) // the piece lives in this memory
	} else {
		in.s.buffers.Put(p.raw)
	}
}

func (in *intake) flush() error {
	m := &blob{ID: in.id}
	err := in.s.update(func(tx *bolt.Tx) error {
		m.ID = in.id
		err := putPieces(tx, m, in.stored, in.batch)
		in.s.intakes.add(m.ID)
		return err
	})
	if err != nil {
		return err
	}
	in.id = m.ID
	in.stored += uint32(len(in.batch))
	in.batch = nil
	for _, r := range in.raws {
		in.s.buffers.Put(r)
	}
	in.raws = nil
	return nil
}

// stop waits until nothing is committed any more.
func (in *intake) stop() {
	if in.started() && !in.stopped {
		in.stopped = true
		close(in.queue)
		<-in.done
	}
}

// finish ends the payload. The store's own error goes before write's, which may only repeat it or,
// worse, have passed over it.
func (in *intake) finish(err error) error {
	in.stop()
	switch {
	case in.started() && in.err != nil:
		return in.err
	case in.fail != nil:
		return in.fail
	case err != nil:
		return err
	case in.ctx.Err() != nil:
		return in.ctx.Err()
	}
	in.hash.Write(in.last.b[pieceHead:])
	if in.started() {
		in.takeLast()
	}
	return nil
}

// takeLast compresses the piece that is still filling.
func (in *intake) takeLast() {
	if len(in.last.b) == pieceHead {
		return
	}
	p := &pending{raw: in.last}
	p.piece = in.s.codec.encode(p.raw.b)
	in.last = nil
	in.take(p)
}

// blob is the payload as it will be listed.
func (in *intake) blob() *blob {
	return &blob{ID: in.id, Bytes: in.bytes, Kept: in.kept, Pieces: in.stored + uint32(len(in.batch))}
}

// abandon gives memory back, and removes what is in the file of a payload that won't be kept. Should
// that fail it is a leftover, which harms nothing.
func (in *intake) abandon() {
	if in.last != nil {
		in.s.buffers.Put(in.last)
	}
	if in.stored > 0 {
		_ = in.s.update(func(tx *bolt.Tx) error { return dropPieces(tx, in.id, in.stored) })
		in.s.intakes.done(in.id)
	}
}
