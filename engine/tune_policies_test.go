package engine

import (
	"math"
	"path/filepath"
	"testing"

	"floodmark/history"
)

// Every policy that ships is decided as it is replayed, with its own limits and with others, down to nothing:
// from facts where these are enough, else from what replays decided.
func TestEveryShippedPolicyIsDecidedAsItIsReplayed(t *testing.T) {
	check := func(t *testing.T, conversations []*history.Conversation) {
		var replayers []*Replayer
		for _, c := range conversations {
			replayers = append(replayers, NewReplayer(c))
		}
		for i, name := range Builtin() {
			if testing.Short() && i%4 != 0 {
				continue
			}
			p := policy(t, name)
			list := []*Policy{p}
			for _, share := range []float64{0.001, 0.02, 0.3} {
				if own := p.Limits.PerResult; own != nil {
					q, err := p.SetNumber(PerResultKey, math.Ceil(*own*share))
					if err != nil {
						t.Fatal(err)
					}
					list = append(list, q)
				}
			}
			c := collected(t, conversations, list...)
			for _, q := range list {
				sameAsReplay(t, c, q, NoFault, replayers)
			}
			if !c.Replayed() {
				sameAsReplay(t, c, list[len(list)-1], DiskFull, replayers)
			}
			for _, r := range replayers {
				r.cache = newCache()
			}
		}
	}
	t.Run("the built-in recordings", func(t *testing.T) { check(t, conversationsIn(t, filepath.Join("..", "fixtures"))) })
	t.Run("real recordings", func(t *testing.T) {
		if testing.Short() {
			t.Skip("it takes long")
		}
		for _, format := range []string{"claude_code", "codex", "openai_chat", "mcp_jsonrpc"} {
			check(t, conversationsIn(t, filepath.Join(recordings(t), format)))
		}
	})
}
