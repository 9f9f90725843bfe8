package setup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/markers"
	"github.com/git-cortex/cortex/workspace"
)

func excludeBlock() markers.Block {
	return markers.Block{Name: "exclude", Body: "/" + workspace.BriefingFile + "\n"}
}

// exclude is the path of info/exclude, git's list of what a clone leaves out of
// commits. Init adds the briefing to it.
type exclude string

func excludeOf(w *workspace.Workspace) exclude {
	return exclude(filepath.Join(w.Repo.CommonDir, "info", "exclude"))
}

// has reports whether our lines are in the file.
func (e exclude) has() bool {
	data, err := os.ReadFile(string(e))
	if err != nil {
		return false
	}
	body, ok := markers.Body(data, excludeBlock())
	return ok && body == excludeBlock().Body
}

// edit adds our lines, or removes them.
func (e exclude) edit(add bool) error {
	path := string(e)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("reading info/exclude: %w", err)
	}
	if err == nil && old == nil {
		old = []byte{}
	}
	edit := markers.Remove
	if add {
		edit = markers.Insert
	}
	now, err := edit(old, excludeBlock())
	if err != nil {
		return fmt.Errorf("info/exclude: %w", err)
	}
	switch {
	case now == nil && old != nil:
		return os.Remove(path)
	case now == nil || bytes.Equal(now, old):
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("writing info/exclude: %w", err)
	}
	// A link to a file elsewhere is the user's: that file is edited.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if err := atomicfile.WritePath(path, now, atomicfile.Options{}); err != nil {
		return fmt.Errorf("writing info/exclude: %w", err)
	}
	return nil
}
