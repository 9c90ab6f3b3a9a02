package history

import (
	"strings"
	"testing"
)

// Data with a role, a source or a type in it is no recording for that.
func TestDataOfOtherKindsIsNoRecording(t *testing.T) {
	for name, text := range map[string]string{
		"people":             `[{"id":0,"role":"user","name":"n0","content":"bio"},{"id":1,"role":"user","name":"n1","content":"bio"}]`,
		"people, one a line": lines(`{"id":0,"role":"user","name":"n0"}`, `{"id":1,"role":"user","name":"n1"}`),
		"a team":             `[{"name":"Ann","role":"developer","email":"a@x"},{"name":"Bob","role":"admin"}]`,
		"rights":             `[{"role":"viewer","members":["a"]},{"role":"editor","members":["b"]}]`,
		"pages of a site":    `[{"id":1,"role":"assistant","title":"Teaching","content":"text"},{"id":2,"role":"user","title":"t","content":"text"}]`,
		"a page's elements":  `[{"tag":"div","role":"tool","children":[]},{"tag":"p","role":"tooltip"}]`,
		"events of a forge":  `[{"id":1,"source":"github","action":"opened","timestamp":"2026-01-01","args":{}},{"id":2,"source":"github","action":"closed","cause":1}]`,
		"an audit log":       `[{"action":"repo.create","source":"web","args":{"n":1},"timestamp":"t"}]`,
		"events of a cluster": lines(`{"kind":"Event","source":"kubelet","timestamp":"t","message":"m"}`,
			`{"kind":"Event","source":"kubelet","timestamp":"t","message":"m"}`),
		"species":                 `[{"type":"human","content":"hello"},{"type":"cat","content":"meow"}]`,
		"requests of some client": `{"requests":[{"id":1}],"sessionId":"abc","requesterUsername":"x"}`,
		"an editor and its language server": lines(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///"}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}`, `{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{}}`),
		"a chain's node": lines(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}`, `{"jsonrpc":"2.0","id":1,"result":"0x1"}`),
	} {
		_, err := Read(t.Context(), "r", strings.NewReader(text), Options{})
		if err == nil || !strings.Contains(err.Error(), "no known recording format") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
