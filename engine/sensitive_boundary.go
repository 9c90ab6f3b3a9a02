package engine

import (
	"bytes"
	"regexp"
	"strings"
)

// sensitiveLooked is how many bytes of a package are looked at for a warning, 64 KiB: previews are a few KB,
// and the largest that a built-in policy allows would take a second.
const sensitiveLooked = 64 << 10

// Parts of a package that something sensitive can be in.
const (
	inPreview = "preview"
	inNotice  = "notice"
	inSchema  = "schema's keys"
)

// A boundaryFind is something sensitive that entered the context: of one kind, at one path.
type boundaryFind struct {
	kind, part, path string
	offset           *int64
	n                int
}

// warnSensitive tells of what looks like a secret or personal data in what entered in a payload's place:
// one warning for each kind, part of the package and path, the index of a record left aside.
func (r *Replayer) warnSensitive(it *item) error {
	if it.replaced == nil {
		return nil
	}
	b := it.replaced
	if b.boundary == nil {
		payload, err := it.m.bytes(r)
		if err != nil {
			return err
		}
		b.boundary = boundaryFinds(&b.Package, payload, it.Facts.Valid)
	}
	for _, f := range b.boundary {
		detail := "the " + f.part + " has what looks like " + SensitiveWords(f.kind, f.n)
		it.warning(Warning{Code: WarnSensitive, Detail: detail, Path: f.path, Offset: f.offset})
	}
	return nil
}

// SensitiveWords names n finds of a kind.
func SensitiveWords(kind string, n int) string {
	switch kind {
	case Mail:
		return plural(n, "mail address", "mail addresses")
	case Card:
		return plural(n, "card number", "card numbers")
	case IBAN:
		return plural(n, "IBAN", "IBANs")
	case Phone:
		return plural(n, "phone number", "phone numbers")
	}
	return plural(n, "secret", "secrets") + " (" + kind + ")"
}

var anyIndex = regexp.MustCompile(`\[\d+\]`)

// boundaryFinds looks at a package. It is never nil, so that it can be told from one not looked at.
func boundaryFinds(p *Package, payload []byte, valid bool) []boundaryFind {
	text := []byte(p.Text[:min(len(p.Text), sensitiveLooked)])
	finds := []boundaryFind{}
	at := map[string]int{}
	preview, schema := -1, -1
	if p.Preview != nil && p.Preview.Text != "" {
		preview = strings.Index(p.Text, p.Preview.Text)
	}
	if p.Schema != nil {
		schema = strings.Index(p.Text, string(p.Schema.JSON))
	}
	for _, s := range Sensitives(text) {
		if p.staying(s.Start) {
			continue // it would enter without the package as well
		}
		f := boundaryFind{kind: s.Kind, part: inNotice, n: 1}
		switch {
		case preview >= 0 && s.Start >= preview && s.Start < preview+len(p.Preview.Text):
			f.part = inPreview
			f.path, f.offset = placeInPayload(p.Preview, s.Start-preview, text[s.Start:s.End], payload, valid)
		case schema >= 0 && s.Start >= schema && s.Start < schema+len(p.Schema.JSON):
			f.part = inSchema
			f.path, f.offset = whereIn(text[s.Start:s.End], payload, valid)
		}
		k := f.kind + f.part + anyIndex.ReplaceAllString(f.path, "[]")
		if i, ok := at[k]; ok {
			finds[i].n++
			continue
		}
		at[k] = len(finds)
		finds = append(finds, f)
	}
	return finds
}

// placeInPayload is where what is at a preview's byte stands in the payload. A preview of records keeps the
// payload's structure from the start, so its own path is that of the payload.
func placeInPayload(v *Preview, at int, text, payload []byte, valid bool) (string, *int64) {
	if v.JSON != nil && at < len(v.JSON) && strings.HasPrefix(v.Text, string(v.JSON)) {
		return placePath(v.JSON, at), nil
	}
	return whereIn(text, payload, valid)
}

// whereIn is where a text is first in a payload; nothing where it is not, as what was masked before.
func whereIn(text, payload []byte, valid bool) (string, *int64) {
	i := bytes.Index(payload, text)
	if i < 0 {
		return "", nil
	}
	offset := int64(i)
	if !valid {
		return "", &offset
	}
	return placePath(payload, i), &offset
}

// placePath is the path of the value around a byte of valid JSON; inside a key, that of the key's object.
// A key on the way that is sensitive itself is masked.
func placePath(p []byte, at int) string {
	start, key := tokenAround(p, at)
	levels := walkTo(p, skipSpace(p, 0), start)
	if key && len(levels) > 0 {
		levels = levels[:len(levels)-1]
	}
	return MaskSensitive(pathText(p, levels))
}

// tokenAround is where the string, number or literal around a byte of valid JSON starts, and whether it is a key.
func tokenAround(p []byte, at int) (start int, key bool) {
	for i := 0; i < len(p); {
		end := tokenEnd(p, i)
		if at < end {
			next := skipSpace(p, end)
			return i, p[i] == '"' && next < len(p) && p[next] == ':'
		}
		i = end
	}
	return at, false
}

// tokenEnd is the end of the token of valid JSON, or of the one byte between tokens, at i.
func tokenEnd(p []byte, i int) int {
	if p[i] == '"' {
		return skipString(p, i)
	}
	end := i + 1
	if bytes.IndexByte([]byte("{}[]:, \t\r\n"), p[i]) >= 0 {
		return end
	}
	for end < len(p) && bytes.IndexByte([]byte("{}[]:, \t\r\n\""), p[end]) < 0 {
		end++
	}
	return end
}

// A SensitiveFind is something sensitive in a JSON text that a person asked for: never the value.
type SensitiveFind struct {
	Kind string // as in Sensitive
	Path string // jq path in the text, sensitive keys masked; indexes are left open, as .rows[].card
	N    int    // how many there are
}

// SensitiveIn finds what looks like a secret or personal data in a valid JSON text, such as a filter's result: one
// find for each kind and path, in order. It looks at the first 64 KiB.
func SensitiveIn(p []byte) []SensitiveFind {
	finds := []SensitiveFind{}
	at := map[[2]string]int{}
	for _, s := range Sensitives(p[:min(len(p), sensitiveLooked)]) {
		k := [2]string{s.Kind, anyIndex.ReplaceAllString(placePath(p, s.Start), "[]")}
		i, known := at[k]
		if !known {
			i, at[k] = len(finds), len(finds)
			finds = append(finds, SensitiveFind{Kind: k[0], Path: k[1]})
		}
		finds[i].N++
	}
	return finds
}
