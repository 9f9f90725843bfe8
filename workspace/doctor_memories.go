package workspace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

func (w *Workspace) checkConfig(newer error) Check {
	if newer != nil {
		return Fault("settings", "install a newer cortex", "%v", newer)
	}
	if _, err := LoadConfig(w.Repo.Root); err != nil {
		return Fault("settings", "edit "+ConfigPath, "%v; the defaults are used", err)
	}
	return Check{Name: "settings", OK: true}
}

// checkMemories looks at the memory files of the working tree, and at what is
// pending.
func (w *Workspace) checkMemories(ctx context.Context, fix bool) []Check {
	v, err := w.View(ctx, ViewOptions{Local: true})
	if err != nil {
		return []Check{Fault("memories", "", "%v", err)}
	}
	marked, rest := w.sortProblems(ctx, v)
	files := Check{Name: "memories", OK: len(rest) == 0}
	if !files.OK {
		files = Fault(files.Name, "edit the file; everything else goes on working", "%s", andMore(rest[0], len(rest)))
	}
	conflicts := w.checkConflicts(ctx, marked, fix)
	out := []Check{files, conflicts}
	if conflicts.Did != "" { // the files are others now
		if v, err = w.View(ctx, ViewOptions{Local: true}); err != nil {
			return append(out, Fault("ids", "", "%v", err))
		}
	}
	found, err := w.findings(ctx, v, ViewOptions{})
	if err != nil {
		return append(out, Fault("ids", "", "%v", err))
	}
	return append(out,
		pickFindings("ids", "git rm one of them, once the other says it all", found, "duplicate-id", "case"),
		pickFindings("secrets", "edit the file and take it out; if it was ever real, replace it at its source", found, "secret"),
		w.checkContested(v), w.checkClock(v))
}

func andMore(first string, n int) string {
	if n > 1 {
		return fmt.Sprintf("%s (and %d more)", first, n-1)
	}
	return first
}

// sortProblems tells files with conflict markers whose sides can be read from
// other files that are no memories.
func (w *Workspace) sortProblems(ctx context.Context, v *View) (marked []*Conflicted, rest []string) {
	for _, p := range v.Problems {
		c, err := w.Conflicted(ctx, v, p)
		switch {
		case err == nil:
			marked = append(marked, c)
		case errors.Is(err, memory.ErrNoConflict), errors.Is(err, ErrNotFound):
			rest = append(rest, p.Error())
		default:
			rest = append(rest, p.Error()+" ("+err.Error()+")")
		}
	}
	return marked, rest
}

// checkConflicts offers both sides of files in which git left markers.
func (w *Workspace) checkConflicts(ctx context.Context, marked []*Conflicted, fix bool) Check {
	if len(marked) == 0 {
		return Check{Name: "conflicts", OK: true}
	}
	first := marked[0]
	c := Fault("conflicts", "cortex show "+first.Ours.Memory.ID.Short()+", and to join both sides: cortex doctor --fix",
		"%s", andMore(fmt.Sprintf("%s:%d: git left conflict markers; both sides can be read", first.Path, first.Line), len(marked)))
	if !fix {
		return c
	}
	paths, err := w.Repo.Index().Unmerged(ctx, MemoriesDir)
	if err != nil {
		return c.Mended("", err)
	}
	unmerged := map[string]bool{}
	for _, p := range paths {
		unmerged[p] = true
	}
	var did, left []string
	for _, m := range marked {
		done, err := w.mendConflict(ctx, m, unmerged)
		if err != nil {
			left = append(left, m.Path+": "+err.Error())
		} else {
			did = append(did, done)
		}
	}
	c.Did = strings.Join(did, "; ")
	if c.Fixed = len(left) == 0; !c.Fixed {
		c.Wrong, c.Hint = andMore(left[0], len(left)), "cortex show "+first.Ours.Memory.ID.Short()
	}
	return c
}

func pickFindings(name, hint string, found []Finding, rules ...string) Check {
	var texts []string
	for _, f := range found {
		for _, r := range rules {
			if f.Rule == r {
				texts = append(texts, f.Path+": "+f.Text)
			}
		}
	}
	if len(texts) == 0 {
		return Check{Name: name, OK: true}
	}
	return Fault(name, hint, "%s", andMore(texts[0], len(texts)))
}

// checkContested names what a merge could not decide. That needs a person.
func (w *Workspace) checkContested(v *View) Check {
	var all []string
	path := ""
	for _, it := range v.Items {
		f, ok := w.Index.Catalog().Facts(it.Blob)
		if ok && it.Stage == index.Landed && f.Contested {
			all = append(all, f.ID.Short())
			path = it.Path
		}
	}
	if len(all) == 0 {
		return Check{Name: "contested", OK: true}
	}
	return Fault("contested", "edit "+path+": keep what holds, and take contested out", "%s two texts, of a merge that could not decide: %s", countThat(len(all), "memory holds", "memories hold"), some(all))
}

func countThat(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// clockSlack is how far ahead of this clock a memory may be: zones set wrong
// come to half a day.
const clockSlack = 24 * time.Hour

func (w *Workspace) checkClock(v *View) Check {
	c, newest := Check{Name: "clock", OK: true}, w.Now().Add(clockSlack)
	for _, it := range v.Items {
		if f, ok := w.Index.Catalog().Facts(it.Blob); ok && f.Created.After(newest) {
			newest = f.Created
			c = Fault(c.Name, "date", "%s was created at %s, and it is %s here: one of two clocks is off", f.ID.Short(),
				f.Created.UTC().Format(time.DateOnly), w.Now().UTC().Format(time.DateOnly))
		}
	}
	return c
}

// caseClashes are files that are one on systems which do not tell case.
func caseClashes(paths []string) []Finding {
	var out []Finding
	first := map[string]string{}
	for _, p := range paths {
		folded := strings.ToLower(filepath.ToSlash(p))
		if other, ok := first[folded]; ok && other != p {
			out = append(out, Finding{p, 0, "case", "it differs from " + other + " by case alone: they are one file on some systems"})
		} else {
			first[folded] = p
		}
	}
	return out
}
