package engine

import (
	"fmt"
	"slices"

	"floodmark/history"
)

// warn adds to the outcomes what the tracking found, each with its evidence.
func (k *tracker) warn() {
	for _, o := range k.run.Outcomes {
		if newer := k.t.Superseded[o]; newer != nil {
			o.warning(Warning{Code: WarnSuperseded, Detail: fmt.Sprintf("the same call gave $%s in turn %d, step %d, and $%s is still in the history", JQName(newer.Name), newer.Turn, newer.Step, JQName(o.Name))})
		}
	}
	for _, r := range k.t.Rereads {
		if r.Most {
			r.To.warning(Warning{Code: WarnReread, Detail: rereadText(r)})
		}
	}
	told := map[*Outcome]int{}
	for _, r := range k.t.References {
		if r.Expired != "" {
			told[r.Outcome]++
		}
	}
	for _, r := range k.t.References {
		if n := told[r.Outcome]; r.Expired != "" && n > 0 {
			told[r.Outcome] = 0
			o := r.Outcome
			if slices.ContainsFunc(o.Warnings, func(w Warning) bool { return w.Code == WarnExpired }) {
				continue
			}
			text := fmt.Sprintf("turn %d, step %d %s $%s when it was gone: %s", r.Turn, r.Step, map[string]string{"argument": "uses", "text": "names", "read": "reads"}[r.How], JQName(o.Name), r.Expired)
			if n > 1 {
				text += fmt.Sprintf("; %d such steps in all", n)
			}
			o.warning(Warning{Code: WarnExpired, Detail: text})
		}
	}
	for _, a := range k.t.Arguments {
		if a.Outcome.Call.Flags.Has(history.CountedElsewhere) {
			continue
		}
		if w, ok := a.warning(); ok {
			a.Outcome.warning(w)
		}
	}
}

func (o *Outcome) warning(w Warning) { o.Warnings = append(o.Warnings, w) }

func rereadText(r Reread) string {
	text := fmt.Sprintf("%s of the payload of $%s came back, %s", percent(r.Share), JQName(r.From.Name), amount(r.Tokens, "token"))
	if r.Total > r.Share+0.005 {
		text += fmt.Sprintf("; with earlier results %s", percent(r.Total))
	}
	return text
}

// warning is what a person should know about where an argument comes from.
func (a *Argument) warning() (Warning, bool) {
	w := Warning{Code: WarnUngrounded, Path: "arguments" + a.Path}
	switch {
	case len(a.Near) == 2 && a.Near[0].Kind == OtherRecord:
		w.Code = WarnMixed
		own, other := a.Near[0], a.Near[1]
		w.Detail = fmt.Sprintf("%s stands in %s at %s, beside the id that the call names: that one's record has %s", a.Text, callName(other.Origin.Outcome), other.Origin.Path, own.Text)
		return w, true
	case !a.IDLike:
		return w, false
	case a.Ground == Ungrounded && len(a.Near) == 0:
		w.Detail = fmt.Sprintf("no earlier result and no words of the user contain %s", a.Text)
		return w, true
	case (a.Ground == Ungrounded || a.Ground == UnknownGround) && len(a.Near) > 0:
		n := a.Near[0]
		w.Detail = fmt.Sprintf("%s exists in %s, %s does not (%s)", n.Text, n.Origin.String(), a.Text, map[NearKind]string{Transposed: "two characters exchanged", OneEdit: "one character differs"}[n.Kind])
		return w, true
	}
	return w, false
}

func callName(o *Outcome) string {
	if o.Call.ID != "" {
		return o.Call.ID
	}
	return o.Name
}

// String says where a place is: the call and the path, or whose words.
func (p Origin) String() string {
	switch {
	case p.Words == "prompt":
		return fmt.Sprintf("the prompt of turn %d", p.Turn)
	case p.Words == "package":
		return "the package of " + callName(p.Outcome)
	case p.Words == "summary":
		return "a summary"
	case p.Words != "":
		return "the system prompt"
	case p.Argument:
		return "the arguments of " + callName(p.Outcome) + " " + p.Path
	case p.Path != "":
		return callName(p.Outcome) + " " + p.Path
	}
	return fmt.Sprintf("%s, byte %d", callName(p.Outcome), p.Offset)
}
