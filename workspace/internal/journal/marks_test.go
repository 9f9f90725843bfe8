package journal

import (
	"testing"

	"github.com/git-cortex/cortex/index"
)

// TestUnreadableMarks: while nobody can tell what came from a remote, everything that is
// pending did.
func TestUnreadableMarks(t *testing.T) {
	const id = "k7q2m9xw4d3h8t5v"
	pending := &index.Item{Path: "pending/main/decision/2026-03/tides.md"}
	landed := &index.Item{Path: ".cortex/memories/decision/2026-03/tides.md"}
	unread := Marks{everything: true}
	if !unread.Item(pending, id) || unread.Item(landed, id) || !unread.Record("sessions/2026-03/one.md") {
		t.Error("unread marks: what is pending counts as this clone's own")
	}
	if none := Marks(nil); none.Item(pending, id) || none.Record("sessions/2026-03/one.md") {
		t.Error("no marks: what is pending counts as received")
	}
}
