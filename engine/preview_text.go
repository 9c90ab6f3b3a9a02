package engine

import (
	"cmp"
	"slices"
)

// draft is the preview of the first nodes in rank's order, with marks where they are asked for; nil where it gets so
// long that no budget has room for it.
func (t *previewTree) draft(nodes, lines int) *Preview {
	v := t.plain(nodes, lines)
	if v != nil && t.o.Redact {
		return v.redacted()
	}
	return v
}

// plain writes the preview of the first nodes.
func (t *previewTree) plain(nodes, lines int) *Preview {
	type openNode struct{ node, kept int }
	var (
		out  []byte
		open []openNode
		left []leftOut
	)
	v := &Preview{Records: -1, Whole: true}
	if t.found {
		v.Records, v.Of = 0, t.records.count
		v.Path = t.at
	}
	closeUpTo := func(next int) {
		for len(open) > 0 && t.nodes[open[len(open)-1].node].end <= next {
			o := open[len(open)-1]
			open = open[:len(open)-1]
			n := &t.nodes[o.node]
			out = append(out, n.open+2) // } and ] are two after { and [
			holder := t.found && o.node == t.holder
			if holder {
				v.Records = o.kept
			}
			if o.kept < n.total {
				left = append(left, leftOut{node: o.node, n: int64(n.total - o.kept), unit: unitOf(n, holder)})
			}
		}
	}
	for i := 0; i < len(t.nodes); {
		if len(out) > t.limit {
			return nil
		}
		closeUpTo(i)
		n := &t.nodes[i]
		if t.order[i] >= nodes {
			i = n.end
			continue
		}
		if len(open) > 0 {
			around := &open[len(open)-1]
			if around.kept > 0 {
				out = append(out, ',')
			}
			around.kept++
		}
		if n.key.len() > 0 {
			out = append(out, t.p[n.key.start:n.key.end]...)
			out = append(out, ':')
		}
		if n.open != 0 {
			out = append(out, n.open)
			open = append(open, openNode{node: i})
		} else {
			out = append(append(out, t.p[n.value.start:n.value.end]...), n.mark...)
			if t.p[n.value.start] == '"' {
				out = append(out, '"')
			}
		}
		if n.cut > 0 {
			left = append(left, leftOut{node: i, n: n.cut, unit: "chars"})
		}
		i++
	}
	closeUpTo(len(t.nodes))
	slices.SortStableFunc(left, func(a, b leftOut) int { return cmp.Compare(a.node, b.node) })
	v.LeftOut = t.omissions(left, lines)
	v.Whole = len(left) == 0
	json := len(out)
	for _, o := range v.LeftOut {
		out = append(out, '\n')
		out = append(out, o.line()...)
	}
	v.Text = string(out)
	v.JSON = out[:json:json]
	return v
}

func unitOf(n *previewNode, holder bool) string {
	switch {
	case holder:
		return "records"
	case n.open == '{':
		return "fields"
	}
	return "items"
}
