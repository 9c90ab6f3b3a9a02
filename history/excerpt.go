package history

import "strings"

// Some agents write calls and results into the text of messages. An excerpt is a stretch of such a
// text, which stays in the recording like any other text: places are those of the string as it was
// recorded, escapes included.

// excerpt is the text between two places of the inside of v.
func excerpt(v value, from, to int) Payload {
	n := v.node()
	raw := v.raw()[1+from : 1+to]
	c := sourceText{src: v.d.src, off: v.offset() + 1 + int64(from), n: int64(to - from), escaped: n.escaped}
	p := Part{Kind: Text}
	if c.escaped {
		p.Size, c.replaced = unescapedSize(raw)
	} else {
		p.Size = Measure(raw)
	}
	p.data = c
	return newPayload(p)
}

// excerptAt is where a place of the inside of v lies.
func excerptAt(v value, from int) Location {
	at := v.at()
	at.Offset += 1 + int64(from)
	return at
}

// A fence is a block of code in Markdown.
type fence struct {
	word     string // what stands behind the opening marks: a language as a rule
	from, to int    // its lines, without the newline before the closing marks
}

// fences lists the blocks of code in a string. Marks begin a line; a block that is not closed is none.
func fences(v value) []fence {
	const marks, newline = "```", `\n`
	text := string(v.inner())
	var list []fence
	for i := 0; i < len(text); {
		open := strings.Index(text[i:], marks)
		if open < 0 {
			break
		}
		open += i
		if open > 0 && !strings.HasSuffix(text[:open], newline) {
			i = open + len(marks)
			continue
		}
		line := strings.Index(text[open:], newline)
		if line < 0 {
			break
		}
		from := open + line + len(newline)
		end := strings.Index(text[from-len(newline):], newline+marks)
		if end < 0 {
			break
		}
		end += from - len(newline)
		list = append(list, fence{strings.TrimSpace(text[open+len(marks) : open+line]), from, max(from, end)})
		i = end + len(newline) + len(marks)
	}
	return list
}

// tagged lists the stretches of a string between two tags.
func tagged(v value, open, shut string) [][2]int {
	text := string(v.inner())
	var list [][2]int
	for i := 0; ; {
		from := strings.Index(text[i:], open)
		if from < 0 {
			return list
		}
		from += i + len(open)
		end := strings.Index(text[from:], shut)
		if end < 0 {
			return list
		}
		list = append(list, [2]int{from, from + end})
		i = from + end + len(shut)
	}
}

// tail is the end of a string: at least n bytes of it where it has them, escapes undone where that
// is safe.
func tail(v value, n int) string {
	if text := v.inner(); len(text) > 6*n {
		return strings.ReplaceAll(string(text[len(text)-n:]), `\n`, "\n")
	}
	return v.str()
}
