package clone

import (
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// byConfig tells a git that runs hooks from its configuration.
func byConfig(v gitcmd.Version) bool { return v.AtLeast(2, 54) }

// hookSection is the section of git's configuration for a hook. Its second
// part must not be the name of an event: git dies of that.
func hookSection(name string) string { return "hook.cortex-" + name }

// hookCommand is the command line that git hands to a shell, followed by the hook's
// arguments. It must succeed even without cortex, or git would refuse the commit.
func hookCommand(binary Binary, name string) string {
	return binary.call("hook "+name+" </dev/null", "") + " || :"
}

// hookSettings are the lines of configuration for some of the hooks, which all
// worktrees read. The command goes first: git dies of an event without one.
func hookSettings(binary Binary, names ...string) (all []gitcmd.Setting) {
	for _, name := range names {
		section := hookSection(name)
		all = append(all, gitcmd.Setting{Key: section + ".command", Value: hookCommand(binary, name)},
			gitcmd.Setting{Key: section + ".event", Value: name})
	}
	return all
}

// HookSettings are all lines of configuration that [Hooks.Install] may write.
func HookSettings() []gitcmd.Setting { return hookSettings(Binary{}, HookNames()...) }

// removeConfigHooks takes our two keys out again. What the user may have added to
// the section, such as "enabled", stays, and so does a command that is not ours.
func (h *Hooks) removeConfigHooks(ctx context.Context, names []string) error {
	if data, err := h.local.Read(); err == nil && !mayHead(data, "hook") {
		return nil
	}
	config, err := h.git.Config(ctx)
	if err != nil {
		return err
	}
	var edits []gitcmd.Setting
	for _, name := range names {
		if command := hookSection(name) + ".command"; strings.Contains(config.LocalValue(command), "hook "+name) {
			edits = append(edits, gitcmd.Setting{Key: hookSection(name) + ".event"}, gitcmd.Setting{Key: command})
		}
	}
	return h.local.Edit(ctx, edits...)
}

func configHookState(config *gitcmd.Config, name string, binary Binary) HookState {
	section := hookSection(name)
	s := HookState{Name: name, Way: ByConfig, Path: section}
	var events []string
	for _, event := range config.Values(section + ".event") {
		if event == "" {
			events = nil // git's own rule
		}
		events = append(events, event)
	}
	command := config.Value(section + ".command")
	s.Installed = command != "" && slices.Contains(events, name)
	off := switchedOff(config, section, "hook."+name)
	switch {
	case !s.Installed:
	case command != hookCommand(binary, name):
		s.Problem = "the hook calls another version or place of cortex"
	case off != "":
		s.Problem = off + " is false, so git does not run it"
		s.Hint = "git config --show-origin " + off
	default:
		s.Current = true
	}
	return s
}

// switchedOff is the key of the first section that says not to run the hook; "" for none.
func switchedOff(config *gitcmd.Config, sections ...string) string {
	for _, section := range sections {
		key := section + ".enabled"
		if len(config.Values(key)) > 0 && !config.Bool(key) {
			return key
		}
	}
	return ""
}
