package ui

import (
	"flag"
	"fmt"
	"html"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"floodmark/history"
)

var (
	picture     = flag.String("picture", "", "write a picture (SVG) of the explorer to this file")
	pictureKeys = flag.String("picture.keys", "down 2", "the keys that lead to the picture")
	pictureSize = flag.String("picture.size", "118x32", "its size in cells")
	pictureOf   = flag.String("picture.of", "support-day.json", "the built-in recording on it")
	light       = flag.Bool("picture.light", false, "on a light background")
)

// The picture for the README: go test ./ui -run Picture -picture ../.github/explorer.svg
func TestPicture(t *testing.T) {
	if *picture == "" {
		t.Skip("-picture is not given")
	}
	var w, h int
	if _, err := fmt.Sscanf(*pictureSize, "%dx%d", &w, &h); err != nil {
		t.Fatal(err)
	}
	recordings, err := builtin(t.Context(), history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(recordings, func(r *history.Recording) bool { return r.Name == *pictureOf })
	if i < 0 {
		t.Fatalf("there is no built-in recording %s", *pictureOf)
	}
	s := newScreen(t, w, h, newTheme(termenv.TrueColor, !*light, true), recordings[i])
	for _, k := range strings.Fields(*pictureKeys) {
		s.press(strings.ReplaceAll(k, "space", " "))
	}
	if err := os.WriteFile(*picture, []byte(svg(s.frame(), w, h, !*light)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// svg draws a frame with its styles.
func svg(frame string, w, h int, dark bool) string {
	const cw, ch = 8.4, 18
	fore, back := "#d8dee9", "#16181d"
	if !dark {
		fore, back = "#1f2328", "#ffffff"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">`, float64(w)*cw+16, h*ch+16)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", back)
	for y, line := range strings.Split(frame, "\n") {
		style, x := sgr{}, 0
		for _, part := range strings.Split(line, "\x1b[") {
			text := part
			if x > 0 || strings.HasPrefix(line, "\x1b[") || part != strings.Split(line, "\x1b[")[0] {
				if codes, rest, ok := strings.Cut(part, "m"); ok && strings.Trim(codes, "0123456789;") == "" {
					style = style.apply(codes)
					text = rest
				}
			}
			if text == "" {
				continue
			}
			n := width(text)
			px, py := 8+float64(x)*cw, float64(8+y*ch)
			if style.back != "" {
				fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`, px, py, float64(n)*cw, ch, style.back)
			}
			colour, more := fore, ""
			if style.fore != "" {
				colour = style.fore
			}
			if style.bold {
				more += ` font-weight="bold"`
			}
			if style.faint {
				more += ` opacity="0.6"`
			}
			if strings.TrimSpace(text) != "" {
				fmt.Fprintf(&b, `<text x="%s" y="%.1f" fill="%s" xml:space="preserve"%s>%s</text>`+"\n",
					columnsOf(text, px, cw), py+13.5, colour, more, html.EscapeString(text))
			}
			x += n
		}
	}
	return b.String() + "</svg>\n"
}

// columnsOf lists where each character of text begins.
func columnsOf(text string, x, cell float64) string {
	var at []string
	for i := range text {
		at = append(at, strconv.FormatFloat(x+cell*float64(width(text[:i])), 'f', 1, 64))
	}
	return strings.Join(at, " ")
}

// sgr is the state that style codes leave.
type sgr struct {
	fore, back  string
	bold, faint bool
}

func (s sgr) apply(codes string) sgr {
	f := strings.Split(codes, ";")
	at := func(i int) int {
		if i >= len(f) {
			return 0
		}
		n, _ := strconv.Atoi(f[i])
		return n
	}
	for i := 0; i < len(f); i++ {
		switch n := at(i); {
		case n == 0:
			s = sgr{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.faint = true
		case n == 38 && at(i+1) == 2:
			s.fore = fmt.Sprintf("#%02x%02x%02x", at(i+2), at(i+3), at(i+4))
			i += 4
		case n == 48 && at(i+1) == 2:
			s.back = fmt.Sprintf("#%02x%02x%02x", at(i+2), at(i+3), at(i+4))
			i += 4
		}
	}
	return s
}
