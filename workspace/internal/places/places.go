// Package places knows where in the journal a pending memory is.
//
// Ask [New] for the path at which a memory is to be written, and [Pending] or [Anywhere]
// for those at which it is. The file of a pending memory is named for its title and the
// first seven characters of its id. Where the file of another memory has that name
// already, because somebody made the ids so, the name ends in the whole id.
//
// It promises that a path is never that of another memory, and that a journal which could
// not be read is an error, and not one that holds nothing.
//
// The functions that it returns are for one goroutine at a time.
package places

import (
	"context"
	"path"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// Long returns a path of the memory id, given its usual one, that no other memory has.
func Long(usual string, id memory.ID) string {
	return strings.TrimSuffix(usual, id.Short()+".md") + string(id) + ".md"
}

// Short returns the beginning of the id in the name of a pending memory's file, at least
// seven characters of it; ok is false for paths of the journal that are not pending
// memories. Another memory's id may begin alike.
func Short(p string) (short string, ok bool) {
	name, ok := strings.CutSuffix(path.Base(p), ".md")
	if !ok || !strings.HasPrefix(p, "pending/") {
		return "", false
	}
	return name[strings.LastIndexByte(name, '-')+1:], true
}

// New returns the path in the journal at which m is to be written so that it is pending
// for a branch, as the journal names it: never that of another memory.
func New(ctx context.Context, snap *gitops.Snapshot, branch string, m *memory.Memory) (string, error) {
	usual := gitops.PendingPrefix(branch) + "/" + m.Path()
	entries, err := snap.List(ctx, usual)
	if err != nil {
		return "", err
	}
	taken := len(entries) > 0
	err = snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		if e.Path == usual && data != nil && isMemory(data, m.ID) {
			taken = false
		}
		return nil
	})
	if err != nil || !taken {
		return usual, err
	}
	return Long(usual, m.ID), nil
}

// isMemory reports whether data is the file of the memory id. One that cannot be
// parsed is taken for the one that its name says.
func isMemory(data []byte, id memory.ID) bool {
	m, err := memory.Parse("a file of the journal", data)
	return err != nil || m.ID == id
}

// Finder returns the paths in the journal at which a memory is pending.
type Finder func(memory.ID) ([]string, error)

// Pending returns a function that tells the paths in the journal at which a memory is
// pending for a branch, as the journal names it. It reads the files whose names fit, since
// another memory's id may begin alike, and lists the folder when it is first asked.
func Pending(ctx context.Context, snap *gitops.Snapshot, branch string) Finder {
	return below(ctx, snap, gitops.PendingPrefix(branch))
}

// Anywhere is [Pending] for all branches.
func Anywhere(ctx context.Context, snap *gitops.Snapshot) Finder { return below(ctx, snap, "pending") }

func below(ctx context.Context, snap *gitops.Snapshot, folder string) Finder {
	named := sync.OnceValues(func() (map[string][]gitops.Entry, error) {
		entries, err := snap.List(ctx, folder)
		named := make(map[string][]gitops.Entry, len(entries)) // by the first seven characters
		for _, e := range entries {
			if short, ok := Short(e.Path); ok {
				short = memory.ID(short).Short()
				named[short] = append(named[short], e)
			}
		}
		return named, err
	})
	return func(id memory.ID) (paths []string, err error) {
		all, err := named()
		if err != nil {
			return nil, err
		}
		err = snap.Read(ctx, all[id.Short()], func(e gitops.Entry, data []byte) error {
			if isMemory(data, id) {
				paths = append(paths, e.Path)
			}
			return nil
		})
		return paths, err
	}
}

// Has reports whether the journal has a file at a path, whatever is in it.
func Has(ctx context.Context, snap *gitops.Snapshot, p string) (bool, error) {
	entries, err := snap.List(ctx, p)
	return err == nil && len(entries) == 1 && entries[0].Path == p, err
}
