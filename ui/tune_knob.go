package ui

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"floodmark/engine"
)

// A knob is one number of a policy that the Tune screen moves.
type knob struct {
	field string // dotted, as in the policy document
	name  string // as the screen says it
	unit  knobUnit
	// An override's knob: the place in Policy.Overrides, and which of its thresholds.
	override int // -1: not an override's
	combined bool
}

// A knobUnit says how a knob's value is written, stepped and checked.
type knobUnit int

const (
	tokenUnit knobUnit = iota // tokens, or what the policy counts; can be none
	byteUnit                  // bytes; can be none
	charUnit                  // characters or tokens, from 0
	countUnit                 // a number of results, turns or steps, from 0
	itemUnit                  // a number of records or items, from 1
	shareUnit                 // from 0 to 1
)

// knobsOf lists what can be moved of a policy p, its overrides last. What not every policy has is there where p
// or own, the policy before anything was tuned, has it.
func knobsOf(own, p *engine.Policy) []knob {
	list := []knob{{field: engine.PerResultKey, name: "per result", unit: tokenUnit, override: -1}}
	if own.Limits.Second != nil || p.Limits.Second != nil {
		list = append(list, knob{field: engine.SecondKey, name: "second limit", unit: tokenUnit, override: -1})
	}
	list = append(list, knob{field: engine.CombinedKey, name: "combined", unit: tokenUnit, override: -1})
	if own.History.Active() || p.History.Active() {
		list = append(list, knob{field: engine.HistoryKey, name: "history over", unit: tokenUnit, override: -1})
		for _, k := range historyKnobs {
			if had(k, p) || had(k, own) {
				list = append(list, k)
			}
		}
	}
	switch p.Preview.Kind {
	case engine.RecordsKind:
		list = append(list,
			knob{field: "preview.records", name: "records", unit: itemUnit, override: -1},
			knob{field: "preview.string_chars", name: "string chars", unit: charUnit, override: -1})
	case engine.HeadTailKind:
		list = append(list,
			knob{field: "preview.head_chars", name: "head chars", unit: charUnit, override: -1},
			knob{field: "preview.tail_chars", name: "tail chars", unit: charUnit, override: -1})
	default:
		if own.Preview.Size != nil || p.Preview.Size != nil {
			list = append(list, knob{field: "preview.size", name: "preview size", unit: tokenUnit, override: -1})
		}
	}
	list = append(list, knob{field: "limits.hard_bytes", name: "hard limit", unit: byteUnit, override: -1})
	if p.Structured.Only {
		list = append(list, knob{field: "structured.max_string_share", name: "string share", unit: shareUnit, override: -1})
	}
	for i, o := range p.Overrides {
		if o.PerResult.Given {
			list = append(list, knob{field: "overrides", name: selectorWords(o), unit: tokenUnit, override: i})
		}
		if o.Combined.Given {
			list = append(list, knob{field: "overrides", name: selectorWords(o) + " combined", unit: tokenUnit, override: i, combined: true})
		}
	}
	return list
}

// historyKnobs are the numbers of the rules by which results go later, beside the limit.
var historyKnobs = []knob{
	{field: "history.keep_results", name: "keep results", unit: countUnit, override: -1},
	{field: "history.keep_tokens", name: "keep tokens", unit: charUnit, override: -1},
	{field: "history.keep_turns", name: "keep turns", unit: countUnit, override: -1},
	{field: "history.keep_steps", name: "keep steps", unit: countUnit, override: -1},
	{field: "history.min_size", name: "clear over", unit: charUnit, override: -1},
	{field: "history.head_chars", name: "clear to head", unit: charUnit, override: -1},
	{field: "history.tail_chars", name: "clear to tail", unit: charUnit, override: -1},
}

// had tells whether a knob has a number in p.
func had(k knob, p *engine.Policy) bool {
	v, _ := k.value(p)
	return v > 0
}

// selectorWords say what an override is for.
func selectorWords(o engine.Override) string {
	var words []string
	for _, w := range []struct{ what, name string }{{"", o.Tool}, {"agent ", o.Agent}, {"", o.Role}} {
		if w.name != "" {
			words = append(words, w.what+visible(w.name))
		}
	}
	return strings.Join(words, ", ")
}

// value is the knob's number in p; false where it is none.
func (k knob) value(p *engine.Policy) (float64, bool) {
	limit := func(l *float64) (float64, bool) {
		if l == nil {
			return 0, false
		}
		return *l, true
	}
	if k.override >= 0 {
		if k.override >= len(p.Overrides) {
			return 0, false
		}
		if k.combined {
			return limit(p.Overrides[k.override].Combined.Limit)
		}
		return limit(p.Overrides[k.override].PerResult.Limit)
	}
	switch k.field {
	case "limits.per_result":
		return limit(p.Limits.PerResult)
	case engine.SecondKey:
		return limit(p.Limits.Second)
	case "limits.combined":
		return limit(p.Limits.Combined)
	case engine.HistoryKey:
		return limit(p.History.Over)
	case "history.keep_results":
		return float64(p.History.KeepResults), true
	case "history.keep_tokens":
		return p.History.KeepTokens, true
	case "history.keep_turns":
		return float64(p.History.KeepTurns), true
	case "history.keep_steps":
		return float64(p.History.KeepSteps), true
	case "history.min_size":
		return p.History.MinSize, true
	case "history.head_chars":
		return float64(p.History.HeadChars), true
	case "history.tail_chars":
		return float64(p.History.TailChars), true
	case "preview.size":
		if p.Preview.Size == nil {
			return 0, false
		}
		return float64(*p.Preview.Size), true
	case "limits.hard_bytes":
		if p.Limits.HardBytes == nil {
			return 0, false
		}
		return float64(*p.Limits.HardBytes), true
	case "preview.records":
		return float64(p.Preview.Records), true
	case "preview.string_chars":
		return float64(p.Preview.StringChars), true
	case "preview.head_chars":
		return float64(p.Preview.HeadChars), true
	case "preview.tail_chars":
		return float64(p.Preview.TailChars), true
	case "structured.max_string_share":
		return p.Structured.MaxStringShare, true
	}
	return 0, false
}

// set is p with the knob at v, or without the limit. Error: *engine.PolicyError.
func (k knob) set(p *engine.Policy, v float64, some bool) (*engine.Policy, error) {
	text := "null"
	if some {
		text = strconv.FormatFloat(v, 'f', -1, 64)
	}
	if k.override < 0 {
		return p.Set(k.field + "=" + text)
	}
	list := append([]engine.Override(nil), p.Overrides...)
	t := engine.Threshold{Given: true}
	if some {
		t.Limit = &v
	}
	if k.combined {
		list[k.override].Combined = t
	} else {
		list[k.override].PerResult = t
	}
	return setOverrides(p, list)
}

// setOverrides is p with these overrides. Error: *engine.PolicyError.
func setOverrides(p *engine.Policy, list []engine.Override) (*engine.Policy, error) {
	if list == nil {
		list = []engine.Override{}
	}
	b, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	return p.Set("overrides=" + string(b))
}

// step is the next value from v on: about a twentieth away, or fine a two-hundredth. false is where there is
// none.
func (k knob) step(v float64, by int, fine bool) (float64, bool) {
	switch k.unit {
	case countUnit:
		return max(v+float64(by), 0), v+float64(by) >= 0
	case itemUnit:
		return max(v+float64(by), 1), v+float64(by) >= 1
	case shareUnit:
		grain := 20.0
		if fine {
			grain = 100
		}
		next := (math.Round(v*grain) + float64(by)) / grain
		return next, next >= 0 && next <= 1
	}
	part := 20.0
	if fine {
		part = 200
	}
	if k.unit == charUnit && v+float64(by) <= 0 {
		return 0, v > 0
	}
	if k.unit == charUnit && v == 0 {
		return 50, true
	}
	next := nudgePart(v, by, part)
	return next, next != v
}

// start is where a limit that is none begins, when it is moved.
func (k knob) start() float64 {
	switch {
	case k.unit == byteUnit:
		return 100_000_000
	case k.combined || k.field == engine.CombinedKey:
		return 10_000
	case k.field == engine.HistoryKey:
		return 100_000
	case k.field == "preview.size":
		return 2000
	}
	return 7000
}

// write is the value as the screen shows it.
func (k knob) write(v float64, some bool) string {
	switch {
	case !some:
		return "none"
	case k.unit == shareUnit:
		return percent(v, 1)
	case k.unit == byteUnit:
		return sizeText(v)
	}
	return rounded(v)
}

// sizeText writes a number of bytes in few cells: 100 MB, 1.5 MB, 900 bytes.
func sizeText(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if v >= unit.size {
			return strconv.FormatFloat(math.Round(v/unit.size*1000)/1000, 'f', -1, 64) + " " + unit.name
		}
	}
	return bytesText(int64(v))
}

// read reads what was typed for the knob; "none" takes a limit away. The words are for a person.
func (k knob) read(s string) (v float64, some bool, wrong string) {
	s = strings.TrimSpace(s)
	if s == "none" || s == "null" || s == "-" {
		if k.unit == tokenUnit || k.unit == byteUnit {
			return 0, false, ""
		}
		return 0, false, k.name + " needs a number"
	}
	if k.unit == shareUnit {
		number, percent := strings.CutSuffix(s, "%")
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if percent || n > 1 {
			n /= 100
		}
		if err != nil || math.IsNaN(n) || n < 0 || n > 1 {
			return 0, false, "not a share: " + visible(s) + "; 0.5 and 50 % are"
		}
		return n, true, ""
	}
	s = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(s), "b"), " ")
	n, err := parseCount(s)
	if err != nil || n < 0 {
		return 0, false, "not a number: " + visible(s) + "; 7000, 7,000 and 7k are, and none where a limit can be taken away"
	}
	if k.unit != tokenUnit {
		n = math.Round(n)
	}
	return n, true, ""
}
