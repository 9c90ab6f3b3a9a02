package engine

import (
	"slices"
	"strings"
)

var tags = map[string]string{"documented": "DOC", "code": "CODE", "ours": "ours"}

// Origin says where a policy's limits come from: "DOC" from the vendor's documents, "CODE" from its
// released code, "ours" from neither; and the date of that source, empty where it has none.
func (p *Policy) Origin() (tag, date string) {
	for _, wanted := range []string{"limits.per_result", "history"} {
		for _, s := range p.Sources {
			if slices.ContainsFunc(s.Fields, func(f string) bool { return f == wanted || f == topLevel(wanted) }) {
				return tags[s.Status], s.Date
			}
		}
	}
	return "ours", ""
}

func topLevel(dotted string) string {
	object, _, _ := strings.Cut(dotted, ".")
	return object
}
