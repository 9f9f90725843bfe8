package workspace

import (
	"context"
	"strings"

	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/memory"
)

// notedSessions bounds the sessions whose notes may be quoted at a moment: the latest.
const notedSessions = 500

// RecallNotes keeps the notes of this clone's sessions where hooks find them that quote one. It is
// called when a session begins: its own notes are not quoted to it, and those of others are there.
func RecallNotes(ctx context.Context, w *Workspace) error {
	records, err := w.Journal.OwnRecords(ctx, notedSessions)
	if err != nil {
		return err
	}
	muted := Muted(ctx, w.Repo)
	var without strings.Builder
	for _, id := range muted {
		without.WriteString(" " + string(id))
	}
	for i := range records {
		records[i] += without.String()
	}
	return recall.RenewNotes(w.place().Table(), records, func(unknown []string) map[string][]*memory.Memory {
		notes := map[string][]*memory.Memory{}
		blobs := strings.Fields(strings.Join(unknown, " ")) // and ids, which are no blobs
		for blob, list := range w.Journal.NotesOf(ctx, blobs, muted) {
			notes[blob+without.String()] = list
		}
		return notes
	})
}
