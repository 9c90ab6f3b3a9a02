package engine

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// personalShapes are compiled when something is looked at first.
var personalShapes = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		Mail:  regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}\b`),
		Card:  regexp.MustCompile(`\d(?:[ -]?\d){12,18}`),
		IBAN:  regexp.MustCompile(`[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}`),
		Phone: regexp.MustCompile(`\+[1-9](?:[ ().-]{0,2}\d){8,14}`),
	}
})

// personal finds mail addresses, card numbers, IBANs and phone numbers.
func personal(text []byte) []Sensitive {
	var found []Sensitive
	shapes := personalShapes()
	if bytes.IndexByte(text, '@') >= 0 {
		found = append(found, within(text, shapes[Mail], Mail, isMail)...)
	}
	found = append(found, within(text, shapes[Card], Card, isCard)...)
	found = append(found, within(text, shapes[IBAN], IBAN, isIBAN)...)
	if bytes.IndexByte(text, '+') >= 0 {
		found = append(found, within(text, shapes[Phone], Phone, isPhone)...)
	}
	return found
}

func within(text []byte, shape *regexp.Regexp, kind string, is func(text []byte, start, end int) int) []Sensitive {
	var found []Sensitive
	for _, at := range shape.FindAllIndex(text, -1) {
		if end := is(text, at[0], at[1]); end > 0 {
			found = append(found, Sensitive{kind, at[0], end})
		}
	}
	return found
}

// notDomains are endings of file names that a path such as icon@2x.png would have for a domain.
var notDomains = []string{"png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "tsx", "jsx", "mjs", "css", "json", "py", "md", "go", "html", "txt", "yml", "yaml", "service", "target", "local"}

// isMail refuses what is an address of something else: a repository, the user name of a URL, a file.
func isMail(text []byte, start, end int) int {
	local, domain, _ := strings.Cut(string(text[start:end]), "@")
	top := domain[strings.LastIndexByte(domain, '.')+1:]
	switch {
	case local == "git", slices.Contains(notDomains, strings.ToLower(top)):
		return 0
	case start > 0 && strings.IndexByte("/:@=", text[start-1]) >= 0 && bytes.Contains(text[max(0, start-80):start], []byte("://")) && !bytes.ContainsAny(text[bytes.LastIndex(text[:start], []byte("://")):start], " \n\"'"):
		return 0
	}
	return end
}

// unconnected tells whether no letter, digit or sign that continues a number or a name is beside a stretch.
func unconnected(text []byte, start, end int) bool {
	if start > 0 && (isWordByte(text[start-1]) || strings.IndexByte(".-/+=#&%", text[start-1]) >= 0) {
		return false
	}
	if end == len(text) {
		return true
	}
	next := text[end]
	if isWordByte(next) || next == '-' || next == '/' || next == '%' || next == '=' {
		return false
	}
	return next != '.' || end+1 == len(text) || text[end+1]-'0' >= 10
}

func isWordByte(c byte) bool {
	return c == '_' || c-'0' < 10 || c|0x20-'a' < 26 || c >= 0x80
}

// isCard tells whether digits are of an issuer's range, have a length of that issuer's, are grouped as on a
// card where they are grouped at all, and end with the check digit (Luhn, ISO/IEC 7812-1).
func isCard(text []byte, start, end int) int {
	if !unconnected(text, start, end) || !groupedAsCard(text[start:end]) {
		return 0
	}
	var n []byte
	for _, c := range text[start:end] {
		if c-'0' < 10 {
			n = append(n, c-'0')
		}
	}
	if !isIssued(n) || !luhn(n) {
		return 0
	}
	for _, d := range n[1:] {
		if d != n[0] {
			return end
		}
	}
	return 0
}

// groupedAsCard tells whether groups, if there are any, have one separator and 4 to 7 digits, the last one 1 to 7.
func groupedAsCard(b []byte) bool {
	sep := byte(0)
	run := 0
	for _, c := range b {
		if c-'0' < 10 {
			run++
			continue
		}
		if sep != 0 && c != sep || run < 4 || run > 7 {
			return false
		}
		sep, run = c, 0
	}
	return sep == 0 || run >= 1 && run <= 7
}

// isIssued tells whether a number's start and length are those of an issuer.
func isIssued(n []byte) bool {
	start := func(digits int) (v int) {
		for _, d := range n[:digits] {
			v = v*10 + int(d)
		}
		return v
	}
	between := func(v, low, high int) bool { return v >= low && v <= high }
	one, two, three, four := start(1), start(2), start(3), start(4)
	switch len(n) {
	case 13:
		return one == 4
	case 14:
		return between(three, 300, 305) || two == 36 || two == 38 || two == 39
	case 15:
		return two == 34 || two == 37
	case 16:
		return one == 4 || between(two, 51, 55) || between(four, 2221, 2720) || four == 6011 || between(three, 644, 649) || two == 65 || between(four, 3528, 3589) || two == 62
	case 19:
		return two == 62
	}
	return false
}

func luhn(n []byte) bool {
	sum := 0
	for i := range n {
		d := int(n[len(n)-1-i])
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// ibanLengths are the characters of a country's IBAN: the 89 countries of SWIFT's IBAN registry (ISO 13616). A country
// that uses the form without being registered has no entry.
var ibanLengths = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28, "CH": 21, "CR": 22,
	"CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27, "GB": 22,
	"GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30,
	"KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20,
	"MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22,
	"RU": 33, "SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26,
	"UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

// isIBAN tells whether letters and digits have their country's length and check digits (ISO 7064, mod 97 is 1).
// What follows after the length, such as the next word, is none of it.
func isIBAN(text []byte, start, end int) int {
	length := ibanLengths[string(text[start:start+2])]
	var b []byte
	stop := start
	for ; stop < end && len(b) < length; stop++ {
		if text[stop] != ' ' {
			b = append(b, text[stop])
		}
	}
	if length == 0 || len(b) < length || !unconnected(text, start, stop) {
		return 0
	}
	rest := 0
	for _, c := range append(b[4:len(b):len(b)], b[:4]...) {
		if c-'0' < 10 {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	if rest != 1 {
		return 0
	}
	return stop
}

// isPhone tells whether a number stands alone; E.164 allows 15 digits.
func isPhone(text []byte, start, end int) int {
	if !unconnected(text, start, end) || start > 0 && text[start-1] == ')' {
		return 0
	}
	return end
}
