package engine

import (
	"context"
	"fmt"

	"floodmark/history"
)

// The codes of warnings.
const (
	WarnLargePlaintext = "large-plaintext"
	WarnStringified    = "stringified-json"
	WarnRendered       = "rendered-text"
	WarnInvalidJSON    = "json-like-invalid"
	WarnNear           = "near-threshold"
	WarnEstimator      = "within-estimator-error"
	WarnCombined       = "combined-limit"
	WarnPackageLarger  = "package-larger"
	WarnLost           = "lost"
	WarnSandbox        = "sandbox-unavailable"
	WarnUnreadable     = "unreadable"
	WarnExpired        = "expired"
	WarnNoResult       = "no-result"
	WarnOrphanResult   = "orphan-result"
	WarnSuperseded     = "superseded"
	WarnReread         = "reread"
	WarnUngrounded     = "ungrounded"
	WarnMixed          = "mixed-records"
	WarnSensitive      = "sensitive-boundary"
)

// Tracked tells whether a warning is one that only RunOptions.Track finds.
func Tracked(code string) bool {
	switch code {
	case WarnSuperseded, WarnReread, WarnUngrounded, WarnMixed, WarnExpired:
		return true
	}
	return false
}

// nearShare is how far from a limit, as a share of it, is near.
const nearShare = 0.1

// warn adds what a person should know about a final outcome.
func (r *Replayer) warn(ctx context.Context, p *Policy, it *item, batch []*item, o RunOptions) error {
	if it.Call.Result == nil {
		it.warning(Warning{Code: WarnNoResult, Detail: "the recording has no result for this call"})
		return nil
	}
	if it.Call.Flags.Has(history.OrphanResult) {
		it.warning(Warning{Code: WarnOrphanResult, Detail: "the recording has no call for this result"})
	}
	it.warnHardLimit(p)
	if it.Verdict == Rejected {
		return nil
	}
	if err := r.warnFlood(ctx, p, it); err != nil {
		return err
	}
	if err := r.warnNear(ctx, p, it, batch); err != nil {
		return err
	}
	if !o.SkipExact {
		if err := r.warnEstimator(p, it); err != nil {
			return err
		}
	}
	it.warnPackage(p)
	if !o.SkipExact {
		if err := r.warnSensitive(it); err != nil {
			return err
		}
	}
	it.warnStore(o)
	return nil
}

// warnFlood tells of data that the policy could not see, most of all where it went inline whole.
func (r *Replayer) warnFlood(ctx context.Context, p *Policy, it *item) error {
	f := it.Facts
	if f.Kind == InvalidJSON {
		at := f.Syntax.Offset
		it.warning(Warning{Code: WarnInvalidJSON, Detail: fmt.Sprintf("starts like JSON, and is not: %s at byte %d (line %d, column %d)", f.Syntax.Reason, at, f.Syntax.Line, f.Syntax.Column),
			Offset: &at, Line: f.Syntax.Line, Column: f.Syntax.Column})
	}
	if it.Verdict != Inline || !p.Structured.Only || !p.Enabled || !it.over {
		return nil
	}
	limit, _ := Number(it.decisive().Limit)
	unit := Unit(it.decisive().Unit)
	how := f.Structure(p.Structured.MaxStringShare)
	if how == IsStructured {
		return nil
	}
	it.warning(Warning{Code: WarnLargePlaintext, Detail: fmt.Sprintf("%s %ss%s entered the context whole: over %s, and not structured JSON",
		beside(it.observed(), limit), unitWord(unit), p.by(unit), figure(limit))})
	switch how {
	case RenderedText:
		at := f.Strings.Largest.Offset
		it.warning(Warning{Code: WarnRendered, Path: f.Strings.Largest.Path, Offset: &at,
			Detail: fmt.Sprintf("one string holds %s of the bytes", percent(f.share(f.Strings.Largest.Bytes)))})
	case StringifiedJSON:
		at := f.Strings.LargestJSON.Offset
		then, err := r.parsed(ctx, p, it, limit, unit)
		if err != nil {
			return err
		}
		it.warning(Warning{Code: WarnStringified, Path: f.Strings.LargestJSON.Path, Offset: &at,
			Detail: fmt.Sprintf("%s of the bytes are in %s; parsed, the result would be %s",
				percent(f.share(f.Strings.JSONBytes)), plural(f.Strings.JSONCount, "string that holds JSON", "strings that hold JSON"), then)})
	}
	return nil
}

// decisive is the check of the limit for one result that it is over, or the first.
func (it *item) decisive() Check {
	for _, name := range checkNames {
		if c := it.traced(name); c.Check != "" {
			return c
		}
	}
	return Check{}
}

func (it *item) observed() float64 {
	n, _ := Number(it.decisive().Observed)
	return n
}

// by names the estimator behind a size in tokens; nothing else needs one.
func (p *Policy) by(u Unit) string {
	if u == Tokens {
		return " (" + string(p.Estimator) + ")"
	}
	return ""
}

// parsed says what would become of it were its strings of JSON parsed.
func (r *Replayer) parsed(ctx context.Context, p *Policy, it *item, limit float64, u Unit) (string, error) {
	b, err := it.m.bytes(r)
	if err != nil {
		return "", err
	}
	q := ParseStrings(b)
	f := Scan(q, ScanOptions{})
	size, err := textSize(ctx, p.Estimator, q, u)
	if err != nil {
		return "", err
	}
	switch {
	case !p.over(size, limit):
		return fmt.Sprintf("inline: %s %ss, under %s", beside(size, limit), unitWord(u), figure(limit)), nil
	case f.Structure(p.Structured.MaxStringShare) != IsStructured:
		return fmt.Sprintf("inline still: %s", f.Structure(p.Structured.MaxStringShare)), nil
	}
	return fmt.Sprintf("offloaded: %s %ss of structured JSON, over %s", beside(size, limit), unitWord(u), figure(limit)), nil
}

func (it *item) warnHardLimit(p *Policy) {
	if it.limits.HardBytes == nil || !p.Enabled {
		return
	}
	limit := float64(*it.limits.HardBytes)
	if by := float64(it.Original.Bytes) - limit; near(by, limit) {
		it.warning(Warning{Code: WarnNear, Detail: fmt.Sprintf("%s %s the hard limit of %s", amount(max(by, -by), "byte"), aboveBelow(by), amount(limit, "byte"))})
	}
}

// warnNear tells where a little more or less would have changed the verdict.
func (r *Replayer) warnNear(ctx context.Context, p *Policy, it *item, batch []*item) error {
	if !p.Enabled {
		return nil
	}
	for _, c := range it.Trace {
		limit, ok := Number(c.Limit)
		if !isLimitCheck(c.Check) || !ok || it.checked("combined", "over") || it.over && !it.alone(c) {
			continue
		}
		observed, _ := Number(c.Observed)
		by := observed - limit
		if !near(by, limit) {
			continue
		}
		decides, err := r.replaceable(ctx, p, it)
		if err != nil {
			return err
		}
		if decides {
			it.warning(Warning{Code: WarnNear, Detail: fmt.Sprintf("%s%s %s the limit of %s a result", amount(max(by, -by), unitWord(Unit(c.Unit))), p.by(Unit(c.Unit)), aboveBelow(by), figure(limit))})
		}
	}
	for _, c := range it.Trace {
		if c.Check != "combined" {
			continue
		}
		sum, limit := c.Observed.(float64), c.Limit.(float64)
		by := sum - limit
		if !near(by, limit) {
			continue
		}
		decides := c.Result == "over" && it.Verdict != Inline
		if c.Result != "over" {
			next, err := r.nextReplaced(ctx, p, batch)
			if err != nil {
				return err
			}
			decides = it == next
		}
		if decides {
			it.warning(Warning{Code: WarnNear, Detail: fmt.Sprintf("the batch was %s%s %s the combined limit of %s", amount(max(by, -by), unitWord(Unit(c.Unit))), p.by(Unit(c.Unit)), aboveBelow(by), figure(limit))})
		}
	}
	return nil
}

// isLimitCheck tells whether a check compares a result with a limit for one.
func isLimitCheck(name string) bool {
	for _, n := range checkNames {
		if n == name {
			return true
		}
	}
	return false
}

// alone tells whether c is the only limit for one result that it is over.
func (it *item) alone(c Check) bool {
	n := 0
	for _, other := range it.Trace {
		if isLimitCheck(other.Check) && other.Result == "over" {
			n++
		}
	}
	return c.Result == "over" && n == 1
}

// replaceable tells whether a limit that it is over changes what enters: whether something else can
// enter in its place.
func (r *Replayer) replaceable(ctx context.Context, p *Policy, it *item) (bool, error) {
	w := p.wayOf(it.Call)
	how := p.verdict(w)
	switch {
	case w == failedCall:
		return it.Facts.Size.UTF16 > int64(*p.Errors.TruncateChars), nil
	case w == anyResult && p.Structured.Only && it.Facts.Structure(p.Structured.MaxStringShare) != IsStructured:
		return false, nil
	case how == Offloaded && it.loss != "":
		if p.Package.OnLoss == KeepInline {
			return false, nil
		}
		how = p.lossVerdict()
	}
	if !p.Package.MustShrink {
		return true, nil
	}
	b, err := r.build(ctx, p, it, how)
	return err == nil && b.tokens < it.tokens, err
}

func (it *item) checked(check, result string) bool {
	for _, c := range it.Trace {
		if c.Check == check && c.Result == result {
			return true
		}
	}
	return false
}

// nextReplaced is what the combined limit would replace next; nil where nothing is left.
func (r *Replayer) nextReplaced(ctx context.Context, p *Policy, batch []*item) (*item, error) {
	var largest *item
	for _, it := range batch {
		if it.m == nil || it.settled || largest != nil && it.amount <= largest.amount {
			continue
		}
		can, err := r.replaceable(ctx, p, it)
		if err != nil {
			return nil, err
		}
		if can {
			largest = it
		}
	}
	return largest, nil
}

func near(by, limit float64) bool { return limit > 0 && max(by, -by) <= nearShare*limit }

func aboveBelow(by float64) string {
	switch {
	case by > 0:
		return "over"
	case by < 0:
		return "under"
	}
	return "from" // "0 tokens from the limit"
}

// A sideKey is a text and a limit, to remember on which side a real tokenizer puts it.
type sideKey struct {
	payload history.Payload
	limit   float64
	reaches bool
}

// warnEstimator tells where the policy's estimate and a real tokenizer disagree about a limit.
func (r *Replayer) warnEstimator(p *Policy, it *item) error {
	limit := it.limits.PerResult
	if limit == nil || it.limits.Unit != Tokens || p.Limits.Scope == EachPart || !p.Enabled || p.Estimator == O200kBase || it.exempt() {
		return nil
	}
	over := p.over(it.tokens, *limit)
	exact := false
	// No text has more tokens than bytes, an invalid byte read as the three of U+FFFD: small ones
	// don't need the vocabulary.
	if p.over(float64(it.Facts.Size.Bytes+2*int64(it.Facts.BadUTF8)), *limit) {
		var err error
		if exact, err = r.exactSide(p, it, *limit); err != nil {
			return err
		}
	}
	if exact != over {
		it.warning(Warning{Code: WarnEstimator, Detail: fmt.Sprintf("%s says %s tokens, %s %s; %s says %s",
			p.Estimator, beside(it.tokens, *limit), overUnder(over), figure(*limit), O200kBase, overUnder(exact))})
	}
	return nil
}

func (r *Replayer) exactSide(p *Policy, it *item, limit float64) (bool, error) {
	k := sideKey{it.m.payload, limit, p.Boundary == Reaches}
	if side, ok := r.cache.sides[k]; ok {
		return side, nil
	}
	b, err := it.m.bytes(r)
	if err != nil {
		return false, err
	}
	side := O200kBase.Over(b, limit, p.Boundary == Reaches)
	r.cache.sides[k] = side
	return side, nil
}

// exempt tells whether the limits are not for this result.
func (it *item) exempt() bool { return it.checked("applies", "exempt") }

func (it *item) warnPackage(p *Policy) {
	if it.checked("combined", "over") && it.Verdict != Inline {
		it.warning(Warning{Code: WarnCombined, Detail: fmt.Sprintf("%s (%s) on its own, under the limit; its batch was over the combined limit", amount(it.tokens, "token"), p.Estimator)})
	}
	if it.replaced != nil && it.Inline.Tokens > it.tokens {
		it.warning(Warning{Code: WarnPackageLarger, Detail: fmt.Sprintf("%s (%s) entered in the place of %s", amount(it.Inline.Tokens, "token"), p.Estimator, beside(it.tokens, it.Inline.Tokens))})
	}
}

func (it *item) warnStore(o RunOptions) {
	for _, c := range it.Trace {
		if c.Check != "store" {
			continue
		}
		switch c.Result {
		case "lost":
			it.warning(Warning{Code: WarnLost, Detail: "only a preview entered, and the payload can't be read back: " + c.Detail})
			if o.Fault == SandboxDown || o.Fault == NoFault && c.Detail == sandboxOff {
				it.warning(Warning{Code: WarnSandbox, Detail: c.Detail})
			}
		case "unreadable":
			it.warning(Warning{Code: WarnUnreadable, Detail: c.Detail})
		case "expired":
			it.warning(Warning{Code: WarnExpired, Detail: c.Detail})
		}
	}
}
