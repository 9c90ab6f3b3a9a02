package ui

import "strings"

// One table feeds dispatch, the footer, the help and the README. No other file names a key.

// A scope says when a binding holds.
type scope string

const (
	everywhere scope = "everywhere" // unless a prompt has the keys
	inList     scope = "list"       // the list of turns and results has the focus
	inResult   scope = "result"     // the result has the focus
	inVariable scope = "variable"   // the result has the focus, and the workbench is in front
	inPrompt   scope = "prompt"     // a line is being typed
	inCompare  scope = "compare"    // the Compare screen
	inFaults   scope = "faults"     // the menu of faults
	inOverlay  scope = "overlay"    // the list of conversations covers the screen
	inTune     scope = "tune"       // the Tune screen
	inWords    scope = "words"      // help, or another text, covers the screen
)

// scopeTitles are the headings under which key tables list their keys, in order.
var scopeTitles = []struct {
	scope scope
	title string
}{
	{everywhere, "everywhere"}, {inList, "in the list"}, {inResult, "in the result"}, {inVariable, "in Variable"}, {inTune, "in Tune"},
	{inCompare, "in Compare"}, {inFaults, "in the faults"}, {inPrompt, "while typing"}, {inWords, "in help and other texts"}, {inOverlay, "in conversations"},
}

// An action is what a key does.
type action string

const (
	quit          action = "quit"
	showHelp      action = "help"
	switchPane    action = "switch pane"
	nextTab       action = "next view"
	prevTab       action = "previous view"
	viewOriginal  action = "view original"
	viewInline    action = "view inline"
	viewSchema    action = "view schema"
	viewVariable  action = "view variable"
	viewWhy       action = "view why"
	viewContext   action = "view context"
	viewValues    action = "view values"
	typeQuery     action = "type a filter"
	editFilter    action = "edit the filter"
	search        action = "search"
	nextMatch     action = "next match"
	prevMatch     action = "previous match"
	lowerLimit    action = "lower threshold"
	raiseLimit    action = "raise threshold"
	typeLimit     action = "type threshold"
	typeCombined  action = "type combined threshold"
	resetLimit    action = "reset threshold"
	nextPolicy    action = "next policy"
	prevPolicy    action = "previous policy"
	nextEstimator action = "next estimator"
	playPause     action = "play or pause"
	stepForward   action = "step forward"
	stepBack      action = "step back"
	nextWarning   action = "next warning"
	showList      action = "conversations"
	markResult    action = "mark"
	showBeside    action = "beside"
	showCompare   action = "compare"
	showFaults    action = "faults"
	up            action = "up"
	down          action = "down"
	pageUp        action = "page up"
	pageDown      action = "page down"
	toTop         action = "top"
	toEnd         action = "end"
	nextTurn      action = "next turn"
	prevTurn      action = "previous turn"
	openResult    action = "open result"
	toPercent     action = "go to percent"
	rawPretty     action = "raw or pretty"
	leave         action = "leave"
	stopLoading   action = "stop loading"
	accept        action = "accept"
	complete      action = "complete"

	openTune       action = "tune"
	lowerValue     action = "lower value"
	raiseValue     action = "raise value"
	lowerFine      action = "lower value finely"
	raiseFine      action = "raise value finely"
	nextTool       action = "next tool"
	prevTool       action = "previous tool"
	nextAgent      action = "next role or agent"
	addOverride    action = "add override"
	removeOverride action = "remove override"
	nextGoal       action = "next goal"
	typeGoal       action = "type goal"
	typeWindow     action = "type window"
	takeAdvice     action = "take recommendation"
	applyTuned     action = "apply what is tuned"
	undoTuned      action = "undo"
	savePolicy     action = "save policy"
	asTable        action = "table or plot"
	showCosts      action = "costs"
	asSettings     action = "as the harness's settings"

	takePrefix    action = "take the longest valid prefix"
	searchHistory action = "search the filters"
	showStarters  action = "filters to begin with"
	nameFilter    action = "name the filter"
	inspectPrefix action = "inspect the prefix"
	inspectSchema action = "inspect the schema"
	inspectShape  action = "inspect count and shape"
	inspectText   action = "inspect by text"
	keepResult    action = "keep the result"
	nextAnswer    action = "next form of the result"
	foldHere      action = "fold"
	foldAll       action = "fold all"
	prevColumn    action = "previous column"
	nextColumn    action = "next column"
	sortColumn    action = "sort by the column"
	copyResult    action = "copy the result"
	copyCommand   action = "copy as a command"
	writeResult   action = "write the result"
	showLedger    action = "inspection ledger"
	replayLedger  action = "replay the ledger"
	openLedger    action = "replay a ledger's file"
)

// A binding ties keys to an action in a scope. Short stands in the footer, Long in help and README.
type binding struct {
	scope  scope
	keys   []string
	action action
	short  string // empty: not in the footer
	long   string
}

var bindings = []binding{
	{everywhere, []string{"up", "k"}, up, "move", "up"},
	{everywhere, []string{"down", "j"}, down, "move", "down"},
	{everywhere, []string{"pgup", "b", "ctrl+b"}, pageUp, "", "a page up"},
	{everywhere, []string{"pgdown", "f", "ctrl+f"}, pageDown, "", "a page down"},
	{everywhere, []string{"home", "g"}, toTop, "", "to the top"},
	{everywhere, []string{"end", "G"}, toEnd, "", "to the end"},
	{everywhere, []string{"tab", "shift+tab"}, switchPane, "pane", "between the list and the result"},
	{everywhere, []string{"1"}, viewOriginal, "", "Original: the payload as the tool returned it"},
	{everywhere, []string{"2"}, viewInline, "", "Inline: exactly what the model got"},
	{everywhere, []string{"3"}, viewSchema, "", "Schema: of the complete payload"},
	{everywhere, []string{"4"}, viewVariable, "", "Variable: jq over the complete payload"},
	{everywhere, []string{"5"}, viewWhy, "", "Why: the trace and the warnings"},
	{everywhere, []string{"6"}, viewContext, "", "Context: how it grows step by step"},
	{everywhere, []string{"7"}, viewValues, "", "Values: where a call's arguments come from, and what later calls use"},
	{everywhere, []string{"left", "h"}, prevTab, "view", "the previous view"},
	{everywhere, []string{"right", "l"}, nextTab, "view", "the next view"},
	{everywhere, []string{"/"}, search, "search", "search: in the list all results, in the result its text"},
	{everywhere, []string{"n"}, nextMatch, "", "the next match"},
	{everywhere, []string{"N"}, prevMatch, "", "the previous match"},
	{everywhere, []string{":"}, typeQuery, "jq", "type a jq filter for the selected result"},
	{everywhere, []string{"["}, lowerLimit, "threshold", "lower the threshold per result"},
	{everywhere, []string{"]"}, raiseLimit, "threshold", "raise it"},
	{everywhere, []string{"t"}, typeLimit, "", "type a threshold, in tokens"},
	{everywhere, []string{"T"}, typeCombined, "", "type the combined threshold of a batch, in tokens"},
	{everywhere, []string{"u"}, resetLimit, "", "undo: the policy's own thresholds and estimator"},
	{everywhere, []string{"p"}, nextPolicy, "policy", "the next policy"},
	{everywhere, []string{"P"}, prevPolicy, "", "the previous policy"},
	{everywhere, []string{"e"}, nextEstimator, "", "the next estimator"},
	{everywhere, []string{" "}, playPause, "play", "play the conversation, or pause"},
	{everywhere, []string{"."}, stepForward, "", "one step forward"},
	{everywhere, []string{","}, stepBack, "", "one step back"},
	{everywhere, []string{"w"}, nextWarning, "warning", "the next result with a warning"},
	{everywhere, []string{"c"}, showList, "", "the conversations, with totals"},
	{everywhere, []string{"s"}, openTune, "tune", "Tune: what other settings would make of everything that is open"},
	{everywhere, []string{"m"}, markResult, "", "mark the selected result"},
	{everywhere, []string{"B"}, showBeside, "", "the marked result and the selected one side by side"},
	{everywhere, []string{"C"}, showCompare, "compare", "Compare: the conversation and the selected result under all policies"},
	{everywhere, []string{"!"}, showFaults, "", "faults, on purpose: what the model would no longer reach"},
	{everywhere, []string{"?"}, showHelp, "help", "this help"},
	{everywhere, []string{"q", "ctrl+c"}, quit, "quit", "quit"},

	{inList, []string{"enter"}, openResult, "", "go into the result"},
	{inList, []string{"esc"}, stopLoading, "", "while a recording is read: stop, with what there is"},
	{inList, []string{"}"}, nextTurn, "", "the next turn"},
	{inList, []string{"{"}, prevTurn, "", "the previous turn"},

	{inResult, []string{"enter"}, editFilter, "", "in Why: try the repair, or go to the place"},
	{inResult, []string{"r"}, rawPretty, "raw", "JSON as it is, or indented"},
	{inResult, []string{"%"}, toPercent, "", "go to a percentage of the text"},
	{inResult, []string{"esc"}, leave, "list", "back to the list"},

	{inVariable, []string{"i"}, inspectPrefix, "prefix", "step 1: the payload's first 500 bytes, as they are"},
	{inVariable, []string{"d"}, inspectSchema, "schema", "step 1: its schema"},
	{inVariable, []string{"#"}, inspectShape, "shape", "step 2: type, keys and number of records"},
	{inVariable, []string{"F"}, inspectText, "find", "step 3: the records that hold a text"},
	{inVariable, []string{"enter"}, editFilter, "filter", "step 4: type the filter"},
	{inVariable, []string{"K"}, keepResult, "keep", "step 5: keep the result as a variable, which later filters name with $"},
	{inVariable, []string{"S"}, showStarters, "start", "filters to begin with, made from the schema"},
	{inVariable, []string{"H"}, searchHistory, "history", "the filters that were run, here first, and those with a name"},
	{inVariable, []string{"M"}, nameFilter, "", "give the filter a name; an empty filter takes the name away"},
	{inVariable, []string{"v"}, nextAnswer, "view", "the result as JSON, as a table, or raw"},
	{inVariable, []string{"r"}, rawPretty, "", "the result raw, or as JSON"},
	{inVariable, []string{"z"}, foldHere, "", "fold or unfold where the pointer stands"},
	{inVariable, []string{"Z"}, foldAll, "", "fold all below the first level, or unfold all"},
	{inVariable, []string{"<"}, prevColumn, "", "in a table: the column before"},
	{inVariable, []string{">"}, nextColumn, "", "the column after"},
	{inVariable, []string{"o"}, sortColumn, "", "sort by the column: up, down, as it was"},
	{inVariable, []string{"y"}, copyResult, "", "copy the result"},
	{inVariable, []string{"Y"}, copyCommand, "", "copy the filter as a command for jq"},
	{inVariable, []string{"W"}, writeResult, "", "write the result to a file: .json, .jsonl, .csv or text; in the ledger .md or .json"},
	{inVariable, []string{"L"}, showLedger, "ledger", "the inspection ledger: what each step would put into the context"},
	{inVariable, []string{"R"}, replayLedger, "", "run the ledger's steps again, by the policy as it is now"},
	{inVariable, []string{"O"}, openLedger, "", "run the steps of a ledger that was written to a file"},

	{inPrompt, []string{"enter"}, accept, "accept", "accept; a filter stays, and the keys are the explorer's again"},
	{inPrompt, []string{"esc"}, leave, "leave", "leave the line as it was"},
	{inPrompt, []string{"tab"}, complete, "complete", "in a filter: take what is offered, or ask for offers"},
	{inPrompt, []string{"down"}, down, "", "the next offer; without offers the filter run after"},
	{inPrompt, []string{"up"}, up, "", "the offer before; without offers the filter run before"},
	{inPrompt, []string{"f3", "ctrl+l"}, takePrefix, "", "cut the filter to the longest beginning that runs"},
	{inPrompt, []string{"f2", "ctrl+r"}, searchHistory, "history", "search the filters that were run and those with a name"},
	{inPrompt, []string{"pgdown"}, pageDown, "", "scroll the answer while typing"},
	{inPrompt, []string{"pgup"}, pageUp, "", "and back"},
	{inPrompt, []string{"ctrl+c"}, quit, "", "quit"},

	{inCompare, []string{"up", "k"}, up, "policy", "the policy above"},
	{inCompare, []string{"down", "j"}, down, "policy", "the policy below"},
	{inCompare, []string{"left", "h"}, prevTab, "result", "the result before"},
	{inCompare, []string{"right", "l"}, nextTab, "result", "the result after"},
	{inCompare, []string{"n"}, nextMatch, "differing", "the next result on which the policies differ"},
	{inCompare, []string{"N"}, prevMatch, "", "the previous one"},
	{inCompare, []string{"enter"}, accept, "use", "use this policy in the explorer, and show the result there"},
	{inCompare, []string{"pgdown", "f", " "}, pageDown, "scroll", "scroll both texts"},
	{inCompare, []string{"pgup", "b"}, pageUp, "", "and back"},
	{inCompare, []string{"home", "g"}, toTop, "", "the first policy"},
	{inCompare, []string{"end", "G"}, toEnd, "", "the last policy"},
	{inCompare, []string{"ctrl+c"}, quit, "", "quit"},
	{inCompare, []string{"esc", "C", "q"}, leave, "close", "close"},

	{inFaults, []string{"up", "k"}, up, "move", "the fault above"},
	{inFaults, []string{"down", "j"}, down, "move", "the fault below"},
	{inFaults, []string{"enter"}, accept, "use", "let it go wrong: verdicts, trace and context follow"},
	{inFaults, []string{"pgdown", "f", " "}, pageDown, "scroll", "scroll what is out of reach"},
	{inFaults, []string{"pgup", "b"}, pageUp, "", "and back"},
	{inFaults, []string{"home", "g"}, toTop, "", "the healthy run"},
	{inFaults, []string{"end", "G"}, toEnd, "", "the last fault"},
	{inFaults, []string{"ctrl+c"}, quit, "", "quit"},
	{inFaults, []string{"esc", "!", "q"}, leave, "close", "close"},

	{inOverlay, []string{"up", "k"}, up, "move", "up"},
	{inOverlay, []string{"down", "j"}, down, "move", "down"},
	{inOverlay, []string{"pgup", "b"}, pageUp, "", "a page up"},
	{inOverlay, []string{"pgdown", "f", " "}, pageDown, "", "a page down"},
	{inOverlay, []string{"home", "g"}, toTop, "", "to the top"},
	{inOverlay, []string{"end", "G"}, toEnd, "", "to the end"},
	{inOverlay, []string{"enter"}, accept, "open", "open the conversation"},
	{inOverlay, []string{"esc", "?", "q", "c"}, leave, "close", "close"},
	{inWords, []string{"up", "k"}, up, "scroll", "up"},
	{inWords, []string{"down", "j"}, down, "scroll", "down"},
	{inWords, []string{"pgup", "b", "ctrl+b"}, pageUp, "", "a page up"},
	{inWords, []string{"pgdown", "f", " ", "ctrl+f"}, pageDown, "", "a page down"},
	{inWords, []string{"home", "g"}, toTop, "", "to the top"},
	{inWords, []string{"end", "G"}, toEnd, "", "to the end"},
	{inWords, []string{"esc", "?", "q", "enter", "y", "$"}, leave, "close", "close"},
	{inWords, []string{"ctrl+c"}, quit, "", "quit"},
	{inOverlay, []string{"ctrl+c"}, quit, "", "quit"},

	{inTune, []string{"left", "h"}, lowerValue, "move", "lower the chosen setting"},
	{inTune, []string{"right", "l"}, raiseValue, "move", "raise it"},
	{inTune, []string{"shift+left", "H", "-"}, lowerFine, "", "lower it by a small step"},
	{inTune, []string{"shift+right", "L", "+"}, raiseFine, "", "raise it by a small step"},
	{inTune, []string{"up", "k"}, up, "choose", "the setting above; in the results one up"},
	{inTune, []string{"down", "j"}, down, "choose", "the setting below; from the last one into the results that flip"},
	{inTune, []string{"tab", "shift+tab"}, switchPane, "results", "between the settings and the results that flip"},
	{inTune, []string{"enter"}, accept, "type, open", "type the setting's value; of a result: show it in the explorer as tuned (Esc comes back)"},
	{inTune, []string{"g"}, nextGoal, "goal", "the next goal of the recommendation"},
	{inTune, []string{"r"}, takeAdvice, "take", "take the recommended value"},
	{inTune, []string{"t"}, nextTool, "tool", "sizes and results of the next tool, after the last of all"},
	{inTune, []string{"o"}, addOverride, "override", "a threshold of its own for the tool, role or agent that is shown"},
	{inTune, []string{"u"}, undoTuned, "undo", "undo"},
	{inTune, []string{"w"}, savePolicy, "save", "save the settings as a policy file"},
	{inTune, []string{"A"}, applyTuned, "apply", "apply what is tuned to the explorer"},
	{inTune, []string{"v"}, asTable, "table", "plots, or the same figures in tables"},
	{inTune, []string{"$"}, showCosts, "costs", "what it costs: when offloading stops paying, main threads and subagents, money and waiting"},
	{inTune, []string{"y"}, asSettings, "", "the settings in the harness's own words, where it has some"},
	{inTune, []string{"T"}, prevTool, "", "of the tool before"},
	{inTune, []string{"a"}, nextAgent, "", "results of the next role or agent, after the last of all"},
	{inTune, []string{"x", "delete"}, removeOverride, "", "remove the chosen override"},
	{inTune, []string{"G"}, typeGoal, "", "type the goal's number, in tokens; 0 lifts it, as floodmark tune without a limit"},
	{inTune, []string{"W"}, typeWindow, "", "type the model's context window: figures as shares of it"},
	{inTune, []string{"pgup", "b"}, pageUp, "", "the first setting; in the results a page up"},
	{inTune, []string{"pgdown", "f"}, pageDown, "", "the last setting; in the results a page down"},
	{inTune, []string{"home"}, toTop, "", "the first"},
	{inTune, []string{"end"}, toEnd, "", "the last"},
	{inTune, []string{"ctrl+c"}, quit, "", "quit"},
	{inTune, []string{"?"}, showHelp, "help on Tune", "this help, opened at Tune's keys"},
	{inTune, []string{"esc", "s", "q"}, leave, "back", "back to the explorer"},
}

type scopedKey struct {
	scope scope
	key   string
}

// A keymap finds the action of a key.
type keymap map[scopedKey]action

func newKeymap(table []binding) keymap {
	m := keymap{}
	for _, b := range table {
		for _, k := range b.keys {
			m[scopedKey{b.scope, k}] = b.action
		}
	}
	return m
}

// find looks key up in the scopes given, the first that has it wins.
func (m keymap) find(key string, scopes ...scope) (action, bool) {
	for _, s := range scopes {
		if a, ok := m[scopedKey{s, key}]; ok {
			return a, true
		}
	}
	return "", false
}

// keyNames are keys as screens and the README write them; asciiKeyNames where arrows can't be shown.
var (
	keyNames = map[string]string{"shift+tab": "⇧⇥", "tab": "⇥", "enter": "⏎", "up": "↑", "down": "↓", "left": "←", "right": "→",
		"pgup": "PgUp", "pgdown": "PgDn", "home": "Home", "end": "End", "esc": "Esc", " ": "space",
		"shift+left": "⇧←", "shift+right": "⇧→", "delete": "Del", "f2": "F2", "f3": "F3"}
	asciiKeyNames = map[string]string{"shift+tab": "S-Tab", "tab": "Tab", "enter": "Enter", "up": "up", "down": "down", "left": "left", "right": "right",
		"shift+left": "S-left", "shift+right": "S-right"}
)

// nameOf is how a key is written.
func nameOf(key string, ascii bool) string {
	if n, ok := asciiKeyNames[key]; ok && ascii {
		return n
	}
	if n, ok := keyNames[key]; ok {
		return n
	}
	return strings.ReplaceAll(key, "ctrl+", "^")
}

// keyName is how a binding's keys are written.
func keyName(b binding, ascii bool) string {
	names := make([]string, len(b.keys))
	for i, k := range b.keys {
		names[i] = nameOf(k, ascii)
	}
	return strings.Join(names, " ")
}

// keyOf is the first key of an action, as screens write it; the first scope that has it wins.
func keyOf(a action, ascii bool, scopes ...scope) string {
	for _, s := range append(scopes, everywhere) {
		for _, b := range bindings {
			if b.action == a && b.scope == s {
				return nameOf(b.keys[0], ascii)
			}
		}
	}
	return ""
}

// footerKeys is the line of keys at the bottom, in at most w cells: bindings with the same short word
// stand together, and what does not fit is left out from the end, help and quit last.
func footerKeys(w int, ascii bool, scopes ...scope) string {
	type hint struct{ keys, word string }
	var hints []hint
	for _, s := range scopes {
		for _, b := range bindings {
			if b.scope != s || b.short == "" {
				continue
			}
			name := nameOf(b.keys[0], ascii)
			if n := len(hints); n > 0 && hints[n-1].word == b.short {
				if width(name) > 1 {
					name = " " + name
				}
				hints[n-1].keys += name
				continue
			}
			hints = append(hints, hint{name, b.short})
		}
	}
	total := func() int {
		n := 1
		for _, h := range hints {
			n += width(h.keys) + 1 + width(h.word) + 2
		}
		return n
	}
	for len(hints) > 2 && total() > w {
		hints = append(hints[:len(hints)-3], hints[len(hints)-2:]...)
	}
	var b strings.Builder
	for _, h := range hints {
		b.WriteString(" " + h.keys + " " + h.word + " ")
	}
	return b.String()
}

// KeysMarkdown is the key table as the README has it.
func KeysMarkdown() string {
	var b strings.Builder
	b.WriteString("| key | does |\n|---|---|\n")
	for _, t := range scopeTitles {
		b.WriteString("| | **" + t.title + "** |\n")
		for _, k := range bindings {
			if k.scope != t.scope {
				continue
			}
			name := strings.ReplaceAll(keyName(k, false), "|", "\\|")
			b.WriteString("| `" + strings.ReplaceAll(name, " ", "` `") + "` | " + k.long + " |\n")
		}
	}
	return b.String()
}
