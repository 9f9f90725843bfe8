package curate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/folder"
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
	lists.Sort(entries, func(a, b os.DirEntry) int { return cmp.Compare(age[b.Name()], age[a.Name()]) })
	for _, e := range entries[keptSheets:] {
		_ = os.Remove(filepath.Join(dir, e.Name())) // or the next time
	}
}

// recall reads a sheet back that was printed in this clone.
func recall(w *workspace.Workspace, id string) (*Sheet, error) {
	s := readKept(w, id)
	if s == nil || s.ID != id || s.digest() != id {
		return nil, grounding.Refuse("sheet %q was not printed in this clone, or is no longer kept: print it again "+
			"with cortex curate", grounding.Line(id, 40))
	}
	return s, nil
}

// readKept reads the file of a sheet; nil if there is none that can be read.
func readKept(w *workspace.Workspace, id string) *Sheet {
	if len(id) != 16 || strings.Trim(id, "0123456789abcdef") != "" {
		return nil // it may name another file
	}
	path := keptPath(w, id)
	data, _, err := folder.Folder{Root: filepath.Dir(path)}.ReadCapped(filepath.Base(path), keptBytes)
	if err != nil {
		return nil
	}
	var s Sheet
	if err := json.Unmarshal(data, &s); err != nil { // or there is none
		return nil
	}
	return &s
}
