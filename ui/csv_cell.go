package ui

import (
	"encoding/json"
	"strings"
)

// csvCell is a JSON value as a cell of a CSV file that a spreadsheet or a terminal can show without harm:
// control and invisible characters are shown as visible does, line breaks and tabs stay, and a text that a
// spreadsheet would calculate (= + - @, a tab or a carriage return in front) gets ' in front. A number stays
// a number, null is empty, arrays and objects are JSON.
func csvCell(v json.RawMessage) string {
	if string(v) == "null" {
		return ""
	}
	var text string
	if len(v) == 0 || v[0] != '"' || json.Unmarshal(v, &text) != nil {
		return visibleLines(string(v))
	}
	return csvText(text)
}

// csvText is csvCell for text, a heading for example.
func csvText(text string) string {
	calculated := text != "" && strings.ContainsRune("=+-@\t\r\n", rune(text[0]))
	if text = visibleLines(text); calculated {
		return "'" + text
	}
	return text
}
