package ui

import (
	"floodmark/history"

	"github.com/spf13/cobra"
)

type formatJSON struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	How   string `json:"how"`
}

func formatsCommand(s *Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "formats",
		Short: "List the recording formats, and how each is recognised",
		Args:  arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			var rows [][]string
			for _, f := range history.Formats() {
				if asJSON {
					if err := writeJSON(s.Out, formatJSON{f.Name, f.Title, f.How}); err != nil {
						return err
					}
				}
				rows = append(rows, []string{f.Name, f.Title, f.How})
			}
			if asJSON {
				return nil
			}
			return writeTable(s.Out, []string{"name", "title", "recognised by"}, rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}
