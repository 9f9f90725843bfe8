package gitops

import "github.com/git-cortex/cortex/gitops/internal/clone"

// What git's hooks and merge drivers are described by.
type (
	Binary           = clone.Binary
	Hooks            = clone.Hooks
	HookState        = clone.HookState
	TeamHook         = clone.TeamHook
	HooksFolderError = clone.HooksFolderError
	Drivers          = clone.Drivers
	DriverState      = clone.DriverState
	LocalConfig      = clone.Config
)

// ErrConfigChanged says that git's configuration is not what it was.
var ErrConfigChanged = clone.ErrConfigChanged

// The ways in which git comes to call cortex.
const (
	ByConfig = clone.ByConfig
	ByScript = clone.ByScript
)

// Hooks returns the repository's git hooks. It costs nothing.
func (r *Repo) Hooks() *Hooks { return r.clone().Hooks() }

// Drivers returns the merge drivers of this clone. It costs nothing.
func (r *Repo) Drivers() *Drivers { return r.clone().Drivers() }

// LocalConfig returns the repository's own configuration. It costs nothing.
func (r *Repo) LocalConfig() LocalConfig { return r.clone().Config() }

func (r *Repo) clone() clone.Clone {
	return clone.Clone{
		Git: r.git, HooksDir: r.HooksDir, Root: r.Root, GitDir: r.GitDir, CommonDir: r.CommonDir,
		Changing: r.setup,
	}
}

// Below is the path from top to path, if path is top or below it, however they are spelled.
func Below(top, path string) (rel string, ok bool) { return clone.Below(top, path) }

// HookNames are the git hooks that cortex uses.
func HookNames() []string { return clone.HookNames() }

// TeamHookAt is the team's hook at a path that was written to earlier.
func TeamHookAt(path string) TeamHook { return clone.TeamHookAt(path) }

// DriverSettings are the lines of configuration of the merge drivers, and
// HookSettings those of the hooks, where git reads them from there.
func DriverSettings(binary Binary) []Setting { return clone.DriverSettings(binary) }

// HookSettings see [DriverSettings].
func HookSettings() []Setting { return clone.HookSettings() }

// DriverPaths are a path for each merge driver and the driver that git is to choose
// for it.
func DriverPaths() map[string]string { return clone.DriverPaths() }
