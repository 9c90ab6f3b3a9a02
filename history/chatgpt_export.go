package history

import (
	"context"
	"slices"
	"strings"
)

// chatGPTExport reads the conversations of a ChatGPT export: trees of messages, of which the branch
// that was shown last is read.
var chatGPTExport = &Format{
	Name:   "chatgpt-export",
	Title:  "ChatGPT export",
	How:    "conversations with a mapping of nodes that have parent, children and message",
	detect: detectChatGPT,
	read:   readChatGPT,
}

func detectChatGPT(s *sample) (int, string) {
	for _, v := range s.items() {
		for _, node := range v.get("mapping").members() {
			if node.get("children").isArray() && (node.get("message").ok() || node.get("parent").ok()) {
				return 94, "conversations with a mapping of nodes that have parent and children"
			}
			break
		}
	}
	return 0, ""
}

func readChatGPT(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		for v := range oneOrMore(rec.value) {
			if !v.get("mapping").isObject() {
				b.problem(v.at(), "the record has no mapping of messages")
				continue
			}
			c := b.newConversation(firstGiven(v.get("conversation_id"), v.get("id")).str())
			c.Conv.Title, c.Conv.Model = v.get("title").str(), v.get("default_model_slug").str()
			t := &chatGPTThread{threadBuilder: c.thread(Main)}
			for _, node := range chatGPTBranch(v) {
				t.message(node.get("message"))
			}
		}
	}
	return in.err()
}

// chatGPTBranch lists the nodes from the root to the current one.
func chatGPTBranch(v value) []value {
	nodes := map[string]value{}
	last := ""
	for id, node := range v.get("mapping").members() {
		last = id.str()
		nodes[last] = node
	}
	if current := v.get("current_node"); current.isText() {
		last = current.str()
	}
	var branch []value
	for node, ok := nodes[last]; ok; node, ok = nodes[last] {
		delete(nodes, last) // a damaged tree may go round
		branch = append(branch, node)
		last = node.get("parent").str()
	}
	slices.Reverse(branch)
	return branch
}

type chatGPTThread struct {
	*threadBuilder
	answer *Step  // the response that goes on
	open   string // the call that results belong to: the branch's last
}

func (t *chatGPTThread) message(m value) {
	content := m.get("content")
	switch role := m.get("author", "role"); {
	case !m.isObject():
	case role.is("system"), content.get("content_type").is("user_editable_context"), content.get("content_type").is("model_editable_context"):
		t.system(chatGPTContent(content))
	case role.is("user"):
		t.answer, t.open = nil, ""
		t.prompt(chatGPTContent(content), m.at())
	case role.is("assistant"):
		if t.answer == nil {
			t.answer = t.step("")
			t.answer.ID, t.answer.Time = m.get("id").str(), m.get("create_time").time()
		}
		if model := m.get("metadata", "model_slug"); model.isText() && t.c.Conv.Model == "" {
			t.c.Conv.Model = model.str()
		}
		if to := m.get("recipient").str(); to != "" && to != "all" {
			t.open = t.call(t.answer, m.get("id").str(), to, chatGPTContent(content), m.at()).ID
		} else {
			t.text(t.answer, chatGPTContent(content))
		}
	case role.is("tool"):
		t.answer = nil
		failed := strings.HasPrefix(m.get("metadata", "aggregate_result", "status").str(), "failed") || content.get("content_type").is("system_error")
		t.result(t.open, m.get("author", "name").str(),
			&Result{Payload: chatGPTContent(content), At: placeOf(content, m), Time: m.get("create_time").time(), Error: failed, Failed: failed})
	default:
		t.c.b.problem(m.at(), "a message has no known author")
	}
}

func chatGPTContent(v value) Payload {
	var parts []Part
	for _, list := range []value{v.get("parts"), v.get("thoughts")} {
		for p := range list.elements() {
			switch text := firstGiven(p.get("text"), p.get("content")); {
			case p.isText():
				parts = append(parts, textParts(p)...)
			case text.isText():
				parts = append(parts, text.part())
			case p.get("content_type").is("image_asset_pointer"):
				parts = append(parts, firstGiven(p.get("asset_pointer"), p).blob(Image, "image"))
			case p.get("content_type").is("audio_asset_pointer"):
				parts = append(parts, firstGiven(p.get("asset_pointer"), p).blob(Audio, "audio"))
			case p.given():
				parts = append(parts, p.blob(Other, ""))
			}
		}
	}
	if !v.get("parts").ok() && !v.get("thoughts").ok() {
		for _, key := range []string{"text", "result", "content", "user_profile", "user_instructions", "model_set_context"} {
			parts = append(parts, textParts(v.get(key))...)
		}
	}
	return newPayload(parts...)
}
