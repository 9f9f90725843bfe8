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
	if asked, known := askedOfCommit(); known {
		return asked.amend
	}
	return r.authorOfHead(ctx)
}

// NothingStaged reports whether we run in a hook of a commit for which nothing is staged.
// Git refuses it once the hook has run, unless it amends, or is empty on purpose: where
// the system shows --allow-empty in git's command line, that is none either.
func (r *Repo) NothingStaged(ctx context.Context) bool {
	if !r.options.InGitHook {
		return false
	}
	args := []string{"diff", "--cached", "--quiet", "--no-ext-diff", "--ignore-submodules=none"}
	if _, err := r.git.Run(ctx, gitcmd.Command{Args: args}); err != nil { // 1: something is staged
		return false
	}
	asked, known := askedOfCommit()
	return !asked.empty && !asked.amend && (known || !r.Amending(ctx))
}

// asked are options of `git commit`.
type asked struct{ amend, empty bool }

// askedOfCommit looks for `git commit` among the processes that we were called by. It is
// not known where an alias stands for it, or the system does not show command lines.
func askedOfCommit() (of asked, known bool) {
	for pid, n := os.Getppid(), 0; pid > 1 && n < maxAncestors; n++ {
		args, parent, ok := locks.Process(pid)
		if !ok {
			break
		}
		if of, known := askedIn(args); known {
			return of, true
		}
		pid = parent
	}
	return asked{}, false
}

// askedIn reads the command line of a process: whether it is `git commit`, and what it
// was asked. Options may be shortened.
func askedIn(args []string) (of asked, known bool) {
	if len(args) == 0 || strings.TrimSuffix(strings.ToLower(filepath.Base(args[0])), ".exe") != "git" {
		return asked{}, false
	}
	at := slices.Index(args, "commit")
	if at < 0 {
		return asked{}, false
	}
	for _, arg := range args[at+1:] {
		switch {
		case arg == "--":
			return of, true
		case len(arg) > len("--a") && strings.HasPrefix("--amend", arg):
			of.amend = true
		case arg == "--no-amend":
			of.amend = false
		case arg == "--allow-empty": // any shorter could be --allow-empty-message
			of.empty = true
		case arg == "--no-allow-empty":
			of.empty = false
		}
	}
	return of, true
}

// authorOfHead reports whether the author of the commit being made is that of HEAD,
// to the second.
func (r *Repo) authorOfHead(ctx context.Context) bool {
	env := func(name string) string { return gitcmd.LookupEnv(r.options.Env, name) }
	out, err := r.git.Run(ctx, gitcmd.Command{Args: []string{"-c", "log.showSignature=false", "log", "-1", "--no-color", "--format=%an%x00%ae%x00%at", "HEAD", "--"}})
	date, _, _ := strings.Cut(strings.TrimPrefix(env("GIT_AUTHOR_DATE"), "@"), " ")
	return err == nil && date != "" && strings.TrimSpace(string(out)) == env("GIT_AUTHOR_NAME")+"\x00"+env("GIT_AUTHOR_EMAIL")+"\x00"+date
}
