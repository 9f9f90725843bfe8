package curate

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/memory"
)

// triggers returns the keys at which a hook shows a trap or a fix by itself: the
// errors of the failed calls that it cites, and their commands.
//
// Of any type it has what it names itself as when it matters.
func (c *claim) triggers() []string {
	var out []string
	add := func(kind memory.TriggerKind, value string) {
		if t := memory.Trigger(kind, value); t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for _, b := range c.before {
		add(memory.TriggerBefore, b)
	}
	for _, w := range c.when {
		add(memory.TriggerWhen, w)
	}
	if typ := memory.Type(c.worded.Type); typ != memory.Gotcha && typ != memory.Fix {
		return out
	}
	for _, p := range c.passages {
		called, said, found := strings.Cut(p.Text, " failed:\n")
		if p.Kind != capture.SaidFailure || !found {
			continue
		}
		line, _, _ := strings.Cut(said, "\n")
		add(memory.TriggerError, recipe.Signature(line))
		if strings.HasPrefix(called, "`") {
			add(memory.TriggerCommand, recipe.Head(strings.Trim(called, "`")))
		} else {
			tool, _, _ := strings.Cut(called, " of ")
			add(memory.TriggerTool, tool)
		}
	}
	return out
}
