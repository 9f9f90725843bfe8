package transcript

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Folders are where agents keep the sessions of the working tree at root, or, with
// all, those of every repository; home is the user's home folder. The folders need
// not be there.
func Folders(home, root string, all bool) []string {
	if home == "" {
		return nil
	}
	projects := filepath.Join(home, ".claude", "projects")
	ofCursor := cursorFolder(home, root) // its transcripts do not say where they were recorded
	if !all {
		return []string{filepath.Join(projects, claudeSlug(root)), ofCursor}
	}
	return []string{
		projects,
		filepath.Join(home, ".codex", "sessions"), filepath.Join(home, ".codex", "archived_sessions"),
		filepath.Join(home, ".copilot", "session-state"), filepath.Join(home, ".gemini", "tmp"), ofCursor,
	}
}

// Homes are the folders below which agents keep the sessions of a user. User is the
// home folder; the others are named by variables of the environment, "" for the usual
// place below it.
type Homes struct{ User, Copilot, Codex string }

// copilot is where Copilot CLI keeps sessions, a folder for each.
func (h Homes) copilot() string {
	dir := h.Copilot
	dir = cmp.Or(dir, filepath.Join(h.User, ".copilot"))
	return filepath.Join(dir, "session-state")
}

// codex is where Codex keeps sessions, in a folder for each day.
func (h Homes) codex() string {
	dir := h.Codex
	dir = cmp.Or(dir, filepath.Join(h.User, ".codex"))
	return filepath.Join(dir, "sessions")
}

// copilotFile is the transcript in the folder of a session of Copilot CLI.
const copilotFile = "events.jsonl"

// SessionAt is the id of the session whose transcript is at a path, where that says it,
// and "" elsewhere.
func SessionAt(agent, path string) string {
	if agent != Copilot || filepath.Base(path) != copilotFile {
		return ""
	}
	return filepath.Base(filepath.Dir(path))
}

// Bounds of what [Homes.Latest] looks at.
const (
	latestFolders = 2000 // sessions of Copilot CLI
	latestDays    = 7    // folders of Codex
)

// Latest lists the transcripts in an agent's store where that is not one for each
// project: all of Copilot CLI, and those of the latest days of Codex. What cannot be
// read has none.
func (h Homes) Latest(agent string) []string {
	var out []string
	switch {
	case h.User == "":
	case agent == Copilot:
		dirs := within(h.copilot(), true, "")
		for _, dir := range dirs[:min(len(dirs), latestFolders)] {
			out = append(out, filepath.Join(dir, copilotFile))
		}
	case agent == Codex:
		days := []string{h.codex()}
		for range 3 { // years, months, days
			var next []string
			for _, dir := range days {
				next = append(next, within(dir, true, "")...)
			}
			days = next[max(0, len(next)-latestDays):]
		}
		for _, day := range days {
			out = append(out, within(day, false, ".jsonl")...)
		}
	}
	return out
}

// Beside lists the transcripts in the folder that one is in, it among them.
func Beside(path string) []string { return within(filepath.Dir(path), false, ".jsonl") }

// within lists what is in a folder, in the order of names: the folders, or what is none
// and has a name that ends so.
func within(dir string, folders bool, ending string) []string {
	entries, _ := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		if e.IsDir() == folders && strings.HasSuffix(e.Name(), ending) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// snapshotTail is how much of the end of a transcript is looked at.
const snapshotTail = 2 << 20

// Snapshot is the id of the message by which Gemini CLI last summed up a session, and ""
// where the end of its transcript has none.
func Snapshot(path string) string {
	tail := endOf(path)
	for len(tail) > 0 {
		at := bytes.LastIndexByte(bytes.TrimRight(tail, "\n"), '\n') + 1
		line := tail[at:]
		if tail = tail[:at]; bytes.Contains(line, []byte("<state_snapshot>")) {
			if id, _ := snapshot(field(line, "$set", "messages")); id != nil {
				return text(id)
			}
		}
	}
	return ""
}

// Closed reports whether the transcript of a session of Copilot CLI ends with its end: then
// nothing more is written to it before the session is resumed.
func Closed(path string) bool {
	tail := endOf(path)
	if !bytes.HasSuffix(tail, []byte("\n")) {
		return false
	}
	last := tail[bytes.LastIndexByte(tail[:len(tail)-1], '\n')+1:]
	return text(field(last, "type")) == "session.shutdown"
}

// endOf returns the end of a file, nil of what cannot be read.
func endOf(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil
	}
	tail := make([]byte, min(size, snapshotTail))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil
	}
	return tail
}

// Session returns the paths at which Copilot CLI or Cursor may keep a session that
// was begun in the folder cwd.
func Session(agent string, homes Homes, cwd, session string) []string {
	switch agent {
	case Copilot:
		return []string{filepath.Join(homes.copilot(), session, copilotFile)}
	case Cursor:
		dir := cursorFolder(homes.User, cwd)
		return []string{filepath.Join(dir, session+".jsonl"), filepath.Join(dir, session, session+".jsonl")}
	}
	return nil
}

// cursorFolder is the folder that Cursor keeps a project's sessions in.
func cursorFolder(home, root string) string {
	return filepath.Join(home, ".cursor", "projects", strings.TrimLeft(claudeSlug(root), "-"), "agent-transcripts")
}

// claudeSlug is the folder that Claude Code keeps a project's sessions in: every
// character but letters and digits becomes a hyphen.
func claudeSlug(root string) string {
	const kept = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(kept, r) {
			return r
		}
		return '-'
	}, root)
}

// maxFound bounds how many files [Below] lists.
const maxFound = 20000

// Below lists what may be transcripts below a folder, those of subagents too.
func Below(dir string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // a folder that cannot be read holds nothing for us
		case !d.Type().IsRegular() || strings.HasSuffix(path, ".meta.json"):
			return nil
		case strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".json"):
			out = append(out, path)
		}
		if len(out) >= maxFound {
			return fs.SkipAll
		}
		return nil
	})
	return out
}

// Subagents lists the transcripts of the subagents that the session of a transcript
// started, where the agent keeps them beside it as Claude Code does.
func Subagents(path string) []string {
	dir := filepath.Join(strings.TrimSuffix(path, filepath.Ext(path)), "subagents")
	entries, _ := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".jsonl") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// IdentifyFile is [Identify] of the first lines of a file; of one that cannot be
// read, nothing is known.
func IdentifyFile(path string) Identity {
	f, err := os.Open(path)
	if err != nil {
		return Identity{}
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, 64<<10))
	return Identify(head)
}
