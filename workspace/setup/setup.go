// Package setup puts cortex into a clone and takes it out again. Call [Init],
// [Uninstall], and [Check] for whether all of it still works. It edits files of
// the user around what is there, byte for byte, and keeps a record of what they
// held, so that Uninstall takes out exactly what Init put in. Init may be run
// again at any time.
package setup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
)

// Options say how to set a clone up, or what to take out.
type Options struct {
	DryRun bool
	Agents []string      // agents whose hooks and rules are written: claude-code or none
	Binary gitops.Binary // how git's hooks and merge drivers call cortex
}

// Step is one thing that [Init] or [Uninstall] did, or would do.
type Step struct {
	Path   string `json:"path"`   // a file, or a part of git's configuration
	Action string `json:"action"` // created, changed, removed, restored, unchanged, left
	What   string `json:"what"`
}

// HostedRemotes returns the remotes on a server. A server merges without the
// merge drivers of this clone, so where there is one, Init leaves the pages to
// the default branch.
func HostedRemotes(ctx context.Context, w *workspace.Workspace) []string {
	settings, err := w.Repo.Settings(ctx)
	if err != nil {
		return nil
	}
	return settings.Hosted()
}

// Init sets this clone up. It may be run again at any time, changes nothing
// that is there already, and says what it did.
func Init(ctx context.Context, w *workspace.Workspace, opt Options) ([]Step, error) {
	t, err := w.Tree()
	if err != nil {
		return nil, err
	}
	hooks, err := w.Repo.Hooks().States(ctx, opt.Binary)
	if err != nil {
		return nil, err // a git that is too old, before anything is written
	}
	if err := w.Writable(ctx); err != nil {
		return nil, err
	}
	f := &files{tree: t, record: loadInstalled(w.Repo.CacheDir()), dry: opt.DryRun}
	var steps []Step
	for _, m := range managedFiles(ctx, w, opt.Agents) {
		step, err := f.add(m)
		if err != nil {
			return steps, err
		}
		steps = append(steps, step)
	}
	if !opt.DryRun {
		if err := f.record.store(w.Repo.CacheDir()); err != nil {
			return steps, err
		}
		if w, err = w.Refresh(ctx); err != nil {
			return steps, err
		}
	}
	more, err := setUpGit(ctx, w, opt, hooks)
	return append(steps, more...), err
}

// setUpGit sets up what is in the git directory: the switch, the merge drivers,
// the hooks, and what keeps the briefing out of commits.
func setUpGit(ctx context.Context, w *workspace.Workspace, opt Options, hooks []gitops.HookState) ([]Step, error) {
	drivers, err := w.Repo.Drivers().State(ctx, nil, opt.Binary)
	if err != nil {
		return nil, err
	}
	steps := []Step{
		{Path: "git config cortex.enabled", Action: action(w.Enabled(ctx)), What: "this clone is set up"},
		{Path: "git merge drivers", Action: action(drivers.Config && drivers.Attributes), What: "merge memory by memory"},
		{Path: "git info/exclude", Action: action(excludeOf(w).has()), What: "keeps the briefing out of commits"},
	}
	for _, h := range hooks {
		steps = append(steps, Step{Path: "git hook " + h.Name, Action: action(h.Current && !h.Movable), What: hookPurpose(h.Name)})
	}
	if opt.DryRun {
		return steps, nil
	}
	if err := w.Repo.Drivers().Install(ctx, opt.Binary); err != nil {
		return steps, fmt.Errorf("installing the merge drivers: %w", err)
	}
	if err := excludeOf(w).edit(true); err != nil {
		return steps, err
	}
	if err := installHooks(ctx, w, opt, steps[len(steps)-len(hooks):]); err != nil {
		return steps, err
	}
	if w.CloneID(ctx) == "" {
		var id [8]byte
		_, _ = rand.Read(id[:]) // never fails, by its documentation
		if err := w.Repo.LocalConfig().Set(ctx, "cortex.clone", hex.EncodeToString(id[:])); err != nil {
			return steps, err
		}
	}
	if w.Enabled(ctx) {
		return steps, nil
	}
	return steps, w.Repo.LocalConfig().Set(ctx, "cortex.enabled", "true")
}

// installHooks makes git call cortex. Where another program manages the hooks,
// the rest of the set-up is still worth having, and a notice says what to do.
func installHooks(ctx context.Context, w *workspace.Workspace, opt Options, steps []Step) error {
	err := w.Repo.Hooks().Install(ctx, opt.Binary)
	var others *gitops.HooksFolderError // hooks of another program
	switch {
	case errors.As(err, &others):
		for i := range steps {
			steps[i].Action = "left"
		}
		if w.Config.Land == "commit" {
			w.Notice("no git hook was installed, so memories do not land by themselves: %v\n%s", others, others.Hint())
		}
	case err != nil:
		return fmt.Errorf("installing the git hooks: %w", err)
	}
	return nil
}

func action(done bool) string {
	if done {
		return "unchanged"
	}
	return "changed"
}

func hookPurpose(name string) string {
	switch name {
	case "pre-commit":
		return "lands memories with your commit"
	case "post-commit":
		return "tidies the journal after it"
	}
	return "keeps memories in step with git"
}

// Uninstall takes out what Init put in. Files that nobody changed since are
// restored byte for byte; from others only cortex's part is taken. Memories stay:
// they are the user's.
func Uninstall(ctx context.Context, w *workspace.Workspace, opt Options) ([]Step, error) {
	t, err := w.Tree()
	if err != nil {
		return nil, err
	}
	f := &files{tree: t, record: loadInstalled(w.Repo.CacheDir()), dry: opt.DryRun}
	var steps []Step
	for _, m := range managedFiles(ctx, w, []string{"claude-code"}) {
		step, err := f.take(m)
		if err != nil {
			return steps, err
		}
		steps = append(steps, step)
	}
	_, briefed, _ := t.Read(workspace.BriefingFile)
	steps = append(steps,
		Step{Path: workspace.BriefingFile, Action: removed(briefed), What: "the generated briefing"},
		Step{Path: "git config, info/*", Action: removed(w.Enabled(ctx)), What: "set-up, merge drivers, exclusion"},
		Step{Path: "git hooks", Action: removed(w.Enabled(ctx)), What: "cortex's lines; the rest stays"})
	refs, err := w.Repo.Remotes().Forget(ctx, opt.DryRun)
	if len(refs) > 0 {
		steps = append(steps, Step{Path: "refs/cortex-remotes", Action: "removed", What: "the last known state of remotes' journals"})
	}
	if opt.DryRun {
		return steps, err
	}
	return steps, errors.Join(
		err,
		t.Remove(workspace.BriefingFile, ""),
		w.Repo.Hooks().Remove(ctx),
		w.Repo.Drivers().Remove(ctx),
		excludeOf(w).edit(false),
		w.Repo.LocalConfig().RemoveSection(ctx, "cortex"),
		dropCaches(w.Repo.CacheDir()))
}

// dropCaches empties the cache folder, but for the spool, which holds captured
// memories, and locks, which other processes may hold.
func dropCaches(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !strings.Contains(e.Name(), "spool") && !strings.Contains(e.Name(), "lock") {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

func removed(there bool) string {
	if there {
		return "removed"
	}
	return "unchanged"
}
