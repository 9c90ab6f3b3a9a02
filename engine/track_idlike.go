package engine

import (
	"regexp"
	"strings"
)

// Sizes of values that are followed, in bytes.
const (
	minTracked = 3
	maxTracked = 200
)

// trivial tells whether a value says nothing about where it comes from.
func trivial(text string, number bool) bool {
	return len(text) < minTracked || len(text) > maxTracked || !number && strings.TrimSpace(text) == ""
}

var (
	idKey     = regexp.MustCompile(`(?i)(^|[_-])(ids?|uuid|guid|ref|sku|iban)$|[_-]key$|[a-z](Ids?|ID|Uuid|Ref|Number|No)$|(^|[_-])(number|account|order|invoice|ticket|reservation)$`)
	noIDKey   = regexp.MustCompile(`(?i)^key$|(^|[_-])(date|time|timestamp|dob|version|model|limit|offset|page|timeout|port|size|count|year|month|day|content|code|command|cmd|query|sql|pattern|regex|expression|path|file|filename|url|uri|lang|language|encoding|format|phone|zip|line|lines|start|end)$|(_at|At|Date|Time)$`)
	emailID   = regexp.MustCompile(`^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`)
	plainID   = regexp.MustCompile(`^[#@$]?[A-Za-z0-9]+([_.:/#-][A-Za-z0-9]+)*$`)
	dateID    = regexp.MustCompile(`^\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?|^\d{1,2}:\d{2}|^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}$`)
	versionID = regexp.MustCompile(`^v?\d+(\.\d+)+$`)
	knownID   = regexp.MustCompile(`(?i)^(sha-?\d+|x86[_-]64|amd64|arm64|utf-?\d+|iso-?[\d-]+|md5|base64|latin-?1|cp-?\d+|python\d?|gpt-.*|claude-.*|gemini-.*|localhost:\d+|http[sv]?\d?|int\d+|float\d+|uint\d+|o200k_base|cl100k_base)$`)
)

// idLike tells whether a value looks like an id that has to come from somewhere. The rule asks for what
// names of things, words and settings do not have:
//
//   - a mail address; or
//   - one word of letters and digits, with -, _, ., :, / or # inside, that has three digits or more; or
//     capitals only with a digit, five characters or more (a booking code); or, under a key that says id
//     (id, order_id, accountNumber, …), a digit;
//   - a number under such a key with three digits or more, else an integer of seven or more;
//   - and is not a date, a time, a version, a path, an address of the web, a well-known name (sha256,
//     x86_64), nor stands under a key that says something else (date, path, command, limit, …).
func idLike(key, text string, number bool) bool {
	if trivial(text, number) || len(text) > 128 || noIDKey.MatchString(key) {
		return false
	}
	byKey := idKey.MatchString(key)
	letters, digits, lower := 0, 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c-'0' < 10:
			digits++
		case 'a' <= c && c <= 'z':
			letters, lower = letters+1, lower+1
		case 'A' <= c && c <= 'Z':
			letters++
		}
	}
	switch {
	case number:
		return digits == len(text) && (byKey && digits >= 3 || digits >= 7 && !strings.HasSuffix(text, "000"))
	case emailID.MatchString(text):
		return true
	case !plainID.MatchString(text) || dateID.MatchString(text) || versionID.MatchString(text) || knownID.MatchString(text):
		return false
	case strings.ContainsRune(text, '/') || strings.ContainsRune(text, '.') && !byKey:
		return false // a path, a file, a host, a name with dots
	}
	return digits >= 3 || byKey && digits >= 1 || lower == 0 && letters > 0 && digits >= 1 && len(text) >= 5
}
