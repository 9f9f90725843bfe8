package agents

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/workspace"
)

// tailSize is how much of a transcript's end is looked at for where the
// session is now.
const tailSize = 64 << 10

// IsHere reports whether the session of a hook's payload runs in this working
// tree, as far as its transcript says.
func IsHere(w *workspace.Workspace, p HookPayload) bool {
	tree, err := w.Tree()
	return err == nil && filepath.IsAbs(p.TranscriptPath) && !elsewhere(tree, p)
}

// elsewhere reports whether a hook's transcript says, at its start and at its
// end, that its session runs outside of this repository, and the agent does not
// say that it runs here. A hook invents nothing of such a one: its words are
// about something else. A transcript that names no folder counts as one of here, and a
// session that was begun elsewhere and has come here does, too. A person
// who names the file is believed (see [Capture]).
func elsewhere(tree workspace.Folder, p HookPayload) bool {
	path := p.TranscriptPath
	if p.Cwd != "" && tree.Holds(p.Cwd) {
		return false
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // Capture says what is wrong with it
	}
	if id := transcript.IdentifyFile(path); id.Cwd == "" || tree.Holds(id.Cwd) {
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
		if json.Unmarshal(line, &r) == nil && (r.Cwd != "" && tree.Holds(r.Cwd) || r.Payload.Cwd != "" && tree.Holds(r.Payload.Cwd)) {
			return false
		}
	}
	return true
}
