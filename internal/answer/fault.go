package answer

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/gitops/user"
	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/certify"
	"github.com/git-cortex/cortex/workspace/changes"
	"github.com/git-cortex/cortex/workspace/consolidate"
	"github.com/git-cortex/cortex/workspace/curate"
	"github.com/git-cortex/cortex/workspace/exchange"
	"github.com/git-cortex/cortex/workspace/explore"
	"github.com/git-cortex/cortex/workspace/guards"
	"github.com/git-cortex/cortex/workspace/imports"
	"github.com/git-cortex/cortex/workspace/review"
	"github.com/git-cortex/cortex/workspace/settings"
)

// Fault is an error as it is shown: what went wrong in words that are safe, one
// word for a program to branch on, and what to type next, "" when there is
// nothing useful to say. A hint may have several lines.
type Fault struct {
	Error string `json:"error"`
	Hint  string `json:"hint"`
	Kind  string `json:"kind"`
}

// Kinds that decide about an exit code.
const (
	KindInterrupted = "interrupted"
	KindNoRepo      = "not-a-repository"
	KindMassRemoval = "mass-removal"
	KindNotAgreed   = "not-agreed"
	KindUsage       = "usage"
)

// WithHint returns err with a hint that goes before any other.
func WithHint(err error, hint string) error { return &hinted{err, hint} }

type hinted struct {
	err  error
	hint string
}

func (e *hinted) Error() string { return e.err.Error() }
func (e *hinted) Unwrap() error { return e.err }

// Explain returns err, which is not nil, as it is shown.
func Explain(err error) Fault {
	f := explain(err)
	f.Error = memory.Defang(err.Error())
	f.Kind = cmp.Or(f.Kind, "error")
	var own *hinted
	if errors.As(err, &own) {
		f.Hint = own.hint
	}
	return f
}

// sentinel gives an error that [errors.Is] recognises its kind and hint.
type sentinel struct {
	err  error
	kind string // "" is "error"
	hint string
}

// bare says what a repository without files is good for.
const bare = "a bare repository can be read: list, search, show, brief, log, diff"

// sentinels are in the order in which they are looked for.
func sentinels() []sentinel {
	return []sentinel{
		{context.Canceled, KindInterrupted, ""},
		{gitops.ErrNotRepository, KindNoRepo, "Cortex keeps memories in a git repository: run git init, change to a " +
			"repository, or use -C DIR"},
		{gitops.ErrLineBreak, "line-break", "rename the folder: git prints one path a line, and this one has several"},
		{gitops.ErrNoGit, "no-git", "install git, and make sure that it is on PATH"},
		{gitops.ErrNoWorktree, "no-working-tree", "run this in a clone with a working tree\n" + bare},
		{gitops.ErrNoRevision, "no-revision", "to see the commits: git log --oneline"},
		{
			workspace.ErrUnborn, "no-revision",
			"to read another branch, one of `git branch`: cortex list --branch NAME\n" + bare,
		},
		{workspace.ErrNoBranch, "no-revision", "to see the branches: git branch --all"},
		{certify.ErrNoMerge, "no-merge", "name the sides of the merge: cortex verify-merge A B"},
		{certify.ErrShallow, "shallow", "git fetch --unshallow"},
		{changes.ErrShallow, "shallow", "git fetch --unshallow; in CI, check out with the whole history " +
			"(fetch-depth: 0, GIT_DEPTH: 0)"},
		{changes.ErrUnrelated, "unrelated", "to compare two states as they are: cortex diff OLD NEW"},
		{changes.ErrNoBase, "no-base", "to name it: cortex diff BASE..HEAD"},
		{gitops.ErrPartial, "partial", "to fetch what is missing: git log -p -m --all -- .cortex >/dev/null"},
		{workspace.ErrNoGlobal, "no-global-store", `cortex remember --global --type preference "Tests first, then ` +
			`the code"`},
		{explore.ErrNoSession, "not-found", "to list the sessions that were read: cortex sessions"},
		{review.ErrNotWaiting, "not-found", "to see what waits for review: cortex review --list"},
		{review.ErrMutes, "", "ask the user to run cortex mute"},
		{guards.ErrAgent, "", "ask the user to run cortex guard"},
		{guards.ErrOrigin, "", "if it is so, you may say it: add --yes"},
		{guards.ErrNoShape, "", `say it yourself: cortex guard add ID --command "git push" --branch main, ` +
			`or --path generated/`},
		{guards.ErrThere, "", "to see it: cortex guard list; to make it anew, remove it first"},
		{guards.ErrUnknown, "not-found", "to see the names: cortex guard list"},
		{review.ErrNoStray, "not-found", "to see what waits, and for which branch: cortex review --list"},
		{settings.ErrUnknown, "not-found", "to see the settings: cortex config list"},
		{settings.ErrAgent, "", "ask the user to run cortex config"},
		{consolidate.ErrNoGroup, "not-found", "to see the groups as they are now: cortex consolidate"},
		{curate.ErrNoSession, "not-found", "to list the sessions that were read: cortex sessions"},
		{curate.ErrNothingWaits, "nothing-waits", "to see what is pending: cortex review --list"},
		{
			curate.ErrNoCommand, "no-command",
			"to choose one: cortex init --curate claude; without one, cortex curate prints the worksheet for a " +
				"reader of your own, and cortex search takes --hyde=TEXT",
		},
		{
			workspace.ErrNotFound, "not-found",
			"to see the ids of this view: cortex list; those of other branches too: cortex list --all-branches",
		},
		{workspace.ErrAmbiguous, "ambiguous", ""},
		{agents.ErrTranscript, "transcript", ""},
		{workspace.ErrEmpty, "", `cortex remember "We pin Go 1.26 because 1.27 breaks the Windows build"`},
		{exchange.ErrNoRemote, "no-remote", "git remote add origin URL"},
		{exchange.ErrWhichRemote, "no-remote", "to choose one: cortex sync NAME, where NAME is listed by `git remote`"},
		{
			exchange.ErrUnknownRemote, "no-remote",
			"to choose one: cortex sync NAME, where NAME is listed by `git remote`",
		},
		{exchange.ErrContended, "contended", "nothing is lost; in a moment, run cortex sync again"},
		{gitops.ErrSyncBusy, "contended", "nothing is lost; in a moment, run cortex sync again"},
		{imports.ErrNotRegular, "", "to import what a program prints, pipe it in: PROGRAM | cortex import KIND -"},
		{
			imports.ErrNoSQLite, "no-sqlite",
			"install it, and make sure that it is on PATH: the package sqlite3 or sqlite; on Windows: " +
				"winget install SQLite.SQLite",
		},
		{client.ErrNoAddress, "hub-none", "to name it, and to say who you are there: cortex hub login https://HUB"},
		{client.ErrAddress, "hub-address", "to name another: cortex hub login https://HUB"},
		{client.ErrUnreachable, "hub-unreachable", "to see its address: git config --global cortex.hub.url\n" +
			"without --hub the answer comes from this clone"},
		{user.ErrNoLogin, "hub-login", "to say who you are: cortex hub login"},
		{client.ErrDenied, "hub-login", "to say who you are: cortex hub login"},
		{client.ErrUnavailable, "hub-busy", "its forge does not answer: try again in a minute"},
		{client.ErrTooOften, "hub-busy", "try again in a second"},
		{client.ErrQuestion, KindUsage, "cortex search --help"},
		{client.ErrNone, "not-found", "to find it: cortex search --hub QUERY"},
		{client.ErrFlagged, "hub-flagged", "a person can read it: add --flagged"},
		{client.ErrAnswer, "hub-answer", "is it a hub? to see its address: git config --global cortex.hub.url"},
		{fs.ErrNotExist, "no-such-file", ""},
	}
}

// known explains an error of one kind.
type known func(error) (f Fault, ok bool)

// as explains what [errors.As] recognises.
func as[E error](say func(E) Fault) known {
	return func(err error) (f Fault, ok bool) {
		found, ok := errors.AsType[E](err)
		if ok {
			f = say(found)
		}
		return f, ok
	}
}

// known is a sentinel that explains.
func (s sentinel) known(err error) (Fault, bool) {
	return Fault{Kind: s.kind, Hint: s.hint}, errors.Is(err, s.err)
}

// specific are errors that are looked for before the sentinels that they may wrap.
func specific() []known {
	return []known{
		as(func(e *query.FilterError) Fault { return Fault{Kind: KindUsage, Hint: e.Hint()} }),
		as(func(e *gitops.UnsafeError) Fault {
			return Fault{Kind: "unsafe-repository", Hint: "if you trust it: " + e.Hint()}
		}),
		as(func(e *gitops.CacheLinkError) Fault { return Fault{Kind: "cache-link", Hint: e.Hint()} }),
		as(func(e *workspace.ElsewhereError) Fault { return Fault{Hint: ElsewhereHint(e)} }),
		as(func(e *workspace.NotPendingError) Fault {
			return Fault{Kind: "not-pending", Hint: "a person removes it: cortex forget " + e.Entry.Memory.ID.Short()}
		}),
		as(func(*gitops.OldGitError) Fault {
			return Fault{Kind: "old-git", Hint: "install a newer git, and make sure that it is the first on PATH"}
		}),
		as(func(*workspace.NewerError) Fault {
			return Fault{Kind: "newer-format", Hint: "install a newer cortex; to see this version: cortex version"}
		}),
	}
}

// ofExchange are errors of an exchange, which sentinels explain better that they wrap.
func ofExchange() []known {
	return []known{
		as(func(*exchange.MassRemoval) Fault {
			return Fault{
				Kind: KindMassRemoval,
				Hint: "to see them: cortex sync --dry-run\nif they landed elsewhere: git fetch, then cortex sync\n" +
					"if they are meant to go: cortex sync --accept-removals",
			}
		}),
		as(func(e *exchange.Publication) Fault {
			return Fault{
				Kind: KindNotAgreed,
				Hint: "to see it: cortex sync --dry-run\nif all who can read " + e.Remote +
					" may read it, a person runs: cortex sync --yes",
			}
		}),
		as(func(e *gitops.RemoteError) Fault { return Fault{Kind: "remote-" + e.Kind, Hint: remoteHint(e)} }),
	}
}

func explain(err error) Fault {
	of := func(s sentinel) known { return s.known }
	for _, explains := range slices.Concat(specific(), lists.Map(sentinels(), of), ofExchange()) {
		if f, ok := explains(err); ok {
			return f
		}
	}
	return Fault{}
}

func remoteHint(e *gitops.RemoteError) string {
	try := "git ls-remote " + e.Remote
	test := "to test the connection: " + try
	hint := map[string]string{
		gitops.RemoteAuth:        try + " must work first; if it asks for a password, run cortex sync in a terminal",
		gitops.RemoteUnreachable: "are you online? " + test + "; nothing is lost",
		gitops.RemoteMissing:     "to see its address: git remote get-url " + e.Remote,
		gitops.RemoteSilent:      test + "; to wait for five minutes: git config cortex.syncTimeout 300",
		gitops.RemoteLocked: "try again when the other git has ended; if none is running, the lock goes by itself" +
			" after ten seconds",
		gitops.RemoteMalformed: "nothing of it was taken in; the owner of " + e.Remote + " must restore an older " +
			gitops.JournalRef + " there",
		gitops.RemoteRefused: "what was received is in this clone; the owner of " + e.Remote +
			" must allow pushes to " + gitops.JournalRef,
	}
	return cmp.Or(hint[e.Kind], test)
}

// ElsewhereHint says how to get at a memory of another branch.
func ElsewhereHint(e *workspace.ElsewhereError) string {
	switch {
	case e.Gone:
		return "to make it pending here: cortex review --rehome " + workspace.Quote(e.Branch)
	case e.Branch == workspace.DetachedName:
		return "accept it in the worktree whose HEAD is detached"
	}
	return "to accept it there: git switch " + workspace.Quote(e.Branch)
}
