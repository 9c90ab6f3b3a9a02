package engine

import (
	"encoding/json"
	"strings"
)

// maxMapped is how many fields of a record a sketch of a mapper names.
const maxMapped = 12

// mapper sketches, in the notation of the vendor's output mappers, what would return the records of
// a repaired payload: key names only. Empty where the payload has no records with keys.
func mapper(payload []byte, f *Facts) string {
	if f == nil || f.RecordsPath == "" {
		return ""
	}
	array := locateRecords(payload, 0)
	if array.len() == 0 || payload[array.start] != '[' {
		return ""
	}
	var names []string
	eachChild(payload, array.start, func(_, _, at int) bool {
		eachChild(payload, at, func(_, begin, value int) bool {
			if begin != value {
				names = append(names, string(unquote(nil, payload[begin:skipString(payload, begin)], false)))
			}
			return true
		})
		return false // the first record names the fields
	})
	if len(names) == 0 {
		return ""
	}
	items := "data"
	if f.RecordsPath != "." {
		items += f.RecordsPath
		if strings.HasPrefix(f.RecordsPath, ".[") {
			items = "data" + f.RecordsPath[1:]
		}
	}
	var b strings.Builder
	b.WriteString("output_mapper:\n  items:\n    MAP():\n      items: " + items + "\n      converter:\n")
	for i, name := range names {
		if i == maxMapped {
			b.WriteString("        # and " + counted(int64(len(names)-i), "more field") + "\n")
			break
		}
		if isIdentifier(name) {
			b.WriteString("        " + name + ": item." + name + "\n")
			continue
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			continue
		}
		b.WriteString("        " + string(quoted) + ": item[" + string(quoted) + "]\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
