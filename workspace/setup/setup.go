// Package setup puts cortex into a clone and takes it out again. Call [Init],
// [Uninstall], and [Check] for whether all of it still works. It edits files of
// the user around what is there, byte for byte, and keeps a record of what they
// held, so that Uninstall takes out exactly what Init put in. Init may be run
// again at any time.
package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
)

// Options say how to set a clone up, or what to take out.
type Options struct {
	DryRun bool
	Agents []string      // agents whose hooks and rules are written, as [Agents] names them
	Server bool          // tell the agents of the MCP server too
	Binary gitops.Binary // how git's hooks and merge drivers call cortex
	Found  string        // where agents' hooks find cortex, see [UsualFolders]; "" for nowhere
	Home   Home          // where agents note what a person trusts
	// put what holds for every session into the file of instructions that each agent reads
	Surface bool
	// the command line that reads worksheets by itself, "" for none any more; nil leaves the setting alone
	Curate *string
}

// Step is one thing that [Init] or [Uninstall] did, or would do.
type Step struct {
	Path   string `json:"path"`   // a file, or a part of git's configuration
	Action string `json:"action"` // created, changed, removed, restored, unchanged, left
	What   string `json:"what"`
	Why    string `json:"why,omitempty"` // why it was left
}

// Init sets this clone up. It may be run again at any time, changes nothing
// that is there already, and says what it did. What it will change is recorded
// before the first change: whenever it is killed, the next Init goes on, and
// Uninstall takes out what is there.
func Init(ctx context.Context, w *workspace.Workspace, opt Options) ([]Step, error) {
	settings, hooks, err := gitState(ctx, w, opt.Binary)
	if err != nil {
		return nil, err // a git that is too old, before anything is written
	}
	f, err := openFiles(ctx, w, opt)
	if err != nil {
		return nil, err
	}
	all, err := filesOf(ctx, w, f.tree, opt)
	if err != nil {
		return nil, err
	}
	edits, steps, err := f.plan(all)
	if err != nil {
		return steps, err
	}
	more, err := gitSteps(ctx, w, opt, settings, hooks)
	if err != nil {
		return steps, err
	}
	if err := f.write(w.Repo, edits); err != nil {
		return steps, err
	}
	if steps = append(steps, more...); opt.DryRun {
		return steps, nil
	}
	return steps, setUpGit(ctx, w, opt, f.record, steps[len(steps)-len(hooks):])
}

// gitState reads what git has of ours, in a clone to whose journal this version may write.
func gitState(ctx context.Context, w *workspace.Workspace,
	b gitops.Binary,
) (*gitops.Config, []gitops.HookState, error) {
	settings, err := w.Repo.Settings(ctx)
	if err != nil {
		return nil, nil, err
	}
	hooks, err := w.Repo.Hooks().States(ctx, settings, b)
	if err != nil {
		return nil, nil, err
	}
	return settings, hooks, w.Journal.Writable(ctx)
}

// filesOf are the files that Init writes.
func filesOf(ctx context.Context, w *workspace.Workspace, t workspace.Folder, opt Options) ([]managed, error) {
	all := managedFiles(w, opt)
	surfaces, unread := surfaceFiles(ctx, w, t, opt)
	all = append(all, surfaces...)
	if opt.Server {
		all = withServers(all, serverFiles(opt.Agents))
	}
	team, err := teamHooks(ctx, w, installed{})
	all = fitting(t, all)
	return slices.Concat(all, ignoreFiles(t, agentFiles(opt.Agents)), team), errors.Join(unread, err)
}

// gitSteps are the steps of what is in the git directory: the switch, the merge
// drivers, what keeps the briefing out of commits, and the hooks.
func gitSteps(ctx context.Context, w *workspace.Workspace, opt Options, settings *gitops.Config,
	hooks []gitops.HookState,
) ([]Step, error) {
	drivers, err := w.Repo.Drivers().State(ctx, settings, opt.Binary)
	if err != nil {
		return nil, err
	}
	enabled, err := w.Enabled(ctx)
	if err != nil {
		return nil, err
	}
	steps := []Step{
		{Path: "git config cortex.enabled", Action: action(enabled), What: "this clone is set up"},
		{
			Path: "git merge drivers", Action: action(drivers.Config && drivers.Attributes),
			What: "merge memory by memory",
		},
		{Path: "git info/exclude", Action: action(excludeOf(w).has()), What: "keeps the briefing out of commits"},
	}
	if opt.Curate != nil {
		step := Step{
			Path: "git config " + curateKey, Action: action(settings.LocalValue(curateKey) == *opt.Curate),
			What: *opt.Curate,
		}
		step.What = cmp.Or(step.What, "nothing reads worksheets by itself")
		steps = append(steps, step)
	}
	for _, h := range hooks {
		steps = append(steps,
			Step{Path: "git hook " + h.Name, Action: action(h.Current && !h.Movable), What: hookPurpose(h.Name)})
	}
	return steps, nil
}

// setUpGit writes what is in the git directory; hooks are the steps of the hooks.
func setUpGit(ctx context.Context, w *workspace.Workspace, opt Options, record installed, hooks []Step) error {
	if err := writeConfig(ctx, w, opt, record); err != nil {
		return fmt.Errorf("writing git's configuration: %w", err)
	}
	if err := w.Repo.Drivers().Name(); err != nil {
		return fmt.Errorf("naming the merge drivers: %w", err)
	}
	if err := excludeOf(w).edit(true); err != nil {
		return err
	}
	return installHooks(ctx, w, opt, hooks)
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
		now, err := w.Refresh(ctx) // config.yaml may be new
		if err != nil {
			return err
		}
		if now.Config.Land == "commit" {
			now.Notice("no git hook was installed, so memories do not land by themselves: %v\n%s", others,
				others.Hint())
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
// they are the user's. A part that cannot be taken out stops nothing: its step
// is "left" and says why, and Uninstall may be run again.
func Uninstall(ctx context.Context, w *workspace.Workspace, opt Options) ([]Step, error) {
	f, err := openFiles(ctx, w, opt)
	if err != nil {
		return nil, err
	}
	var steps []Step
	// Of files that may hold nothing of ours only those are looked at that do.
	servers := lists.Without(serverFiles(Agents()), f.foreign)
	team, err := teamHooks(ctx, w, f.record)
	if err != nil {
		return nil, err
	}
	ours := slices.Concat(managedFiles(w, Options{Agents: Agents()}), everIgnored(), everSurface(f.tree))
	hooks := lists.Without(ours, func(m managed) bool { return m.shared && f.foreign(m) })
	add := func(s Step) { // what was never there is not named
		if s.Action != "unchanged" {
			steps = append(steps, s)
		}
	}
	for _, m := range append(withServers(hooks, servers), team...) {
		add(f.take(m))
	}
	steps = append(steps, f.takePages(steps)...)
	_, briefed, _ := f.tree.Read(workspace.BriefingFile)
	in := removed(f.enabled)
	take := func(s Step, do func() error) {
		if !opt.DryRun {
			s.failed(do())
		}
		add(s)
	}
	take(Step{Path: workspace.BriefingFile, Action: removed(briefed), What: "the generated briefing"}, func() error {
		return f.tree.Remove(workspace.BriefingFile, f.record.keep(workspace.BriefingFile))
	})
	take(Step{Path: "git info/*", Action: in, What: "merge drivers, exclusion"}, func() error {
		return errors.Join(w.Repo.Drivers().Unname(), excludeOf(w).edit(false))
	})
	take(Step{Path: "git config", Action: in, What: "set-up, merge drivers, hooks"}, func() error {
		return restoreConfig(ctx, w, f.record)
	})
	take(Step{Path: "git hooks", Action: in, What: "cortex's lines; the rest stays"}, func() error {
		return w.Repo.Hooks().Remove(ctx)
	})
	refs, err := w.Repo.Remotes().Forget(ctx, opt.DryRun)
	if len(refs) > 0 || err != nil {
		s := Step{Path: "refs/cortex-remotes", Action: "removed", What: "the last known state of remotes' journals"}
		s.failed(err)
		steps = append(steps, s)
	}
	if opt.DryRun || ctx.Err() != nil {
		return steps, ctx.Err()
	}
	f.record.removeFolders(w.Repo)
	if slices.ContainsFunc(steps, Step.Left) {
		return steps, nil // the record is needed once more
	}
	return steps, dropCaches(w.Repo.CacheDir())
}

// takePages removes the generated pages, whose merge rules go, and says which of them stay because
// somebody wrote in them. Those of a team that keeps its rules in the repository stay too.
func (f *files) takePages(steps []Step) []Step {
	if !slices.ContainsFunc(steps, Step.takesRules) {
		return nil
	}
	var out []Step
	for _, kind := range projection.Kinds() {
		file := workspace.Dir + "/" + kind.File()
		if have, there, err := f.tree.Read(file); err == nil && there {
			out = append(out, f.takePage(file, workspace.IsRendering(kind, have)))
		}
	}
	return out
}

// takesRules reports whether the step took the merge rules out.
func (s Step) takesRules() bool {
	return s.Path == attributesFile && s.Action != "unchanged" && !s.Left()
}

func (f *files) takePage(file string, rendering bool) Step {
	if !rendering {
		return Step{Path: file, Action: "unchanged", What: "a page that was edited by hand; it is yours"}
	}
	step := Step{Path: file, Action: "removed", What: "a generated page"}
	if !f.dry {
		step.failed(f.tree.Remove(file, f.record.keep(file)))
	}
	return step
}

// Left reports whether the step could not be done.
func (s Step) Left() bool { return s.Action == "left" }

// HookLeft reports whether the step is a hook of git that could not be installed.
func (s Step) HookLeft() bool { return s.Left() && strings.HasPrefix(s.Path, "git hook ") }

func (s *Step) failed(err error) {
	if err != nil {
		s.Action, s.Why = "left", err.Error()
	}
}

// dropCaches removes the cache folder, but for the spool, which holds captured
// memories, and locks that other processes hold.
func dropCaches(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		switch {
		case strings.Contains(e.Name(), "spool"):
		case strings.Contains(e.Name(), "lock"):
			_ = gitops.RemoveLock(file) // somebody has it
		default:
			err = errors.Join(err, os.RemoveAll(file))
		}
	}
	_ = os.Remove(dir) // unless something is left in it
	return err
}

func removed(there bool) string {
	if there {
		return "removed"
	}
	return "unchanged"
}
