package engine

import (
	"strings"
	"testing"
)

func TestFiguresHideNoFractionThatCounts(t *testing.T) {
	for got, want := range map[string]string{
		figure(0): "0", figure(0.25): "0.25", figure(0.5): "0.5", figure(9.75): "9.75", figure(1): "1", figure(-0.25): "-0.25",
		figure(10.5): "11", figure(6999.75): "7,000", figure(1234567): "1,234,567",
		beside(7000.25, 7000): "7,000.25", beside(6999.75, 7000): "6,999.75", beside(7001, 7000): "7,001", beside(7000, 7000): "7,000 ",
		amount(1, "byte"): "1 byte", amount(0.25, "token"): "0.25 tokens", amount(0, "byte"): "0 bytes", amount(28, "byte"): "28 bytes",
	} {
		if got != strings.TrimSpace(want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestOnlyTheWholeIsAHundredPercent(t *testing.T) {
	for share, want := range map[float64]string{
		0: "0.0 %", 0.0004: "<0.1 %", 0.011: "1.1 %", 0.29: "29 %", 0.985: "98 %", 0.994: "99.4 %", 0.9998: "99.9 %", 0.999999: "99.9 %", 1: "100 %",
	} {
		if got := percent(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}

func TestAWarningSaysByHowLittleALimitIsCrossed(t *testing.T) {
	for _, c := range []struct {
		bytes int
		set   []string
		want  string
	}{
		{28_001, nil, "0.25 tokens (bytes/4) over the limit of 7,000 a result"},
		{28_004, nil, "1 token (bytes/4) over the limit of 7,000 a result"},
		{5000, []string{"limits.hard_bytes=4999"}, "1 byte over the hard limit of 4,999 bytes"},
		{4998, []string{"limits.hard_bytes=4999"}, "1 byte under the hard limit of 4,999 bytes"},
	} {
		o := replay(t, policy(t, "moveworks", c.set...), RunOptions{}, result(numbers(c.bytes)))[0]
		found := false
		for _, w := range o.Warnings {
			found = found || w.Code == WarnNear && w.Detail == c.want
		}
		if !found {
			t.Errorf("%d bytes: %+v, want %q", c.bytes, o.Warnings, c.want)
		}
	}
}
