package agents

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"

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
	if p.Cwd != "" && tree.Holds(p.Cwd) {
		return false
	}
	size := sizeOf(p.TranscriptPath)
	if size == 0 { // Capture says what is wrong with it
		return false
	}
	started := transcript.IdentifyFile(p.TranscriptPath).Cwd
	if started == "" || tree.Holds(started) {
		return false
	}
	return !slices.ContainsFunc(lastFolders(p.TranscriptPath, size), tree.Holds)
}

// lastFolders are the folders that the end of a transcript of a size names.
func lastFolders(path string, size int64) []string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	tail, _ := io.ReadAll(io.NewSectionReader(f, max(0, size-tailSize), tailSize))
	var out []string
	for line := range bytes.Lines(tail) {
		if cwd := cwdOf(line); cwd != "" {
			out = append(out, cwd)
		}
	}
	return out
}

// cwdOf is the folder that a record of a transcript names, as Claude Code and Codex write
// it; "" for none.
func cwdOf(line []byte) string {
	var record struct {
		Cwd     string `json:"cwd"`
		Payload struct {
			Cwd string `json:"cwd"`
		} `json:"payload"`
	}
	if json.Unmarshal(line, &record) != nil {
		return ""
	}
	return cmp.Or(record.Cwd, record.Payload.Cwd)
}
