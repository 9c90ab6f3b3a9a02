package engine

import "slices"

// SettableKey is the limit of p that is worth tuning first, dotted: one that its harness has a setting for,
// where p comes from a harness whose settings are known; else the first that it has; else
// "limits.per_result".
func (p *Policy) SettableKey() string {
	keys := []string{PerResultKey, CombinedKey, SecondKey, HistoryKey}
	has := func(key string) bool {
		_, ok := p.Number(key)
		return ok
	}
	for i := range harnesses {
		h := &harnesses[i]
		if h.base != p.Name {
			continue
		}
		for _, key := range keys {
			if has(key) && slices.ContainsFunc(h.settings, func(s harnessSetting) bool { return slices.Contains(s.fields, key) }) {
				return key
			}
		}
	}
	if at := slices.IndexFunc(keys, has); at >= 0 {
		return keys[at]
	}
	return PerResultKey
}
