package workspace

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
)

// BackfillInput says which past sessions to read.
type BackfillInput struct {
	Paths []string // files, and folders that are searched for transcripts
	Home  string   // the user's home, below which agents keep their sessions
	All   bool     // every session of this repository, of every agent
	// Progress hears after each piece; nil is fine.
	Progress func(Backfilled)
}

// Backfilled is how far a backfill has come.
type Backfilled struct {
	Files, Done int      // transcripts found and read
	Bytes, Read int64    // their size, and how much of it is behind us
	Sessions    int      // sessions that had something new
	Added       int      // new pending memories
	Skipped     []string // transcripts that could not be read, and why
}

// maxTranscripts bounds what one backfill looks at.
const maxTranscripts = 20000

// Backfill reads past sessions. It may be stopped at any time and called
// again: what was read is remembered with the memories it gave.
func (w *Workspace) Backfill(ctx context.Context, in BackfillInput) (Backfilled, error) {
	return w.capturer.backfill(ctx, in)
}

func (x *capturer) backfill(ctx context.Context, in BackfillInput) (Backfilled, error) {
	var out Backfilled
	files, err := x.transcripts(in)
	if err != nil {
		return out, err
	}
	out.Files = len(files)
	for _, f := range files {
		out.Bytes += f.size
	}
	branches := x.branchSet(ctx)
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		got, err := x.capture(ctx, CaptureInput{Path: f.path, Branch: branches(f.branch)})
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case err != nil:
			out.Skipped = append(out.Skipped, err.Error())
		default:
			out.Added += len(got.Added)
			if len(got.Added) > 0 {
				out.Sessions++
			}
		}
		out.Done++
		out.Read += f.size
		if in.Progress != nil {
			in.Progress(out)
		}
	}
	return out, nil
}

// branchSet maps the branch that a session was on to the one its memories are
// pending for: itself while it exists, else the current one.
func (x *capturer) branchSet(ctx context.Context) func(string) string {
	branches, err := x.repo.Branches(ctx)
	known := map[string]bool{}
	for _, b := range branches {
		known[b.Name] = err == nil
	}
	return func(name string) string {
		if known[name] {
			return name
		}
		return ""
	}
}

type transcriptFile struct {
	path   string
	size   int64
	branch string // as its first records say
}

// transcripts finds the files to read, the oldest first.
func (x *capturer) transcripts(in BackfillInput) ([]transcriptFile, error) {
	var paths []string
	for _, p := range in.Paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, fmt.Errorf("reading past sessions: %w", err)
		}
		if info.IsDir() {
			paths = append(paths, transcriptsBelow(p)...)
		} else {
			paths = append(paths, p)
		}
	}
	if len(in.Paths) == 0 {
		for _, dir := range x.sessionFolders(in) {
			for _, p := range transcriptsBelow(dir) {
				if x.isHere(p) {
					paths = append(paths, p)
				}
			}
		}
	}
	type dated struct {
		transcriptFile
		mod int64
	}
	var all []dated
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			all = append(all, dated{transcriptFile{p, info.Size(), headOf(p).Branch}, info.ModTime().UnixNano()})
		}
	}
	slices.SortStableFunc(all, func(a, b dated) int {
		if a.mod != b.mod {
			return int(min(max(a.mod-b.mod, -1), 1))
		}
		return strings.Compare(a.path, b.path)
	})
	out := make([]transcriptFile, len(all))
	for i, d := range all {
		out[i] = d.transcriptFile
	}
	return out, nil
}

// sessionFolders are where agents keep the sessions of this repository, or,
// with All, of every repository.
func (x *capturer) sessionFolders(in BackfillInput) []string {
	if in.Home == "" {
		return nil
	}
	projects := filepath.Join(in.Home, ".claude", "projects")
	if !in.All {
		return []string{filepath.Join(projects, claudeSlug(x.repo.Root))}
	}
	return []string{
		projects,
		filepath.Join(in.Home, ".codex", "sessions"), filepath.Join(in.Home, ".codex", "archived_sessions"),
		filepath.Join(in.Home, ".copilot", "session-state"), filepath.Join(in.Home, ".gemini", "tmp"),
	}
}

// claudeSlug is the folder that Claude Code keeps a project's sessions in:
// every character but letters and digits becomes a hyphen.
func claudeSlug(root string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, root)
}

// transcriptsBelow lists what may be transcripts below a folder. Those of
// sub-agents are left out.
func transcriptsBelow(dir string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // a folder that cannot be read holds nothing for us
		case d.IsDir() && d.Name() == "subagents":
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		case strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".json"):
			out = append(out, path)
		}
		if len(out) >= maxTranscripts {
			return fs.SkipAll
		}
		return nil
	})
	return out
}

// headOf reads from a transcript's first lines where it was recorded.
func headOf(path string) transcript.Identity {
	f, err := os.Open(path)
	if err != nil {
		return transcript.Identity{}
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, 64<<10))
	return transcript.Identify(head)
}

// isHere reports whether a transcript was recorded in this repository: folder
// names of agents collide, so what the records say decides.
func (x *capturer) isHere(path string) bool {
	id := headOf(path)
	cwd := id.Cwd
	if cwd == "" || id.Subagent {
		return false
	}
	return x.tree.holds(cwd)
}
