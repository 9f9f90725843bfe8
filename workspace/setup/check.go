package setup

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/markers"
	"github.com/git-cortex/cortex/workspace"
)

// Check checks everything that [Init] sets up, and whether the hooks that ran last
// succeeded. With fix it sets up again what is wrong, unless this repository is
// of a newer format. It is for a clone in which Init was run.
func Check(ctx context.Context, w *workspace.Workspace, opt Options, fix bool) ([]workspace.Check, error) {
	t, err := w.Tree()
	if err != nil {
		return nil, err
	}
	fix = fix && w.Journal.Writable(ctx) == nil
	opt.Agents = installedAgents(t, loadInstalled(w.Repo.CacheDir()))
	checks, movable := checkSetup(ctx, w, t, opt)
	if fix && (movable || !allOK(checks)) {
		_, err := Init(ctx, w, opt)
		if now, fresh := w.Refresh(ctx); fresh == nil {
			w = now
		}
		again, _ := checkSetup(ctx, w, t, opt)
		for i := range min(len(checks), len(again)) {
			checks[i] = mended(checks[i], again[i], err)
		}
	}
	return append(checks, checkAttributes(ctx, w, fix), checkBriefing(ctx, w), checkHeartbeat(w)), nil
}

// mended is a check after Init was run, which failed with err, and what is there was checked again.
func mended(before, again workspace.Check, err error) workspace.Check {
	switch {
	case before.OK:
		return again
	case err == nil && !again.OK:
		return before
	}
	return before.Mended("set it up again", err)
}

func allOK(checks []workspace.Check) bool {
	return !slices.ContainsFunc(checks, func(c workspace.Check) bool { return !c.OK })
}

// checkSetup checks what Init writes. Movable says that git could call the hooks
// in a better way by now.
func checkSetup(ctx context.Context, w *workspace.Workspace, t workspace.Folder,
	opt Options,
) (out []workspace.Check, movable bool) {
	settings, _ := w.Repo.Settings(ctx)
	hooks, err := w.Repo.Hooks().States(ctx, settings, opt.Binary)
	if err != nil {
		out = append(out, workspace.Check{Name: "git hooks", Wrong: err.Error()})
	}
	for _, h := range hooks {
		movable = movable || h.Movable
		out = append(out, workspace.HookCheck(h, w.Config))
	}
	out = append(out, checkDrivers(ctx, w, settings, opt), checkAttributesFile(w, t), checkExclude(w),
		checkLinters(t, agentFiles(opt.Agents)))
	return append(out, checkAgents(w, t, opt)...), movable
}

func checkDrivers(ctx context.Context, w *workspace.Workspace, settings *gitops.Config, opt Options) workspace.Check {
	const name, hint = "merge drivers", "cortex init"
	drivers, err := w.Repo.Drivers().State(ctx, settings, opt.Binary)
	switch {
	case drivers.Problem != "":
		return workspace.Fault(name, hint, "%s", drivers.Problem)
	case err != nil || !drivers.Config || !drivers.Attributes:
		return workspace.Fault(name, hint, "they are not configured: git merges generated pages line by line")
	}
	return workspace.Check{Name: name, OK: true}
}

// checkAgents checks the files of each agent that was set up, says whose hooks a person has
// still to trust, and whether the hooks find cortex.
func checkAgents(w *workspace.Workspace, t workspace.Folder, opt Options) (out []workspace.Check) {
	var titles []string
	for _, a := range agents() {
		if slices.Contains(opt.Agents, a.name) {
			c := checkAgent(t, a)
			if c.OK {
				c.Hint = withheld(w, a, opt.Home)
			}
			out, titles = append(out, c), append(titles, a.title)
		}
	}
	if len(out) == 0 {
		return nil
	}
	const name = "agents find cortex"
	if opt.Found == "" {
		return append(out, workspace.Fault(name,
			"mkdir -p ~/.local/bin && ln -s "+opt.Binary.Path+" ~/.local/bin/cortex",
			"the hooks of %s do nothing: cortex is neither on PATH nor in %s", strings.Join(titles, ", "),
			strings.Join(UsualFolders("~"), ", ")))
	}
	return append(out, workspace.Check{Name: name, OK: true})
}

func checkAgent(t workspace.Folder, a agent) workspace.Check {
	name := a.name + " hooks"
	for _, m := range fitting(t, a.files) {
		data, ok, err := t.Read(m.path)
		if err != nil {
			return workspace.Check{Name: name, Wrong: err.Error()}
		}
		want, err := m.add(data, ok)
		switch {
		case err != nil:
			return workspace.Fault(name, "edit "+m.path+", then cortex init --agent "+a.name, "%s: %v", m.path, err)
		case !ok:
			return workspace.Fault(name, "cortex init --agent "+a.name, "%s is missing: %s", m.path, m.what)
		case !bytes.Equal(want, data):
			return workspace.Fault(name, "cortex init --agent "+a.name, "%s does not call cortex on every event",
				m.path)
		}
	}
	for _, m := range serverFiles([]string{a.name}) { // they may be there without ours
		data, _, _ := t.Read(m.path)
		_, err := m.add(data, true)
		if _, unread := errors.AsType[*unreadError](err); unread {
			return workspace.Fault(name, "edit "+m.path, "%s: %v: %s may not start", m.path, err, a.title)
		}
	}
	return workspace.Check{Name: name, OK: true}
}

func checkHeartbeat(w *workspace.Workspace) workspace.Check {
	c := workspace.Check{Name: "last hooks", OK: true}
	if troubles := w.HookTroubles(true); len(troubles) > 0 {
		c.OK, c.Wrong = false, strings.Join(troubles, "; ")
		c.Hint = "the log is in the git directory, under cortex/log"
	}
	return c
}

// checkAttributesFile checks the lines that also apply in clones without cortex.
func checkAttributesFile(w *workspace.Workspace, t workspace.Folder) workspace.Check {
	block := attributes(w, Options{})
	data, _, err := t.Read(".gitattributes")
	if err != nil {
		return workspace.Fault("gitattributes", "", "%v", err)
	}
	body, ok := markers.Body(data, block)
	switch {
	case !ok:
		return workspace.Fault("gitattributes", "cortex init",
			".gitattributes lacks cortex's lines: clones without cortex merge pages with conflict markers")
	case strings.TrimSpace(body) != strings.TrimSpace(block.Body):
		return workspace.Fault("gitattributes", "cortex init",
			"cortex's lines in .gitattributes are from another version, or from before `review` was changed in"+
				" config.yaml")
	}
	return workspace.Check{Name: "gitattributes", OK: true}
}

// checkAttributes asks git which driver it would choose: lines elsewhere may
// come after ours.
func checkAttributes(ctx context.Context, w *workspace.Workspace, fix bool) workspace.Check {
	c := askAttributes(ctx, w)
	if !c.OK && fix {
		err := w.Repo.Drivers().Raise()
		if again := askAttributes(ctx, w); err != nil || again.OK {
			c = c.Mended("moved cortex's lines to the end of info/attributes", err)
		}
	}
	return c
}

func askAttributes(ctx context.Context, w *workspace.Workspace) workspace.Check {
	const name = "merge attributes"
	want := gitops.DriverPaths()
	paths := slices.Sorted(maps.Keys(want))
	got, err := w.Repo.Drivers().Attribute(ctx, "merge", paths...)
	if err != nil {
		return workspace.Fault(name, "", "%v", err)
	}
	for _, p := range paths {
		if got[p] != want[p] {
			return workspace.Fault(name, "cortex doctor --fix",
				"git merges %s with %q, not with %s: other lines of info/attributes come later", p, got[p], want[p])
		}
	}
	return workspace.Check{Name: name, OK: true}
}

func checkExclude(w *workspace.Workspace) workspace.Check {
	if !excludeOf(w).has() {
		return workspace.Fault("briefing excluded", "cortex init", "info/exclude does not keep %s out of commits",
			workspace.BriefingFile)
	}
	return workspace.Check{Name: "briefing excluded", OK: true}
}

func checkBriefing(ctx context.Context, w *workspace.Workspace) workspace.Check {
	staged, err := w.Repo.StagingArea().Staged(ctx, workspace.BriefingFile)
	if err != nil {
		return workspace.Fault("briefing", "", "%v", err)
	}
	if len(staged) > 0 {
		return workspace.Fault("briefing", "git rm --cached "+workspace.BriefingFile,
			"%s is committed, but it is generated for this clone alone", workspace.BriefingFile)
	}
	return workspace.Check{Name: "briefing", OK: true}
}
