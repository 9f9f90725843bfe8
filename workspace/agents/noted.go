package agents

import (
	"context"
	"strings"

	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// notedSessions bounds the sessions whose notes may be quoted at a moment: the latest.
const notedSessions = 500

// keepNotes keeps the notes of this clone's sessions where hooks find them that quote one. It is
// called when a session begins: its own notes are not quoted to it, and those of others are there.
// What is muted is part of the names of the records: with other ones they are read anew.
func (h *hooks) keepNotes(ctx context.Context) error {
	records, err := h.w.Journal.OwnRecords(ctx, notedSessions)
	if err != nil {
		return err
	}
	muted := workspace.Muted(ctx, h.w.Repo)
	ending := ""
	for _, id := range muted {
		ending += " " + string(id)
	}
	for i := range records {
		records[i] += ending
	}
	table := hookstate.Place{Worktree: h.w.Repo.Worktree()}.Table()
	return recall.RenewNotes(table, records, func(unknown []string) map[string][]*memory.Memory {
		notes := map[string][]*memory.Memory{}
		blobs := strings.Fields(strings.Join(unknown, " ")) // and ids, which are no blobs
		for blob, list := range h.w.Journal.NotesOf(ctx, blobs, muted) {
			notes[blob+ending] = list
		}
		return notes
	})
}
