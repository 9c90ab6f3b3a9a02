package history

import "testing"

const geminiResponses = `{"method":"generateContentStream","response":[{"candidates":[{"content":{"parts":[{"text":"I look"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":20,"totalTokenCount":120}},{"candidates":[{"content":{"parts":[{"functionCall":{"name":"list","args":{"dir":"."}}},{"functionCall":{"id":"x","name":"list","args":{}}}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":40,"totalTokenCount":140}}]}
{"method":"countTokens","response":{"totalTokens":12}}
{"method":"generateContentStream","response":[{"candidates":[{"content":{"parts":[{"text":"Done."}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":50,"candidatesTokenCount":2}},{"usageMetadata":{"promptTokenCount":50,"candidatesTokenCount":3}}]}
{"method":"generateContent","response":{"modelVersion":"m-1","candidates":[{"content":{"parts":[{"text":"user"}],"role":"model"}}]}}
`

// Of the pieces of a stream the last count holds: 40 and 3 tokens, not 60 and 5.
func TestGeminiCLIResponses(t *testing.T) {
	checkOutlines(t, "gemini-cli-responses", []outlineCase{{"streams and a single response", geminiResponses, []string{
		`conversation 0 model "m-1" system "" usage &{150 0 43 false}`, `turn 0 ""`, `step 1 "" "I look"`,
		`line1-0 list("{\"dir\":\".\"}") no-result,synthetic-id`, `x list("{}") no-result`,
		`step 2 "" "Done."`, `step 3 "" "user"`}}})
}

func TestGeminiCLIResponsesSurvive(t *testing.T) {
	survives(t, "gemini-cli-responses", geminiResponses)
}

func FuzzGeminiCLIResponses(f *testing.F) { fuzzFormat(f, "gemini-cli-responses", geminiResponses) }
