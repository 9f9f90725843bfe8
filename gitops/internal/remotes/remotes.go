// Package remotes exchanges the journal with remotes. Fill a [Remotes], then ask it for
// names and addresses, or take its [Remotes.Lock] for [Remotes.Fetch] and [Remotes.Push]. It
// promises that a fetch writes no ref but the image of the remote's journal, and that a push
// forces nothing.
package remotes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/gitops/internal/history"
	"github.com/git-cortex/cortex/gitops/internal/locks"
	"github.com/git-cortex/cortex/internal/lists"
)

// Sentinels of exchanges with remotes.
var (
	ErrRemoteMoved = errors.New("the remote's journal moved on") // somebody else's push was faster
	ErrSyncBusy    = errors.New("another sync is at work in this repository")
)

// Refs of cortex.
const (
	JournalRef     = "refs/cortex/journal"  // never a branch
	SafeRef        = "refs/cortex/safe"     // an earlier state of the journal
	TrackingPrefix = "refs/cortex-remotes/" // the journals of remotes, as they were last seen
)

// Remotes are the remotes of this repository and what they have of the journal.
// Names and what was fetched are safe for concurrent use; an exchange holds
// [Remotes.Lock].
type Remotes struct {
	Git       *gitcmd.Runner
	CommonDir string
	CacheDir  string
	LockWait  time.Duration
	Ident     string // of the writer of refs, "Name <mail>"
}

func (m *Remotes) history() history.Reader { return history.New(m.Git) }

// Head is the branch that the remote's HEAD pointed to when it was last
// fetched, by its short name; "" when that is not known.
func (m *Remotes) Head(ctx context.Context, remote string) string {
	if !gitcmd.Exists(filepath.Join(m.CommonDir, "reftable")) &&
		!gitcmd.Exists(filepath.Join(m.CommonDir, "refs", "remotes", filepath.FromSlash(remote), "HEAD")) {
		return "" // git does not pack symbolic refs: there is none to ask for
	}
	out, _ := m.Git.Ask(ctx, "", "symbolic-ref", "-q", "refs/remotes/"+remote+"/HEAD")
	name, ok := strings.CutPrefix(strings.TrimSpace(out), "refs/remotes/"+remote+"/")
	if !ok {
		return ""
	}
	return name
}

// Names are the names of the remotes that git knows, sorted. Names that could
// be taken for an option are left out.
func (m *Remotes) Names(ctx context.Context) ([]string, error) {
	out, err := m.Git.Ask(ctx, "listing remotes", "remote")
	names := strings.Fields(out)
	slices.Sort(names)
	return lists.Without(names, func(name string) bool { return strings.HasPrefix(name, "-") }), err
}

// Addresses are where a push to the remote goes, by git's own rules: there may be several.
func (m *Remotes) Addresses(ctx context.Context, remote string) ([]string, error) {
	out, err := m.Git.Ask(ctx, "asking for the address of "+remote, "remote", "get-url", "--push", "--all", "--",
		remote)
	return strings.Split(strings.TrimSpace(out), "\n"), err
}

// Upstream is the remote that the branch follows, "" when there is none.
func (m *Remotes) Upstream(ctx context.Context, branch string) string {
	if branch == "" {
		return ""
	}
	out, _ := m.Git.Ask(ctx, "", "config", "--get", "branch."+branch+".remote")
	return strings.TrimSpace(out)
}

// TrackingRef is where the journal of a remote is kept as it was last seen. It
// is below no branch, tag or remote of the user's.
func TrackingRef(remote string) string { return TrackingPrefix + remote + "/journal" }

// Fetched is the journal of a remote.
type Fetched struct {
	Commit  gitobject.ID // "" when the remote has none
	Rewound bool         // what was there before is gone: the remote was reset or rewritten
}

// quietRefs keeps git from touching anything but what is named: no tags, no
// FETCH_HEAD, no branches of the user's, no housekeeping, no submodules, and
// all of the journal in a partial clone too.
func quietRefs() []string {
	return []string{
		"--progress", "--no-write-fetch-head", "--no-tags", "--no-prune", "--no-recurse-submodules",
		"--no-auto-gc", "--no-write-commit-graph", "--no-filter", "--refmap=",
	}
}

// Fetch reads the journal of a remote into its [TrackingRef], and no
// other ref. A remote without one is no error. With dryRun the objects are
// fetched and no ref is written. The caller holds [Remotes.Lock].
//
// git looks at every object before it lets any in: names that it would not check
// out, such as .git, would make each later fsck fail. Into a pack, because what it
// has unpacked stays even if it is refused.
func (m *Remotes) Fetch(ctx context.Context, remote string, n gitcmd.Network, dryRun bool) (Fetched, error) {
	if failed := m.unlocked(ctx, remote); failed != nil {
		return Fetched{}, fmt.Errorf("fetching the journal: %w", failed)
	}
	m.reanchor(ctx)
	before := m.tracked(ctx, remote)
	args := append([]string{
		"-c", "core.fsync=all", "-c", "core.hooksPath=" + os.DevNull,
		"-c", "fetch.fsckObjects=true", "-c", "fetch.unpackLimit=1", "fetch",
	}, quietRefs()...)
	if dryRun {
		args = append(args, "--dry-run")
	}
	// The remote may have been rewound, so its own image is forced; nothing else is.
	args = append(args, "--", remote, "+"+JournalRef+":"+TrackingRef(remote))
	_, failed := m.Git.Online(ctx, remote, n, args)
	if failed != nil && failed.Lacks(JournalRef) {
		return Fetched{Rewound: before != ""}, nil
	}
	if failed != nil {
		return Fetched{}, fmt.Errorf("fetching the journal: %w", failed)
	}
	var err error
	f := Fetched{Commit: m.tracked(ctx, remote)}
	if dryRun {
		if f.Commit, err = m.ask(ctx, remote, n); err != nil {
			return Fetched{}, err
		}
	}
	if f.Commit == "" {
		return f, fmt.Errorf("fetching the journal: git wrote no %s", TrackingRef(remote))
	}
	f.Rewound = m.rewound(ctx, before, f.Commit)
	return f, nil
}

// ask asks a remote which commit its journal is at.
func (m *Remotes) ask(ctx context.Context, remote string, n gitcmd.Network) (gitobject.ID, error) {
	out, failed := m.Git.Online(ctx, remote, n, []string{"ls-remote", "--", remote, JournalRef})
	if failed != nil {
		return "", fmt.Errorf("fetching the journal: %w", failed)
	}
	id, _, _ := strings.Cut(string(out), "\t")
	if !gitobject.IsID(id) {
		return "", fmt.Errorf("fetching the journal: %w", ErrRemoteMoved)
	}
	return gitobject.ID(id), nil
}

// rewound reports whether a journal does not go on from the state that it was seen at before.
func (m *Remotes) rewound(ctx context.Context, before, now gitobject.ID) bool {
	if before == "" || before == now {
		return false
	}
	bases, err := m.history().MergeBases(ctx, before, now)
	return err == nil && !slices.Contains(bases, before)
}

// unlocked waits until nobody holds the lock of the tracking ref, and removes one
// that a killed git left.
func (m *Remotes) unlocked(ctx context.Context, remote string) *gitcmd.RemoteError {
	lock := locks.OfRef(m.CommonDir, m.CacheDir, TrackingRef(remote))
	if lock.Wait(ctx, m.LockWait) {
		return nil
	}
	return &gitcmd.RemoteError{Remote: remote, Kind: gitcmd.RemoteLocked, Err: fmt.Errorf("%s is there", lock.Path)}
}

// tracked returns the commit that the tracking ref names, "" if there is none.
func (m *Remotes) tracked(ctx context.Context, remote string) gitobject.ID {
	out, _ := m.Git.Ask(ctx, "", "rev-parse", "--verify", "-q", TrackingRef(remote))
	id := strings.TrimSpace(out)
	if !gitobject.IsID(id) {
		return ""
	}
	return gitobject.ID(id)
}

// Tracked are the journals of remotes as they were last seen, by the remote's name.
func (m *Remotes) Tracked(ctx context.Context) (map[string]gitobject.ID, error) {
	refs, err := m.Git.Refs(ctx, "listing what was fetched", TrackingPrefix)
	seen := make(map[string]gitobject.ID)
	for _, ref := range refs {
		if name, ok := strings.CutSuffix(strings.TrimPrefix(ref.Name, TrackingPrefix), "/journal"); ok &&
			gitobject.IsID(string(ref.ID)) {
			seen[name] = ref.ID
		}
	}
	return seen, err
}

// Forget removes every [TrackingRef] and returns their names; with dryRun
// it only names them. The journals themselves stay.
func (m *Remotes) Forget(ctx context.Context, dryRun bool) ([]string, error) {
	refs, err := m.Git.Refs(ctx, "listing what was fetched", TrackingPrefix)
	names := make([]string, len(refs))
	for i, ref := range refs {
		names[i] = ref.Name
	}
	if err != nil || dryRun {
		return names, err
	}
	for _, name := range names {
		if err := m.drop(ctx, name); err != nil {
			return names, err
		}
	}
	return names, nil
}

// drop removes a ref; with old only if it still says that.
func (m *Remotes) drop(ctx context.Context, ref string, old ...string) error {
	locks.OfRef(m.CommonDir, m.CacheDir, ref).RemoveStale()
	args := append([]string{"-c", "core.hooksPath=" + os.DevNull, "update-ref", "-d", ref}, old...)
	_, err := m.Git.Ask(ctx, "removing "+ref, args...)
	return err
}

// Push makes commit the journal of a remote, if that still says
// expected ("" for none); otherwise the error is [ErrRemoteMoved]. commit must
// be a descendant of expected, so nothing is ever forced: the lease is a
// compare-and-swap. The user's own pre-push hook is run, as for any push.
func (m *Remotes) Push(ctx context.Context, remote string, commit, expected gitobject.ID, n gitcmd.Network) error {
	if failed := m.unlocked(ctx, remote); failed != nil {
		return fmt.Errorf("pushing the journal: %w", failed)
	}
	out, failed := m.Git.Online(ctx, remote, n, []string{
		"push", "--porcelain", "--progress", "--no-follow-tags", "--recurse-submodules=no",
		"--force-with-lease=" + JournalRef + ":" + string(expected), "--", remote, string(commit) + ":" + JournalRef,
	})
	if failed != nil {
		return fmt.Errorf("pushing the journal: %w", pushError(failed, string(out)))
	}
	_, err := m.Git.Text(ctx, gitcmd.Command{
		Doing: "noting what was pushed", Env: gitcmd.Committer(m.Ident),
		Args: []string{
			"-c", "core.hooksPath=" + os.DevNull, "update-ref", "-m", "cortex sync", TrackingRef(remote),
			string(commit),
		},
	})
	return err
}

// lostPushes are git's words for a push that was too late.
func lostPushes() []string {
	return []string{
		"(stale info)", "(fetch first)", "(non-fast-forward)", "(failed to update ref)",
		"(incorrect old value provided)",
		"(reference already exists)", "(cannot lock ref", "(failed to lock)", "cannot lock ref '" + JournalRef,
	}
}

// pushError tells why a push failed, by git's words and by what it printed with --porcelain.
func pushError(failed *gitcmd.RemoteError, out string) error {
	refusal := refusalIn(out)
	text := refusal + "\n" + strings.Join(failed.Said, "\n")
	if slices.ContainsFunc(lostPushes(), func(lost string) bool { return strings.Contains(text, lost) }) {
		return fmt.Errorf("%w: %w", ErrRemoteMoved, failed)
	}
	const general = "failed to push some refs"
	if n := len(failed.Said); refusal == "" && n > 0 && strings.HasPrefix(failed.Said[n-1], general) {
		refusal = "(the pre-push hook of this clone said no)" // git says nothing else then
	}
	if refusal == "" {
		return failed
	}
	reason := strings.Trim(strings.TrimPrefix(strings.TrimPrefix(refusal, "[remote rejected]"), "[rejected]"), " ()")
	rest := lists.Without(failed.Said, func(line string) bool { return strings.HasPrefix(line, general) })
	failed.Said = append([]string{gitcmd.Anonymous(reason)}, rest[:min(len(rest), 3)]...)
	failed.Kind = gitcmd.RemoteRefused
	return failed
}

// refusalIn is why a ref was not pushed, in what git push --porcelain printed: "!", the ref, why.
func refusalIn(out string) (why string) {
	for line := range strings.Lines(out) {
		if fields := strings.Split(strings.TrimSpace(line), "\t"); len(fields) == 3 && fields[0] == "!" {
			why = fields[2]
		}
	}
	return why
}

// Lock lets one exchange with remotes at a time go on in a repository; another
// gets [ErrSyncBusy].
func (m *Remotes) Lock(ctx context.Context) (unlock func(), err error) {
	unlock, err = locks.File(ctx, filepath.Join(m.CacheDir, "sync.lock"), 2*m.LockWait)
	if errors.Is(err, locks.ErrBusy) {
		err = ErrSyncBusy
	}
	if err != nil {
		return nil, fmt.Errorf("locking: %w", err)
	}
	return unlock, nil
}

// Orphans are the tracking refs of remotes that are not configured any more.
func (m *Remotes) Orphans(ctx context.Context) ([]string, error) {
	refs, err := m.Forget(ctx, true)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	remotes, err := m.Names(ctx)
	if err != nil {
		return nil, err
	}
	return lists.Without(refs, func(ref string) bool {
		return slices.ContainsFunc(remotes, func(name string) bool { return ref == TrackingRef(name) })
	}), nil
}

// DropOrphan removes a tracking ref if the journal contains its history, and reports
// whether it did. A ref to states that were fetched and not taken in stays.
func (m *Remotes) DropOrphan(ctx context.Context, ref string) (bool, error) {
	if !strings.HasPrefix(ref, TrackingPrefix) {
		return false, fmt.Errorf("%s is no tracking ref of cortex", ref)
	}
	tip, err := m.history().Commit(ctx, ref)
	if err != nil {
		return false, err
	}
	journal, err := m.history().Commit(ctx, JournalRef)
	if err != nil {
		return false, nil // no journal has it
	}
	bases, err := m.history().MergeBases(ctx, tip, journal)
	if err != nil || !slices.Contains(bases, tip) {
		return false, err
	}
	err = m.drop(ctx, ref, string(tip))
	return err == nil, err
}

// reanchor points [SafeRef] at the journal, or removes it, where the state that it names is
// gone: git talks to no remote while any ref is broken.
func (m *Remotes) reanchor(ctx context.Context) {
	if !gitcmd.Exists(filepath.Join(m.CommonDir, filepath.FromSlash(SafeRef))) {
		return
	}
	if _, err := m.Git.Ask(ctx, "", "cat-file", "-e", SafeRef); err == nil {
		return
	}
	for _, change := range [][]string{{SafeRef, JournalRef}, {"-d", SafeRef}} {
		args := append([]string{"-c", "core.hooksPath=" + os.DevNull, "update-ref"}, change...)
		if _, err := m.Git.Run(ctx, gitcmd.Command{Args: args, Env: gitcmd.Committer(m.Ident)}); err == nil {
			return
		}
	}
}
