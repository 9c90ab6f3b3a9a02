package engine

// A Strategy is what a policy does with a result that is over a limit. Policies are told apart by it:
// what stays retrievable, what the model saw, what is gone.
type Strategy string

// Strategies. A summary or a retrieval by a model is none of them: recordings show those, nothing
// here simulates them.
const (
	Offload     Strategy = "offload"      // a package enters, the payload is kept
	Truncate    Strategy = "truncate"     // a part enters, the rest is gone
	ShowPreview Strategy = "preview-only" // a preview enters with advice, nothing is kept
	Reject      Strategy = "reject"       // nothing of it enters, only a warning
	ClearOld    Strategy = "clear"        // it enters whole, and goes later
	KeepAll     Strategy = "inline"       // it enters whole
)

// Strategies lists all of them, in the order in which lists show them.
var Strategies = []Strategy{Offload, Truncate, ShowPreview, Reject, ClearOld, KeepAll}

// OnLoss says what enters where the store can't take a payload.
type OnLoss string

// What can enter there.
const (
	LoseIt     OnLoss = "lost"     // the preview, and that the rest can't be read back
	KeepInline OnLoss = "inline"   // the payload
	TruncateIt OnLoss = "truncate" // the preview without a reference
)

// HistoryRules say how results that entered go later, before each response of the model. Sizes are
// tokens of the policy's estimator where not said otherwise.
type HistoryRules struct {
	Over        *float64       `json:"over"`    // nil switches the rule off
	Measure     HistoryMeasure `json:"measure"` // what is compared with Over
	Boundary    Boundary       `json:"boundary"`
	KeepResults int            `json:"keep_results"` // the newest results that stay
	KeepTokens  float64        `json:"keep_tokens"`  // the newest tokens of results that stay
	KeepTurns   int            `json:"keep_turns"`   // the newest turns whose results stay, the current one included
	KeepSteps   int            `json:"keep_steps"`   // the newest steps whose results stay
	Exempt      []string       `json:"exempt"`       // tools whose results stay
	MinSize     float64        `json:"min_size"`     // only results over this are cleared, in the preview's unit
	HeadChars   int            `json:"head_chars"`   // what stays of the start, in the preview's unit
	TailChars   int            `json:"tail_chars"`   // what stays of the end, in the preview's unit
	// LineTools are those whose results leave whole lines instead of characters, HeadLines of the start and
	// TailLines of the end; of as many lines or fewer the result stays, whatever its size.
	LineTools  []string `json:"line_tools"`
	HeadLines  int      `json:"head_lines"`
	TailLines  int      `json:"tail_lines"`
	Kept       bool     `json:"kept"`        // what is cleared can be read back
	MustShrink bool     `json:"must_shrink"` // a result stays where what would take its place is not smaller
}

// A HistoryMeasure is what HistoryRules.Over is compared with.
type HistoryMeasure string

// What it can be.
const (
	WholeContext HistoryMeasure = "context"   // all that the model would read
	Clearable    HistoryMeasure = "clearable" // the results that could be cleared
)

// Active tells whether results go later.
func (h HistoryRules) Active() bool { return h.Over != nil }
