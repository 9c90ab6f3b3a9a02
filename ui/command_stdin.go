package ui

import (
	"context"
	"io"
)

// interruptible reads r until ctx ends: a recording that comes slowly must not hold up Ctrl-C. The
// read that is under way then is left alone; it ends with the process.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	if r == nil || ctx.Done() == nil {
		return r
	}
	return &ctxReader{ctx: ctx, r: r, done: make(chan readResult, 1)}
}

type ctxReader struct {
	ctx  context.Context
	r    io.Reader
	buf  []byte
	done chan readResult
}

type readResult struct {
	n   int
	err error
}

func (c *ctxReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	// Not into p: it is the caller's again once this returns.
	if len(c.buf) < len(p) {
		c.buf = make([]byte, len(p))
	}
	buf := c.buf[:len(p)]
	go func() {
		n, err := c.r.Read(buf)
		c.done <- readResult{n, err}
	}()
	select {
	case r := <-c.done:
		copy(p, buf[:r.n])
		return r.n, r.err
	case <-c.ctx.Done():
		return 0, c.ctx.Err()
	}
}
