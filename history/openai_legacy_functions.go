package history

import (
	"context"
	"slices"
)

// openAILegacyFunctions reads ToolBench's answers: a tree of a search over calls of OpenAI's first
// function API, and the messages on the way to the answer, once for each of the model's messages.
var openAILegacyFunctions = &Format{
	Name:   "openai-legacy-functions",
	Title:  "ToolBench answers (OpenAI's first function calls)",
	How:    "an answer_generation with train_messages, lists of messages with function_call and the role function, or a tree of nodes with node_type and observation",
	detect: detectToolBench,
	read:   readToolBench,
}

func detectToolBench(s *sample) (int, string) {
	for _, v := range s.items() {
		if v.get("answer_generation", "train_messages").isArray() {
			return 95, "an answer_generation with train_messages"
		}
		if v.get("tree", "tree", "node_type").isText() && v.get("tree", "tree", "children").isArray() {
			return 95, "a tree of nodes with node_type and children"
		}
	}
	return 0, ""
}

func readToolBench(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		found := false
		for _, v := range recordsOf(rec) {
			answer := v.get("answer_generation")
			lists := longestBranches(answer.get("train_messages"))
			for _, list := range lists {
				t := b.newConversation("").thread(Main)
				t.system(answer.get("function").payload())
				for m := range list.elements() {
					toolBenchMessage(t, m)
				}
			}
			if root := v.get("tree", "tree"); len(lists) == 0 && root.isObject() {
				t := b.newConversation("").thread(Main)
				t.system(answer.get("function").payload())
				toolBenchTree(t, answer.get("query"), root)
				lists = append(lists, root)
			}
			found = found || len(lists) > 0
		}
		if !found {
			b.problem(rec.at(), "the record has no answer")
		}
	}
	return in.err()
}

// longestBranches leaves out lists that others go on with. Messages that are marked as not valid
// are passing remarks of the harness, which the next list may lack.
func longestBranches(lists value) []value {
	r := newRepeats()
	reader := &chatReader{repeats: r}
	var all []value
	var hashes [][]uint64
	for list := range lists.elements() {
		var before uint64
		var of []uint64
		for m := range list.elements() {
			if v := m.get("valid"); v.kind() == boolean && !v.truth() {
				continue
			}
			before = r.mark(before, reader.chatMessage(m))
			of = append(of, before)
		}
		if len(of) > 0 {
			all, hashes = append(all, list), append(hashes, of)
		}
	}
	var longest []value
	for i, of := range hashes {
		last := of[len(of)-1]
		repeated := slices.ContainsFunc(hashes[i+1:], func(o []uint64) bool { return slices.Contains(o, last) })
		for _, o := range hashes[:i] {
			repeated = repeated || len(o) > len(of) && slices.Contains(o, last)
		}
		if !repeated {
			longest = append(longest, all[i])
		}
	}
	return longest
}

func toolBenchMessage(t *threadBuilder, m value) {
	if !m.get("role").is("function") {
		(&chatReader{}).message(t, m)
		return
	}
	t.result("", m.get("name").str(), toolBenchResult(m.get("content"), m))
}

// toolBenchMost is where ToolBench cuts an observation, in characters; three points follow.
const toolBenchMost = 1024

// toolBenchResult reads an observation. Each is an envelope of error and response.
func toolBenchResult(content, otherwise value) *Result {
	r := &Result{Payload: content.payload(), At: placeOf(content, otherwise)}
	if r.Payload.Size().Chars == toolBenchMost+3 {
		if raw := content.inner(); len(raw) > 3 && string(raw[len(raw)-3:]) == "..." {
			r.Flags |= TruncatedByRecorder
		}
	}
	if inner, ok := embedded(content); ok && inner.get("response").ok() {
		failure := inner.get("error")
		r.Error = failure.isText() && !failure.is("")
		r.Failed = r.Error
	}
	return r
}

// toolBenchTree reads a tree without an answer: the way from its root that has most observations.
func toolBenchTree(t *threadBuilder, query, root value) {
	t.prompt(query.payload(), firstGiven(query, root).at())
	var step *Step
	var tool value
	for _, node := range longestWay(root) {
		text := node.get("description")
		switch node.get("node_type").str() {
		case "Thought":
			step = t.step("")
			t.text(step, text.payload())
		case "Action":
			tool = text
		case "Action Input":
			if tool.str() == "" {
				continue
			}
			if step == nil {
				step = t.step("")
			}
			t.callWith(step, "", tool.str(), text, text.at())
			if seen := node.get("observation"); seen.isText() {
				r := toolBenchResult(seen, node)
				if code, ok := node.get("observation_code").int64(); ok && code != 0 && !r.Error {
					r.Error = code != 3 && code != 4 // both end the search
					r.Failed = r.Error
				}
				t.result("", tool.str(), r)
			}
			step, tool = nil, value{}
		}
	}
}

// longestWay is the way from root to the leaf that has most observations, the first of equal ones.
// Trees are walked without recursion: a damaged recording may be deep.
func longestWay(root value) []value {
	type visit struct {
		node     value
		before   int // index of the parent's visit, -1 for the root
		observed int
	}
	all := []visit{{root, -1, 0}}
	best := 0
	for i := 0; i < len(all); i++ {
		if all[i].observed > all[best].observed {
			best = i
		}
		for child := range all[i].node.get("children").elements() {
			n := all[i].observed
			if o := child.get("observation"); o.isText() && !o.is("") {
				n++
			}
			all = append(all, visit{child, i, n})
		}
	}
	var way []value
	for i := best; i >= 0; i = all[i].before {
		way = append(way, all[i].node)
	}
	slices.Reverse(way)
	return way
}
