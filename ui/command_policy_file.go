package ui

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"floodmark/engine"
)

// readNamed finds a policy by the name of a built-in one, else reads the file of that name: a policy
// document, or a harness's own settings. Of those, adapted says what they became; it is nil otherwise.
func readNamed(name string) (p *engine.Policy, adapted *engine.Adapted, err error) {
	if slices.Contains(engine.Builtin(), name) {
		p, err := engine.Load(name)
		return p, nil, err
	}
	doc, err := readPolicy(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, unknownName("policy", name, engine.Builtin())
	}
	if err != nil {
		return nil, nil, err
	}
	return parseDocument(name, doc)
}

// parseDocument makes a policy of a policy document, or of a harness's own settings; adapted is as of readNamed.
func parseDocument(name string, doc []byte) (p *engine.Policy, adapted *engine.Adapted, err error) {
	if adapted, err = engine.ParseSettings(doc); err != nil {
		return nil, nil, policyFailure(name, err)
	}
	if adapted != nil {
		return adapted.Policy, adapted, nil
	}
	if p, err = engine.Parse(doc); err != nil {
		f := policyFailure(name, err)
		f.hint = `"floodmark policy schema" describes every field`
		if !bytes.HasPrefix(bytes.TrimSpace(doc), []byte("{")) {
			f.why = "neither a policy document, nor settings that are known of a harness"
			f.hint = "settings are known of " + strings.Join(engine.HarnessNames(), ", ")
		}
		return nil, nil, f
	}
	return p, nil, nil
}

// policyFailure is the failure for a file that is no policy.
func policyFailure(name string, err error) *failure {
	f := &failure{what: name, why: err.Error(), cause: err}
	var wrong *engine.PolicyError
	if errors.As(err, &wrong) {
		f.hint = wrong.Hint
	}
	return f
}

// adaptedNotes say which policy settings started from, and what each of them changed; nothing of a nil a.
func adaptedNotes(name string, a *engine.Adapted) []string {
	if a == nil {
		return nil
	}
	head := fmt.Sprintf("%s: %s's settings, as policy %s", name, a.Harness, a.Policy.Name)
	if len(a.Changes) == 0 {
		head += "; they change nothing of it"
	}
	notes := []string{head}
	for _, c := range a.Changes {
		notes = append(notes, fmt.Sprintf("%s: %s %s is %s", name, c.Setting, c.Value, strings.Join(c.Fields, ", ")))
	}
	for _, i := range a.Ignored {
		notes = append(notes, name+": ignored: "+i)
	}
	return notes
}

// findingNotes are what the linter finds in a policy that is not one of the built-in ones as it is.
func findingNotes(p *engine.Policy) []string {
	if len(p.Changed) == 0 && slices.Contains(engine.Builtin(), p.Name) {
		return nil
	}
	var notes []string
	for _, f := range p.Lint() {
		notes = append(notes, fmt.Sprintf("policy %s: %s", p.Name, findingLine(f)))
	}
	return notes
}

// findingLine is a finding of the linter in one line.
func findingLine(f engine.Finding) string {
	return fmt.Sprintf("%s %s: %s: %s", f.Severity, f.Code, f.Field, f.Reason)
}
