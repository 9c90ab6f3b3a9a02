package engine

// Kinds of previews.
const (
	RecordsKind    = "records"     // the first records of a JSON payload, both ends of any other
	HeadTailKind   = "head-tail"   // both ends, HeadChars and TailChars, which are UTF-16 code units
	NoPreviewKind  = "none"        // no preview
	CutKind        = "cut"         // Size characters of one or both ends
	WholeLinesKind = "whole-lines" // as many lines of one or both ends as there is room for
	EndLinesKind   = "end-lines"   // the first HeadLines and the last TailLines
)

// PreviewRules say how a preview is made. Characters are UTF-16 code units where not said otherwise.
type PreviewRules struct {
	Kind        string  `json:"kind"` // one of the kinds of previews
	Records     int     `json:"records"`
	StringChars int     `json:"string_chars"`
	InnerItems  int     `json:"inner_items"`
	Budget      float64 `json:"budget"` // tokens; 0 is without limit
	HeadChars   int     `json:"head_chars"`
	TailChars   int     `json:"tail_chars"`
	Redact      bool    `json:"redact"` // a mark stands for what looks like a secret or personal data

	Unit      Unit       `json:"unit"`       // of Size: UTF16, Chars, Bytes or Columns
	Size      *int       `json:"size"`       // in Unit; nil is what the limit of a result allows
	HeadShare float64    `json:"head_share"` // of Size, from 0 to 1
	Round     Rounding   `json:"round"`      // of the start's share
	MarkSize  int        `json:"mark_size"`  // of Size, for the mark between both ends; 0: the mark is outside
	Mark      bool       `json:"mark"`       // a line says how much was left out
	Lines     *int       `json:"lines"`      // most lines of WholeLinesKind; nil is what the limit of a result allows
	LongLine  LongLine   `json:"long_line"`
	ClipSize  int        `json:"clip_size"`  // of a clipped line's room, for the mark of the clip
	HeadLines int        `json:"head_lines"` // of EndLinesKind
	TailLines int        `json:"tail_lines"` // of EndLinesKind
	LineChars int        `json:"line_chars"` // most code points of a line that is kept; 0 is without limit
	Breaks    LineBreaks `json:"line_breaks"`
	AtLineEnd bool       `json:"at_line_end"` // a cut's start ends at a line's end, if that is in its second half
}

// Rounding is how a share becomes a whole number.
type Rounding string

// Both ways.
const (
	RoundDown Rounding = "down"
	RoundUp   Rounding = "up"
)

// LongLine says what WholeLinesKind does with a line that has no room.
type LongLine string

// What it can do.
const (
	LeaveLine LongLine = "none"
	ClipLine  LongLine = "clip" // as much of it as there is room for
	EndOfLine LongLine = "end"  // the last Size of it, where there is nothing else
)

// LineBreaks say where lines end for EndLinesKind.
type LineBreaks string

// Ways to split lines.
const (
	LineFeeds     LineBreaks = "lf"
	UnicodeBreaks LineBreaks = "unicode" // as Python's splitlines does
)
