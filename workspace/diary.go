package workspace

import (
	"context"
	"time"

	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// Beat is the last run of one hook.
type Beat = diary.Beat

// Note appends one line to the log in the cache folder. A log that cannot be
// written is no reason to stop.
func (w *Workspace) Note(ctx context.Context, format string, args ...any) {
	w.diary.Note(ctx, format, args...)
}

// Heartbeat returns the last run of each hook, by event.
func (w *Workspace) Heartbeat() map[string]Beat { return w.diary.Heartbeat() }

// Beat records that a hook ran, and how it went.
func (w *Workspace) Beat(ctx context.Context, event string, took time.Duration, failed error) {
	w.diary.Beat(ctx, event, took, failed)
}
