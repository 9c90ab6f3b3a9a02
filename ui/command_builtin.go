package ui

import (
	"context"

	"floodmark/fixtures"
	"floodmark/history"
)

// builtin opens the recordings that the program carries with it. They have their own formats: a
// format that was asked for does not hold here.
func builtin(ctx context.Context, o history.Options) ([]*history.Recording, error) {
	o.Format = ""
	o.Generated = map[string]history.Generator{}
	for call, p := range fixtures.Generated() {
		o.Generated[call] = history.Generator{
			Size:   history.Size{Bytes: p.Bytes, Chars: p.Chars, UTF16: p.UTF16},
			SHA256: p.SHA256,
			Write:  p.Write,
		}
	}
	var list []*history.Recording
	for _, name := range fixtures.Names() {
		r, err := history.OpenFS(ctx, fixtures.FS(), name, o)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}
