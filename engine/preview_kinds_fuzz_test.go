package engine

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever the text and the sizes: what is kept has no more than its size, is a part of the payload,
// and of a text that is valid stays valid.
func FuzzPreviewKinds(f *testing.F) {
	for _, s := range []string{"", "a", "\n", "aé🎉\n界\x1b[31mb", "a\r\nb\u2028c\n\n", "\xff\xfe\n\x80", strings.Repeat("ab\n", 50)} {
		for _, size := range []uint8{0, 1, 3, 10} {
			f.Add([]byte(s), size, size%3, uint8(2))
		}
	}
	f.Fuzz(func(t *testing.T, p []byte, size, share, lines uint8) {
		for _, u := range []Unit{Bytes, Chars, UTF16, Columns} {
			r := PreviewRules{Unit: u, HeadShare: float64(share%3) / 2, Round: RoundUp, HeadLines: int(lines % 4), TailLines: int(share % 4)}
			for kind, v := range map[string]*Preview{
				CutKind:        cutPreview(p, r, int(size)),
				WholeLinesKind: wholeLinesPreview(p, r, int(size), int(lines)),
				EndLinesKind:   endLinesPreview(p, r, int(size)),
			} {
				if utf8.Valid(p) && !utf8.ValidString(v.Text) {
					t.Errorf("%s in %s: %q has half a character", kind, u, v.Text)
				}
				if v.Whole && v.Text != string(p) {
					t.Errorf("%s in %s: %q is not the whole of %q", kind, u, v.Text, p)
				}
				// a line feed may stand between both ends, and columns of two texts side by side can differ
				if most := int(size) + 1; u != Columns && kind != WholeLinesKind && !v.Whole && unitsIn([]byte(v.Text), u) > most {
					t.Errorf("%s in %s: %q has more than %d", kind, u, v.Text, size)
				}
			}
		}
	})
}
