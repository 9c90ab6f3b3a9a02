package engine

// These step over parts of valid JSON without looking into them.

// skipScalar returns the byte after the number or literal at i.
func skipScalar(p []byte, i int) int {
	for i++; i < len(p); i++ {
		switch p[i] {
		case ',', ']', '}', ' ', '\n', '\t', '\r':
			return i
		}
	}
	return i
}

// skipValue returns the byte after the value at i.
func skipValue(p []byte, i int) int {
	switch p[i] {
	case '"':
		return skipString(p, i)
	case '{', '[':
		for depth := 0; i < len(p); {
			switch p[i] {
			case '"':
				i = skipString(p, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			i++
			if depth == 0 {
				return i
			}
		}
		return i
	}
	return skipScalar(p, i)
}
