package engine

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	gitleaks "github.com/zricethezav/gitleaks/v8/config"
)

// secretRules is gitleaks' list of rules (https://github.com/gitleaks/gitleaks, MIT). The list alone is taken:
// its own runner compiles all of the 222 rules to look at one text, and reads files, archives and git.
type secretRules struct {
	Allowlist secretAllowed `toml:"allowlist"`
	Rules     []*secretRule `toml:"rules"`
}

// A secretRule is what a secret looks like, for a text with one of its keywords.
type secretRule struct {
	ID          string          `toml:"id"`
	Regex       string          `toml:"regex"`
	SecretGroup int             `toml:"secretGroup"`
	Entropy     float64         `toml:"entropy"` // bits a byte that a secret is above
	Keywords    []string        `toml:"keywords"`
	Path        string          `toml:"path"` // of a file; a payload has none
	Allowlists  []secretAllowed `toml:"allowlists"`

	shape func() *regexp.Regexp
}

// secretAllowed says what is no secret though a rule finds it.
type secretAllowed struct {
	Condition   string   `toml:"condition"` // "AND": everything has to be met
	Regexes     []string `toml:"regexes"`
	RegexTarget string   `toml:"regexTarget"` // "match" or "line", else the secret
	Stopwords   []string `toml:"stopwords"`
	Paths       []string `toml:"paths"`

	shapes func() []*regexp.Regexp
}

// loadSecretRules reads the list when something is looked at first.
var loadSecretRules = sync.OnceValue(readSecretRules)

func readSecretRules() *secretRules {
	l := &secretRules{}
	if err := toml.Unmarshal([]byte(gitleaks.DefaultConfig), l); err != nil {
		panic(fmt.Sprint("engine: the rules for secrets that are built in can't be read: ", err))
	}
	l.Allowlist.prepare()
	kept := l.Rules[:0]
	for _, r := range l.Rules {
		if r.Regex == "" || r.Path != "" {
			continue
		}
		r.shape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(r.Regex) })
		for i := range r.Allowlists {
			r.Allowlists[i].prepare()
		}
		for i, word := range r.Keywords {
			r.Keywords[i] = strings.ToLower(word)
		}
		kept = append(kept, r)
	}
	l.Rules = kept
	return l
}

func (a *secretAllowed) prepare() {
	a.shapes = sync.OnceValue(func() []*regexp.Regexp {
		shapes := make([]*regexp.Regexp, len(a.Regexes))
		for i, x := range a.Regexes {
			shapes[i] = regexp.MustCompile(x)
		}
		return shapes
	})
}

// secrets finds what a rule of gitleaks takes for a secret.
func secrets(text []byte) []Sensitive {
	l := loadSecretRules()
	lower := bytes.ToLower(text)
	seen := map[string]bool{} // rules share keywords
	has := func(word string) bool {
		is, known := seen[word]
		if !known {
			is = bytes.Contains(lower, []byte(word))
			seen[word] = is
		}
		return is
	}
	var found []Sensitive
	for _, r := range l.Rules {
		for _, word := range r.Keywords {
			if has(word) {
				found = append(found, r.find(l, text)...)
				break
			}
		}
	}
	return found
}

// find is what r takes for a secret.
func (r *secretRule) find(l *secretRules, text []byte) []Sensitive {
	var found []Sensitive
	for _, at := range r.shape().FindAllSubmatchIndex(text, -1) {
		start, end := r.secret(at)
		secret := text[start:end]
		if len(secret) == 0 || r.Entropy > 0 && entropy(secret) <= r.Entropy || r.ID == genericRule && !isGenericSecret(text[at[0]:start], secret) {
			continue
		}
		match := text[at[0]:at[1]]
		allowed := l.Allowlist.allows(secret, match, text, at[0], at[1])
		for i := range r.Allowlists {
			allowed = allowed || r.Allowlists[i].allows(secret, match, text, at[0], at[1])
		}
		if !allowed {
			found = append(found, Sensitive{r.ID, start, end})
		}
	}
	return found
}

// secret is the part of a match that is the secret: the rule's group, else the first that is there.
func (r *secretRule) secret(at []int) (start, end int) {
	if g := 2 * r.SecretGroup; g > 0 && g < len(at) && at[g] >= 0 {
		return at[g], at[g+1]
	}
	for g := 2; g < len(at); g += 2 {
		if at[g] >= 0 && at[g+1] > at[g] {
			return at[g], at[g+1]
		}
	}
	return at[0], at[1]
}

// allows tells whether something that was found is no secret. What a list says of files is not met.
func (a *secretAllowed) allows(secret, match, text []byte, start, end int) bool {
	if a.Condition == "AND" && len(a.Paths) > 0 {
		return false
	}
	target := secret
	switch a.RegexTarget {
	case "match":
		target = match
	case "line":
		target = lineAround(text, start, end)
	}
	for _, x := range a.shapes() {
		if x.Match(target) {
			return true
		}
	}
	lower := bytes.ToLower(secret)
	for _, word := range a.Stopwords {
		if bytes.Contains(lower, []byte(word)) {
			return true
		}
	}
	return false
}

// lineAround is the line that a stretch is on, at most 200 bytes to either side: JSON may have one line only.
func lineAround(text []byte, start, end int) []byte {
	from, to := max(0, start-200), min(len(text), end+200)
	if at := bytes.LastIndexByte(text[from:start], '\n'); at >= 0 {
		from += at + 1
	}
	if at := bytes.IndexByte(text[end:to], '\n'); at >= 0 {
		to = end + at
	}
	return text[from:to]
}

// entropy is Shannon's, in bits a byte.
func entropy(b []byte) float64 {
	var counts [256]int
	for _, c := range b {
		counts[c]++
	}
	h := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(b))
			h -= p * math.Log2(p)
		}
	}
	return h
}
