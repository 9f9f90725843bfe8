package gitops

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/locks"
)

// maxAncestors bounds how far up the processes are followed from a hook to the git
// that called it. Managers of hooks put a few in between.
const maxAncestors = 16

// Amending reports whether we run in a hook of a commit that replaces HEAD. Git
// does not tell its hooks. Its command line does, where the system shows that and no
// alias stands there; else the author and date of the commit being made, which git
// hands to the hook, are those of HEAD. Then a commit of the same second looks like
// an amended one.
func (r *Repo) Amending(ctx context.Context) bool {
	if !r.options.InGitHook || r.Head == "" {
		return false
	}
	for pid, n := os.Getppid(), 0; pid > 1 && n < maxAncestors; n++ {
		args, parent, ok := locks.Process(pid)
		if !ok {
			break
		}
		if amends, known := amendIn(args); known {
			return amends
		}
		pid = parent
	}
	return r.authorOfHead(ctx)
}

// amendIn reads the command line of a process: whether it is `git commit`, and
// whether that amends. Options may be shortened.
func amendIn(args []string) (amends, known bool) {
	if len(args) == 0 || strings.TrimSuffix(strings.ToLower(filepath.Base(args[0])), ".exe") != "git" {
		return false, false
	}
	at := slices.Index(args, "commit")
	if at < 0 {
		return false, false
	}
	for _, arg := range args[at+1:] {
		if arg == "--" {
			break
		}
		if len(arg) > len("--a") && strings.HasPrefix("--amend", arg) {
			amends = true
		}
		if arg == "--no-amend" {
			amends = false
		}
	}
	return amends, true
}

// authorOfHead reports whether the author of the commit being made is that of HEAD,
// to the second.
func (r *Repo) authorOfHead(ctx context.Context) bool {
	env := func(name string) string { return gitcmd.LookupEnv(r.options.Env, name) }
	out, err := r.git.Run(ctx, gitcmd.Command{Args: []string{"-c", "log.showSignature=false", "log", "-1", "--no-color", "--format=%an%x00%ae%x00%at", "HEAD", "--"}})
	date, _, _ := strings.Cut(strings.TrimPrefix(env("GIT_AUTHOR_DATE"), "@"), " ")
	return err == nil && date != "" && strings.TrimSpace(string(out)) == env("GIT_AUTHOR_NAME")+"\x00"+env("GIT_AUTHOR_EMAIL")+"\x00"+date
}
