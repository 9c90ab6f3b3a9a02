package engine

// Counts are numbers of results by verdict, in the order of Verdicts.
type Counts [6]int

// Of is the number of results with this verdict.
func (n Counts) Of(v Verdict) int {
	for i, w := range Verdicts {
		if v == w {
			return n[i]
		}
	}
	return 0
}

// NotInline is the number of results that do not enter whole.
func (n Counts) NotInline() int {
	sum := 0
	for _, k := range n[inlineAt+1:] {
		sum += k
	}
	return sum
}

// A Point is what one setting comes to, in tokens of the policy's estimator.
type Point struct {
	Value             float64 // of the field that is swept
	Verdicts          Counts
	InlineTokens      float64 // what entered the context for all results
	ModelTokens       float64 // what the model read at all steps
	PeakStepTokens    float64 // the most that the results of one step brought
	PeakContextTokens float64 // the most that the model read at one step
	VisibleBytes      int64   // of the payloads that entered whole
	StepsOver         int     // steps whose results brought more than SweepOptions.StepTokens
}
