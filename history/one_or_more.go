package history

import "iter"

// oneOrMore lists the elements of an array, and of anything else itself.
func oneOrMore(v value) iter.Seq[value] {
	if v.isArray() {
		return v.elements()
	}
	return func(yield func(value) bool) {
		if v.ok() {
			yield(v)
		}
	}
}

// wordOf is a string or a number as a word.
func wordOf(v value) string {
	switch v.kind() {
	case text:
		return v.str()
	case number:
		return string(v.raw())
	}
	return ""
}

// typedContent is openAIContent where a list is one of parts in any case: an empty one is nothing.
func typedContent(v value) Payload {
	if v.isArray() && !v.first().ok() {
		return Payload{}
	}
	return openAIContent(v)
}
