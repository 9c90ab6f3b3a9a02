package history

import (
	"context"
	"fmt"
)

// vcrCassette reads the traffic with models' APIs that test libraries record: YAML and JSON files of
// requests and responses.
var vcrCassette = &Format{
	Name:   "vcr",
	Title:  "VCR cassette",
	How:    "interactions with a request and a response, whose bodies are those of a model's API",
	detect: func(s *sample) (int, string) { return detectTape(s, cassetteTape) },
	read:   readTraffic,
}

// httpArchive reads the traffic with models' APIs in the archives of browsers and proxies.
var httpArchive = &Format{
	Name:   "har",
	Title:  "HTTP archive (HAR)",
	How:    "a log with entries of request and response, whose bodies are those of a model's API",
	detect: func(s *sample) (int, string) { return detectTape(s, harTape) },
	read:   readTraffic,
}

func detectTape(s *sample, kind tapeKind) (int, string) {
	if s.tape == nil || s.tape.kind != kind {
		return 0, ""
	}
	all, _ := s.tape.of("")
	if all == 0 {
		return 0, ""
	}
	return 85, fmt.Sprintf("%s with %d requests to a model's API", kind, all)
}

// taped makes a format recognise and read cassettes of its API alone, too.
func taped(f *Format) *Format {
	both := *f
	both.detect = func(s *sample) (int, string) {
		if s.tape == nil {
			return f.detect(s)
		}
		if all, own := s.tape.of(f.Name); s.tape.kind == cassetteTape && own > 0 && own == all {
			return 88, fmt.Sprintf("%s with %d requests whose bodies are of this format", s.tape.kind, own)
		}
		return 0, ""
	}
	both.read = func(ctx context.Context, in *input, b *builder) error {
		if in.tape != nil {
			return readTraffic(ctx, in, b)
		}
		return f.read(ctx, in, b)
	}
	return &both
}
