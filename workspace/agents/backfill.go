package agents

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
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
	Sessions    int      // sessions that had a new memory
	Added       int      // new pending memories
	Notes       int      // new notes
	Skipped     []string // transcripts that could not be read, and why
}

// Backfill reads past sessions. It may be stopped at any time and called
// again: what was read is remembered with the memories it gave.
func Backfill(ctx context.Context, w *workspace.Workspace, in BackfillInput) (Backfilled, error) {
	return newCapturer(w).backfill(ctx, in)
}

// Past are the transcripts that [Backfill] would read, in no order.
func Past(w *workspace.Workspace, in BackfillInput) ([]string, error) {
	return newCapturer(w).transcriptPaths(in)
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
		got, err := x.capture(ctx, CaptureInput{Path: f.path, Branch: branches(f.branch), Past: true})
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case err != nil:
			out.Skipped = append(out.Skipped, err.Error())
		default:
			out.count(got)
		}
		out.Done++
		out.Read += f.size
		if in.Progress != nil {
			in.Progress(out)
		}
	}
	return out, nil
}

// count adds what a session left.
func (b *Backfilled) count(got *Captured) {
	b.Added += len(got.Added)
	b.Sessions += min(1, len(got.Added))
	b.Notes += len(got.held(capture.Noted))
}

// branchSet maps the branch that a session was on to the one its memories are
// pending for: itself while it exists, else the current one.
func (x *capturer) branchSet(ctx context.Context) func(string) string {
	branches, _ := x.w.Repo.Branches(ctx) // without them, the current one
	known := map[string]string{}
	for _, b := range branches {
		known[b.Name] = b.Name
	}
	return func(name string) string { return known[name] }
}

type transcriptFile struct {
	path     string
	size     int64
	written  time.Time
	branch   string // as its first records say
	subagent bool
}

// transcripts finds the files to read, the oldest first.
func (x *capturer) transcripts(in BackfillInput) ([]transcriptFile, error) {
	paths, err := x.transcriptPaths(in)
	if err != nil {
		return nil, err
	}
	var out []transcriptFile
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			id := transcript.IdentifyFile(p)
			out = append(out, transcriptFile{p, info.Size(), info.ModTime(), id.Branch, id.Subagent})
		}
	}
	lists.Sort(out, func(a, b transcriptFile) int {
		return cmp.Or(a.written.Compare(b.written), strings.Compare(a.path, b.path))
	})
	return out, nil
}

// transcriptPaths are the files that somebody named, and those in named folders; where
// nobody named any, those of this repository's sessions.
func (x *capturer) transcriptPaths(in BackfillInput) ([]string, error) {
	var paths []string
	for _, p := range in.Paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, fmt.Errorf("reading past sessions: %w", err)
		}
		if info.IsDir() {
			paths = append(paths, transcript.Below(p)...)
		} else {
			paths = append(paths, p)
		}
	}
	if len(in.Paths) > 0 {
		return paths, nil
	}
	for _, dir := range transcript.Folders(in.Home, x.w.Repo.Root, in.All) {
		paths = append(paths, transcript.Below(dir)...)
	}
	return lists.Without(paths, func(p string) bool { return !x.isHere(p) }), nil
}
