package transcript

import (
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

// Session returns the paths at which Copilot CLI or Cursor may keep a session that
// was begun in the folder cwd. Copilot is the folder that COPILOT_HOME names, "" for
// the usual one.
func Session(agent, home, copilot, cwd, session string) []string {
	switch agent {
	case Copilot:
		if copilot == "" {
			copilot = filepath.Join(home, ".copilot")
		}
		return []string{filepath.Join(copilot, "session-state", session, "events.jsonl")}
	case Cursor:
		dir := cursorFolder(home, cwd)
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
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
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
