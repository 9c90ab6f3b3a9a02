package history

// claudeLines are the lines of a thread that were used, to know those that a resume writes again
// with new uuids and new times.
type claudeLines struct {
	used  int32              // how many
	at    map[uint64][]int32 // by what they say, each from 1
	news  int32              // the last one that said something new
	last  int32              // the line that was written again last; 0 where the one before was new
	asked []*Turn            // turns since the last new line that begin as an earlier one did
}

// lineMark stands for what a line says. response tells whether it is one of a response that has both
// of its ids, which no other response has.
func (s *claudeSession) lineMark(v, content value) (mark uint64, response bool) {
	id, request := v.get("message", "id"), v.get("requestId")
	if v.get("type").is("assistant") && id.str() != "" && request.str() != "" {
		return s.fingerprint(id, request, content), true
	}
	return s.fingerprint(v.get("type"), content), false
}

// copied tells whether a line is an earlier one written again: a line of a response where all of it
// is the same, any other where it follows one that is, in the order of before.
func (t *claudeThread) copied(mark uint64, response bool) bool {
	l := &t.lines
	for _, n := range l.at[mark] {
		if !response && (l.last == 0 || n <= l.last || n > l.news) {
			continue
		}
		if l.last = n; response {
			t.takeBack()
		}
		return true
	}
	return false
}

// takeBack drops the turns that began as earlier ones did: what follows shows that they are the same.
func (t *claudeThread) takeBack() {
	l := &t.lines
	for i := len(l.asked) - 1; i >= 0; i-- {
		n := len(t.Thread.Turns) - 1
		if u := t.Thread.Turns[n]; n == 0 || u != l.asked[i] || len(u.Steps) > 0 {
			break
		}
		t.dropTurn()
	}
	l.asked = nil
}

// note remembers a line that is new, before which there were so many turns.
func (t *claudeThread) note(mark uint64, turns int) {
	l := &t.lines
	l.used++
	switch n := len(t.Thread.Turns); {
	case len(l.at[mark]) == 0:
		l.asked, l.news = nil, l.used
	case n > turns:
		l.asked = append(l.asked, t.Thread.Turns[n-1])
	}
	l.last = 0
	l.at[mark] = append(l.at[mark], l.used)
}
