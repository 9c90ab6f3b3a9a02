package engine

import (
	"bytes"
	"context"

	"floodmark/history"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// limitedSize is the size in u that the limits for one result are compared with.
func (r *Replayer) limitedSize(ctx context.Context, p *Policy, m *measured, u Unit) (float64, error) {
	if p.Limits.Scope == EachPart && m.instructions == nil && m.texts() > 1 {
		return r.largestPart(ctx, p, m, u)
	}
	return r.sizeIn(ctx, p, m, u)
}

// sizeIn is the size in u of what p's rules measure of a result.
func (r *Replayer) sizeIn(ctx context.Context, p *Policy, m *measured, u Unit) (float64, error) {
	switch u {
	case Tokens, "":
		return r.restTokens(ctx, p.Estimator, m)
	case Bytes, Chars, UTF16:
		return sizeOf(m.facts.Size, u), nil
	case Lines:
		return float64(m.facts.Lines), nil
	}
	b, err := m.bytes(r)
	if err != nil {
		return 0, err
	}
	return textSize(ctx, p.Estimator, b, u)
}

func (r *Replayer) largestPart(ctx context.Context, p *Policy, m *measured, u Unit) (float64, error) {
	most := 0.0
	for _, part := range m.payload.Parts() {
		if part.Kind != history.Text {
			continue
		}
		n, err := partSize(ctx, p, part, u)
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	return most, nil
}

// partSize is the size in u of one text part.
func partSize(ctx context.Context, p *Policy, part history.Part, u Unit) (float64, error) {
	switch {
	case u == Bytes || u == Chars || u == UTF16:
		return sizeOf(part.Size, u), nil
	case (u == Tokens || u == "") && !p.Estimator.Exact():
		return p.Estimator.OfSize(part.Size), nil
	}
	b, err := part.Text()
	if err != nil {
		return 0, err
	}
	return textSize(ctx, p.Estimator, b, u)
}

// sizeOf is a size in Bytes, Chars or UTF16; 0 in anything else.
func sizeOf(s history.Size, u Unit) float64 {
	switch u {
	case Bytes:
		return float64(s.Bytes)
	case Chars:
		return float64(s.Chars)
	case UTF16:
		return float64(s.UTF16)
	}
	return 0
}

// textSize is the size of a text in u. Counting with a real tokenizer ends with ctx.
func textSize(ctx context.Context, e Estimator, b []byte, u Unit) (float64, error) {
	switch u {
	case Tokens, "":
		return e.OfContext(ctx, b)
	case Bytes:
		return float64(len(b)), nil
	case Columns:
		return float64(columnsOf(b)), nil
	case Lines:
		n := bytes.Count(b, []byte{'\n'})
		if len(b) > 0 && b[len(b)-1] != '\n' {
			n++
		}
		return float64(n), nil
	case SplitLines:
		return float64(1 + bytes.Count(b, []byte{'\n'})), nil
	}
	return sizeOf(history.Measure(string(b)), u), nil
}

// columnsOf is how many columns of a terminal a text takes, its lines one after the other.
func columnsOf(b []byte) int {
	n := 0
	clusters := graphemes.FromBytes(b)
	clusters.AnsiEscapeSequences = true
	for clusters.Next() {
		n += clusterColumns(clusters.Value())
	}
	return n
}

func clusterColumns(c []byte) int {
	if c[0] == '\x1b' {
		return 0
	}
	return displaywidth.Bytes(c)
}
