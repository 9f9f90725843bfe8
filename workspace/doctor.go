package workspace

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/templates"
)

// Check is one thing that doctor looks at.
type Check struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Wrong string `json:"wrong,omitempty"` // what is wrong, in a line
	Hint  string `json:"hint,omitempty"`  // what to type
	Fixed bool   `json:"fixed,omitempty"`
}

// Doctor checks the promises that can be checked from outside. With fix it
// mends what can be mended without losing anything.
func (w *Workspace) Doctor(ctx context.Context, opt SetupOptions, fix bool) ([]Check, error) {
	if _, err := w.worktree(); err != nil {
		return nil, err
	}
	checks := []Check{
		w.checkEnabled(),
		w.checkJournal(ctx, fix),
		w.checkMemories(ctx),
		w.checkPages(ctx, fix),
		w.checkIndex(ctx, fix),
	}
	if w.Enabled() {
		setup := w.checkSetup(ctx, opt.Binary)
		if fix && !allOK(setup) {
			if _, err := w.Init(ctx, opt); err != nil {
				return nil, err
			}
			for i := range setup {
				setup[i].Fixed = !setup[i].OK
			}
		}
		checks = append(checks, setup...)
		checks = append(checks, w.checkAgentHooks(), w.checkHeartbeat())
	}
	return checks, nil
}

func allOK(checks []Check) bool {
	for _, c := range checks {
		if !c.OK {
			return false
		}
	}
	return true
}

func (w *Workspace) checkEnabled() Check {
	c := Check{Name: "set up", OK: w.Enabled()}
	if !c.OK {
		c.Wrong, c.Hint = "cortex is not set up in this clone: nothing is captured here", "cortex init"
	}
	return c
}

func (w *Workspace) checkJournal(ctx context.Context, fix bool) Check {
	c := Check{Name: "journal", OK: true}
	snap, err := w.Repo.Journal().Snapshot(ctx)
	switch {
	case err != nil:
		c.OK, c.Wrong, c.Hint = false, err.Error(), "cortex doctor --fix"
	case snap.Healed != "":
		c.OK, c.Wrong, c.Hint = false, snap.Healed, "cortex doctor --fix"
	case snap.Spooled > 0:
		c.OK, c.Wrong, c.Hint = false, fmt.Sprintf("%d captures wait in the spool", snap.Spooled), "cortex doctor --fix"
	case len(snap.Skipped) > 0:
		c.OK, c.Wrong = false, fmt.Sprintf("%d paths in %s were not written by cortex and are passed over: %s", len(snap.Skipped), "refs/cortex/journal", strings.Join(snap.Skipped[:min(3, len(snap.Skipped))], ", "))
		c.Hint = "git ls-tree -r refs/cortex/journal"
	}
	if snap != nil {
		_ = snap.Close()
	}
	if !c.OK && fix {
		if _, err := w.Repo.Journal().Repair(ctx); err == nil {
			c.Fixed = true
		} else {
			c.Wrong = err.Error()
		}
		w.staleJournal()
	}
	return c
}

func (w *Workspace) checkMemories(ctx context.Context) Check {
	c := Check{Name: "memories", OK: true}
	v, err := w.View(ctx, ViewOptions{})
	if err != nil {
		return Check{Name: c.Name, Wrong: err.Error()}
	}
	if n := len(v.Problems); n > 0 {
		c.OK = false
		c.Wrong = v.Problems[0].Error()
		if n > 1 {
			c.Wrong += fmt.Sprintf(" (and %d more)", n-1)
		}
		c.Hint = "open the file and mend the line; everything else goes on working"
	}
	return c
}

func (w *Workspace) checkPages(ctx context.Context, fix bool) Check {
	c := Check{Name: "generated pages", OK: true}
	pages, err := w.Project(ctx, true, false)
	if err != nil {
		return Check{Name: c.Name, Wrong: err.Error()}
	}
	var old []string
	for _, p := range pages {
		if !p.Current {
			old = append(old, p.Path)
		}
	}
	if len(old) > 0 {
		c.OK = false
		c.Wrong, c.Hint = strings.Join(old, ", ")+" do not match the memories", "cortex project"
		if fix {
			_, err := w.Project(ctx, false, false)
			c.Fixed = err == nil
		}
	}
	return c
}

func (w *Workspace) checkIndex(ctx context.Context, fix bool) Check {
	c := Check{Name: "index", OK: true}
	if problems := w.index.Verify(ctx); len(problems) > 0 {
		c.OK, c.Wrong, c.Hint = false, problems[0].Error(), "cortex reindex"
		if fix {
			_, err := w.Reindex(ctx, nil)
			c.Fixed = err == nil
		}
	}
	return c
}

func (w *Workspace) checkSetup(ctx context.Context, binary string) []Check {
	var out []Check
	hooks, err := w.Repo.HookStates(ctx, binary)
	if err != nil {
		out = append(out, Check{Name: "git hooks", Wrong: err.Error()})
	}
	for _, h := range hooks {
		c := Check{Name: "git hook " + h.Name, OK: h.Current && h.Problem == "", Wrong: h.Problem}
		if !c.OK {
			c.Hint = "cortex init"
			if c.Wrong == "" {
				c.Wrong = "it does not call cortex"
			}
		}
		out = append(out, c)
	}
	drivers, err := w.Repo.DriverState(ctx, nil, binary)
	c := Check{Name: "merge drivers", OK: err == nil && drivers.Config && drivers.Attributes && drivers.Problem == "", Wrong: drivers.Problem}
	if !c.OK {
		c.Hint = "cortex init"
		if c.Wrong == "" {
			c.Wrong = "git does not know them: generated pages merge line by line"
		}
	}
	return append(out, c)
}

func (w *Workspace) checkAgentHooks() Check {
	c := Check{Name: "claude-code hooks", OK: true}
	data, ok, err := folder{root: w.Repo.Root}.read(".claude/settings.json")
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
		c.OK, c.Wrong, c.Hint = false, ".claude/settings.json: "+err.Error(), "mend the file, then cortex init"
	}
	if rules, ok, _ := (folder{root: w.Repo.Root}).read(".claude/rules/cortex.md"); c.OK && (!ok || len(rules) < len(templates.Rules())/4) {
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
