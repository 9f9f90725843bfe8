package clone

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// HookNames are the git hooks that cortex uses: pre-commit lands, post-commit
// takes what was committed off the journal. Merges, rebases and checkouts need
// none: what they bring is read from the tree when it is asked for.
func HookNames() []string { return []string{"pre-commit", "post-commit"} }

// HookWay is one of the two ways in which git comes to call cortex.
type HookWay string

// The ways. Never both at once: git would call cortex twice.
const (
	// ByConfig is git's own configuration, from git 2.54 on. It runs beside
	// whatever core.hooksPath leads to, and no script is touched.
	ByConfig HookWay = "config"
	// ByScript is lines in the script that git runs.
	ByScript HookWay = "script"
)

// HookState is how one git hook stands.
type HookState struct {
	Name      string
	Way       HookWay // how cortex is called, or would be
	Path      string  // the script, or the section of git's configuration
	Installed bool    // cortex is called from there
	Current   bool    // by the words of this version, and git runs it
	Movable   bool    // it works, and the next [Hooks.Install] moves it to git's configuration
	Problem   string  // one line when the hook cannot work as it stands; "" otherwise
	Hint      string  // what to do about it, if it is not to install it again

	theirs bool // the script calls cortex by a line that a person wrote
}

// HooksFolderError says that git runs hooks only from scripts here, and that
// those are not ours to write.
type HooksFolderError struct {
	Dir     string // where git looks for hooks
	Shared  bool   // outside of this repository, else files that the team gets
	Missing bool   // the folder is not there
}

func (e *HooksFolderError) Error() string {
	switch {
	case e.Missing:
		return "core.hooksPath names " + e.Dir + ", which is not there"
	case e.Shared:
		return "core.hooksPath leads to " + e.Dir + ", outside of this repository: hooks there run in others too"
	}
	return "the hooks in " + e.Dir + " are files of your team: cortex does not change them"
}

// Hint says what a person may do.
func (e *HooksFolderError) Hint() string {
	if e.Missing {
		return "make it as your team does (with husky: npm install), then: cortex init"
	}
	var b strings.Builder
	for _, name := range HookNames() {
		fmt.Fprintf(&b, "in %s, one line:  %s\n", filepath.ToSlash(filepath.Join(e.Dir, name)), HookLine(name))
	}
	b.WriteString("it does nothing where cortex is missing or not set up; git 2.54 or later needs no line\n")
	b.WriteString("or say land: manual in .cortex/config.yaml, and land with: cortex land")
	return b.String()
}

// HookLine is the line that a person may write into a hook of their own.
func HookLine(name string) string {
	return "command -v cortex >/dev/null && cortex hook " + name + " || :"
}

// Hooks are the git hooks of a clone that call cortex, and how they come to.
// What belongs to the user or to other tools stays as it is. It is safe for
// concurrent use.
type Hooks struct {
	git       *gitcmd.Runner
	local     Config
	dir       string // where git looks for scripts
	root      string // the top of the working tree, or ""
	gitDir    string
	commonDir string
	changing  *sync.Mutex // of the repository
}

// Hooks returns the hooks of this clone. It costs nothing.
func (c Clone) Hooks() *Hooks {
	return &Hooks{
		git: c.Git, local: c.Config(), dir: c.HooksDir, root: c.Root,
		gitDir: c.GitDir, commonDir: c.CommonDir, changing: c.Changing,
	}
}

// Install makes git call `<binary> hook <name>`: by its configuration
// where git can do that, else from the scripts that it runs here, keeping what
// is there. The caller has written the [Hooks.TeamHooks]. It moves from one
// way to the other when git was upgraded or downgraded. A missing binary is passed over
// in silence. It may be called again at any time. See [HooksFolderError].
func (h *Hooks) Install(ctx context.Context, binary Binary) error {
	h.changing.Lock()
	defer h.changing.Unlock()
	config, script, none, err := h.ways(ctx, binary)
	if err != nil {
		return err
	}
	if err := h.local.Edit(ctx, hookSettings(binary, config...)...); err != nil {
		return err
	}
	if err := h.installScripts(ctx, script, binary); err != nil {
		return err
	}
	return errors.Join(
		h.removeConfigHooks(ctx, append(none, script...)),
		h.removeScripts(ctx, append(none, config...)))
}

// ways tells which hooks git calls by its configuration, which from scripts, and
// for which a person wrote a line.
func (h *Hooks) ways(ctx context.Context, binary Binary) (config, script, none []string, err error) {
	v, err := h.git.Version(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	scripts, err := h.scriptStates(ctx, binary)
	for _, s := range scripts {
		switch {
		case s.theirs:
			none = append(none, s.Name)
		case byConfig(v):
			config = append(config, s.Name)
		default:
			script = append(script, s.Name)
		}
	}
	return config, script, none, err
}

// Settings are the lines of configuration that [Hooks.Install] writes.
func (h *Hooks) Settings(ctx context.Context, binary Binary) ([]gitcmd.Setting, error) {
	config, _, _, err := h.ways(ctx, binary)
	return hookSettings(binary, config...), err
}

// Remove restores every script and the configuration byte for byte, mode
// included. Lines that somebody added around those of cortex stay.
func (h *Hooks) Remove(ctx context.Context) error {
	h.changing.Lock()
	defer h.changing.Unlock()
	return errors.Join(h.removeConfigHooks(ctx, HookNames()), h.removeScripts(ctx, HookNames()))
}

// States says how each hook stands; config may be nil and is then read. It changes nothing.
func (h *Hooks) States(ctx context.Context, config *gitcmd.Config, binary Binary) ([]HookState, error) {
	v, err := h.git.Version(ctx)
	if err != nil {
		return nil, err
	}
	if config, err = inForce(ctx, h.git, config); err != nil {
		return nil, err
	}
	scripts, err := h.scriptStates(ctx, binary)
	if err != nil {
		return nil, err
	}
	states := make([]HookState, len(scripts))
	for i, script := range scripts {
		states[i] = joinStates(v, configHookState(config, script.Name, binary), script)
	}
	return states, nil
}

// Missing reports whether neither git's configuration nor the script of a hook calls
// cortex. It asks less than [Hooks.States]: whether the calls work is not looked at.
func (h *Hooks) Missing(ctx context.Context, config *gitcmd.Config, name string) (bool, error) {
	if configHookState(config, name, Binary{}).Installed {
		return false, nil
	}
	scripts, err := h.scriptStates(ctx, Binary{})
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(scripts, func(s HookState) bool { return s.Name == name && !s.Installed }), nil
}

// joinStates tells which of the two ways is in use, and whether it is right.
func joinStates(v gitcmd.Version, config, script HookState) HookState {
	if !byConfig(v) {
		return joinWithOldGit(v, config, script)
	}
	if !script.Installed {
		return config
	}
	if config.Installed {
		config.Current = false
		config.Problem = "git calls cortex twice: " + script.Path + " does so too"
		return config
	}
	script.Movable = script.Movable || !script.theirs
	return script
}

// joinWithOldGit is [joinStates] for a git that runs scripts alone.
func joinWithOldGit(v gitcmd.Version, config, script HookState) HookState {
	if script.Installed || !config.Installed {
		return script
	}
	config.Current = false
	config.Problem = "git " + v.Text + " does not run hooks from its configuration; git 2.54 and later do"
	config.Hint = script.Hint
	return config
}
