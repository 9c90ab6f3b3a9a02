package history

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// openFolder opens a folder: as one conversation where a format says that it is one, else
// everything in it that is a recording.
func openFolder(ctx context.Context, dir string, o Options) ([]*Recording, error) {
	if o.Copies == nil {
		o.Copies = NewCopies()
	}
	w := &folderWalk{ctx: ctx, o: o}
	w.walk(dir)
	if err := ctx.Err(); err != nil {
		return w.list, err
	}
	if w.found == 0 && len(w.errs) == 0 {
		hint := "floodmark formats lists what is recognised"
		if w.links {
			hint = "links in a folder are not followed: name what they lead to"
		}
		return nil, &OpenError{Path: dir, Reason: "the folder holds no recordings", Hint: hint}
	}
	if w.found == 0 {
		return nil, errors.Join(w.errs...)
	}
	return w.list, errors.Join(w.errs...)
}

// A folderWalk collects the recordings below a folder.
type folderWalk struct {
	ctx   context.Context
	o     Options
	list  []*Recording
	found int
	errs  []error // of the recordings that could not be read
	links bool    // there are symbolic links
}

// walk takes what is in dir itself: a link in it can lead to anywhere, and round, and is left alone.
func (w *folderWalk) walk(dir string) {
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
	kinds := make(map[string]fs.DirEntry, len(entries))
	var paths []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		kinds[path] = e
		paths = append(paths, path)
	}
	for _, path := range OriginalsFirst(paths) {
		if w.ctx.Err() != nil {
			return
		}
		e := kinds[path]
		if taken[path] {
			continue
		}
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			w.links = true
		case e.IsDir():
			w.walk(path)
		case e.Type().IsRegular():
			w.add(openFile(w.ctx, path, mains[path], w.o))
		}
	}
}

// isFolder and isFile tell what is at path itself. A link is neither.
func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
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
	if err != nil {
		w.errs = append(w.errs, err)
	}
}
