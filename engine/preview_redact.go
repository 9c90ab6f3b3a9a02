package engine

import "slices"

// redactReach is how far beyond a cut, in bytes, the payload is looked at for something sensitive that the cut divides:
// a private key of 4,096 bits in PEM has 3,300 bytes.
const redactReach = 4096

// redactedPreview makes the preview that p asks for of what is left of a payload when marks stand in the place of what
// looks like a secret or personal data. It is masked before it is cut: what a cut leaves of a secret does not look like
// one any more, and sizes and budgets hold for the text with its marks.
func redactedPreview(p *Policy, payload []byte, f *Facts, room previewRoom) *Preview {
	v := preview(p, payload, f, room)
	if v.label == noPreview || v.JSON != nil { // records are masked while they are chosen
		return v
	}
	return v.again(payload, func(masked []byte) *Preview { return preview(p, masked, f, room) })
}

// again makes v, a preview of one or both ends of a payload, of the payload with marks at both ends.
func (v *Preview) again(payload []byte, cut func(masked []byte) *Preview) *Preview {
	masked, any := maskedEnds(payload, len(v.Text))
	if !any {
		return v.redacted() // lines are clipped anywhere
	}
	w := cut(masked)
	w.Whole = false
	return w.redacted()
}

// maskedEnds is a payload with marks in the first kept bytes and the last, at least, and tells whether there are any.
func maskedEnds(p []byte, kept int) (masked []byte, any bool) {
	start, end := kept+redactReach, kept+redactReach
	for start+end < len(p) {
		head, tail := MaskSensitive(string(p[:start])), MaskSensitive(string(p[len(p)-end:]))
		// Marks are shorter than long secrets: then more of the payload comes into what is kept.
		short := max(kept+redactReach-len(head), kept+redactReach-len(tail))
		if short <= 0 {
			any = head != string(p[:start]) || tail != string(p[len(p)-end:])
			if !any {
				return p, false
			}
			return slices.Concat([]byte(head), p[start:len(p)-end], []byte(tail)), true
		}
		start, end = start+short, end+short
	}
	text := MaskSensitive(string(p))
	return []byte(text), text != string(p)
}

// maskedLine is a line with marks, as far as its first or last kept characters need.
func maskedLine(line []byte, kept int, ofEnd bool) []byte {
	near := min(kept, len(line))*4 + redactReach // a character has four bytes at most
	if near >= len(line) {
		return []byte(MaskSensitive(string(line)))
	}
	if ofEnd {
		return slices.Concat(line[:len(line)-near], []byte(MaskSensitive(string(line[len(line)-near:]))))
	}
	return slices.Concat([]byte(MaskSensitive(string(line[:near]))), line[near:])
}

// divided is where something sensitive starts that a cut at a byte of a JSON string divides, and its kind; the string's
// text is from start to end. Without such a thing it is the cut.
func divided(p []byte, start, cut, end int) (at int, kind string) {
	from := max(start, cut-redactReach)
	for _, s := range Sensitives(p[from:min(end, cut+redactReach)]) {
		if from+s.Start < cut && cut < from+s.End {
			return from + s.Start, s.Kind
		}
	}
	return cut, ""
}

// redacted is a preview with marks in the place of what looks like a secret or personal data.
func (v *Preview) redacted() *Preview {
	if v.JSON == nil || len(v.Text) < len(v.JSON) || v.Text[:len(v.JSON)] != string(v.JSON) {
		masked := MaskSensitive(v.Text)
		if masked == v.Text {
			return v
		}
		c := *v
		c.Text, c.Whole = masked, false
		return &c
	}
	c := *v
	c.JSON, c.Path, c.LeftOut = MaskSensitiveJSON(v.JSON), MaskSensitive(v.Path), slices.Clone(v.LeftOut)
	for i := range c.LeftOut {
		c.LeftOut[i].Path = MaskSensitive(c.LeftOut[i].Path)
	}
	c.Text = string(c.JSON) + MaskSensitive(v.Text[len(v.JSON):])
	c.Whole = v.Whole && c.Text == v.Text
	return &c
}
