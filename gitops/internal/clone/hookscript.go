package clone

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

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/markers"
)

// savedSuffix is appended to the name of a hook that cannot take lines of
// shell; the script in its place runs it.
const savedSuffix = ".cortex-saved"

// hookBlock is the lines of one hook. They cannot fail, read nothing of the
// hook's input, and leave the rest of the script alone.
func hookBlock(binary Binary, name string) markers.Block {
	call := binary.call("hook "+name+" \"$@\" </dev/null || :", "")
	return markers.Block{Name: "hook", Top: true, Body: restingCall(name, call) + "\n"}
}

// wrapperBlock is hookBlock for a hook that was put aside: it runs it last.
// The hook may be one that the user had switched off.
func wrapperBlock(binary Binary, name string) markers.Block {
	b := hookBlock(binary, name)
	b.Body += "saved=\"$(dirname \"$0\")/" + name + savedSuffix + "\"\n" +
		"if [ -x \"$saved\" ]; then\n\texec \"$saved\" \"$@\"\nfi\n"
	return b
}

// folder is where git looks for hooks, without links on the way.
func (h *Hooks) folder() string { return physical(h.dir) }

func physical(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// longestPath is more than any path has that a system opens by one name, in bytes.
const longestPath = 4096

// Below is the path from top to path, if path is top or below it. It compares files
// and not names: the file system may see no difference between the cases of a
// letter, or the forms of an accent, in which git and a user spell a path. A path that is
// too long to be one, which an agent may name, is compared by its letters alone.
func Below(top, path string) (rel string, ok bool) {
	if top == "" {
		return "", false
	}
	if rel, err := filepath.Rel(top, path); err == nil && filepath.IsLocal(rel) {
		return rel, true
	}
	if len(path) > longestPath {
		return "", false
	}
	return climb(top, path)
}

// climb goes up from path to top, and returns the way back.
func climb(top, path string) (rel string, ok bool) {
	there, err := os.Stat(top)
	if err != nil {
		return "", false
	}
	for at := path; ; at = filepath.Dir(at) {
		if info, _ := os.Stat(at); os.SameFile(info, there) {
			rel, err := filepath.Rel(at, path)
			return rel, err == nil
		}
		if at == filepath.Dir(at) {
			return "", false
		}
	}
}

// checkFolder is a [*HooksFolderError] when the scripts that git runs here
// are not ours to write: outside of the repository, or in its working tree and
// not ignored. There a line would show in `git status` and reach the team with
// the next commit. What is ignored was generated in this clone; for husky see
// [Hooks.TeamHooks].
func (h *Hooks) checkFolder(ctx context.Context) error {
	dir := h.folder()
	for _, own := range []string{h.commonDir, h.gitDir} {
		if _, in := Below(physical(own), dir); in {
			return nil
		}
	}
	rel, in := Below(h.root, dir)
	if !in {
		return &HooksFolderError{Dir: h.dir, Shared: true}
	}
	if !gitcmd.Exists(dir) {
		return &HooksFolderError{Dir: rel, Missing: true}
	}
	args := []string{"check-ignore", "--"}
	for _, name := range HookNames() {
		args = append(args, filepath.Join(rel, name))
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Args: args})
	if err != nil && gitcmd.ExitCode(err) != 1 {
		return fmt.Errorf("asking git which hooks are ignored: %w", err)
	}
	if bytes.Count(out, []byte("\n")) < len(HookNames()) {
		return &HooksFolderError{Dir: rel}
	}
	return nil
}

// installScripts chains cortex into the scripts that git runs here, keeping
// what is there. A hook that is not a shell script, a symbolic link, or not
// executable is put aside as <name>.cortex-saved and called from a script in
// its place. A hook that is there without cortex never skips the user's lines.
func (h *Hooks) installScripts(ctx context.Context, names []string, binary Binary) error {
	if len(names) == 0 {
		return nil
	}
	if err := h.checkFolder(ctx); err != nil {
		return err
	}
	if dir := h.husky(); dir != "" {
		rel, _ := Below(h.root, dir)
		return &HooksFolderError{Dir: rel} // see [Hooks.TeamHooks]
	}
	for _, name := range names {
		if h.shelvedRuns(name, binary) {
			continue
		}
		if err := h.installHook(binary, name); err != nil {
			return fmt.Errorf("installing the %s hook: %w", name, err)
		}
	}
	return nil
}

// shelvedRuns reports whether the pre-commit framework runs our lines in the
// hook that it found.
func (h *Hooks) shelvedRuns(name string, binary Binary) bool {
	dir := h.folder()
	framework, _ := os.ReadFile(filepath.Join(dir, name)) // no hook runs no lines
	if !bytes.Contains(framework, []byte("pre-commit")) {
		return false
	}
	legacy := filepath.Join(dir, name+".legacy")
	data, _ := os.ReadFile(legacy)
	block := hookBlock(binary, name)
	body, _ := markers.Body(data, block)
	return body == block.Body && gitcmd.Executable(legacy)
}

func (h *Hooks) installHook(binary Binary, name string) error {
	path := filepath.Join(h.folder(), name)
	saved := path + savedSuffix
	block := hookBlock(binary, name)
	aside, err := putAside(path, saved, block)
	if err != nil {
		return err
	}
	if aside {
		block = wrapperBlock(binary, name)
	}
	err = atomicfile.Edit(path, 0o755, func(data []byte) ([]byte, error) { return markers.Insert(data, block) })
	if err != nil && gitcmd.Exists(saved) && !gitcmd.Exists(path) {
		return errors.Join(err, atomicfile.Rename(saved, path))
	}
	return err
}

// putAside renames a hook that cannot take lines of ours to saved. It reports whether the
// script at path is to run that one, whenever it was put there.
func putAside(path, saved string, block markers.Block) (bool, error) {
	if isAside(path, saved, block) {
		return true, nil
	}
	must, err := mustPutAside(path)
	if err != nil || !must {
		return false, err
	}
	if gitcmd.Exists(saved) {
		return false, fmt.Errorf("%s cannot take lines of shell, and %s is in the way", path, saved)
	}
	return true, atomicfile.Rename(path, saved)
}

// isAside reports whether there is a hook at saved, and no other tool has replaced the
// script of ours that runs it.
func isAside(path, saved string, block markers.Block) bool {
	if !gitcmd.Exists(saved) {
		return false
	}
	data, err := os.ReadFile(path)
	_, ours := markers.Body(data, block)
	return err != nil || ours
}

// mustPutAside tells a hook that lines can be added to from one that they
// would break, switch on, or that belongs to a file elsewhere.
func mustPutAside(path string) (bool, error) {
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
	if runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
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

// removeScripts restores every hook byte for byte, mode included: where git
// looks for hooks now, and in its own folder, where it may have looked when
// cortex was set up. Lines that somebody added around those of cortex stay.
func (h *Hooks) removeScripts(ctx context.Context, names []string) error {
	dirs, err := h.scriptFolders(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, dir := range dirs {
		for _, name := range names {
			errs = append(errs, removeScript(filepath.Join(dir, name), name))
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// scriptFolders are the folders in which there may be scripts with lines of ours.
func (h *Hooks) scriptFolders(ctx context.Context) (dirs []string, err error) {
	own, dir := physical(filepath.Join(h.commonDir, "hooks")), h.folder()
	if _, in := Below(physical(h.commonDir), own); in {
		dirs = append(dirs, own)
	}
	if dir == own {
		return dirs, nil
	}
	err = h.checkFolder(ctx)
	if err == nil {
		return append(dirs, dir), nil
	}
	if _, notOurs := errors.AsType[*HooksFolderError](err); notOurs {
		return dirs, nil
	}
	return nil, err
}

// removeScript takes our lines out of a hook, also where another tool keeps the hook
// that it found: the pre-commit framework, which runs it, and lefthook, which does not.
func removeScript(path, name string) error {
	err := errors.Join(removeHook(path, name), takeLines(path+".legacy", name), takeLines(path+".old", name))
	if err != nil {
		return fmt.Errorf("removing the %s hook: %w", name, err)
	}
	return nil
}

// takeLines takes our lines out of a script, and the script if nothing is left.
func takeLines(path, name string) error {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil //nolint:nilerr // not there, or nothing of ours
	}
	return atomicfile.Edit(path, 0o755, func(data []byte) ([]byte, error) {
		return markers.Remove(data, hookBlock(Binary{}, name))
	})
}

func removeHook(path, name string) error {
	saved := path + savedSuffix
	if !gitcmd.Exists(saved) {
		return takeLines(path, name)
	}
	data, err := readFile(path)
	if err != nil {
		return err
	}
	rest, err := markers.Remove(data, hookBlock(Binary{}, name))
	if err != nil {
		return err
	}
	if rest != nil {
		return fmt.Errorf("%s has lines of its own now, and the hook from before is %s: please join them by hand",
			path, saved)
	}
	return atomicfile.Rename(saved, path)
}

// scriptStates says how each hook stands as a script. It only reads.
func (h *Hooks) scriptStates(ctx context.Context, binary Binary) ([]HookState, error) {
	var notOurs *HooksFolderError
	if err := h.checkFolder(ctx); err != nil && !errors.As(err, &notOurs) {
		return nil, err
	}
	var states []HookState
	for _, name := range HookNames() {
		s := HookState{Name: name, Way: ByScript, Path: filepath.Join(h.folder(), name)}
		if team := h.husky(); team == "" {
			h.readHook(&s, binary)
		} else if err := h.readTeamHook(&s, team); err != nil {
			s.Problem = err.Error()
		}
		if notOurs != nil {
			s.Hint = notOurs.Hint()
			if !s.Installed && s.Problem == "" {
				s.Problem = notOurs.Error()
			}
		}
		states = append(states, s)
	}
	return states, ctx.Err()
}

func (h *Hooks) readHook(s *HookState, binary Binary) {
	data, err := readFile(s.Path)
	block := blockAt(s.Path, binary, s.Name)
	if err := errors.Join(err, markers.Check(data, block)); err != nil {
		s.Problem = err.Error()
		return
	}
	body, ok := markers.Body(data, block)
	switch {
	case ok:
		s.Installed = true
	case callsCortex(data, s.Name):
		s.theirs, s.Installed = true, true
	default:
		s.Installed = h.shelvedRuns(s.Name, binary)
	}
	switch {
	case !s.Installed:
	case !gitcmd.Executable(s.Path):
		s.Problem = "the hook is not executable, so git does not run it"
	case ok && body != block.Body:
		s.Problem = "the hook calls another version or place of cortex"
	default:
		s.Current = true
	}
}

// blockAt is the block that belongs into the script of a hook as it stands.
func blockAt(path string, binary Binary, name string) markers.Block {
	if gitcmd.Exists(path + savedSuffix) {
		return wrapperBlock(binary, name)
	}
	return hookBlock(binary, name)
}

// callsCortex tells a script in which a person wrote a line such as [HookLine].
func callsCortex(data []byte, name string) bool {
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if !bytes.HasPrefix(line, []byte("#")) && bytes.Contains(line, []byte("cortex hook "+name)) {
			return true
		}
	}
	return false
}
