package history

import "context"

// A Format is a way in which conversations are recorded.
type Format struct {
	Name  string // as given to --format: the words with "-" between them
	Title string // what people call it
	How   string // how it is recognised, one sentence
	// detect scores a sample of the recording, 0 (no) to 100 (sure), and says why in one sentence.
	// It looks at structure only: keys and types of parsed records, never a file's name, never a
	// substring of raw bytes.
	detect func(s *sample) (score int, reason string)
	// read turns the records of in into conversations by way of b. It reports what it can't use
	// with b.problem and goes on; an error ends the whole recording.
	read func(ctx context.Context, in *input, b *builder) error
	// folder, where set, lists the conversations of a folder that are in several files.
	folder func(dir string) []bundle
}

// A bundle is a conversation in several files. It is opened by its main file, which may lie beside
// the folder that was asked for; read finds the others in its input.
type bundle struct {
	main   string
	more   []string
	folder string // holds what is nothing on its own; empty without one
}

// formats is the registry: one more format is one more file and one more line here.
var formats = []*Format{
	claudeCode,
	tauBench,
	tau2Bench,
	sweAgent,
	miniSWEAgent,
	openHands,
	openCode,
	inspectLog,
	atif,
	shareGPT,
	hermesAgent,
	gptmeLog,
	vibe,
	copilotCLI,
	vsCodeChat,
	goose,
	chatGPTExport,
	claudeAIExport,
	openAIResponses,
	openAIChat,
	anthropicMessages,
	mcpLog,
	openAIChatSSE,
	openAIResponsesSSE,
	taped(bedrockConverse),
	taped(cohereChat),
	openAILegacyFunctions,
	finetuneV1,
	copilotSnapshot,
	vcrCassette,
	httpArchive,
	codex,
	codexExec,
	cline,
	droid,
	cursor,
	claudeSDKStream,
	pi,
	openclawTelemetry,
	kimi,
	kiro,
	qwenCode,
	geminiCLI,
	geminiCLIResponses,
	taped(geminiContents),
	monocleTrace,
	langfuse,
	langSmith,
	langChain,
	positAssistant,
	vercelAI,
	vercelUIStream,
	pydanticAI,
	openInference,
	otelGenAI,
}

// Formats lists the formats in the order in which they are tried.
func Formats() []Format {
	list := make([]Format, len(formats))
	for i, f := range formats {
		list[i] = *f
	}
	return list
}
