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

// Asked holds options of the `git commit` that a hook runs in. The zero value asks for no
// more than a commit.
type Asked struct {
	Amend bool // it replaces HEAD
	Empty bool // it may change no file
}

// Asked returns what the commit was asked for that we run in a hook of, if we do. Git
// does not tell its hooks. Its command line does, where the system shows that and no
// alias stands there; else a commit of which author and date, which git hands to the
// hook, are those of HEAD amends it. Then a commit of the same second looks like an
// amended one.
func (r *Repo) Asked(ctx context.Context) Asked {
	if !r.options.InGitHook {
		return Asked{}
	}
	if of, known := askedOfCommit(); known {
		return of
	}
	return Asked{Amend: r.Head != "" && r.authorOfHead(ctx)}
}

// askedOfCommit looks for `git commit` among the processes that we were called by. It is
// not known where an alias stands for it, or the system does not show command lines.
func askedOfCommit() (of Asked, known bool) {
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
	return Asked{}, false
}

// askedIn reads the command line of a process: whether it is `git commit`, and what it
// was asked. Options may be shortened.
func askedIn(args []string) (of Asked, known bool) {
	if len(args) == 0 || strings.TrimSuffix(strings.ToLower(filepath.Base(args[0])), ".exe") != "git" {
		return Asked{}, false
	}
	at := slices.Index(args, "commit")
	if at < 0 {
		return Asked{}, false
	}
	for _, arg := range args[at+1:] {
		if arg == "--" {
			break
		}
		of.read(arg)
	}
	return of, true
}

// read reads one argument of `git commit`.
func (a *Asked) read(arg string) {
	switch arg {
	case "--am", "--ame", "--amen", "--amend":
		a.Amend = true
	case "--no-amend":
		a.Amend = false
	case "--allow-empty": // any shorter could be --allow-empty-message
		a.Empty = true
	case "--no-allow-empty":
		a.Empty = false
	}
}

// authorOfHead reports whether the author of the commit being made is that of HEAD,
// to the second.
func (r *Repo) authorOfHead(ctx context.Context) bool {
	env := func(name string) string { return gitcmd.LookupEnv(r.options.Env, name) }
	out, err := r.git.Run(ctx,
		gitcmd.Command{Args: []string{
			"-c", "log.showSignature=false", "log", "-1", "--no-color",
			"--format=%an%x00%ae%x00%at", "HEAD", "--",
		}})
	date, _, _ := strings.Cut(strings.TrimPrefix(env("GIT_AUTHOR_DATE"), "@"), " ")
	return err == nil && date != "" &&
		strings.TrimSpace(string(out)) == env("GIT_AUTHOR_NAME")+"\x00"+env("GIT_AUTHOR_EMAIL")+"\x00"+date
}
