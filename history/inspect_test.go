package history

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

const (
	inspectOne = `{"id":"x","epoch":2,"input":"go","target":"","messages":[
{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"go"},{"type":"image","image":"attachment://i"}]},
{"id":"r1","role":"assistant","content":[{"type":"reasoning","reasoning":"hm "},{"type":"text","text":"look"}],"tool_calls":[{"id":"a","function":"bash","arguments":{"cmd":"ls"}},{"id":"b","function":"bash","arguments":{}},{"id":"c","function":"bash","arguments":{}}]},
{"role":"tool","tool_call_id":"b","function":"bash","content":"","error":{"type":"timeout","message":"too slow"}},
{"role":"tool","tool_call_id":"a","function":"bash","content":"attachment://t"},
{"role":"assistant","content":"","tool_calls":[{"id":"a","function":"see","arguments":{}}]},
{"role":"tool","tool_call_id":"a","function":"see","content":[{"type":"text","text":"one"},{"type":"image","image":"data:image/png;base64,AA"},{"type":"text","text":"two"}]}],
"output":{"model":"m-1"},"scores":{"s":{"value":NaN,"low":-Infinity}},"attachments":{"t":"long\n","i":"data:image/png;base64,AAAA"},
"model_usage":{"m-1":{"input_tokens":10,"output_tokens":3,"input_tokens_cache_read":5},"m-2":{"input_tokens":1,"output_tokens":1}},
"events":[{"event":"span_begin","id":"s1","parent_id":null,"type":"agent","name":"helper"},{"event":"span_begin","id":"s2","parent_id":"s1","type":"tool","name":"t"},
{"event":"model","tools":[{"name":"bash"}]},{"event":"tool","id":"a","function":"bash","result":"x","completed":"2025-10-06T10:15:45Z"},
{"event":"tool","id":"z","function":"find","arguments":{"q":1},"result":"found","span_id":"s2"}]}`
	inspectHead = `{"version":2,"status":"success","eval":{"model":"m-0"},"plan":{"name":"plan"}`
	inspectFile = inspectHead + `,"samples":[` + inspectOne + `]}`
)

func TestInspect(t *testing.T) {
	want := []string{
		`conversation 0 model "m-1" system "[{\"name\":\"bash\"}]be brief" usage &{11 5 4 false}`, `turn 1 "go" image image/png 26`,
		`step 1 "r1" "hm look"`, `a bash("{\"cmd\":\"ls\"}") = "long\n"`, `b bash("{}") = "too slow" error failed`, `c bash("{}") no-result`,
		`step 2 "" ""`, `a see("{}") = "onetwo" image image/png 24 id-reused`,
		`conversation 0 model "m-1" system "" usage &{11 5 4 false}`, `turn 0 ""`, `step 1 "" ""`, `z find("{\"q\":1}") = "found"`}
	checkOutlines(t, "inspect-ai", []outlineCase{{"a log", inspectFile, want}, {"an archive", inspectArchive(t, zip.Deflate), want}, {"an archive with zstd", inspectArchive(t, zstdInZip), want}})
	c := readString(t, "r", inspectFile).Conversations[0]
	if c.ID != "x-epoch2" || c.Threads[1].Name != "s1" || c.Threads[1].Agent != "helper" || c.Calls()[0].Result.Time.Unix() != 1759745745 {
		t.Errorf("%s, %s, %s, %v", c.ID, c.Threads[1].Name, c.Threads[1].Agent, c.Calls()[0].Result.Time)
	}
}

// inspectArchive packs the log as Inspect does.
func inspectArchive(t *testing.T, method uint16) string {
	t.Helper()
	return zipOf(t, method, "samples/x_epoch_2.json", inspectOne, "summaries.json", "[]", "header.json", inspectHead+"}")
}

func zipOf(t *testing.T, method uint16, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zstdInZip, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) })
	for i := 0; i < len(names); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: names[i], Method: method})
		if err == nil {
			_, err = io.WriteString(w, names[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestOtherArchivesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.eval")
	for text, reason := range map[string]string{
		zipOf(t, zip.Deflate, "a.json", "{}"): "this is a zip archive",
		inspectArchive(t, zip.Deflate)[:200]:  "this is a zip archive without its end, where the list of its files stands",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), path, Options{})
		_, err2 := Read(t.Context(), "-", strings.NewReader(text), Options{})
		for _, err := range []error{err, err2} {
			if err == nil || !strings.HasSuffix(err.Error(), ": "+reason) {
				t.Errorf("an archive that is no log: %v", err)
			}
		}
	}
}

func TestRealInspect(t *testing.T) {
	checkReal(t, []realRow{
		{file: "inspect_ai/inspect_message_dedup.eval", format: "inspect-ai", conversations: 1, calls: 5, results: 5, largest: 85,
			why: "the index counts the same 5 results in the pool of messages and in events too"},
		{file: "inspect_ai/inspect_tool_call_error.json", format: "inspect-ai", conversations: 1, calls: 11, results: 11, largest: 134,
			why: "results without their calls"},
		{file: "inspect_ai/inspect_websearch.eval", format: "inspect-ai", conversations: 1},
		{file: "inspect_ai/inspect_images_tc.json", format: "inspect-ai", conversations: 1},
	})
}

func TestInspectSurvives(t *testing.T) { survives(t, "inspect-ai", inspectFile) }

func FuzzInspect(f *testing.F) {
	fuzzFormat(f, "inspect-ai", inspectFile, inspectHead+"}\n"+inspectOne)
}
