package clone

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/markers"
)

// triedHook is the hook that may refuse or rewrite what a commit brings.
const triedHook = "pre-commit"

// Trial is the verdict of a hook of the user or of the team on a commit. The zero value is that of no hook.
type Trial struct {
	Refused bool
	Always  bool     // it refuses without our files too
	Said    string   // what it printed
	Changed []string // files that it rewrote or took out, as git names them
}

// Try has the hook that comes before a commit look at one that adds files, and own files as they
// stand in the working tree. It runs in a clone of its own, which is removed: refs, index, stash, hooks and
// files of the user stay as they are. What the user changed elsewhere in tracked files is committed
// there before, and packages that are installed in the working tree are those of the clone. There must be one.
func (h *Hooks) Try(ctx context.Context, own []string, files map[string][]byte) (t Trial, err error) {
	if !h.hasOthers() {
		return t, nil
	}
	dir, err := os.MkdirTemp("", "cortex-try-")
	if err != nil {
		return t, err
	}
	defer os.RemoveAll(dir)
	s := &scratch{ctx: ctx, git: *h.git}
	s.git.Dir = physical(dir)
	s.copy(h.root, own)
	s.takeHooks(h)
	s.link(h)
	s.add(files)
	whole := strings.TrimSpace(s.ask("write-tree"))
	t.Said, t.Refused = s.run()
	t.Changed = gitcmd.Parts(s.ask("diff", "--cached", "--name-only", "-z", whole))
	if t.Refused {
		s.ask("reset", "-q", "--hard")
		_, t.Always = s.run()
	}
	return t, errors.Join(s.err, ctx.Err())
}

// hasOthers reports whether the hook does more than call cortex.
func (h *Hooks) hasOthers() bool {
	data, _ := readFile(filepath.Join(h.folder(), triedHook)) // one that cannot be read cannot be run
	rest, _ := markers.Remove(data, hookBlock(Binary{}, triedHook))
	return len(rest) > 0
}

// scratch is a clone in which a hook is tried. After the first error it does nothing.
type scratch struct {
	ctx   context.Context //nolint:containedctx // it lives as long as one call
	git   gitcmd.Runner   // in its folder
	hooks string          // the folder of the hooks that are tried
	err   error
}

// at is a path in it.
func (s *scratch) at(name string) string { return filepath.Join(s.git.Dir, filepath.FromSlash(name)) }

// ask runs git there, without hooks.
func (s *scratch) ask(args ...string) string {
	if s.err != nil {
		return ""
	}
	var out string
	out, s.err = s.git.Text(s.ctx, gitcmd.Command{
		Doing: "trying a commit", Args: append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...),
		None: []int{1}, // of git add: some of the files are ignored
		Env: append(gitcmd.Committer("cortex <cortex@localhost>"), "GIT_AUTHOR_NAME=cortex",
			"GIT_AUTHOR_EMAIL=cortex@localhost", "GIT_LFS_SKIP_SMUDGE=1", "GIT_ALLOW_PROTOCOL=file"),
	})
	return out
}

// copy makes it a clone with the state of a working tree, in which own files alone are to be committed.
func (s *scratch) copy(root string, own []string) {
	there := func(args ...string) []string {
		return append([]string{"--git-dir=" + s.at(".git"), "--work-tree=" + root, "-C", root, "--literal-pathspecs"},
			args...)
	}
	for _, args := range [][]string{
		{"clone", "-q", "--shared", "--no-checkout", "--no-tags", "--template=", "--", root, s.git.Dir},
		there("reset", "-q"),
		there("add", "-u"),
		there(append([]string{"reset", "-q", "--"}, own...)...),
		{"commit", "-q", "--allow-empty", "--no-gpg-sign", "-m", "the working tree"},
		there(append([]string{"add", "--"}, own...)...),
		{"checkout-index", "-q", "-a"},
	} {
		s.ask(args...)
	}
}

// takeHooks copies the hooks, since some hook managers write theirs anew when they run.
func (s *scratch) takeHooks(h *Hooks) {
	rel, in := Below(h.root, h.folder())
	if !in {
		rel = filepath.Join(".git", "hooks")
	}
	if s.hooks = filepath.Join(s.git.Dir, rel); !gitcmd.Exists(s.hooks) { // else they are in the repository
		s.err = errors.Join(s.err, os.CopyFS(s.hooks, os.DirFS(h.folder())))
	}
}

// installed are the folders in which package managers put what hooks run.
func installed() []string { return []string{"node_modules", ".venv", "venv", "vendor"} }

// link links the packages that are installed in a working tree, which git ignores.
func (s *scratch) link(h *Hooks) {
	out := s.ask("-C", h.root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	exclude := ""
	for _, name := range gitcmd.Parts(out) {
		name = strings.TrimSuffix(name, "/")
		if slices.Contains(installed(), path.Base(name)) {
			at := s.at(name)
			exclude += "/" + name + "\n"
			s.err = errors.Join(s.err, os.MkdirAll(filepath.Dir(at), 0o777),
				os.Symlink(filepath.Join(h.root, name), at))
		}
	}
	s.write(".git/info/exclude", []byte(exclude))
}

// add writes files and stages them.
func (s *scratch) add(files map[string][]byte) {
	for name, data := range files {
		s.write(name, data)
		s.ask("add", "-f", "--", name)
	}
}

func (s *scratch) write(name string, data []byte) {
	at := s.at(name)
	s.err = errors.Join(s.err, os.MkdirAll(filepath.Dir(at), 0o777),
		atomicfile.WritePath(at, data, atomicfile.Options{NoSync: true}))
}

// run runs the hook, and returns what it printed and whether it refused.
func (s *scratch) run() (string, bool) {
	said, err := s.git.Combined(s.ctx, gitcmd.Command{
		Args: []string{"-c", "core.hooksPath=" + s.hooks, "hook", "run", "--ignore-missing", triedHook},
		Env:  []string{"GIT_ALLOW_PROTOCOL=file:git:http:https:ssh"}, // a hook may install what it runs
	})
	return strings.ReplaceAll(string(said), s.git.Dir+string(filepath.Separator), ""), err != nil
}
