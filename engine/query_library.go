package engine

import (
	"sync"

	"github.com/itchyny/gojq"
)

// The library's own functions, for what ours leave to it: most of all the errors, which then are the
// library's.

// fromLibrary is a filter of the library's own, without bounds, as a function of its input. Its
// result can be an error.
func fromLibrary(filter string) func(input any) any {
	code := sync.OnceValue(func() *gojq.Code {
		q, err := gojq.Parse(filter)
		if err != nil {
			panic(err)
		}
		code, err := gojq.Compile(q)
		if err != nil {
			panic(err)
		}
		return code
	})
	return func(input any) any {
		v, _ := code().Run(input).Next()
		return v
	}
}

var (
	libAdd       = fromLibrary(".[0] + .[1]")
	libSubtract  = fromLibrary(".[0] - .[1]")
	libMultiply  = fromLibrary(".[0] * .[1]")
	libDivide    = fromLibrary(".[0] / .[1]")
	libSort      = fromLibrary(". as [$v, $x] | $v | sort")
	libGroup     = fromLibrary(".[0] | group_by(.)")
	libMin       = fromLibrary(".[0] | min")
	libBsearch   = fromLibrary(". as [$v, $x] | $v | bsearch($x)")
	libContains  = fromLibrary(". as [$v, $x] | $v | contains($x)")
	libAddAll    = fromLibrary("add")
	libJoin      = fromLibrary(". as [$v, $x] | $v | join($x)")
	libFlatten   = fromLibrary(". as [$v, $x] | $v | flatten($x)")
	libTranspose = fromLibrary("transpose")
	libFromJSON  = fromLibrary("fromjson")
	libFormat    = fromLibrary(". as [$v, $x] | $v | format($x)")
	libExplode   = fromLibrary("explode")
	libSplit     = fromLibrary(". as [$v, $x] | $v | split($x)")
	libIndices   = fromLibrary(". as [$v, $x] | $v | indices($x)")
	libIndex     = fromLibrary(". as [$v, $x] | $v[$x]")
	libTest      = fromLibrary(". as [$v, $re, $flags] | $v | test($re; $flags)")
	libToNumber  = fromLibrary("tonumber")
	libJn        = fromLibrary(". as [$n, $x] | jn($n; $x)")
	libYn        = fromLibrary(". as [$n, $x] | yn($n; $x)")
)
