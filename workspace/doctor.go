package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/templates"
)

// Check is one thing that doctor looks at.
type Check struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Wrong string `json:"wrong,omitempty"` // what is wrong, in a line
	Hint  string `json:"hint,omitempty"`  // what to type
	Fixed bool   `json:"fixed,omitempty"`
	Did   string `json:"did,omitempty"`  // what was done about it, in a line
	Note  string `json:"note,omitempty"` // what is worth knowing when all is well
}

// wrong makes a check that found something.
func wrong(name, hint, format string, args ...any) Check {
	return Check{Name: name, Wrong: fmt.Sprintf(format, args...), Hint: hint}
}

// fixed notes what was done, or why that did not work.
func (c Check) fixed(did string, err error) Check {
	if err != nil {
		c.Wrong += " (mending it: " + err.Error() + ")"
		return c
	}
	c.Fixed, c.Did = true, did
	return c
}

// Doctor checks the promises that can be checked from outside. With fix it
// mends what is cortex's own or can be mended without losing anything; what
// needs a person's decision stays, with a hint of what to type.
func (w *Workspace) Doctor(ctx context.Context, opt SetupOptions, fix bool) ([]Check, error) {
	if _, err := w.worktree(); err != nil {
		return nil, err
	}
	newer := w.Writable(ctx)
	if newer != nil {
		fix = false
	}
	checks := []Check{w.checkEnabled(ctx), w.checkConfig(newer), w.checkJournal(ctx, fix), w.checkLock(ctx), w.checkTracking(ctx, fix)}
	checks = append(checks, w.checkLeftovers(ctx, fix)...)
	checks = append(checks, w.checkMemories(ctx, fix)...)
	checks = append(checks, w.checkStrays(ctx), w.checkPages(ctx, fix), w.checkIndex(ctx, fix))
	if !w.Enabled(ctx) {
		return checks, nil
	}
	setup, movable := w.checkSetup(ctx, opt.Binary)
	if fix && (movable || !allOK(setup)) {
		_, err := w.Init(ctx, opt)
		again, _ := w.checkSetup(ctx, opt.Binary)
		for i, c := range setup {
			if !c.OK && (err != nil || i >= len(again) || again[i].OK) {
				setup[i] = c.fixed("set it up again", err)
			} else if c.OK && i < len(again) {
				setup[i] = again[i]
			}
		}
	}
	checks = append(checks, setup...)
	return append(checks, w.checkAttributes(ctx, fix), w.checkBriefing(ctx), w.checkHeartbeat()), nil
}

func allOK(checks []Check) bool {
	for _, c := range checks {
		if !c.OK {
			return false
		}
	}
	return true
}

func (w *Workspace) checkEnabled(ctx context.Context) Check {
	c := Check{Name: "set up", OK: w.Enabled(ctx)}
	if !c.OK {
		c.Wrong, c.Hint = "cortex is not set up in this clone: nothing is captured here", "cortex init"
	}
	return c
}

func (w *Workspace) checkJournal(ctx context.Context, fix bool) Check {
	c := Check{Name: "journal", OK: true}
	const hint = "cortex doctor --fix"
	snap, err := w.Repo.Journal().Snapshot(ctx)
	if err == nil {
		defer snap.Close()
	}
	switch {
	case err != nil:
		c = wrong(c.Name, hint, "%v", err)
	case snap.Healed() != "":
		c = wrong(c.Name, hint, "%s", snap.Healed())
	case snap.Spooled() > 0:
		c = wrong(c.Name, hint, "%d captures wait in the spool", snap.Spooled())
	default:
		if err := w.Repo.Journal().Verify(ctx); errors.Is(err, gitops.ErrNoLog) {
			return wrong(c.Name, "cortex capture or any note begins one", "%v", err)
		} else if err != nil {
			c = wrong(c.Name, hint, "%v", err)
		}
	}
	if c.OK {
		if skipped, err := snap.Skipped(ctx); err == nil && len(skipped) > 0 { // what cannot be read is Verify's to say
			return wrong(c.Name, "git ls-tree -r "+gitops.JournalRef, "%d paths in %s were not written by cortex and are passed over: %s",
				len(skipped), gitops.JournalRef, strings.Join(skipped[:min(3, len(skipped))], ", "))
		}
	}
	if !c.OK && fix {
		_, err := w.Repo.Journal().Repair(ctx)
		c = c.fixed("took in what waited, and went back to what can be read", err)
		w.RefreshJournal()
	}
	return c
}

func (w *Workspace) checkIndex(ctx context.Context, fix bool) Check {
	c := Check{Name: "index", OK: true}
	if problems := w.Index.Verify(ctx); len(problems) > 0 {
		c = wrong(c.Name, "cortex reindex", "%s", problems[0].Error())
		if fix {
			_, err := w.Reindex(ctx, nil)
			c = c.fixed("built it anew", err)
		}
	}
	return c
}

// checkSetup looks at what lies in the git directory. Movable says that git
// could call the hooks in a better way by now.
func (w *Workspace) checkSetup(ctx context.Context, binary gitops.Binary) (out []Check, movable bool) {
	hooks, err := w.Repo.Hooks().States(ctx, binary)
	if err != nil {
		out = append(out, Check{Name: "git hooks", Wrong: err.Error()})
	}
	for _, h := range hooks {
		movable = movable || h.Movable
		out = append(out, w.checkHook(h))
	}
	drivers, err := w.Repo.Drivers().State(ctx, nil, binary)
	c := Check{Name: "merge drivers", OK: err == nil && drivers.Config && drivers.Attributes && drivers.Problem == "", Wrong: drivers.Problem}
	if !c.OK {
		c.Hint = "cortex init"
		if c.Wrong == "" {
			c.Wrong = "git does not know them: generated pages merge line by line"
		}
	}
	return append(out, c, w.checkAttributesFile(), w.checkExclude(), w.checkAgentHooks()), movable
}

func (w *Workspace) checkHook(h gitops.HookState) Check {
	c := Check{Name: "git hook " + h.Name, OK: h.Current && h.Problem == "", Wrong: h.Problem, Hint: h.Hint}
	switch {
	case c.OK:
		c.Hint, c.Note = "", hookWay(h)
	case !h.Installed && w.Config.Land != "commit":
		return Check{Name: c.Name, OK: true, Note: "none, and none is needed with land: " + w.Config.Land}
	case c.Wrong == "":
		c.Wrong = "git does not call cortex: memories do not land with commits"
	}
	if !c.OK && c.Hint == "" {
		c.Hint = "cortex init"
	}
	return c
}

// hookWay says in a few words how git comes to call cortex.
func hookWay(h gitops.HookState) string {
	if h.Way == gitops.ByConfig {
		return "by git's configuration"
	}
	return "by " + h.Path
}

func (w *Workspace) checkAgentHooks() Check {
	c := Check{Name: "claude-code hooks", OK: true}
	data, ok, err := Folder{root: w.Repo.Root}.Read(".claude/settings.json")
	if err != nil {
		return Check{Name: c.Name, Wrong: err.Error()}
	}
	if !ok {
		return c // another agent, or none
	}
	hooks, err := claudeHooks()
	if err == nil {
		var want []byte
		if want, err = addAgentHooks(data, hooks); err == nil && !bytes.Equal(want, data) {
			c.OK, c.Wrong, c.Hint = false, ".claude/settings.json does not call cortex on every event", "cortex init"
		}
	}
	if err != nil {
		c.OK, c.Wrong, c.Hint = false, ".claude/settings.json: "+err.Error(), "edit .claude/settings.json, then cortex init"
	}
	if rules, ok, _ := (Folder{root: w.Repo.Root}).Read(".claude/rules/cortex.md"); c.OK && (!ok || len(rules) < len(templates.Rules())/4) {
		c.OK, c.Wrong, c.Hint = false, ".claude/rules/cortex.md is missing: agents do not learn of [MEMORY:] tags", "cortex init"
	}
	return c
}

func (w *Workspace) checkHeartbeat() Check {
	c := Check{Name: "last hooks", OK: true}
	for _, event := range HookEvents() {
		if b := w.Heartbeat()[event]; b.Error != "" {
			c.OK, c.Wrong = false, fmt.Sprintf("%s at %s: %s", event, b.Time, b.Error)
			c.Hint = "the log is in the git directory, under cortex/log"
		}
	}
	return c
}
