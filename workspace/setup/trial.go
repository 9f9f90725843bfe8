package setup

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// trialTime is how long the hook of a commit may take that is tried.
const trialTime = time.Minute

// trialText is the body of the memory of a trial, with what linters like to complain of.
const trialText = `A line that is longer than many teams want one to be, since people and agents write these words ` +
	"and no editor wraps them, with a `name`, and a bare address: https://example.org/a/memory\n\n" +
	"* a star\n\t- a tab\n\n```\nno language\n```"

// TryCommit has the repository's own hook look at a commit of a memory and of what [Init] wrote, and names
// the tool that refuses it or changes what it brings. Nothing of that stays.
func TryCommit(ctx context.Context, w *workspace.Workspace) workspace.Check {
	c := workspace.Check{Name: "trial commit", OK: true}
	t, err := w.Tree()
	if enabled, _ := w.Enabled(ctx); err != nil || !enabled {
		return c // no commit here brings a memory
	}
	ctx, stop := context.WithTimeout(ctx, trialTime)
	defer stop()
	opt := Options{Agents: installedAgents(t, loadInstalled(w.Repo.CacheDir()))}
	m := memory.New(memory.Decision, "Try whether a commit may bring a memory", trialText, time.Unix(1_790_000_000, 0))
	files := map[string][]byte{view.MemoryPath(m.Path()): memory.Format(m)}
	trial, err := w.Repo.Hooks().Try(ctx, writtenIn(ctx, w, t, opt), files)
	tool := blame(trial.Said, lintersOf(t))
	hint := cmp.Or(checkLinters(t, agentFiles(opt.Agents)).Hint, tool.remedy+"; then: cortex doctor")
	switch {
	case err != nil:
		c.Note = "no commit was tried: " + err.Error()
	case trial.Always:
		c.Note = "the hook pre-commit refuses any commit here just now, so no memory was tried"
	case trial.Refused:
		c = workspace.Fault(c.Name, hint, "%s refuses the next commit that brings a memory: %s", tool.name,
			lastWords(trial.Said))
	case len(trial.Changed) > 0:
		c = workspace.Fault(c.Name, hint, "%s changes what a commit brings of cortex: %s", tool.name,
			strings.Join(trial.Changed, ", "))
	}
	return c
}

// writtenIn are the files that cortex writes, memories apart, and that are there.
func writtenIn(ctx context.Context, w *workspace.Workspace, t workspace.Folder, opt Options) []string {
	all, _ := filesOf(ctx, w, t, opt) // those that cannot be told are left out
	paths := t.Match(workspace.Dir + "/*.md")
	paths = append(paths, lists.Map(all, func(m managed) string { return m.path })...)
	return lists.Without(paths, func(p string) bool { return p == workspace.BriefingFile || !t.Exists(p) })
}

// failedStep finds what pre-commit, lint-staged and lefthook say of the command that failed.
var failedStep = lazy.Pattern(`(?m)(?:^- hook id: |✖ |🥊 *)([\w.@/-]+)`)

// blame is the tool that refused, by what the hook said, with what to do about it. Some say which step failed, by
// the name of the tool or by one that the team gave it.
func blame(said string, found []linter) linter {
	step := append(failedStep().FindStringSubmatch(said), "", "")[1]
	tool := linter{
		name:   cmp.Or(step, "the hook pre-commit"),
		remedy: "leave " + workspace.Dir + "/ out of what it looks at",
	}
	for _, l := range found { // those that run others come first
		switch {
		case l.name == step:
			return l
		case l.ignore == nil:
			tool.remedy = cmp.Or(l.remedy, tool.remedy)
		case strings.Contains(said, l.name):
			tool = l
		}
	}
	return tool
}

// lastWords is the end of what a hook said, in a line.
func lastWords(said string) string {
	line := memory.OneLine(memory.Clean(said))
	return strings.ToValidUTF8(line[max(0, len(line)-300):], "")
}
