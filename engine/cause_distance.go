package engine

// A Distance is the smallest change that would change a verdict.
type Distance struct {
	To Verdict // empty: not Rejected, and what else is not known
	By Change
	// Tokens is how far away the limit is; 0 where the change is not one of size. Size is the same in
	// what the estimator counts, Unit: "bytes", "characters", "UTF-16 units", or none for a real
	// tokenizer. Of the hard limit Size is in bytes, and Tokens 0.
	Tokens float64
	Size   int64
	Unit   string
	Path   string // of the string to parse or to turn into records
}

// A Change says in which way a payload, or what is around it, would have to differ.
type Change string

// Changes.
const (
	ByGrowing      Change = "grow"       // by more than Tokens, or as much where the limit reaches
	ByShrinking    Change = "shrink"     // by Tokens
	ByParsing      Change = "parse"      // the string at Path
	ByStructure    Change = "structure"  // return records instead of the text at Path
	ByFixingSyntax Change = "fix-syntax" // at Spot
	ByFixingStore  Change = "fix-store"
)

// measure finds the distance to another verdict, in both directions where there are two.
func (d *Diagnosis) measure(p *Policy) {
	f := d.Outcome.Facts
	d.Further = d.toHardLimit()
	switch d.Cause {
	case CauseUnderThreshold:
		eligible := !p.Structured.Only || f != nil && f.Structure(p.Structured.MaxStringShare) == IsStructured
		if d.Limit != nil && eligible {
			d.Distance = sized(p.Estimator, p.verdict(anyResult), ByGrowing, *d.Limit-d.Observed)
		}
	case CauseHardLimit:
		// What it would be instead is in the payload, which is not read.
		d.Distance, d.Further = &Distance{By: ByShrinking, Size: -d.Further.Size, Unit: "bytes"}, nil
	case CauseOffloaded, CauseOffloadedCombined, CauseTruncated, CauseNotKept:
		if d.Limit != nil {
			d.Distance = sized(p.Estimator, Inline, ByShrinking, d.Observed-*d.Limit)
		}
	case CauseStringifiedJSON:
		d.Distance = &Distance{To: Offloaded, By: ByParsing, Path: d.At.Path}
	case CauseRenderedText, CausePlaintext, CauseScalarRoot:
		d.Distance = &Distance{To: Offloaded, By: ByStructure}
		if d.At != nil {
			d.Distance.Path = d.At.Path
		}
	case CauseInvalidJSON:
		d.Distance = &Distance{To: Offloaded, By: ByFixingSyntax}
	case CauseStoreFailed:
		if d.Outcome.Verdict == Lost {
			d.Distance = &Distance{To: Offloaded, By: ByFixingStore}
		}
	}
}

// sized is a distance of so many tokens by e.
func sized(e Estimator, to Verdict, by Change, tokens float64) *Distance {
	d := &Distance{To: to, By: by, Tokens: tokens}
	switch e {
	case Bytes4:
		d.Unit = "bytes"
	case Chars4:
		d.Unit = "characters"
	case UTF164:
		d.Unit = "UTF-16 units"
	default:
		return d
	}
	d.Size = int64(4 * tokens)
	return d
}

// toHardLimit is how many bytes more would be rejected; nil without a hard limit, or where nothing
// was compared with it.
func (d *Diagnosis) toHardLimit() *Distance {
	c := d.Outcome.traced("hard-limit")
	limit, ok := Number(c.Limit)
	if !ok {
		return nil
	}
	return &Distance{To: Rejected, By: ByGrowing, Size: int64(limit) - d.Outcome.Original.Bytes, Unit: "bytes"}
}
