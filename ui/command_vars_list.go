package ui

import (
	"errors"
	"io/fs"
	"time"

	"floodmark/store"
)

// listVariables lists the store, and with gone what is no longer in it; one that was never made holds
// nothing.
func listVariables(path string, gone bool) (all []store.Variable, stones []store.Tombstone, err error) {
	variables, err := readStore(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer variables.Close() // opened to read only: there is nothing to lose
	if all, err = variables.List(); err == nil && gone {
		stones, err = variables.Tombstones()
	}
	return all, stones, err
}

// listJSON writes one object a variable, then one for each that is gone: those have "why".
func listJSON(s *Streams, all []store.Variable, gone []store.Tombstone) error {
	for _, v := range all {
		if err := writeJSON(s.Out, v); err != nil {
			return err
		}
	}
	for _, t := range gone {
		if err := writeJSON(s.Out, t); err != nil {
			return err
		}
	}
	return nil
}

// listTable writes the variables as a table, and behind them those that are gone. A column of labels is
// there where one has a label.
func listTable(s *Streams, all []store.Variable, gone []store.Tombstone, now time.Time) error {
	labels := false
	for _, v := range all {
		labels = labels || v.Label != ""
	}
	for _, t := range gone {
		labels = labels || t.Label != ""
	}
	heads := []string{"variable", "conversation", "policy", "bytes", "kept", "stored (UTC)", "age", "used (UTC)"}
	if labels {
		heads = append(heads, "label")
	}
	if gone != nil {
		heads = append(heads, "gone (UTC)")
	}
	heads = append(heads, "recording")
	row := func(k store.Key, bytes, kept int64, stored, used time.Time, label, why, recording string) []string {
		r := []string{k.Name, k.Conversation, k.Policy, grouped(bytes), grouped(kept), minute(stored), age(now.Sub(used)), minute(used)}
		if labels {
			r = append(r, label)
		}
		if gone != nil {
			r = append(r, why)
		}
		return append(r, recording)
	}
	var rows [][]string
	for _, v := range all {
		rows = append(rows, row(v.Key, v.Bytes, v.Kept, v.Stored, v.Used, v.Label, "", v.Recording))
	}
	for _, t := range gone {
		rows = append(rows, row(t.Key, t.Bytes, t.Kept, t.Stored, t.Used, t.Label, string(t.Why)+" "+minute(t.Gone), t.Recording))
	}
	return writeTable(s.Out, heads, rows)
}

// age says how long ago something was, in one unit: 5m, 3h, 12d.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return grouped(int64(d/time.Minute)) + "m"
	case d < 48*time.Hour:
		return grouped(int64(d/time.Hour)) + "h"
	}
	return grouped(int64(d/(24*time.Hour))) + "d"
}
