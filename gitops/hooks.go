package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// ErrSharedHooks says that core.hooksPath leads out of this repository. A hook
// there would run in all of the user's repositories, so none is written.
var ErrSharedHooks = errors.New("core.hooksPath points outside this repository")

// savedSuffix is appended to the name of a hook that cannot take lines of
// shell; the script in its place runs it.
const savedSuffix = ".cortex-saved"

// HookNames are the git hooks that cortex uses: pre-commit lands, post-commit
// takes what was committed off the journal. Merges, rebases and checkouts need
// none: what they bring is read from the tree when it is asked for.
func HookNames() []string { return []string{"pre-commit", "post-commit"} }

// HookState is how one git hook stands.
type HookState struct {
	Name      string
	Path      string // the script that cortex is, or would be, called from
	Installed bool   // it has lines of cortex
	Current   bool   // and they are those of this version, and git runs them
	Problem   string // one line when the hook cannot work as it stands; "" otherwise
}

// hookScripts is the folder where scripts belong. husky points git at a folder
// that it writes anew on every install, and runs the scripts one level up.
func (r *Repo) hookScripts() string {
	if filepath.Base(r.HooksDir) == "_" && filepath.Base(filepath.Dir(r.HooksDir)) == ".husky" {
		return filepath.Dir(r.HooksDir)
	}
	return r.HooksDir
}

func (r *Repo) ownHooks() bool {
	dir := r.hookScripts()
	for _, top := range []string{r.Root, r.CommonDir, filepath.Dir(r.CommonDir)} {
		if top == "" || top == filepath.Dir(r.CommonDir) && filepath.Base(r.CommonDir) != ".git" {
			continue
		}
		rel, err := filepath.Rel(top, dir)
		if err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// hookBlock is the lines of one hook. They cannot fail, read nothing of the
// hook's input, and leave the rest of the script alone.
func hookBlock(binary, name string) Block {
	return Block{Name: "hook", Top: true, Body: fmt.Sprintf(
		"if command -v %[1]s >/dev/null 2>&1; then\n\t%[1]s hook %[2]s \"$@\" </dev/null || :\nfi\n",
		shellQuote(binary), name)}
}

// wrapperBlock is hookBlock for a hook that was put aside: it runs it last.
// The hook may be one that the user had switched off.
func wrapperBlock(binary, name string) Block {
	b := hookBlock(binary, name)
	b.Body += fmt.Sprintf("saved=\"$(dirname \"$0\")/%s\"\nif [ -x \"$saved\" ]; then\n\texec \"$saved\" \"$@\"\nfi\n", name+savedSuffix)
	return b
}

// InstallHooks chains `<binary> hook <name>` into the hooks that git runs here,
// keeping what is there. binary is a name on PATH or an absolute path; a
// missing binary is passed over in silence and never skips the user's own
// lines. A hook that is not a shell script, a symbolic link, or not executable
// is put aside as <name>.cortex-saved and called from a script in its place.
// It may be called again at any time. See [ErrSharedHooks].
func (r *Repo) InstallHooks(ctx context.Context, binary string) error {
	if !r.ownHooks() {
		return fmt.Errorf("installing hooks in %s: %w", r.HooksDir, ErrSharedHooks)
	}
	for _, name := range HookNames() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.installHook(binary, name); err != nil {
			return fmt.Errorf("installing the %s hook: %w", name, err)
		}
	}
	return nil
}

func (r *Repo) installHook(binary, name string) error {
	path := filepath.Join(r.hookScripts(), name)
	block := hookBlock(binary, name)
	saved := path + savedSuffix
	replaced := false // by another tool, while the hook from before is put aside
	if data, err := os.ReadFile(path); err == nil && exists(saved) {
		_, ok := BlockBody(data, block)
		replaced = !ok
	}
	if exists(saved) && !replaced {
		block = wrapperBlock(binary, name)
	} else if aside, err := r.mustPutAside(path); err != nil {
		return err
	} else if aside && replaced {
		return fmt.Errorf("%s cannot take lines of shell, and %s is in the way", path, saved)
	} else if aside {
		if err := os.Rename(path, saved); err != nil {
			return err
		}
		block = wrapperBlock(binary, name)
	}
	err := editFile(path, 0o755, func(data []byte) ([]byte, error) { return InsertBlock(data, block) })
	if err != nil && exists(saved) && !exists(path) {
		return errors.Join(err, os.Rename(saved, path))
	}
	return err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// mustPutAside tells a hook that lines can be added to from one that they
// would break, switch on, or that belongs to a file elsewhere.
func (r *Repo) mustPutAside(path string) (bool, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return true, nil
	}
	husky := r.hookScripts() != r.HooksDir // husky runs its scripts with sh, executable or not
	if runtime.GOOS != "windows" && !husky && info.Mode()&0o111 == 0 {
		return true, nil
	}
	data, err := os.ReadFile(path)
	return !isShell(data), err
}

// isShell is true for scripts that a POSIX shell reads: git runs a file
// without "#!" with sh.
func isShell(data []byte) bool {
	if bytes.IndexByte(data, 0) >= 0 {
		return false
	}
	if !bytes.HasPrefix(data, []byte("#!")) {
		return true
	}
	line, _, _ := bytes.Cut(data[2:], []byte("\n"))
	for _, word := range strings.Split(strings.TrimSpace(strings.TrimSuffix(string(line), "\r")), " ") {
		switch base := word[strings.LastIndexByte(word, '/')+1:]; base {
		case "sh", "bash", "dash", "ash", "ksh", "mksh", "zsh":
			return !bytes.HasSuffix(line, []byte("\r"))
		case "env", "busybox", "-S", "":
		default:
			return false
		}
	}
	return false
}

// RemoveHooks restores every hook byte for byte, mode included. Lines that
// somebody added around those of cortex stay.
func (r *Repo) RemoveHooks(ctx context.Context) error {
	if !r.ownHooks() {
		return nil // nothing is ever written there
	}
	var errs []error
	for _, name := range HookNames() {
		if err := r.removeHook(name); err != nil {
			errs = append(errs, fmt.Errorf("removing the %s hook: %w", name, err))
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

func (r *Repo) removeHook(name string) error {
	path := filepath.Join(r.hookScripts(), name)
	saved := path + savedSuffix
	if !exists(saved) {
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			return nil
		}
		return editFile(path, 0o755, func(data []byte) ([]byte, error) { return RemoveBlock(data, hookBlock("", name)) })
	}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		rest, err := RemoveBlock(data, hookBlock("", name))
		if err != nil {
			return err
		}
		if rest != nil {
			return fmt.Errorf("%s has lines of its own now, and the hook from before is %s: please join them by hand", path, saved)
		}
	}
	return os.Rename(saved, path)
}

// HookStates says how each hook stands. It only reads files.
func (r *Repo) HookStates(ctx context.Context, binary string) ([]HookState, error) {
	var states []HookState
	for _, name := range HookNames() {
		s := HookState{Name: name, Path: filepath.Join(r.hookScripts(), name)}
		if r.ownHooks() {
			r.readHook(&s, binary)
		} else {
			s.Problem = ErrSharedHooks.Error()
		}
		states = append(states, s)
	}
	return states, ctx.Err()
}

func (r *Repo) readHook(s *HookState, binary string) {
	data, err := os.ReadFile(s.Path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.Problem = err.Error()
		}
		return
	}
	block := hookBlock(binary, s.Name)
	if exists(s.Path + savedSuffix) {
		block = wrapperBlock(binary, s.Name)
	}
	if _, _, err := block.find(data); err != nil {
		s.Problem = err.Error()
		return
	}
	body, ok := BlockBody(data, block)
	s.Installed = ok
	runs := r.hookScripts() != r.HooksDir || executable(s.Path)
	s.Current = ok && runs && body == block.Body
	switch {
	case ok && !runs:
		s.Problem = "the hook is not executable, so git does not run it"
	case ok && !s.Current:
		s.Problem = "the hook calls another version or place of cortex"
	}
}
