package engine

import (
	"fmt"
	"math"
	"slices"
)

// The places of verdicts in Counts, which are those in Verdicts.
const (
	inlineAt = iota
	offloadedAt
	rejectedAt
	truncatedAt
	previewOnlyAt
	lostAt
)

// ruling is a policy made ready to decide about facts. Limits are quarters of a token, the most that
// is not over.
type ruling struct {
	c         *Corpus
	p         *Policy
	n         int // its setting
	column    *column
	perResult []int64 // by group, as second
	second    []int64
	swept     []bool  // by group: the limit is the policy's own, no override's
	combined  []int64 // by thread
	hard      int64   // bytes
	sandbox   []bool  // by group
	lost      bool    // the store can't take anything
	replaces  uint8   // the verdict of what is replaced by the strategy
	loses     uint8   // and where the store can't take it
	share     float64
}

// No result and no batch is over without; every result is over always.
const (
	without = math.MaxInt64
	always  = -1
)

// ruling makes p ready. Error: *PolicyError.
func (c *Corpus) ruling(p *Policy) (*ruling, error) {
	n, err := c.setting(p)
	if err != nil {
		return nil, err
	}
	r := &ruling{c: c, p: p, n: n, column: &c.columns[n], hard: without, share: p.Structured.MaxStringShare,
		lost: knownLoss(p, c.fault) != "", replaces: place(p.verdict(anyResult)), loses: place(p.lossVerdict())}
	if p.Package.OnLoss == KeepInline {
		r.loses = inlineAt
	}
	if h := p.Limits.HardBytes; h != nil && p.Enabled {
		r.hard = *h
	}
	prepared := c.prepare(n)
	for _, k := range prepared.kinds {
		l := p.LimitsFor(k.role, k.agent, k.tool)
		r.perResult, r.second = append(r.perResult, p.most(l.PerResult)), append(r.second, p.most(l.Second))
		r.swept = append(r.swept, !p.overridden(k, func(o *Override) bool { return o.PerResult.Given }))
		r.sandbox = append(r.sandbox, p.sandboxTool(k.tool))
	}
	r.combined = make([]int64, len(c.threads))
	for i := range c.threads {
		t := &c.threads[i]
		r.combined[i] = p.most(p.LimitsFor(t.role, t.agent, "").Combined)
	}
	return r, nil
}

// place is a verdict's in Verdicts.
func place(v Verdict) uint8 { return uint8(slices.Index(Verdicts, v)) }

// overridden tells whether an override of a kind applies to k.
func (p *Policy) overridden(k groupKind, of func(*Override) bool) bool {
	for i := range p.Overrides {
		if o := &p.Overrides[i]; of(o) && o.matches(k.role, k.agent, k.tool) {
			return true
		}
	}
	return false
}

// most is the most quarters of a token that are not over a limit.
func (p *Policy) most(limit *float64) int64 {
	if limit == nil {
		return without
	}
	quarters := *limit * quartersPerToken
	if quarters >= math.MaxInt64/2 {
		return without
	}
	if p.Boundary == Reaches {
		return int64(math.Ceil(quarters)) - 1
	}
	return int64(math.Floor(quarters))
}

// limitOf is the least limit by which exactly what is over most quarters is over.
func (p *Policy) limitOf(most int64) float64 {
	if p.Boundary == Reaches {
		most++
	}
	return inTokens(most)
}

// replacement is what would enter in fact i's place, and its verdict; at is inlineAt where it stays
// whatever its size.
func (r *ruling) replacement(i int32, group int32) (at uint8, quarters int64, err error) {
	f, col := &r.c.facts[i], r.column
	missing := ""
	switch {
	case f.failed && r.p.Errors.TruncateChars != nil:
		at, quarters, missing = truncatedAt, col.cut[i], "errors.truncate_chars"
		if quarters == entersWhole {
			return inlineAt, 0, nil
		}
	case r.sandbox[group]:
		at, quarters, missing = previewOnlyAt, col.preview[i], "sandbox.tools"
	case r.p.Structured.Only && f.structure(r.share) != IsStructured:
		return inlineAt, 0, nil
	case r.replaces == offloadedAt && r.lost:
		at, quarters, missing = r.loses, col.lost[i], "structured.only"
	default:
		at, quarters, missing = r.replaces, col.offloaded[i], "structured.only"
	}
	if at == inlineAt || quarters == entersWhole {
		return inlineAt, 0, nil
	}
	if quarters < 0 {
		return 0, 0, r.missing(missing, i)
	}
	if r.p.Package.MustShrink && quarters >= col.tokens[i] {
		return inlineAt, 0, nil
	}
	return at, quarters, nil
}

func (r *ruling) missing(field string, i int32) error {
	return &PolicyError{Field: field, Reason: fmt.Sprintf("asks for a package of a result of %s that was not measured", r.c.facts[i].tool),
		Hint: "collect the facts again with this policy"}
}

// unread is the error for a payload that was over the hard limit when the facts were collected, and
// now is not.
func (r *ruling) unread() error {
	if !r.p.Enabled {
		return &PolicyError{Field: "enabled", Reason: "lets in a result that was over the hard limit when the facts were collected, and was not read"}
	}
	return &PolicyError{Field: "limits.hard_bytes", Reason: "lets in a result that was over the limit when the facts were collected, and was not read",
		Hint: "collect the facts again with this limit"}
}

// A hand is the results of one step that are not rejected, the largest first, with what would enter in
// their places. It is used again for every step.
type hand struct {
	fact         []int32
	tokens, stay []int64 // what the limits are compared with, where there is a combined one tokens; and what enters where it stays
	in           []int64 // what would enter in its place; tokens where it stays
	gain         []int64 // by how much replacing it lowers the sum of its batch
	at           []uint8
	limit        []int64
	swept        []bool
	bytes        []int64
	rejected     int
	taken        int64 // instructions of all of them
	visible      int64 // bytes, were all to stay
}

// deal fills h with the results of step s. The policy is enabled.
func (r *ruling) deal(h *hand, s *stepFact, prepared *preparation) error {
	h.fact, h.tokens, h.stay, h.in, h.gain = h.fact[:0], h.tokens[:0], h.stay[:0], h.in[:0], h.gain[:0]
	h.at, h.limit, h.swept, h.bytes = h.at[:0], h.limit[:0], h.swept[:0], h.bytes[:0]
	h.rejected, h.taken, h.visible = 0, 0, 0
	col := r.column
	measures := col.measures()
	for _, i := range prepared.orders[r.n].fact[s.first : s.first+s.count] {
		f := &r.c.facts[i]
		if f.original.Bytes > r.hard {
			h.rejected++
			continue
		}
		if f.unread {
			return r.unread()
		}
		group := prepared.group[i]
		tokens, limit, swept := measures[i], r.perResult[group], r.swept[group]
		if col.second[i] > r.second[group] {
			limit, swept = always, false
		}
		at, in, gain := uint8(inlineAt), tokens, int64(0)
		if limit != without || r.combined[s.thread] != without {
			var err error
			if at, in, err = r.replacement(i, group); err != nil {
				return err
			}
			if at == inlineAt {
				in = tokens
			}
			gain = max(0, tokens-in)
		}
		h.fact, h.tokens, h.stay = append(h.fact, i), append(h.tokens, tokens), append(h.stay, col.stay[i])
		h.in, h.gain, h.at = append(h.in, in), append(h.gain, gain), append(h.at, at)
		h.limit, h.swept, h.bytes = append(h.limit, limit), append(h.swept, swept), append(h.bytes, f.size.Bytes)
		h.taken += col.taken[i]
		h.visible += f.size.Bytes
	}
	return nil
}

// play marks in replaced what the limits replace: first what is over its own, then the largest left
// while the sum is over the combined one.
func (h *hand) play(replaced []bool, combined int64) {
	sum := int64(0)
	for j, tokens := range h.tokens {
		if replaced[j] = tokens > h.limit[j] && h.at[j] != inlineAt; replaced[j] {
			tokens = h.in[j]
		}
		sum += tokens
	}
	for j := range h.tokens {
		if sum <= combined {
			return
		}
		if !replaced[j] && h.at[j] != inlineAt {
			replaced[j] = true
			sum -= h.gain[j]
		}
	}
}

// enters is what enters the context for the j-th, in quarters.
func (h *hand) enters(j int, replaced bool) int64 {
	if replaced {
		return h.in[j]
	}
	return h.stay[j]
}
