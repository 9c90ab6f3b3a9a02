package engine

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// hungry are the filters that take all memory where nothing ends them, and two that have passed the
// limit while they were ended.
var hungry = []string{
	`[limit(1e9; repeat(1))]`,
	`"x" * 1e9`,
	`def f: [f]; f`,
	`"x" * 6e7 | test("(x+x+)+y")`,
	`[range(1e9)] | length`,
	`[range(1e7) | tostring] | map(. + "x") | length`,
}

const hungryVariable = "FLOODMARK_HUNGRY"

// hungryLimit is half of what `query` and the explorer allow: what a run takes after it has been ended
// is more of a small limit than of a large one.
const hungryLimit = 512 << 20

// TestMemoryStaysUnderItsLimit runs each filter in a process of its own and looks at the most memory
// that this process has had, in bytes that were resident.
func TestMemoryStaysUnderItsLimit(t *testing.T) {
	if number := os.Getenv(hungryVariable); number != "" {
		beHungry(t, number)
		return
	}
	if testing.Short() || peakMB("self") == 0 {
		t.Skip("large and with one goroutine, and the system has to tell the peak")
	}
	for i, filter := range hungry {
		child := exec.Command(os.Args[0], "-test.run=^TestMemoryStaysUnderItsLimit$", "-test.v")
		child.Env = append(os.Environ(), hungryVariable+"="+strconv.Itoa(i))
		out, err := child.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", filter, err, out[max(0, len(out)-2000):])
		}
	}
}

func beHungry(t *testing.T, number string) {
	i, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	queries := NewQueries(0)
	_, report, err := queries.Runner().Collect(context.Background(), QueryRequest{Filter: hungry[i],
		Limits: QueryLimits{Bytes: 1 << 20, Time: time.Minute, Memory: hungryLimit}})
	var wrong *DataError
	if err != nil && !errors.As(err, &wrong) || err == nil && report.Stopped == "" && report.Results == 0 {
		t.Errorf("%v, stopped by %q", err, report.Stopped)
	}
	for wait := 0; !queries.Lingering().Since.IsZero() && wait < 1500; wait++ {
		time.Sleep(20 * time.Millisecond) // what lingers takes memory too
	}
	if peak := peakMB("self"); peak > hungryLimit/1_000_000 {
		t.Errorf("%s: the process took %d MB, at most %d", hungry[i], peak, hungryLimit/1_000_000)
	} else {
		t.Logf("%s: %d MB, stopped by %q, %v", hungry[i], peak, report.Stopped, err)
	}
}
