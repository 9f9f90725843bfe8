package workspace

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// tailSize is how much of a transcript's end is looked at for where the
// session is now.
const tailSize = 64 << 10

// isForeign reports whether a hook's transcript says, at its start and at its
// end, that its session runs outside of this repository, and the agent does not
// say that it runs here. A hook invents nothing of such a one: its words are
// about something else. What names no folder at all is not foreign, and a
// session that was begun elsewhere and has come here is not either. A person
// who names the file is believed (see [Workspace.Capture]).
func (w *Workspace) isForeign(p HookPayload) bool {
	path := p.TranscriptPath
	if p.Cwd != "" && w.isBelow(p.Cwd) {
		return false
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // Capture says what is wrong with it
	}
	if id := headOf(path); id.Cwd == "" || w.isBelow(id.Cwd) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if size, err := f.Seek(0, io.SeekEnd); err != nil || size > tailSize {
		if _, err := f.Seek(-tailSize, io.SeekEnd); err != nil {
			return false
		}
	} else if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false
	}
	tail, _ := io.ReadAll(io.LimitReader(f, tailSize))
	for line := range bytes.Lines(tail) {
		var r struct {
			Cwd     string `json:"cwd"`
			Payload struct {
				Cwd string `json:"cwd"`
			} `json:"payload"`
		}
		if json.Unmarshal(line, &r) == nil && (r.Cwd != "" && w.isBelow(r.Cwd) || r.Payload.Cwd != "" && w.isBelow(r.Payload.Cwd)) {
			return false
		}
	}
	return true
}

// isBelow reports whether a folder is the working tree or lies in it.
func (w *Workspace) isBelow(dir string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(w.Repo.Root, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
