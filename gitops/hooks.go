package gitops

import "context"

// HookNames are the git hooks that cortex uses: pre-commit lands, post-commit
// takes what was committed off the journal.
func HookNames() []string { return []string{"pre-commit", "post-commit"} }

// HookState is how one git hook stands.
type HookState struct {
	Name      string
	Path      string // the script cortex is (or would be) called from
	Installed bool
	Current   bool   // installed, executable, and with the lines of this version
	Problem   string // one line when the hook cannot work as it stands; "" otherwise
}

// InstallHooks chains `<binary> hook <name>` into the hooks that git runs here,
// keeping what is there. binary is a name on PATH or an absolute path; a
// missing binary is passed over in silence and never skips the user's own
// lines. It may be called again at any time. See [ErrSharedHooks].
func (r *Repo) InstallHooks(ctx context.Context, binary string) error { panic("TODO") }

// RemoveHooks restores every hook byte for byte, mode included.
func (r *Repo) RemoveHooks(ctx context.Context) error { panic("TODO") }

// HookStates says how each hook stands. It only reads files.
func (r *Repo) HookStates(ctx context.Context, binary string) ([]HookState, error) { panic("TODO") }
