package workspace

import (
	"context"
	"path"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// The file of a pending memory is named for its title and the first seven
// characters of its id. Where the file of another memory has that name already,
// because somebody made the ids so, the name ends in the whole id.

// LongPath returns a path of the memory id, given its usual one, that no other
// memory has.
func LongPath(usual string, id memory.ID) string {
	return strings.TrimSuffix(usual, id.Short()+".md") + string(id) + ".md"
}

// PendingShort returns the beginning of the id in the name of a pending memory's
// file, at least seven characters of it; ok is false for paths of the journal that
// are not pending memories. Another memory's id may begin alike.
func PendingShort(p string) (short string, ok bool) {
	name, ok := strings.CutSuffix(path.Base(p), ".md")
	if !ok || !strings.HasPrefix(p, "pending/") {
		return "", false
	}
	return name[strings.LastIndexByte(name, '-')+1:], true
}

// PendingPath returns the path in the journal at which m is to be written so that
// it is pending for a branch, as the journal names it: never that of another
// memory.
func PendingPath(ctx context.Context, snap *gitops.Snapshot, branch string, m *memory.Memory) string {
	usual := gitops.PendingPrefix(branch) + "/" + m.Path()
	if data, ok, err := snap.File(ctx, usual); err == nil && ok && isMemory(data, m.ID) || err == nil && !ok {
		return usual
	}
	return LongPath(usual, m.ID)
}

// isMemory reports whether data is the file of the memory id. One that cannot be
// parsed is taken for the one that its name says.
func isMemory(data []byte, id memory.ID) bool {
	m, err := memory.Parse("a file of the journal", data)
	return err != nil || m.ID == id
}

// PendingPaths returns a function that tells the paths in the journal at which a
// memory is pending for a branch, as the journal names it. It reads the files whose
// names fit, since another memory's id may begin alike.
func PendingPaths(ctx context.Context, snap *gitops.Snapshot, branch string) func(memory.ID) []string {
	return pendingBelow(ctx, snap, gitops.PendingPrefix(branch))
}

// PendingAnywhere is [PendingPaths] for all branches.
func PendingAnywhere(ctx context.Context, snap *gitops.Snapshot) func(memory.ID) []string {
	return pendingBelow(ctx, snap, "pending")
}

func pendingBelow(ctx context.Context, snap *gitops.Snapshot, folder string) func(memory.ID) []string {
	entries, err := snap.List(ctx, folder)
	if err != nil {
		return func(memory.ID) []string { return nil }
	}
	named := make(map[string][]gitops.Entry, len(entries)) // by the first seven characters
	for _, e := range entries {
		if short, ok := PendingShort(e.Path); ok {
			short = memory.ID(short).Short()
			named[short] = append(named[short], e)
		}
	}
	return func(id memory.ID) []string {
		var paths []string
		_ = snap.Read(ctx, named[id.Short()], func(e gitops.Entry, data []byte) error {
			if isMemory(data, id) {
				paths = append(paths, e.Path)
			}
			return nil
		})
		return paths
	}
}
