package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
)

// lockPatience is how long a lock must be held before doctor reports it; a capture
// holds it for milliseconds.
const lockPatience = 300 * time.Millisecond

func (d *doctor) checkLock(ctx context.Context) workspace.Check {
	busy, pid := d.w.Repo.Journal().Busy(ctx, lockPatience)
	switch {
	case !busy:
		return workspace.Check{Name: "journal lock", OK: true}
	case pid > 0:
		return workspace.Fault("journal lock", fmt.Sprintf("ps -p %d", pid),
			"process %d holds the journal's lock: captures wait in the spool", pid)
	}
	return workspace.Fault("journal lock", "look for a cortex or git process that hangs",
		"another process holds the journal's lock: captures wait in the spool")
}

// checkTracking looks for tracking refs of remotes that are gone.
func (d *doctor) checkTracking(ctx context.Context) workspace.Check {
	const name = "remotes"
	refs, err := d.w.Repo.Remotes().Orphans(ctx)
	if err != nil {
		return workspace.Fault(name, "", "%v", err)
	}
	if len(refs) == 0 {
		return workspace.Check{Name: name, OK: true}
	}
	c := workspace.Fault(name, "cortex doctor --fix", "left over from a remote that is gone: %s", some(refs))
	if !d.fix {
		return c
	}
	var stay []string
	for _, ref := range refs {
		dropped, err := d.w.Repo.Remotes().DropOrphan(ctx, ref)
		if err != nil {
			return c.Mended("", err)
		}
		if !dropped {
			stay = append(stay, ref)
		}
	}
	if len(stay) > 0 {
		c.Wrong, c.Hint = "left over from a remote that is gone, and not all of it is in the journal: "+some(stay),
			"git log --stat "+stay[0]
		return c
	}
	return c.Mended("removed it; the journal has all of it", nil)
}

// checkLeftovers looks for what killed processes left. Temporary files of ours
// go with fix; a lock of git may be somebody's, and stays.
func (d *doctor) checkLeftovers(ctx context.Context) []workspace.Check {
	all, err := d.w.Repo.Leftovers(ctx)
	if err != nil {
		return []workspace.Check{workspace.Fault("leftovers", "", "%v", err)}
	}
	var files, locks []gitops.Leftover
	for _, l := range all {
		if l.Ours {
			files = append(files, l)
		} else {
			locks = append(locks, l)
		}
	}
	temp := workspace.Check{Name: "leftovers", OK: len(files) == 0}
	if !temp.OK {
		temp = workspace.Fault(temp.Name, "cortex doctor --fix", "%s left by a cortex that was killed: %s",
			countFiles(len(files)), d.someNames(files))
	}
	if !temp.OK && d.fix {
		stay, err := d.w.Repo.RemoveLeftovers(ctx, files)
		if temp = temp.Mended("removed "+d.someNames(files), err); len(stay) > 0 {
			temp.Fixed = false
			temp.Wrong, temp.Hint = "could not be removed: "+d.someNames(stay), "check whether a program has it open"
		}
	}
	lock := workspace.Check{Name: "git locks", OK: len(locks) == 0}
	if !lock.OK {
		lock = workspace.Fault(lock.Name,
			"close editors and git programs; if none is running here, delete the file by hand",
			"%s: git is running, or was killed %s ago", d.someNames(locks), locks[0].Age.Truncate(time.Minute))
	}
	return []workspace.Check{temp, lock}
}

// Sweep removes the temporary files of runs that were killed ten minutes ago or earlier.
// What it cannot remove, and locks, are for [Run] to name.
func Sweep(ctx context.Context, w *workspace.Workspace) {
	all, err := w.Repo.Leftovers(ctx)
	if err != nil || w.Journal.Writable(ctx) != nil {
		return
	}
	files := lists.Without(all, func(l gitops.Leftover) bool { return !l.Ours || l.Lock })
	if len(files) > 0 {
		_, _ = w.Repo.RemoveLeftovers(ctx, files)
	}
}

func countFiles(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// someNames names a few files from the top of the working tree.
func (d *doctor) someNames(files []gitops.Leftover) string {
	var names []string
	for _, f := range files {
		name := f.Path
		if rel, err := filepath.Rel(d.w.Repo.Root, name); err == nil && filepath.IsLocal(rel) {
			name = filepath.ToSlash(rel)
		}
		names = append(names, name)
	}
	return some(names)
}

// some lists at most three of names.
func some(names []string) string {
	text := strings.Join(names[:min(3, len(names))], ", ")
	if more := len(names) - 3; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
