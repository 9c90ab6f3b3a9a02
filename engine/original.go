package engine

import "floodmark/history"

// Original is a result's payload as it arrived in p's harness: what Outcome.Original measures.
func (p *Policy) Original(res *history.Result) history.Payload { return payloadOf(p, res) }
