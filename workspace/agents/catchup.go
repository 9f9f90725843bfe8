package agents

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
)

// Bounds of what a hook reads of earlier sessions whose end hook
// never fired, or came before their last words were written: it must not be felt.
const (
	catchUpFiles = 2
	catchUpHeads = 16 // files whose beginning is read for where they were recorded
	catchUpBytes = 4 << 20
	catchUpAge   = 14 * 24 * time.Hour
)

// unread is a transcript of which something was not read yet.
type unread struct {
	path string
	size int64
	mod  time.Time
}

// unreadOf are those of the files that have grown since they were read, the newest
// first. Old ones are left out, by the newest of all: whatever this machine's clock says.
func (x *capturer) unreadOf(files []string, current string) []unread {
	var found []unread
	var newest time.Time
	sizes := x.w.Diary.Read()
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		if path != current && info.Size() != sizes[path] && info.Size()-sizes[path] <= catchUpBytes {
			found = append(found, unread{path, info.Size(), info.ModTime()})
		}
	}
	found = lists.Without(found, func(f unread) bool { return newest.Sub(f.mod) > catchUpAge })
	lists.Sort(found, func(a, b unread) int { return cmp.Or(b.mod.Compare(a.mod), strings.Compare(a.path, b.path)) })
	return found
}

// catchUp reads what is unread in the newest other transcripts beside the session's own,
// and in those of an agent that keeps the sessions of all projects in one place: sessions
// that were killed, or ended while cortex was away, or before the folder was trusted.
func (x *capturer) catchUp(ctx context.Context, p *HookPayload) error {
	files := p.Stores.Latest(p.Agent)
	if filepath.IsAbs(p.TranscriptPath) {
		files = append(files, transcript.Beside(p.TranscriptPath)...)
	}
	slices.Sort(files)
	read, looked := 0, 0
	var last error
	for _, f := range x.unreadOf(slices.Compact(files), p.TranscriptPath) {
		if read == catchUpFiles || looked == catchUpHeads {
			break
		}
		looked++
		if !x.isHere(f.path) {
			x.w.Diary.NoteRead(ctx, f.path, f.size)
			continue
		}
		read++
		id := transcript.IdentifyFile(f.path)
		in := CaptureInput{
			Path: f.path, Likely: p.Agent, Session: transcript.SessionAt(id.Agent, f.path),
			Branch: x.branchSet(ctx)(id.Branch), Past: true,
		}
		if _, err := x.captureFamily(ctx, in); err != nil {
			last = err
			if never(err) {
				x.w.Diary.NoteRead(ctx, f.path, f.size) // it would fail again at every start
			}
		}
	}
	return last
}
