package history

import "testing"

const chatGPTTree = `[{"conversation_id":"c1","title":"a title","default_model_slug":"m-1","current_node":"n9","mapping":{
"root":{"id":"root","parent":null,"children":["n1"],"message":null},
"n1":{"parent":"root","children":["n2","old"],"message":{"id":"n1","author":{"role":"system"},"content":{"content_type":"text","parts":["be brief"]}}},
"old":{"parent":"n1","children":[],"message":{"id":"old","author":{"role":"user"},"content":{"content_type":"text","parts":["another branch"]}}},
"n2":{"parent":"n1","children":["n3"],"message":{"id":"n2","author":{"role":"user"},"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"file://x"},"go"]}}},
"n3":{"parent":"n2","children":["n4"],"message":{"id":"n3","author":{"role":"assistant"},"recipient":"all","create_time":1700000000.5,"content":{"content_type":"thoughts","thoughts":[{"summary":"s","content":"hm"}]}}},
"n4":{"parent":"n3","children":["n5"],"message":{"id":"n4","author":{"role":"assistant"},"recipient":"python","content":{"content_type":"code","text":"1+1"}}},
"n5":{"parent":"n4","children":["n6"],"message":{"id":"n5","author":{"role":"tool","name":"python"},"metadata":{"aggregate_result":{"status":"success"}},"content":{"content_type":"execution_output","text":"2"}}},
"n6":{"parent":"n5","children":["n7"],"message":{"id":"n6","author":{"role":"assistant"},"recipient":"python","content":{"content_type":"code","text":"boom("}}},
"n7":{"parent":"n6","children":["n8"],"message":{"id":"n7","author":{"role":"tool","name":"python"},"metadata":{"aggregate_result":{"status":"failed_with_in_kernel_exception"}},"content":{"content_type":"execution_output","text":"SyntaxError"}}},
"n8":{"parent":"n7","children":["n9"],"message":{"id":"n8","author":{"role":"tool","name":"python"},"content":{"content_type":"multimodal_text","parts":["and more",{"content_type":"image_asset_pointer","asset_pointer":"file://y"}]}}},
"n9":{"parent":"n8","children":[],"message":{"id":"n9","author":{"role":"assistant"},"recipient":"browser","content":{"content_type":"code","text":"open(1)"}}}}}]`

func TestChatGPTExport(t *testing.T) {
	checkOutlines(t, "chatgpt-export", []outlineCase{{"the branch that was shown last", chatGPTTree, []string{
		`conversation 0 model "m-1" system "be brief" usage <nil>`, `turn 1 "go" image image 8`,
		`step 1 "n3" "hm"`, `n4 python("1+1") = "2"`,
		`step 2 "n6" ""`, `n6 python("boom(") = "SyntaxError" error failed`, `n6 python("boom(") = "and more" image image 8 repeated-result`,
		`step 3 "n9" ""`, `n9 browser("open(1)") no-result`}},
		{"a tree that goes round", `[{"id":"c","mapping":{"a":{"parent":"b","children":["b"],"message":{"author":{"role":"user"},"content":{"parts":["x"]}}},"b":{"parent":"a","children":["a"],"message":{"author":{"role":"nobody"}}}}}]`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "x"`, `line 1: a message has no known author`}}})
	if c := readString(t, "r", chatGPTTree).Conversations[0]; c.ID != "c1" || c.Title != "a title" {
		t.Errorf("%s, %s", c.ID, c.Title)
	}
}

func TestChatGPTExportSurvives(t *testing.T) { survives(t, "chatgpt-export", chatGPTTree) }

func FuzzChatGPTExport(f *testing.F) { fuzzFormat(f, "chatgpt-export", chatGPTTree) }
