package engine

import (
	"context"
	"fmt"

	"floodmark/history"
)

// A built package, with its size by the policy's estimator. whole says that nothing would be
// replaced: a failed call's text that is short enough enters as it is.
type built struct {
	Package
	tokens float64
	whole  bool
	parts  string // how many of the result's parts it replaces, as a sentence; empty where it replaces all
	// boundary is what looks sensitive in it; nil until looked at.
	boundary []boundaryFind
}

// A packageKey tells apart the packages of one result: what the rules that shape them say.
type packageKey struct {
	call  *history.Call
	how   Verdict
	rules string
}

func (p *Policy) packageRules(room previewRoom) string {
	return fmt.Sprint(p.Estimator, p.Strategy, p.Sandbox.Required, p.Preview, room, p.Schema, p.Package, p.Unwrap, p.instructionsKey(), chars(p.Errors.TruncateChars))
}

func chars(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// build makes what enters in the place of it's payload. It ends with ctx between its steps.
func (r *Replayer) build(ctx context.Context, p *Policy, it *item, how Verdict) (*built, error) {
	room := p.previewRoom(it.Thread, it.Call.Tool, it.limits, it.level)
	k := packageKey{it.Call, how, p.packageRules(room)}
	byParts := p.replacesParts(it, how)
	if byParts {
		k.rules += fmt.Sprint(p.Boundary, it.limits.each())
	}
	if b, ok := r.cache.packages[k]; ok {
		return b, nil
	}
	if byParts {
		b, err := r.buildParts(ctx, p, it, how, room)
		if err == nil {
			r.cache.packages[k] = b
		}
		return b, err
	}
	payload, err := it.m.bytes(r)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b := &built{}
	if how == Truncated && p.wayOf(it.Call) == failedCall {
		cut := HeadTailPreview(payload, *p.Errors.TruncateChars, 0, it.Facts.Valid)
		b.Preview, b.whole = cut, cut.Whole
		if p.Preview.Redact && !b.whole {
			b.Preview = cut.again(payload, func(masked []byte) *Preview {
				return HeadTailPreview(masked, *p.Errors.TruncateChars, 0, it.Facts.Valid)
			})
		}
	} else {
		b.Preview = p.previewOf(payload, it.Facts, room)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if how == Offloaded && p.Schema.Budget > 0 && it.Facts.Valid {
			shape := Scan(payload, ScanOptions{Shape: true, MapKeys: p.Schema.MapKeys}).Shape
			b.Schema = shape.schema(p.Estimator, p.Schema.Budget, p.Schema.MapKeys, p.Preview.Redact)
		}
	}
	if how == Offloaded && p.Package.Reference == FileReference {
		b.Path = p.Package.file(it.Name)
	}
	original := Measure{it.Facts.Size.Bytes, it.tokens}
	b.Text = packageText(how, p, it.Name, b.Path, original, it.Facts.Records, b.Preview, b.Schema)
	b.tokens = p.Estimator.Of([]byte(b.Text))
	r.cache.packages[k] = b
	return b, nil
}
