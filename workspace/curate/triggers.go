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
// A memory of any type has the moments that it names itself. Where it names no call, it has
// the command that its words warn of, see [memory.CommandNamed].
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
	if len(c.before) == 0 {
		out = memory.CommandNamed(&memory.Memory{
			Type: memory.Type(c.worded.Type), Title: c.worded.Title,
			Text: c.worded.Text,
		})
	}
	for _, w := range c.when {
		add(memory.TriggerWhen, w)
	}
	if typ := memory.Type(c.worded.Type); !slices.Contains([]memory.Type{memory.Gotcha, memory.Fix}, typ) {
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
