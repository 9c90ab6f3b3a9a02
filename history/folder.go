package history

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// openFolder opens a folder: as one conversation where a format says that it is one, else
// everything in it that is a recording.
func openFolder(ctx context.Context, dir string, o Options) ([]*Recording, error) {
	w := &folderWalk{ctx: ctx, o: o, seen: map[string]bool{}}
	w.walk(dir)
	if err := ctx.Err(); err != nil {
		return w.list, err
	}
	if w.found == 0 && w.first == nil {
		return nil, &OpenError{Path: dir, Reason: "the folder holds no recordings", Hint: "floodmark formats lists what is recognised"}
	}
	if w.found == 0 {
		return nil, w.first
	}
	return w.list, w.first
}

// A folderWalk collects the recordings below a folder.
type folderWalk struct {
	ctx   context.Context
	o     Options
	list  []*Recording
	found int
	first error           // of a recording that could not be read
	seen  map[string]bool // folders by their real path, so that links can't go round
}

func (w *folderWalk) walk(dir string) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		if real, err = filepath.Abs(real); err == nil {
			if w.seen[real] {
				return
			}
			w.seen[real] = true
		}
	}
	mains, taken := bundles(dir)
	for path, more := range mains {
		if filepath.Dir(path) != filepath.Clean(dir) {
			w.add(openFile(w.ctx, path, more, w.o)) // dir is a part of it
			return
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		w.fail(unreadable(dir, err))
	}
	for _, e := range entries {
		if w.ctx.Err() != nil {
			return
		}
		path := filepath.Join(dir, e.Name())
		if taken[path] {
			continue
		}
		info, err := os.Stat(path) // follows links
		switch {
		case err != nil:
			w.fail(unreadable(path, err))
		case info.IsDir():
			w.walk(path)
		case info.Mode().IsRegular():
			w.add(openFile(w.ctx, path, mains[path], w.o))
		}
	}
}

// bundles finds the conversations of a folder that are in several files: their further files by the
// main one, and what is nothing on its own then.
func bundles(dir string) (mains map[string][]string, taken map[string]bool) {
	mains, taken = map[string][]string{}, map[string]bool{}
	for _, f := range formats {
		if f.folder == nil {
			continue
		}
		for _, b := range f.folder(dir) {
			mains[b.main] = b.more
			taken[b.folder] = true
			for _, path := range b.more {
				taken[path] = true
			}
		}
	}
	return mains, taken
}

// add takes a recording. What is none is passed over; what is one and can't be read is an error.
func (w *folderWalk) add(rec *Recording, err error) {
	if rec != nil {
		w.found++
		if w.o.Found != nil {
			w.o.Found(rec)
		} else {
			w.list = append(w.list, rec)
		}
	}
	var e *OpenError
	if errors.As(err, &e) && e.Err == nil && rec == nil {
		return
	}
	w.fail(err)
}

func (w *folderWalk) fail(err error) {
	if w.first == nil {
		w.first = err
	}
}
