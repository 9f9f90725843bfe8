package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/policy"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

func (d *doctor) checkConfig() workspace.Check {
	if d.newer != nil {
		return workspace.Fault("settings", "install a newer cortex", "%v", d.newer)
	}
	if _, err := policy.Read(d.w.Repo.Root).Parse(); err != nil {
		return workspace.Fault("settings", "edit "+workspace.ConfigPath, "%v; the defaults are used", err)
	}
	return workspace.Check{Name: "settings", OK: true}
}

// checkMemories looks at the memory files of the working tree, and at what is
// pending.
func (d *doctor) checkMemories(ctx context.Context) []workspace.Check {
	v, err := d.w.View(ctx, workspace.ViewOptions{Local: true, Unreviewed: true})
	if err != nil {
		return []workspace.Check{workspace.Fault("memories", "", "%v", err)}
	}
	emptied, err := d.emptied(ctx, v)
	if err != nil {
		return []workspace.Check{workspace.Fault("memories", "", "%v", err)}
	}
	marked, rest := d.sortProblems(ctx, v)
	files := workspace.Check{Name: "memories", OK: len(rest) == 0}
	if len(emptied) > 0 {
		files = d.refill(files.Name, emptied)
	}
	rest = lists.Without(rest, func(text string) bool {
		return slices.ContainsFunc(emptied, func(f emptiedFile) bool { return strings.HasPrefix(text, f.path+":") })
	})
	if len(rest) > 0 && (len(emptied) == 0 || files.Fixed) {
		files = workspace.Fault(files.Name, "edit the file; everything else works", "%s", andMore(rest[0], len(rest)))
	}
	conflicts := d.checkConflicts(ctx, marked)
	unsettled, err := d.unsettled(ctx)
	if err != nil {
		unsettled = workspace.Fault(unsettled.Name, "", "%v", err)
	}
	out := []workspace.Check{files, conflicts, unsettled}
	if conflicts.Did != "" { // the files are others now
		if v, err = d.w.View(ctx, workspace.ViewOptions{Local: true, Unreviewed: true}); err != nil {
			return append(out, workspace.Fault("ids", "", "%v", err))
		}
	}
	found, err := d.faults(ctx, v)
	if err != nil {
		return append(out, workspace.Fault("ids", "", "%v", err))
	}
	return append(out,
		pickFindings("ids", "move what is missing into one of them, then git rm the other", found, "duplicate-id",
			"case"),
		pickFindings("secrets", "edit the file and take it out; if it was ever real, replace it at its source",
			found, "secret"),
		d.checkContested(v), d.checkClock(v))
}

func andMore(first string, n int) string {
	if n > 1 {
		return fmt.Sprintf("%s (and %d more)", first, n-1)
	}
	return first
}

// sortProblems tells files with conflict markers, of which both sides can be read,
// from other files that are not memories.
func (d *doctor) sortProblems(ctx context.Context, v *workspace.View) (marked []*workspace.Conflicted, rest []string) {
	for _, p := range v.Problems {
		c, err := d.w.Views.Conflicted(ctx, v, p)
		switch {
		case err == nil:
			marked = append(marked, c)
		case errors.Is(err, memory.ErrNoConflict), errors.Is(err, workspace.ErrNotFound):
			rest = append(rest, p.Error())
		default:
			rest = append(rest, p.Error()+" ("+err.Error()+")")
		}
	}
	return marked, rest
}

// checkConflicts offers both sides of files in which git left markers.
func (d *doctor) checkConflicts(ctx context.Context, marked []*workspace.Conflicted) workspace.Check {
	if len(marked) == 0 {
		return workspace.Check{Name: "conflicts", OK: true}
	}
	first := marked[0]
	c := workspace.Fault("conflicts",
		"cortex show "+first.Ours.Memory.ID.Short()+", and to join both sides: cortex doctor --fix",
		"%s", andMore(fmt.Sprintf("%s:%d: git left conflict markers; both sides can be read", first.Path,
			first.Line), len(marked)))
	if !d.fix {
		return c
	}
	paths, err := d.w.Repo.StagingArea().Unmerged(ctx, workspace.MemoriesDir)
	if err != nil {
		return c.Mended("", err)
	}
	unmerged := lists.Set(paths)
	var did, left []string
	for _, m := range marked {
		done, err := d.mendConflict(ctx, m, unmerged)
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

func pickFindings(name, hint string, found []Finding, rules ...string) workspace.Check {
	named := lists.Where(found, func(f Finding) bool { return slices.Contains(rules, f.Rule) })
	texts := lists.Map(named, func(f Finding) string { return f.Path + ": " + f.Text })
	if len(texts) == 0 {
		return workspace.Check{Name: name, OK: true}
	}
	return workspace.Fault(name, hint, "%s", andMore(texts[0], len(texts)))
}

// clockSlack is how far ahead of this clock a memory may be: zones set wrong
// come to half a day.
const clockSlack = 24 * time.Hour

func (d *doctor) checkClock(v *workspace.View) workspace.Check {
	c, newest := workspace.Check{Name: "clock", OK: true}, d.w.Now().Add(clockSlack)
	for _, it := range v.Items {
		if f, ok := d.w.Index.Catalog().Facts(it.Blob); ok && f.Created.After(newest) {
			newest = f.Created
			c = workspace.Fault(c.Name, "date", "%s was created at %s, and it is %s here: one of two clocks is off",
				f.ID.Short(),
				f.Created.UTC().Format(time.DateOnly), d.w.Now().UTC().Format(time.DateOnly))
		}
	}
	return c
}

// checkStrays looks for what waits for branches that are gone.
func (d *doctor) checkStrays(ctx context.Context) workspace.Check {
	c := workspace.Check{Name: "pending branches", OK: true}
	gone, err := d.w.Views.GoneBranches(ctx)
	if err != nil {
		return workspace.Check{Name: c.Name, Wrong: err.Error()}
	}
	if len(gone) == 0 {
		return c
	}
	n, branches := 0, []string{}
	for _, s := range gone {
		n += s.Pending
		note := strconv.Itoa(s.Pending)
		switch {
		case s.Renamed != "":
			note += ", renamed to " + s.Renamed
		case s.Branch == workspace.DetachedName:
			note += ", detached"
		}
		branches = append(branches, s.Branch+" ("+note+")")
	}
	c.OK, c.Hint = false, "cortex review --rehome "+gitops.Quote(gone[0].Branch)
	c.Wrong = view.WaitingText(n) + ": " + strings.Join(branches, ", ")
	return c
}
