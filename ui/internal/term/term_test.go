package term

import "testing"

func env(pairs map[string]string) func(string) string {
	return func(name string) string { return pairs[name] }
}

func TestTheBackgroundIsDarkUnlessTheEnvironmentSaysOtherwise(t *testing.T) {
	for value, want := range map[string]bool{"": true, "15;0": true, "0;15": false, "0;default;15": false, "7;8": true, "x": true} {
		if got := Dark(env(map[string]string{"COLORFGBG": value})); got != want {
			t.Errorf("COLORFGBG=%q: dark = %v, want %v", value, got, want)
		}
	}
}

func TestTheLocaleSaysWhetherGlyphsCanBeShown(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{}, true},
		{map[string]string{"LANG": "C"}, false},
		{map[string]string{"LANG": "en_GB.UTF-8"}, true},
		{map[string]string{"LANG": "en_GB.UTF-8", "LC_ALL": "POSIX"}, false},
		{map[string]string{"LC_CTYPE": "C.utf8", "LANG": "C"}, true},
	} {
		if got := UTF8(env(c.env)); got != c.want {
			t.Errorf("%v: UTF8 = %v, want %v", c.env, got, c.want)
		}
	}
}
