package history

import "context"

// Some programs write a conversation as a log: branches, corrections and rewinds stand in the file
// beside what is left of them. Such a file is read twice: first to learn which records still
// count, then to use them.

// survey goes through the records of in without using them: nothing is reported, and in is read
// again from its beginning afterwards. n counts the records from 0.
func (in *input) survey(ctx context.Context, look func(n int, v value)) {
	if in.whole != nil {
		look(0, in.whole.value)
		return
	}
	r, err := newRecordReader(ctx, in.src)
	if err != nil {
		return // reading the records reports it
	}
	defer r.close()
	n := 0
	for rec := range r.all() {
		look(n, rec.value)
		n++
	}
}

// A lineage is a tree of entries, each of which may name the one before it.
type lineage struct {
	entries []lineageEntry
	byID    map[string]int
	linked  bool // an entry names another one
}

type lineageEntry struct {
	record     int
	id, parent string
}

// add notes an entry. Further names, such as those of its calls, stand for it too.
func (l *lineage) add(record int, id, parent string, names ...string) {
	if l.byID == nil {
		l.byID = map[string]int{}
	}
	for _, name := range append(names, id) {
		if name != "" {
			l.byID[name] = len(l.entries)
		}
	}
	l.entries = append(l.entries, lineageEntry{record, id, parent})
	l.linked = l.linked || parent != ""
}

// dropped are the records of branches that were left: those that the last entry does not come
// from. Where a parent is missing nothing is dropped: the tree is not whole then.
func (l *lineage) dropped() map[int]bool {
	if !l.linked || len(l.entries) == 0 {
		return nil
	}
	kept := make([]bool, len(l.entries))
	for i := len(l.entries) - 1; ; {
		kept[i] = true
		parent := l.entries[i].parent
		if parent == "" {
			break
		}
		up, ok := l.byID[parent]
		if !ok || kept[up] {
			return nil
		}
		i = up
	}
	drop := map[int]bool{}
	for i, e := range l.entries {
		if !kept[i] && e.id != "" {
			drop[e.record] = true
		}
	}
	return drop
}
