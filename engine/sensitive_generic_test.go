package engine

import "testing"

// The values are made up; each stands for one that recordings have, or that services give out.
func TestAGenericSecretIsToldFromKeysAndIds(t *testing.T) {
	for text, want := range map[string]bool{
		`{"api_key":"q7Zt41LmXe9cVw2R"}`:                                         true,
		`{"client_secret":"5d1c07b29ae84f63905b7cd1"}`:                           true,
		`{"api_token":"3f9a61c2-7be4-4d05-9c1e-82d7a40b6f15"}`:                   true, // a UUID may be one
		`{"password": "k3r8t2w9x5z1"}`:                                           true,
		`{"password":"Wxmtzrk84713"}`:                                            true,  // beside a password one change is enough
		`{"api_key":"Wxmtzrk84713"}`:                                             false, // beside a key it may be a name and a number
		`{"API_KEY":"zorb-api-key-84713"}`:                                       false,
		`{"key":"acme_px27b4h_03182025"}`:                                        false, // a stored document
		`saved under the key: acme_px27b4h_03182025.`:                            false,
		`{"graph_auth_user_id":"3f9a61c2-7be4-4d05-9c1e-82d7a40b6f15"}`:          false,
		`{"authUserId":"3f9a61c2-7be4-4d05-9c1e-82d7a40b6f15"}`:                  false,
		`{"nextPageToken":"q7Zt41LmXe9cVw2R"}`:                                   false,
		`{"continuation_token":"q7Zt41LmXe9cVw2R","cache-key":"5d1c07b29ae84f"}`: false,
	} {
		got := Sensitives([]byte(text))
		if is := len(got) == 1 && got[0].Kind == "generic-api-key"; is != want || !want && len(got) > 0 {
			t.Errorf("%s: %v", text, got)
		}
	}
}
