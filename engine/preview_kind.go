package engine

import (
	"math"

	"floodmark/history"
)

// noPreview is the label of a preview that there is none of.
const noPreview = "none"

// A previewRoom is how much a preview may keep of one result.
type previewRoom struct {
	size      int // in preview.unit; -1 is without limit
	lines     int
	headShare float64 // of size
}

// previewOf makes the preview of a payload, with marks where p asks for them.
func (p *Policy) previewOf(payload []byte, f *Facts, room previewRoom) *Preview {
	if p.Preview.Redact {
		return redactedPreview(p, payload, f, room)
	}
	return preview(p, payload, f, room)
}

// preview makes the kind of preview that p asks for. Records need JSON with structure; anything else
// gets both ends.
func preview(p *Policy, payload []byte, f *Facts, room previewRoom) *Preview {
	v := p.Preview
	v.HeadShare = room.headShare
	switch v.Kind {
	case NoPreviewKind:
		return &Preview{Records: -1, label: noPreview}
	case CutKind:
		return cutPreview(payload, v, room.most())
	case WholeLinesKind:
		return wholeLinesPreview(payload, v, room.most(), room.lines)
	case EndLinesKind:
		return endLinesPreview(payload, v, room.size)
	}
	if v.Kind == RecordsKind && f.Valid && f.Kind != Scalar {
		return RecordsPreview(payload, PreviewOptions{Records: v.Records, StringChars: v.StringChars,
			InnerItems: v.InnerItems, Budget: v.Budget, Estimator: p.Estimator, MapKeys: p.Schema.MapKeys, Redact: v.Redact})
	}
	head, tail := v.HeadChars, v.TailChars
	if head+tail == 0 {
		head, tail = 100, 100
	}
	return HeadTailPreview(payload, head, tail, f.Valid)
}

func (r previewRoom) most() int {
	if r.size < 0 {
		return math.MaxInt32
	}
	return r.size
}

// previewRoom is what the preview of a tool's result may keep: what the rules say, else what the limits
// allow, and no more than level where that is not 0.
func (p *Policy) previewRoom(t *history.Thread, tool string, l Limits, level float64) previewRoom {
	room := previewRoom{-1, math.MaxInt32, p.previewHeadShare(role(t), t.Agent, tool)}
	if size := p.previewSize(role(t), t.Agent, tool); size != nil {
		room.size = *size
	} else if p.Preview.Kind != EndLinesKind {
		room.size = l.room()
	}
	if level > 0 && p.Limits.CombinedUnit == p.Preview.Unit && (room.size < 0 || int(level) < room.size) {
		room.size = int(level)
	}
	if p.Preview.Lines != nil {
		room.lines = *p.Preview.Lines
		return room
	}
	for _, limit := range l.each() {
		if limit.unit == Lines || limit.unit == SplitLines {
			room.lines = int(limit.limit)
		}
	}
	return room
}

// room is what the limits allow one result in units of which a token is four; -1 where they say
// nothing.
func (l Limits) room() int {
	for _, limit := range l.each() {
		switch limit.unit {
		case Lines, SplitLines:
		case Tokens:
			return int(limit.limit * unitsPerToken)
		default:
			return int(limit.limit)
		}
	}
	return -1
}
