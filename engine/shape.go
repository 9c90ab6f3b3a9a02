package engine

// A Shape is what a scan learnt of a payload's structure: enough for a schema under any budget.
// It holds key names and counts, and no value.
type Shape struct{ root *node }
