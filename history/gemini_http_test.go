package history

import "testing"

func TestGeminiCassette(t *testing.T) {
	const path = "/v1beta/models/gemini-x:"
	checkOutlines(t, "gemini-contents", []outlineCase{
		{"results have the ids that the client gave the calls", cassetteOf(
			[3]string{path + "generateContent", `{"systemInstruction":{"parts":[{"text":"be kind"}]},"contents":[{"role":"user","parts":[{"text":"go"}]}]}`,
				quoted(`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g","args":{}}}]}}],"responseId":"r1","modelVersion":"gemini-1","usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":3}}`)},
			[3]string{path + "countTokens", `{"contents":[{"role":"user","parts":[{"text":"go"}]}]}`, quoted(`{"totalTokens":1}`)},
			[3]string{path + "streamGenerateContent", `{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"id":"1","name":"f","args":{}}},{"functionCall":{"id":"2","name":"g","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"2","name":"g","response":{"error":"no"}}},{"functionResponse":{"id":"1","name":"f","response":{"output":"x"}}}]}]}`,
				quoted(`[{"candidates":[{"content":{"role":"model","parts":[{"text":"so "}]}}],"usageMetadata":{"promptTokenCount":20,"candidatesTokenCount":1}},{"candidates":[{"content":{"role":"model","parts":[{"text":"it is"}]}}],"usageMetadata":{"promptTokenCount":20,"candidatesTokenCount":5}}]`)}), []string{
			`conversation 0 model "gemini-1" system "be kind" usage &{26 4 10 false}`, `turn 1 "go"`, `step 1 "r1" ""`,
			`1 f("{}") = "x"`, `2 g("{}") = "no" error failed`, `step 2 "" "so it is"`}},
		{"a stream of events", cassetteOf([3]string{path + "streamGenerateContent", `{"contents":[{"role":"user","parts":[{"text":"go"}]}]}`,
			"|\n        data: {\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"a\"}]}}]}\n\n        data: {\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"name\":\"f\",\"args\":{}}}]}}]}\n"}), []string{
			`conversation 0 model "gemini-x" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "a"`, `line7-0 f("{}") no-result,synthetic-id`}},
	})
}
