package ui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

func monoTheme() *theme { return newTheme(termenv.Ascii, true, true) }

func newPager(text string, w, h int) *pager {
	p := &pager{theme: monoTheme()}
	p.setDoc(newDocument([]byte(text)))
	p.setSize(w, h)
	return p
}

func TestPagerWrapsAtTheWidth(t *testing.T) {
	for _, c := range []struct {
		name, text string
		w, h       int
		want       []string
	}{
		{"an empty payload", "", 4, 2, []string{"    ", "    "}},
		{"short lines", "ab\n\ncd\n", 4, 4, []string{"ab  ", "    ", "cd  ", "    "}},
		{"a long line", "abcdefghij", 4, 3, []string{"abcd", "efgh", "ij  "}},
		{"wide characters are not halved", "a日本b", 4, 2, []string{"a日 ", "本b "}},
		{"a wide character in one cell", "日", 1, 1, []string{"…"}},
		{"tabs go to the next stop", "a\tb", 8, 1, []string{"a→  b   "}},
		{"an escape sequence is shown", "\x1b[1mx", 8, 1, []string{"␛[1mx   "}},
		{"carriage return", "a\r\nb", 4, 2, []string{"a␍  ", "b   "}},
		{"invisible characters take their room", "a\u200bb", 8, 2, []string{"a       ", "<U+200B>"}},
	} {
		if got := newPager(c.text, c.w, c.h).view(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPagerStopsWithTheLastRowInSight(t *testing.T) {
	p := newPager("1\n2\n3\n4\n5\n", 3, 2)
	p.scroll(100)
	if got, want := p.view(), []string{"4  ", "5  "}; !slices.Equal(got, want) {
		t.Errorf("at the end: %q, want %q", got, want)
	}
	if got := p.percent(); got != 100 {
		t.Errorf("at the end: %d %%, want 100 %%", got)
	}
	p.scroll(-1)
	if got, want := p.view(), []string{"3  ", "4  "}; !slices.Equal(got, want) {
		t.Errorf("one row back: %q, want %q", got, want)
	}
	p.scroll(-100)
	if p.top != 0 {
		t.Errorf("back at the top: byte %d", p.top)
	}
	p.toPercent(50)
	if got, want := p.doc.line(p.top), 3; got != want {
		t.Errorf("at half: line %d, want %d", got, want)
	}
}

func TestMatchesAreMarkedAcrossRows(t *testing.T) {
	p := newPager("abcdEFgh efx", 5, 3)
	p.theme.match = paint{"<", ">"}
	p.find = findAll(context.Background(), p.doc.data, "ef")
	if got, want := p.view(), []string{"abcd<E>", "<F>gh <e>", "<f>x   "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	p.find = findAll(context.Background(), p.doc.data, "EF")
	if got, want := p.find.offsets, []int{4}; !slices.Equal(got, want) {
		t.Errorf("with an upper-case letter: matches at %v, want %v", got, want)
	}
}

func TestMatchesAreFoundAcrossBlocks(t *testing.T) {
	data := []byte(strings.Repeat(".", 256<<10-1) + "ab" + strings.Repeat(".", 256<<10) + "AB")
	f := findAll(context.Background(), data, "ab")
	if want := []int{256<<10 - 1, 512<<10 + 1}; !slices.Equal(f.offsets, want) {
		t.Errorf("matches at %v, want %v", f.offsets, want)
	}
	if off, _ := f.from(300 << 10); off != 512<<10+1 {
		t.Errorf("the first from 300 KiB on is at %d", off)
	}
	if off, _ := f.move(1); off != 256<<10-1 {
		t.Errorf("after the last comes the one at %d", off)
	}
	// Matches do not overlap.
	if f := findAll(context.Background(), []byte("aaaaa"), "aa"); !slices.Equal(f.offsets, []int{0, 2}) {
		t.Errorf("aa in aaaaa at %v", f.offsets)
	}
}

// Rows seen while scrolling down are the rows seen while scrolling up, whatever the text.
func TestScrollingBackShowsTheSameRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "b", " ", "é", "日", "e\u0301", "\t", "\x1b", "\xff", "👩\u200d💻"}
	texts := map[string]string{
		"one line of 1.2 MB": strings.Repeat("x", 1_200_000),
		"lines of 90 KB":     strings.Repeat(strings.Repeat("y", 90_000)+"\n", 12),
		"wide, one line":     strings.Repeat("日", 300_000),
		"short lines":        strings.Repeat("a line of text\n", 60_000),
	}
	var b strings.Builder
	for b.Len() < 700_000 {
		b.WriteString(alphabet[r.IntN(len(alphabet))])
		if r.IntN(5000) == 0 {
			b.WriteByte('\n')
		}
	}
	texts["mixed"] = b.String()
	for name, text := range texts {
		p := newPager(text, 79, 10)
		var down []int
		for off, ok := 0, true; ok; off, ok = p.next(off) {
			down = append(down, off)
		}
		var up []int
		for off, ok := p.prev(len(text)); ok; off, ok = p.prev(off) {
			up = append(up, off)
		}
		slices.Reverse(up)
		if !slices.Equal(down, up) {
			t.Errorf("%s: %d rows down, %d rows up, or other places", name, len(down), len(up))
		}
		for i := 0; i < 200; i++ {
			off := r.IntN(len(text))
			start, end := p.doc.segmentAt(off)
			if off < start || off >= end {
				t.Fatalf("%s: byte %d is not in its segment %d–%d", name, off, start, end)
			}
			if s, e := p.doc.segmentAt(start); s != start || e != end {
				t.Fatalf("%s: segment %d–%d seen from its start is %d–%d", name, start, end, s, e)
			}
		}
	}
}

func FuzzPagerRowsHaveTheirWidth(f *testing.F) {
	f.Add("abc\x1b[31m\n日本\t\u202e", 10)
	f.Fuzz(func(t *testing.T, text string, w int) {
		w = 1 + (w&0xff)%60
		p := newPager(text, w, 8)
		for i := 0; i < 20; i++ {
			for _, row := range p.view() {
				if width(row) != w {
					t.Fatalf("row %q is %d cells, want %d", row, width(row), w)
				}
				if strings.ContainsAny(row, "\x1b\n\t\r") {
					t.Fatalf("row %q holds a control character", row)
				}
			}
			p.scroll(3)
		}
	})
}

func BenchmarkPagerFrame10MBLine(b *testing.B) {
	text := `{"rows":[` + strings.Repeat(`{"id":"EXP-20931","amount":412.50,"note":"Train to Lyon"},`, 180_000) + `{}]}`
	for _, c := range []struct {
		name string
		move func(p *pager, i int)
	}{
		{"scroll down", func(p *pager, i int) { p.scroll(1) }},
		{"scroll up", func(p *pager, i int) { p.scroll(-1) }},
		{"page", func(p *pager, i int) { p.scroll(38) }},
		{"jump", func(p *pager, i int) { p.toPercent(float64(i*37%100) + 0.5) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := newPager(text, 120, 40)
			p.toPercent(50)
			b.ResetTimer()
			for i := range b.N {
				c.move(p, i)
				p.view()
			}
		})
	}
	b.Run(fmt.Sprintf("index %d MB", len(text)>>20), func(b *testing.B) {
		for range b.N {
			newDocument([]byte(text))
		}
	})
}
