package setup

import (
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

// edit adds our lines, or removes them. A link to a file elsewhere is the user's:
// that file is edited.
func (e exclude) edit(add bool) error {
	path := string(e)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	change := markers.Remove
	if add {
		change = markers.Insert
	}
	return atomicfile.Edit(path, 0, func(data []byte) ([]byte, error) { return change(data, excludeBlock()) })
}
