package engine

import (
	"context"
	"fmt"
	"strings"

	"floodmark/history"
)

// replacesParts tells whether what enters for it is made part by part. A failed call's text is cut as a
// whole, and so is one that only its batch made too large: none of its parts is over.
func (p *Policy) replacesParts(it *item, how Verdict) bool {
	return p.Limits.Scope == EachPart && it.over && it.m.instructions == nil && it.m.texts() > 1 &&
		!(how == Truncated && p.wayOf(it.Call) == failedCall)
}

// buildParts puts a package in the place of each text part that is over a limit, and leaves the others as
// they are, with the policy's joiner between; where that is empty, a package begins and ends its line, so that
// nothing can be taken for a part of its path. All packages name the one variable, which holds the whole
// result; the sizes and the schema in a package are its part's.
func (r *Replayer) buildParts(ctx context.Context, p *Policy, it *item, how Verdict, room previewRoom) (*built, error) {
	b := &built{}
	b.stays = []span{}
	if how == Offloaded && p.Package.Reference == FileReference {
		b.Path = p.Package.file(it.Name)
	}
	var text strings.Builder
	var previews []string
	texts, wasOver := 0, false
	for _, part := range it.m.payload.Parts() {
		if part.Kind != history.Text {
			continue
		}
		over, err := p.overPart(ctx, it, part)
		if err != nil {
			return nil, err
		}
		if texts++; texts > 1 {
			join := p.Unwrap.Join
			if join == "" && (over || wasOver) {
				join = "\n"
			}
			text.WriteString(join)
		}
		wasOver = over
		payload, err := part.Text()
		if err != nil {
			return nil, err
		}
		if !over {
			b.stays = append(b.stays, span{text.Len(), text.Len() + len(payload)})
			b.shown += int64(len(payload))
			text.Write(payload)
			continue
		}
		v, enters := p.partPackage(it, how, payload, b.Path, room)
		b.shown += shownOf(v, payload)
		previews = append(previews, v.Text)
		text.WriteString(enters)
	}
	// The previews are of parts: their records and paths would be read as the whole payload's.
	b.Preview = &Preview{Text: strings.Join(previews, "\n"), Records: -1}
	b.parts = fmt.Sprintf("%d of %d text parts replaced", len(previews), texts)
	b.Text = text.String()
	var err error
	b.tokens, err = p.Estimator.OfContext(ctx, []byte(b.Text))
	return b, err
}

// overPart tells whether one text part is over a limit for one result.
func (p *Policy) overPart(ctx context.Context, it *item, part history.Part) (bool, error) {
	for _, l := range it.limits.each() {
		n, err := partSize(ctx, p, part, l.unit)
		if err != nil || p.over(n, l.limit) {
			return err == nil, err
		}
	}
	return false, nil
}

// partPackage is what enters in the place of one part, and the preview in it.
func (p *Policy) partPackage(it *item, how Verdict, payload []byte, path string, room previewRoom) (*Preview, string) {
	f := Scan(payload, ScanOptions{MapKeys: p.Schema.MapKeys, Shape: how == Offloaded && p.Schema.Budget > 0})
	v := preview(p, payload, f, room)
	if p.Preview.Redact {
		v = v.redacted()
	}
	var schema *Schema
	if f.Shape != nil && f.Valid {
		schema = f.Shape.Schema(p.Estimator, p.Schema.Budget, p.Schema.MapKeys)
	}
	size := Measure{int64(len(payload)), p.Estimator.Of(payload)}
	return v, packageText(how, p, it.Name, path, size, f.Records, v, schema)
}

// staying tells whether the byte at i of the package's text is of a part that stands there as it is.
func (p *Package) staying(i int) bool {
	for _, s := range p.stays {
		if i >= s.start && i < s.end {
			return true
		}
	}
	return false
}
