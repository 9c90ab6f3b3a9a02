package history

// Add returns the sum of u and more, either of which may be nil.
func (u *Usage) Add(more *Usage) *Usage {
	if more == nil {
		return u
	}
	sum := *more
	if u != nil {
		sum.Input += u.Input
		sum.Cached += u.Cached
		sum.Output += u.Output
		sum.LowerBound = sum.LowerBound || u.LowerBound
	}
	return &sum
}
