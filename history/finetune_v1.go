package history

import "context"

// finetuneV1 reads training sets whose messages have typed parts with a value, as LLaMA-Factory's
// first version of its own format has them. Calls have no ids.
var finetuneV1 = &Format{
	Name:   "finetune-v1",
	Title:  "Fine-tuning messages with typed values",
	How:    "messages whose content is a list of parts with a type (text, reasoning, tool_call) and a value",
	detect: detectFinetuneV1,
	read:   readFinetuneV1,
}

func detectFinetuneV1(s *sample) (int, string) {
	for _, v := range s.items() {
		for m := range v.get("messages").elements() {
			if !m.get("role").isText() {
				break
			}
			if typedValues(m.get("content")) {
				return 92, "messages with parts that have a type and a value"
			}
		}
	}
	return 0, ""
}

// typedValues tells whether content is a list of parts as only this format has them.
func typedValues(content value) bool {
	part := content.first()
	switch part.get("type").str() {
	case "text", "reasoning", "tool_call":
		return part.get("value").ok() && !part.get("text").ok()
	}
	return false
}

func readFinetuneV1(ctx context.Context, in *input, b *builder) error {
	for rec := range in.records(ctx) {
		found := false
		for _, v := range recordsOf(rec) {
			list := v.get("messages")
			if !list.first().get("role").isText() {
				continue
			}
			found = true
			t := b.newConversation(v.get("id").str()).thread(Main)
			t.system(v.get("tools").payload())
			for m := range list.elements() {
				finetuneMessage(t, m)
			}
		}
		if !found {
			b.problem(rec.at(), "the record has no messages")
		}
	}
	return in.err()
}

// recordsOf lists the objects of a record: its elements where it is a list.
func recordsOf(rec record) []value {
	if !rec.isArray() {
		return []value{rec.value}
	}
	var list []value
	for e := range rec.elements() {
		list = append(list, e)
	}
	return list
}

func finetuneMessage(t *threadBuilder, m value) {
	content := m.get("content")
	switch role := m.get("role").str(); role {
	case "system", "developer":
		t.system(finetuneContent(content))
	case "user":
		t.prompt(finetuneContent(content), m.at())
	case "tool", "observation":
		t.result("", "", &Result{Payload: finetuneContent(content), At: placeOf(firstGiven(content.first().get("value"), content), m)})
	case "assistant":
		s := t.step("")
		t.text(s, finetuneContent(content))
		for part := range content.elements() {
			if part.get("type").is("tool_call") {
				finetuneCalls(t, s, part.get("value"))
			}
		}
	default:
		reason := "a message has no known role"
		if plainKey(role) {
			reason = "a message has the unknown role " + role
		}
		t.c.b.problem(m.at(), reason)
	}
}

// finetuneCalls reads the call, or the calls, that a value holds: as JSON in a string as a rule.
func finetuneCalls(t *threadBuilder, s *Step, v value) {
	call := v
	if inner, ok := embedded(v); ok {
		call = inner
	}
	if call.isArray() {
		for e := range call.elements() {
			t.callWith(s, "", e.get("name").str(), e.get("arguments"), v.at())
		}
		return
	}
	if !call.isObject() {
		t.call(s, "", "", v.payload(), v.at()).Flags |= InvalidArguments
		return
	}
	t.callWith(s, "", call.get("name").str(), call.get("arguments"), v.at())
}

// finetuneContent is the text of a message's parts, calls left out.
func finetuneContent(v value) Payload {
	if !v.isArray() {
		return v.payload()
	}
	var parts []Part
	for e := range v.elements() {
		data := e.get("value")
		switch kind := e.get("type").str(); kind {
		case "text", "reasoning", "tools":
			if data.given() {
				parts = append(parts, data.part())
			}
		case "tool_call":
		case "image", "image_url":
			parts = append(parts, firstGiven(data, e).blob(Image, kind))
		case "audio":
			parts = append(parts, firstGiven(data, e).blob(Audio, kind))
		default:
			if !plainKey(kind) {
				kind = ""
			}
			parts = append(parts, firstGiven(data, e).blob(Other, kind))
		}
	}
	return newPayload(parts...)
}
