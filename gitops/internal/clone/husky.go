package clone

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/internal/markers"
)

// TeamHook is a script of the team that the scripts of a hook manager run. It takes
// one block of lines, the same in every clone: a commit brings it to the others.
type TeamHook struct {
	Path  string // relative to the top of the working tree, with slashes
	Block markers.Block
}

// TeamHookAt is the one at a path that was written to earlier.
func TeamHookAt(at string) TeamHook { return TeamHook{at, teamBlock(path.Base(at))} }

// teamBlock calls cortex from where agents' hooks find it too. Its lines do nothing in
// a clone without cortex, and leave PATH as it is for what follows.
func teamBlock(name string) markers.Block {
	return markers.Block{
		Name: "hook", Top: true,
		Body: "(PATH=\"$PATH:$HOME/go/bin:$HOME/.local/bin:/usr/local/bin:/opt/homebrew/bin\" && export PATH &&\n" +
			"\tcommand -v cortex >/dev/null && cortex hook " + name + " </dev/null) || :\n",
	}
}

// husky is the folder with the hooks of a team that uses husky 9 or later, or "". git
// runs scripts in its folder "_", which husky writes anew at each installation; they
// run those of the team with `sh -e`.
func (h *Hooks) husky() string {
	dir := h.folder()
	up := filepath.Dir(dir)
	rel, in := Below(h.root, up)
	if !in || rel == "." || !ofHusky(dir) {
		return ""
	}
	return up
}

// ofHusky reports whether husky writes the scripts of a folder, or will do so when it is
// installed in this clone.
func ofHusky(dir string) bool {
	if filepath.Base(dir) != "_" {
		return false
	}
	if gitcmd.Exists(dir) {
		return gitcmd.Exists(filepath.Join(dir, "h"))
	}
	up := filepath.Dir(dir)
	return filepath.Base(up) == ".husky" && gitcmd.Exists(up)
}

// TeamHooks are the scripts of the team that cortex is called from, or has to be: git
// runs no hooks from its configuration before 2.54, and what is in the folder that git
// looks into does not last. Whoever writes them does so before [Hooks.Install].
func (h *Hooks) TeamHooks(ctx context.Context) ([]TeamHook, error) {
	dir := h.husky()
	if dir == "" {
		return nil, nil
	}
	v, err := h.git.Version(ctx)
	if err != nil {
		return nil, err
	}
	rel, _ := Below(h.root, dir)
	var hooks []TeamHook
	for _, name := range HookNames() {
		file := filepath.Join(dir, name)
		data, err := readFile(file)
		if err != nil {
			continue // [Hooks.States] says so
		}
		_, ours := markers.Body(data, teamBlock(name))
		needed := !byConfig(v) && !callsCortex(data, name)
		if ours || needed && takesLines(file, data) {
			hooks = append(hooks, TeamHookAt(filepath.ToSlash(filepath.Join(rel, name))))
		}
	}
	return hooks, nil
}

// takesLines reports whether lines of ours work in a script that husky runs: not where
// lines end in CRLF, and not in a file that is read-only or leads elsewhere.
func takesLines(file string, data []byte) bool {
	info, err := os.Lstat(file)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return info.Mode().IsRegular() && info.Mode().Perm()&0o200 != 0 && !bytes.Contains(data, []byte("\r\n")) &&
		markers.Check(data, teamBlock("")) == nil
}

// readTeamHook says how a hook stands that git runs from husky's folder.
func (h *Hooks) readTeamHook(s *HookState, dir string) error {
	file := filepath.Join(dir, s.Name)
	data, err := readFile(file)
	if err != nil {
		return err
	}
	if err := markers.Check(data, teamBlock(s.Name)); err != nil {
		return err
	}
	s.theirs = callsCortex(data, s.Name)
	s.Installed = gitcmd.Executable(s.Path) && s.theirs
	s.Current = s.Installed
	s.Path = file
	if !s.Installed && !takesLines(file, data) {
		rel, _ := Below(h.root, dir)
		err := &HooksFolderError{Dir: rel}
		s.Problem, s.Hint = err.Error(), err.Hint()
	}
	return nil
}
