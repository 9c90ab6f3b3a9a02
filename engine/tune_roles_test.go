package engine

import "testing"

// Each result counts for the role of its thread, and all roles together are the whole.
func TestRolesAddUpToTheWhole(t *testing.T) {
	p := policy(t, "trueforge", "limits.hard_bytes=100000000", "limits.per_result=60", "limits.combined=250")
	c := randomCorpus(t, p, 1, shape{results: 200, batch: 4, sizes: 150, special: true})
	d, err := c.Decide(p)
	if err != nil {
		t.Fatal(err)
	}
	roles, err := c.ByRole(d)
	if err != nil || len(roles) == 0 {
		t.Fatalf("%v, %v", roles, err)
	}
	tokens, results, notInline := 0.0, 0, 0
	for _, r := range roles {
		tokens, results, notInline = tokens+r.InlineTokens, results+r.Results, notInline+r.NotInline
	}
	counted, _ := c.Counted()
	if tokens != d.Point.InlineTokens || results != counted || notInline != d.Point.Verdicts.NotInline() {
		t.Errorf("%v tokens of %d results, %d not inline; want %v, %d, %d", tokens, results, notInline, d.Point.InlineTokens, counted, d.Point.Verdicts.NotInline())
	}
}
