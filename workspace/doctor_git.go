package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/templates"
)

// lockPatience is how long doctor watches a lock before it says that somebody
// sits on it; a capture holds it for milliseconds.
const lockPatience = 300 * time.Millisecond

func (w *Workspace) checkLock(ctx context.Context) Check {
	busy, pid := w.Repo.Journal().Busy(ctx, lockPatience)
	switch {
	case !busy:
		return Check{Name: "journal lock", OK: true}
	case pid > 0:
		return wrong("journal lock", fmt.Sprintf("ps -p %d", pid), "process %d holds the journal's lock: captures wait in the spool", pid)
	}
	return wrong("journal lock", "look for a cortex or git that hangs", "another process holds the journal's lock: captures wait in the spool")
}

// checkTracking looks for what was seen of remotes that are gone.
func (w *Workspace) checkTracking(ctx context.Context, fix bool) Check {
	const name = "remotes"
	refs, err := w.Repo.Remotes().Orphans(ctx)
	if err != nil {
		return wrong(name, "", "%v", err)
	}
	if len(refs) == 0 {
		return Check{Name: name, OK: true}
	}
	c := wrong(name, "cortex doctor --fix", "of a remote that is gone, its journal as it was last seen: %s", some(refs))
	if !fix {
		return c
	}
	var stay []string
	for _, ref := range refs {
		dropped, err := w.Repo.Remotes().DropOrphan(ctx, ref)
		if err != nil {
			return c.fixed("", err)
		}
		if !dropped {
			stay = append(stay, ref)
		}
	}
	if len(stay) > 0 {
		c.Wrong, c.Hint = "of a remote that is gone, and not all of it is in the journal: "+some(stay), "git log --stat "+stay[0]
		return c
	}
	return c.fixed("removed it; the journal has all of it", nil)
}

// checkLeftovers looks for what killed processes left. Temporary files of ours
// go with fix; a lock of git may be somebody's, and stays.
func (w *Workspace) checkLeftovers(ctx context.Context, fix bool) []Check {
	all, err := w.Repo.Leftovers(ctx)
	if err != nil {
		return []Check{wrong("leftovers", "", "%v", err)}
	}
	var files, locks []gitops.Leftover
	for _, l := range all {
		if l.Ours {
			files = append(files, l)
		} else {
			locks = append(locks, l)
		}
	}
	temp := Check{Name: "leftovers", OK: len(files) == 0}
	if !temp.OK {
		temp = wrong(temp.Name, "cortex doctor --fix", "%s of a cortex that was killed: %s", countFiles(len(files)), w.someNames(files))
	}
	if !temp.OK && fix {
		stay, err := w.Repo.RemoveLeftovers(ctx, files)
		if temp = temp.fixed("removed "+w.someNames(files), err); len(stay) > 0 {
			temp.Fixed = false
			temp.Wrong, temp.Hint = "could not be removed: "+w.someNames(stay), "look whether something has it open"
		}
	}
	lock := Check{Name: "git locks", OK: len(locks) == 0}
	if !lock.OK {
		lock = wrong(lock.Name, "close editors and git programs; if none is at work here, delete the file by hand",
			"%s: a git at work, or one that was killed %s ago", w.someNames(locks), locks[0].Age.Truncate(time.Minute))
	}
	return []Check{temp, lock}
}

func countFiles(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// someNames names a few files from the top of the working tree.
func (w *Workspace) someNames(files []gitops.Leftover) string {
	var names []string
	for _, f := range files {
		name := f.Path
		if rel, err := filepath.Rel(w.Repo.Root, name); err == nil && filepath.IsLocal(rel) {
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

// checkAttributesFile looks at the lines that clones without cortex go by.
func (w *Workspace) checkAttributesFile() Check {
	block := gitops.Block{Name: "attributes", Body: string(templates.GitAttributes())}
	data, _, err := Folder{root: w.Repo.Root}.Read(".gitattributes")
	if err != nil {
		return wrong("gitattributes", "", "%v", err)
	}
	body, ok := gitops.BlockBody(data, block)
	switch {
	case !ok:
		return wrong("gitattributes", "cortex init", ".gitattributes lacks the lines of cortex: clones without it merge pages with markers")
	case strings.TrimSpace(body) != strings.TrimSpace(block.Body):
		return wrong("gitattributes", "cortex init", "the lines of cortex in .gitattributes are not those of this version")
	}
	return Check{Name: "gitattributes", OK: true}
}

// checkAttributes asks git which driver it would choose: lines elsewhere may
// come after ours.
func (w *Workspace) checkAttributes(ctx context.Context, fix bool) Check {
	c := w.askAttributes(ctx)
	if !c.OK && fix {
		err := w.Repo.Drivers().Raise()
		if again := w.askAttributes(ctx); err != nil || again.OK {
			c = c.fixed("moved the lines of cortex to the end of info/attributes", err)
		}
	}
	return c
}

func (w *Workspace) askAttributes(ctx context.Context) Check {
	const name = "merge attributes"
	want := gitops.DriverPaths()
	var paths []string
	for p := range want {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	got, err := w.Repo.Drivers().Attribute(ctx, "merge", paths...)
	if err != nil {
		return wrong(name, "", "%v", err)
	}
	for _, p := range paths {
		if got[p] != want[p] {
			return wrong(name, "cortex doctor --fix", "git merges %s by %q and not by %s: other lines of info/attributes come later", p, got[p], want[p])
		}
	}
	return Check{Name: name, OK: true}
}

func (w *Workspace) checkExclude() Check {
	if !w.excludes() {
		return wrong("briefing excluded", "cortex init", "info/exclude does not keep %s out of commits", BriefingFile)
	}
	return Check{Name: "briefing excluded", OK: true}
}

func (w *Workspace) checkBriefing(ctx context.Context) Check {
	staged, err := w.Repo.Index().Staged(ctx, BriefingFile)
	if err != nil {
		return wrong("briefing", "", "%v", err)
	}
	if len(staged) > 0 {
		return wrong("briefing", "git rm --cached "+BriefingFile, "%s is committed: it is generated, for this clone alone", BriefingFile)
	}
	return Check{Name: "briefing", OK: true}
}
