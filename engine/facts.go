// Package engine decides what becomes of every tool result under a policy, and says why.
//
// It measures a payload once (Facts), decides from the facts alone (Policy, Trace), and makes what
// enters the context in the payload's place (Preview, Schema, Package). It is pure: the same batch,
// policy and faults give the same outcome, byte for byte. It prints nothing and keeps nothing.
package engine

import "floodmark/history"

// A Kind says what a payload is as a whole.
type Kind string

// Kinds of payloads.
const (
	Object      Kind = "object"       // valid JSON, an object
	Array       Kind = "array"        // valid JSON, an array
	Scalar      Kind = "scalar"       // valid JSON, neither
	PlainText   Kind = "text"         // not JSON, and does not start like it
	InvalidJSON Kind = "invalid-json" // starts with { or [ (after white space or a byte order mark), and is not JSON
	// Binary: over a tenth of the bytes are NUL or not UTF-8, or there is a NUL in what does not
	// start like JSON.
	Binary Kind = "binary"
	Empty  Kind = "empty" // no bytes, or parts that are not text only
)

// Facts are what one pass over a payload's bytes finds. They hold no payload text but key names,
// and what SyntaxError.Around shows. What is said of the structure (Depth, Strings, Duplicates,
// LoneSurrogates, Records, Members, DeeperKey) is known of valid payloads only.
type Facts struct {
	Size  history.Size
	Lines int // line feeds, and one more where bytes follow the last; 0 for an empty payload
	Kind  Kind
	// Valid: RFC 8259 in valid UTF-8 without a byte order mark, at any depth. Duplicate keys and
	// lone surrogate escapes are valid.
	Valid  bool
	Syntax *SyntaxError // the first error; nil where Valid, and for an empty payload
	Depth  int          // the deepest nesting of arrays and objects; 1 for {}, 0 for a scalar
	// Strings are the string values (never keys), each from quote to quote, both included, as
	// written.
	Strings StringFacts
	// Duplicates counts the members whose key, escapes decoded, an earlier member of the same
	// object had.
	Duplicates     int
	FirstDuplicate *Place // the first of them, by its key's opening quote; nil without any
	BadUTF8        int    // bytes that belong to no character
	FirstBadUTF8   int64  // offset; -1 without
	LoneSurrogates int    // \ud800 and the like without their other half, in keys and values
	// Records is the number of elements of the array that holds the data, -1 without one:
	// the largest array by bytes, wherever it sits (of equals the first); while it has a single
	// element which holds an array, the largest in that. Without an array it is the number of
	// entries of the largest object that counts as a map (see Shape.Schema).
	Records     int
	RecordsPath string // "." for the root; empty without records
	// Members are the top-level members of an object that have the key asked for in
	// ScanOptions.Key, in order.
	Members []Member
	// DeeperKey is the path of the first such key deeper down; empty without one.
	DeeperKey string
	// Shape is what Schema is made from; nil unless ScanOptions.Shape asked for it and Valid.
	Shape *Shape
}

// StringFacts are the shares that tell whether the data is in the structure or inside strings.
// Paths are jq paths of the payload (".data", ".[3].body", `.["a b"]`), "." for the root; after
// 10,000 levels they end with "…".
type StringFacts struct {
	Count   int
	Bytes   int64       // all string values
	Largest StringPlace // of equals the first
	// JSON are the strings whose decoded text, without the JSON white space around it, is wholly a
	// JSON object or array, or a JSON string of which that holds, to any depth. An object or array
	// of two bytes counts too.
	JSONCount int
	JSONBytes int64
	// LargestJSON is the largest of them; Decodings says how often it has to be decoded
	// (1 for "{\"a\":1}").
	LargestJSON StringPlace
	Decodings   int
}

// A StringPlace is a string value's place.
type StringPlace struct {
	Path   string
	Offset int64 // of the opening quote
	Bytes  int64 // from quote to quote, both included
}

// A Place is a path with its offset in the payload.
type Place struct {
	Path   string
	Offset int64
}

// A Member is a member of an object, by offsets in the payload.
type Member struct {
	Key        int64 // the key's opening quote
	Value, End int64 // the value's first byte, and the byte after its last
	Prev       int64 // the end of the preceding member's value; -1 for the first member
	Next       int64 // the opening quote of the next member's key; -1 for the last member
}

// A SyntaxError is the first place at which a payload is not JSON: the first byte that no JSON text
// could have there (the closing bracket after a trailing comma), of a word such as None its first
// letter, and the end of a text that is cut off.
type SyntaxError struct {
	Offset       int64
	Line, Column int // from 1; Column in bytes
	// Fault names the kind:
	//
	//	trailing-comma, comment, cut-off, bom, raw-control, bad-utf8, unquoted-key, bad-escape,
	//	bad-number
	//	single-quotes   where JSON has double quotes, as in a Python repr
	//	nan             NaN, Infinity, None, True, undefined: words that other languages write
	//	escaped         a backslash outside a string, as in a text that was escaped twice
	//	several-values  another value after the first, as in JSON lines
	//	trailing-data   other text after the first value
	//	code-fence      the text starts with ```
	//	not-json        the text does not start like JSON
	//	other
	Fault  string
	Reason string // one line without payload text, "a comma before the closing bracket" for example
	Around string // up to 40 bytes around Offset, as they are
}

func (e *SyntaxError) Error() string { return e.Reason }

// ScanOptions say what else a scan finds.
type ScanOptions struct {
	Key   string // a top-level key to report in Members; empty for none
	Shape bool   // keep what a schema needs
	// MapKeys is the number of keys over which an object can count as a map (schema.map_keys); 0
	// is 64.
	MapKeys int
}
