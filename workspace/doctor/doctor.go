// Package doctor checks a clone and mends it. Call [Run] for the checks of
// `cortex doctor` that are about data: settings, journal, locks, memories, pages
// and index. What was set up in the clone is checked by package setup. Call
// [Findings] for remarks about memories alone. It promises that mending loses
// nothing: what only a person can decide stays, with a hint of what to type.
package doctor

import (
	"context"
	"errors"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/pages"
)

// Run checks a clone. With fix it mends what belongs to cortex alone, and what can
// be mended without losing anything, unless this repository is of a newer format.
func Run(ctx context.Context, w *workspace.Workspace, fix bool) ([]workspace.Check, error) {
	tree, err := w.Tree()
	if err != nil {
		return nil, err
	}
	d := &doctor{w: w, tree: tree, newer: w.Journal.Writable(ctx)}
	d.fix = fix && d.newer == nil
	checks := []workspace.Check{
		d.checkEnabled(ctx), d.checkConfig(), d.checkJournal(ctx), d.checkLock(ctx),
		d.checkTracking(ctx),
	}
	checks = append(checks, d.checkLeftovers(ctx)...)
	checks = append(checks, d.checkMemories(ctx)...)
	checks = append(checks, d.checkSkipped(ctx)...)
	edited, remedy := pages.EditedSurfaces(tree)
	checks = append(checks, lists.Map(edited, func(s pages.Surface) workspace.Check {
		return workspace.Fault("surface", remedy, "%s", s.Says())
	})...)
	return append(checks, d.checkStrays(ctx), d.checkPages(ctx), d.checkTemplates(), d.checkGuards(ctx),
		d.checkIndex(ctx),
		d.checkModel(ctx)), nil
}

// doctor is one run of [Run].
type doctor struct {
	w     *workspace.Workspace
	tree  workspace.Folder
	fix   bool
	newer error // why nothing is mended here; nil for a repository of this format

	accepted []string        // see [Findings]
	apart    map[string]bool // paths of what is in quarantine
	idle     []string        // guards that are not in force
}

// checkSkipped names what the agents wrote that could not be read: an agent that
// changes its format must not empty the memory unnoticed.
func (d *doctor) checkSkipped(ctx context.Context) []workspace.Check {
	var out []workspace.Check
	for _, k := range d.w.Journal.Skipped(ctx) {
		if k.Serious() {
			out = append(out, workspace.Fault("transcripts",
				"cortex capture --dry-run FILE shows what is still read; a newer cortex may know more", "%s",
				k.String()))
		} else {
			out = append(out, workspace.Check{Name: "transcripts", OK: true, Note: k.String()})
		}
	}
	return out
}

func (d *doctor) checkEnabled(ctx context.Context) workspace.Check {
	enabled, err := d.w.Enabled(ctx)
	if err != nil {
		return workspace.Fault("set up", "git config --list", "it cannot be told whether cortex is set up: %v", err)
	}
	c := workspace.Check{Name: "set up", OK: enabled}
	if !c.OK {
		c.Wrong, c.Hint = "cortex is not set up in this clone: nothing is captured here", "cortex init"
	}
	return c
}

// checkJournal says what is wrong with the journal. After mending it looks again:
// a gc that is at work, or a damaged object, may leave it as it was.
func (d *doctor) checkJournal(ctx context.Context) workspace.Check {
	c := d.journalAsItIs(ctx)
	if !d.fix || c.Hint != fixHint {
		return c
	}
	if _, err := d.w.Repo.Journal().Repair(ctx); err != nil {
		return c.Mended("", err)
	}
	left := d.journalAsItIs(ctx)
	switch {
	case left.OK:
		return c.Mended("took in what waited, and went back to the last state that can be read", nil)
	case left.Hint == fixHint: // which was followed
		left.Hint = "once no git gc is at work here, the next cortex does it"
	}
	return left
}

const fixHint = "cortex doctor --fix"

func (d *doctor) journalAsItIs(ctx context.Context) workspace.Check {
	c := workspace.Check{Name: "journal", OK: true}
	snap, err := d.w.Repo.Journal().Snapshot(ctx)
	if err == nil {
		defer snap.Close()
	}
	switch {
	case errors.Is(err, gitops.ErrUnreadable):
		c = workspace.Fault(c.Name,
			"bring back what is out of reach, such as a disk; until then all that is remembered waits in the spool,"+
				" and is read with the rest", "%v", err)
	case err != nil:
		c = workspace.Fault(c.Name, fixHint, "%v", err)
	case snap.Healed() != "":
		c = workspace.Fault(c.Name, fixHint, "%s", snap.Healed())
	case snap.Spooled() == 1:
		c = workspace.Fault(c.Name, fixHint, "1 capture waits in the spool")
	case snap.Spooled() > 0:
		c = workspace.Fault(c.Name, fixHint, "%d captures wait in the spool", snap.Spooled())
	default:
		if err := d.w.Repo.Journal().Verify(ctx); errors.Is(err, gitops.ErrNoLog) {
			return workspace.Fault(c.Name, "cortex capture or cortex remember starts one", "%v", err)
		} else if err != nil {
			c = workspace.Fault(c.Name, fixHint, "%v", err)
		}
	}
	if c.OK {
		if skipped, err := snap.Skipped(ctx); err == nil && len(skipped) > 0 { // what cannot be read is Verify's to say
			return workspace.Fault(c.Name, "git ls-tree -r "+gitops.JournalRef,
				"%d files in %s were not written by cortex and are ignored: %s",
				len(skipped), gitops.JournalRef, strings.Join(skipped[:min(3, len(skipped))], ", "))
		}
		c.Note = d.w.Diary.Last("healed: ")
	}
	return c
}

func (d *doctor) checkIndex(ctx context.Context) workspace.Check {
	c := workspace.Check{Name: "index", OK: true}
	if problems := d.w.Index.Verify(ctx); len(problems) > 0 {
		c = workspace.Fault(c.Name, "cortex reindex", "%s", problems[0].Error())
		if d.fix {
			_, err := d.w.Reindex(ctx, nil)
			c = c.Mended("rebuilt it", err)
		}
	}
	return c
}

// checkModel says what is wrong with the model for searches by meaning; it asks none.
func (d *doctor) checkModel(ctx context.Context) workspace.Check {
	if _, err := d.w.Meaning(ctx); err != nil {
		return workspace.Fault("model",
			"to try it again: cortex embed; to search by words alone: cortex embed --off", "%v", err)
	}
	return workspace.Check{Name: "model", OK: true}
}
