package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// An AsideReport says what SetAside did.
type AsideReport struct {
	Path    string         `json:"path"`    // where the file is now
	Salvage *SalvageReport `json:"salvage"` // what the new store holds of it; nil where there is none: the file is none of ours, or a newer program's
}

// A SoundError says that a store which was to be set aside has no damage.
type SoundError struct{ Path string }

func (e *SoundError) Error() string {
	return fmt.Sprintf("the store %s has no damage: it stays where it is", e.Path)
}

// SetAside gives a file that is no usable store another name beside it, with the time in it, and puts a
// new store in its place that holds what can be read back: each variable whose pages the damage did not
// touch. The file itself is not changed. It is for an explicit order only. o.Secret is the damaged
// store's, where it encrypts.
//
// Errors: *SoundError, *LockedError, *MissingError, the context's.
func SetAside(ctx context.Context, path string, o Options) (AsideReport, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return AsideReport{}, &MissingError{Path: path}
	} else if err != nil {
		return AsideReport{}, err
	}
	newer, err := unusable(ctx, real, o)
	if err != nil {
		return AsideReport{}, err
	}
	aside, err := freeName(real + ".damaged-" + time.Now().UTC().Format("20060102T150405Z"))
	if err != nil {
		return AsideReport{}, err
	}
	report := AsideReport{Path: aside}
	var salvaged *SalvageReport
	if !newer {
		if salvaged, err = salvageBeside(ctx, real, o); err != nil {
			return AsideReport{}, err
		}
	}
	if salvaged == nil {
		return report, os.Rename(real, aside)
	}
	report.Salvage = salvaged
	// With a second name for the old file, there is a store at the path at any moment.
	if err := os.Link(real, aside); err != nil {
		err = os.Rename(real, aside) // a file system without links
		if err != nil {
			_ = os.Remove(unfinished(real))
			return AsideReport{}, err
		}
	}
	if err := os.Rename(unfinished(real), real); err != nil {
		return AsideReport{}, err
	}
	return report, syncFolder(filepath.Dir(real))
}

// unusable tells why a file is to be set aside: nil with newer false for damage.
func unusable(ctx context.Context, path string, o Options) (newer bool, err error) {
	s, err := Open(path, Options{ReadOnly: true, Timeout: o.Timeout, Secret: o.Secret})
	var (
		damaged *DamagedError
		version *VersionError
	)
	switch {
	case errors.As(err, &version):
		return true, nil
	case errors.As(err, &damaged):
		return false, nil
	case err != nil:
		return false, err
	}
	defer s.Close() // opened to read only: there is nothing to lose
	r, err := s.Check(ctx)
	switch {
	case errors.As(err, &damaged):
		return false, nil
	case err != nil:
		return false, err
	case len(r.Damaged) > 0:
		return false, nil
	}
	return false, &SoundError{Path: path}
}

// freeName is a path that no file has.
func freeName(path string) (string, error) {
	for i, name := 1, path; ; i++ {
		_, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
		if err != nil || i == 100 {
			return "", fmt.Errorf("cannot set the file aside: %s is taken", name)
		}
		name = fmt.Sprintf("%s-%d", path, i+1)
	}
}

// salvageBeside writes a new store beside the damaged one, and closes it; nil where nothing of ours is there.
func salvageBeside(ctx context.Context, path string, o Options) (*SalvageReport, error) {
	next := unfinished(path)
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	to, err := open(next, Options{work: o.work}, true) // it is of use when it is whole, and not before
	if err != nil {
		return nil, err
	}
	report, ours, err := salvage(ctx, path, o.Secret, to)
	if err == nil && ours {
		err = to.db.Sync()
	}
	if e := to.Close(); err == nil {
		err = e
	}
	if err != nil || !ours {
		_ = os.Remove(next)
		return nil, err
	}
	return &report, nil
}
