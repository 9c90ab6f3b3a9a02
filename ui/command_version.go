package ui

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func versionCommand(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.Out, version())
			return err
		},
	}
}

// version is the program's name and version as the build recorded it, with the commit of a build from
// a working copy.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "floodmark, of an unknown version"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	v := info.Main.Version
	if v == "" || v == "(devel)" {
		v = "development version"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	text := "floodmark " + v
	if commit := settings["vcs.revision"]; commit != "" {
		text += ", commit " + commit[:min(12, len(commit))]
		if settings["vcs.modified"] == "true" {
			text += " with changes"
		}
	}
	return text + ", " + info.GoVersion
}
