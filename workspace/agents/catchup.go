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
)

// Bounds of what a session start reads of earlier sessions whose end hook
// never fired: it must not be felt.
const (
	catchUpFiles = 2
	catchUpBytes = 4 << 20
	catchUpAge   = 14 * 24 * time.Hour
)

// newestOf is when the newest of the files was changed: against that others
// are old, whatever this machine's clock says.
func newestOf(entries []os.DirEntry) time.Time {
	var newest time.Time
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	return newest
}

// catchUp reads what is unread in the newest other transcripts beside the
// session's own: sessions that were killed, or ended while cortex was away.
func (x *capturer) catchUp(ctx context.Context, agent, current string) error {
	if !filepath.IsAbs(current) {
		return nil
	}
	entries, err := os.ReadDir(filepath.Dir(current))
	if err != nil {
		return nil //nolint:nilerr // no folder, nothing to catch up with
	}
	type unread struct {
		path string
		size int64
		mod  time.Time
	}
	var found []unread
	sizes := x.w.Diary.Read()
	newest := newestOf(entries)
	for _, e := range entries {
		path := filepath.Join(filepath.Dir(current), e.Name())
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || path == current || !strings.HasSuffix(path, ".jsonl") ||
			info.Size() == sizes[path] || info.Size()-sizes[path] > catchUpBytes || newest.Sub(info.ModTime()) > catchUpAge {
			continue
		}
		found = append(found, unread{path, info.Size(), info.ModTime()})
	}
	slices.SortFunc(found, func(a, b unread) int { return cmp.Or(b.mod.Compare(a.mod), strings.Compare(a.path, b.path)) })
	var last error
	for _, f := range found[:min(len(found), catchUpFiles)] {
		if !x.isHere(f.path) {
			x.w.Diary.NoteRead(ctx, f.path, f.size)
			continue
		}
		branch := x.branchSet(ctx)(transcript.IdentifyFile(f.path).Branch)
		if _, err := x.captureFamily(ctx, CaptureInput{Path: f.path, Likely: agent, Branch: branch, Past: true}); err != nil {
			last = err
			x.w.Diary.NoteRead(ctx, f.path, f.size) // it would fail again at every start
		}
	}
	return last
}
