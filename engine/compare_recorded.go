package engine

import (
	"path/filepath"
	"strings"

	"floodmark/history"
)

// Recorded is what a recording shows of strategies that are recognised and never simulated: a
// summary in the history's place, payloads that were kept elsewhere or cut before they were recorded,
// and reading them back.
type Recorded struct {
	Compactions int // the history was replaced by a summary
	Offloaded   int // results that the recorder kept elsewhere
	Truncated   int // results that the recorder cut
	// Reads are calls whose arguments name the file of a result that was kept elsewhere earlier on.
	Reads int
}

// Add adds what another conversation shows.
func (r *Recorded) Add(s Recorded) {
	r.Compactions += s.Compactions
	r.Offloaded += s.Offloaded
	r.Truncated += s.Truncated
	r.Reads += s.Reads
}

// longestArguments is the most bytes of a call's arguments that are searched for a file's name: one
// that reads a file is short.
const longestArguments = 64 << 10

func recordedStrategies(c *history.Conversation) Recorded {
	var r Recorded
	for _, t := range c.Threads {
		for _, u := range t.Turns {
			compacted := u.Compacted
			for _, s := range u.Steps {
				if compacted = compacted || s.Compacted; compacted {
					r.Compactions++ // a turn and its first step may both be marked
					compacted = false
				}
			}
			if compacted {
				r.Compactions++
			}
		}
	}
	r.Reads = len(readsBack(c))
	for _, call := range c.Calls() {
		res := call.Result
		if res == nil {
			continue
		}
		if res.Flags.Has(history.TruncatedByRecorder) {
			r.Truncated++
		}
		if res.Flags.Has(history.OffloadedByRecorder) {
			r.Offloaded++
		}
	}
	return r
}

// readsBack lists the calls whose arguments name the file of a result that the recorder kept elsewhere
// earlier on.
func readsBack(c *history.Conversation) (reads []*history.Call) {
	files := map[string]bool{} // names of side files
	for _, call := range c.Calls() {
		if len(files) > 0 && namesOne(call, files) {
			reads = append(reads, call)
		}
		if res := call.Result; res != nil && res.Flags.Has(history.OffloadedByRecorder) && res.At.File != c.File {
			files[filepath.Base(res.At.File)] = true
		}
	}
	return reads
}

// namesOne tells whether a call's arguments name one of the files.
func namesOne(c *history.Call, files map[string]bool) bool {
	if c.Arguments.Size().Bytes > longestArguments {
		return false
	}
	b, err := c.Arguments.Bytes()
	if err != nil {
		return false // it can't be read, so it is not recognised
	}
	for word := range strings.FieldsFuncSeq(string(b), func(r rune) bool { return strings.ContainsRune(" \t\n/\\\"'`|;&<>()", r) }) {
		if files[word] {
			return true
		}
	}
	return false
}
