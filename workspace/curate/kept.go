package curate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// Worksheets are kept in the cache folder, so that an answer is checked against
// what its reader saw, however the session has gone on. Without its file a sheet
// has to be printed again.
const (
	keptFolder = "curate"
	keptSheets = 40
	keptBytes  = 1 << 20
)

func keptPath(w *workspace.Workspace, id string) string {
	return filepath.Join(w.Repo.CacheDir(), keptFolder, id+".json")
}

// keep writes a sheet, and forgets the oldest ones.
func keep(w *workspace.Workspace, s *Sheet) error {
	data, err := json.Marshal(s)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(keptPath(w, s.ID)), 0o777)
	}
	if err == nil {
		err = atomicfile.WritePath(keptPath(w, s.ID), data, atomicfile.Options{NoSync: true})
	}
	if err != nil {
		return fmt.Errorf("keeping the worksheet: %w", err)
	}
	forgetOld(filepath.Dir(keptPath(w, s.ID)))
	return nil
}

func forgetOld(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= keptSheets {
		return
	}
	age := map[string]int64{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			age[e.Name()] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(age[b.Name()], age[a.Name()]) })
	for _, e := range entries[keptSheets:] {
		_ = os.Remove(filepath.Join(dir, e.Name())) // or the next time
	}
}

// recall reads a sheet back that was printed in this clone.
func recall(w *workspace.Workspace, id string) (*Sheet, error) {
	unknown := refused("sheet %q was not printed in this clone, or is no longer kept: print it again with cortex curate", grounding.Line(id, 40))
	if len(id) != 16 {
		return nil, unknown
	}
	for _, r := range id {
		if (r < '0' || r > '9') && (r < 'a' || r > 'f') {
			return nil, unknown
		}
	}
	info, err := os.Lstat(keptPath(w, id))
	if err != nil || !info.Mode().IsRegular() || info.Size() > keptBytes {
		return nil, unknown
	}
	data, err := os.ReadFile(keptPath(w, id))
	if err != nil {
		return nil, unknown
	}
	var s Sheet
	if json.Unmarshal(data, &s) != nil || s.ID != id || s.digest() != id {
		return nil, unknown
	}
	return &s, nil
}
