package engine

import "encoding/json"

// takeOut cuts the members that Facts.Members lists out of an object, and returns what is left and
// what the last of them said. The rest keeps its bytes: where a member follows, the cut goes from
// the key's quote to the next key's quote; else, where one precedes, from the end of its value to
// the end of this value; else it is the member alone. Neighbours are cut together.
func takeOut(p []byte, members []Member) (rest []byte, in *Instructions) {
	last := members[len(members)-1]
	text := string(p[last.Value:last.End])
	if text[0] == '"' {
		// A valid JSON string always decodes.
		_ = json.Unmarshal(p[last.Value:last.End], &text)
	}
	rest = make([]byte, 0, len(p))
	kept := int64(0)
	for i := 0; i < len(members); {
		j := i
		for j+1 < len(members) && members[j].Next == members[j+1].Key {
			j++
		}
		from, to := members[i].Key, members[j].End
		switch {
		case members[j].Next >= 0:
			to = members[j].Next
		case members[i].Prev >= 0:
			from = members[i].Prev
		}
		rest = append(rest, p[kept:from]...)
		kept = to
		i = j + 1
	}
	rest = append(rest, p[kept:]...)
	return rest, &Instructions{Text: text, Bytes: int64(len(text))}
}
