package engine

// A Unit is what a size is counted in.
type Unit string

// Units.
const (
	Tokens     Unit = "tokens"      // by the policy's estimator
	Bytes      Unit = "bytes"       // UTF-8
	Chars      Unit = "chars"       // Unicode code points; an invalid byte is one
	UTF16      Unit = "utf16"       // UTF-16 code units
	Columns    Unit = "columns"     // of a terminal; ANSI sequences have none
	Lines      Unit = "lines"       // a final line feed ends the last line
	SplitLines Unit = "split-lines" // a final line feed starts one more
)

// A Scope is what a limit for one result is compared with, and what is replaced over it.
type Scope string

// Scopes.
const (
	WholeResult Scope = "result"
	EachPart    Scope = "part" // each text part by itself: those over it are replaced, the others stay
)

// A CombinedRule says how a batch over its limit gets smaller.
type CombinedRule string

// Rules for batches.
const (
	LargestFirst CombinedRule = "largest-first" // one after the other, until the sum is no longer over
	ReplaceAll   CombinedRule = "all"
	FairShare    CombinedRule = "fair"  // max-min: what is larger than the same most for each is replaced
	EqualShare   CombinedRule = "equal" // the limit by the number of calls is a limit for each
)

// Limits are a policy's thresholds; nil is none.
type Limits struct {
	PerResult *float64 `json:"per_result"` // in Unit
	Combined  *float64 `json:"combined"`   // in CombinedUnit, of one batch
	HardBytes *int64   `json:"hard_bytes"`

	Unit          Unit         `json:"unit"`        // of PerResult
	Second        *float64     `json:"second"`      // in SecondUnit; a result over either limit is over
	SecondUnit    Unit         `json:"second_unit"` // of Second
	Scope         Scope        `json:"scope"`
	CombinedUnit  Unit         `json:"combined_unit"` // Tokens, Bytes, Chars or UTF16
	CombinedRule  CombinedRule `json:"combined_rule"`
	CombinedLeast float64      `json:"combined_least"` // in CombinedUnit: the least for one result by FairShare and EqualShare
}

// InTokens is a size in u as an estimate in tokens, four of bytes, characters or columns for one. Lines
// have none: ok is false.
func (u Unit) InTokens(size float64) (tokens float64, ok bool) {
	switch u {
	case Tokens, "":
		return size, true
	case Lines, SplitLines:
		return 0, false
	}
	return size / unitsPerToken, true
}

// PerResultTokens is the limit of one result in tokens, for scales and figures: as InTokens gives it;
// nil where there is none, or it counts lines and Second has nothing better.
func (l Limits) PerResultTokens() *float64 {
	if l.PerResult != nil {
		if n, ok := l.Unit.InTokens(*l.PerResult); ok {
			return &n
		}
	}
	if l.Second != nil {
		if n, ok := l.SecondUnit.InTokens(*l.Second); ok {
			return &n
		}
	}
	return nil
}

// CombinedTokens is the limit of a batch in tokens, as PerResultTokens is that of a result.
func (l Limits) CombinedTokens() *float64 {
	if l.Combined == nil {
		return nil
	}
	n, ok := l.CombinedUnit.InTokens(*l.Combined)
	if !ok {
		return nil
	}
	return &n
}

// A limit of one result, in a unit.
type unitLimit struct {
	limit float64
	unit  Unit
}

// each lists the limits of one result.
func (l Limits) each() []unitLimit {
	var list []unitLimit
	if l.PerResult != nil {
		list = append(list, unitLimit{*l.PerResult, l.Unit})
	}
	if l.Second != nil {
		list = append(list, unitLimit{*l.Second, l.SecondUnit})
	}
	return list
}

// shared are the limits of one result of so many calls: with equal shares its own is the lesser of
// both.
func (l Limits) shared(calls int) Limits {
	if l.CombinedRule != EqualShare || l.Combined == nil || calls == 0 {
		return l
	}
	share := max(*l.Combined/float64(calls), l.CombinedLeast)
	if l.PerResult == nil || share < *l.PerResult {
		l.PerResult = &share
	}
	return l
}
