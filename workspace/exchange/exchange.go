// Package exchange brings the journals of clones together. Call [Sync]: it
// fetches the journal of a remote, checks every file of it, unites it with this
// clone's, and pushes what the remote lacks. It promises that clones which meet
// in any order end with the same files, that nothing with a secret in it leaves
// the clone, that nothing is forced, and that nobody loses many memories, or sends any
// to a remote for the first time, without having been asked. It implements "Sync" of FORMAT.md.
package exchange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/notices"
)

// Errors of [Sync] on which callers branch.
var (
	ErrNoRemote      = errors.New("this repository has no remote")
	ErrUnknownRemote = errors.New("there is no such remote")
	ErrWhichRemote   = errors.New("there are several remotes, and this branch follows none of them")
	ErrContended     = errors.New("other clones kept pushing first")
)

// Options say with which remote to exchange journals, and how. The zero value
// takes the remote that the branch follows and asks nobody anything.
type Options struct {
	Remote         string
	DryRun         bool // say what would be done; write no ref
	Prompt         bool // git and ssh may ask for a password
	AcceptRemovals bool // take part of removing many memories
	Agreed         bool // a person agrees to send to this remote for the first time
	// Confirm asks a person about a removal of many memories; nil refuses it.
	Confirm func(*MassRemoval) bool
	// Publish asks a person about sending to a remote for the first time; nil refuses it.
	Publish func(*Publication) bool
	// Progress hears about each step and what git says meanwhile; may be nil.
	Progress func(step string)
}

// Tally counts what an exchange did in one direction. Paths are those of pending
// memories in the journal.
type Tally struct {
	Added    []string `json:"added"`
	Changed  []string `json:"changed"`
	Removed  []string `json:"removed"`
	Sessions int      `json:"sessions"` // records
	Other    int      `json:"other"`    // counters, dismissals
}

// Empty reports whether nothing went that way.
func (t *Tally) Empty() bool {
	return len(t.Added)+len(t.Changed)+len(t.Removed)+t.Sessions+t.Other == 0
}

// HeldBack is a file of the journal that was not sent, because of the secret that
// was found in it.
type HeldBack struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
}

// Result says what one exchange did.
type Result struct {
	Remote   string
	New      bool // the remote had no journal before
	Rewound  bool // states that the remote had before were gone from it
	Received Tally
	Sent     Tally
	Refused  []gitops.Refusal // of what the remote has
	HeldBack []HeldBack
	Asks     string // in a dry run: what a person would be asked first
	Retries  int
}

// maxRetries bounds how often an exchange begins again because another clone
// was faster.
const maxRetries = 5

// syncTimeout is the setting for how many seconds a remote may say nothing. It
// is read from git's configuration only.
const syncTimeout = "cortex.syncTimeout"

// Sync exchanges journals with a remote: it fetches, unites both, and pushes
// what the remote lacks. What either side removed since they last met is
// removed, everything else is kept; nothing is ever forced. An error after the
// union leaves what was received in the journal.
func Sync(ctx context.Context, w *workspace.Workspace, in Options) (*Result, error) {
	out := &Result{}
	_, err := w.Journal.Snapshot(ctx)
	if err = errors.Join(err, w.Journal.Writable(ctx)); err != nil {
		return nil, err
	}
	if out.Remote, err = remote(ctx, w.Repo, in.Remote); err != nil {
		return nil, err
	}
	unlock, err := w.Repo.Remotes().Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if !in.DryRun && w.Repo.Root != "" {
		if _, err := w.Prune(ctx); err != nil {
			return nil, err
		}
	}
	out.Received, out.Sent = tally(nil, nil), tally(nil, nil)
	x := &run{w: w, in: in, out: out}
	for {
		err := x.round(ctx)
		if !errors.Is(err, gitops.ErrRemoteMoved) {
			return out, err
		}
		if out.Retries == maxRetries {
			return out, fmt.Errorf("syncing with %s: %w (%d tries)", out.Remote, ErrContended, maxRetries+1)
		}
		out.Retries++
		x.say("another clone pushed first; starting over")
		wait(ctx, time.Duration(out.Retries)*time.Duration(30+rand.IntN(120))*time.Millisecond)
	}
}

// wait waits, at most until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// remote chooses the remote to talk to, which is always one of git's own. With
// an empty name it is the one that the branch follows, else origin, else the
// only one there is.
func remote(ctx context.Context, repo *gitops.Repo, name string) (string, error) {
	names, err := repo.Remotes().Names(ctx)
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", ErrNoRemote
	}
	if name != "" {
		return oneOf(names, name)
	}
	if len(names) == 1 {
		return names[0], nil
	}
	for _, usual := range []string{repo.Remotes().Upstream(ctx, repo.Branch), "origin"} {
		if slices.Contains(names, usual) {
			return usual, nil
		}
	}
	return "", fmt.Errorf("%w: %s", ErrWhichRemote, strings.Join(names, ", "))
}

func oneOf(names []string, name string) (string, error) {
	if !slices.Contains(names, name) {
		return "", fmt.Errorf("%q: %w, only %s", name, ErrUnknownRemote, strings.Join(names, ", "))
	}
	return name, nil
}

// run is one run of [Sync].
type run struct {
	w   *workspace.Workspace
	in  Options
	out *Result
}

func (x *run) say(step string) {
	if x.in.Progress != nil {
		x.in.Progress(step)
	}
}

func (x *run) network(ctx context.Context) gitops.Network {
	n := gitops.Network{Prompt: x.in.Prompt, Progress: x.in.Progress}
	settings, err := x.w.Repo.Settings(ctx)
	if err != nil {
		return n
	}
	seconds, _ := strconv.Atoi(settings.Value(strings.ToLower(syncTimeout)))
	n.Idle = time.Duration(min(max(seconds, 0), 3600)) * time.Second
	return n
}

// round is one fetch, union and push. An error of [gitops.ErrRemoteMoved] asks
// for another.
func (x *run) round(ctx context.Context) error {
	w, r := x.w, x.w.Repo
	x.say("fetching from " + x.out.Remote)
	fetched, err := r.Remotes().Fetch(ctx, x.out.Remote, x.network(ctx), x.in.DryRun)
	if err != nil {
		return err
	}
	x.out.New = fetched.Commit == ""
	x.out.Rewound = x.out.Rewound || fetched.Rewound
	x.say("uniting both journals")
	theirs, err := x.theirs(ctx, fetched.Commit)
	if err != nil {
		return err
	}
	united, err := x.receive(ctx, fetched.Commit, theirs)
	if err != nil {
		return err
	}
	defer united.close()
	sent, err := x.publication(ctx, united, theirs)
	if err != nil || sent.empty() {
		return err
	}
	if err := x.permit(ctx); err != nil || x.in.DryRun {
		return err
	}
	change := sent.change
	change.Message, change.When = "sync: "+x.out.Sent.words(), w.Now()
	made, err := r.Journal().Compose(ctx, fetched.Commit, change)
	if err != nil {
		return err
	}
	defer made.Close()
	x.sign(ctx, made)
	x.say("pushing to " + x.out.Remote)
	if err := r.Remotes().Push(ctx, x.out.Remote, made.Commit, fetched.Commit, x.network(ctx)); err != nil {
		return err
	}
	if err := made.Confirm(ctx); err != nil { // the push may have taken long
		return err
	}
	return x.note(ctx, "sync: "+x.out.Sent.words()+" to "+x.out.Remote, made.Commit)
}

// sign signs what goes out, if the user signs. Without a signature it goes out too: it is
// theirs, and waits for nothing.
func (x *run) sign(ctx context.Context, made *gitops.Composed) {
	if !x.w.Repo.Journal().Signs(ctx) {
		return
	}
	x.say("signing")
	if err := x.w.Repo.Journal().Sign(ctx, made, x.in.Prompt); err != nil {
		x.w.Notice("what was sent is not signed: %v", err)
	}
}

// note makes commit a parent of the journal, which has all files of it. So the
// next union knows that both sides have met there.
func (x *run) note(ctx context.Context, message string, commit gitops.ObjectID) error {
	_, err := x.w.Repo.Journal().Update(ctx, nil, func(*gitops.Snapshot) (gitops.Change, error) {
		return gitops.Change{Message: message, When: x.w.Now(), Merge: commit}, nil
	})
	if err != nil {
		return fmt.Errorf("noting what was pushed: %w", err)
	}
	return nil
}

// united is a state of our journal that holds all that was received.
type united struct {
	snap *gitops.Snapshot
	have state
	put  map[string][]byte // in a dry run, what would have been written
}

// file reads a file of the journal.
func (u *united) file(ctx context.Context, p string) ([]byte, error) {
	if data, ok := u.put[p]; ok {
		return data, nil
	}
	return readEntry(ctx, u.snap, gitops.Entry{Path: p, Blob: u.have[p]})
}

func (u *united) close() { _ = u.snap.Close() }

// receive brings what the remote has into the journal and returns the new
// state; a dry run only works it out.
func (x *run) receive(ctx context.Context, commit gitops.ObjectID, theirs *remoteJournal) (*united, error) {
	u := &union{run: x, commit: commit, theirs: theirs}
	if err := x.update(ctx, u); err != nil {
		return nil, err
	}
	snap, err := x.w.Repo.Journal().Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	after := &united{snap: snap, put: map[string][]byte{}}
	if after.have, err = listing(ctx, snap); err == nil {
		err = after.preview(ctx, u)
	}
	if err != nil {
		after.close()
		return nil, err
	}
	return after, nil
}

// update unites the journals, but in a dry run. A removal of many memories is asked about while
// no lock is held.
func (x *run) update(ctx context.Context, u *union) error {
	if u.commit == "" || x.in.DryRun {
		return nil
	}
	done, err := x.w.Repo.Journal().Update(ctx, nil, u.change(ctx))
	if x.agreed(err) {
		return x.update(ctx, u)
	}
	if err != nil {
		return err
	}
	if done.Healed != "" {
		x.w.Notice("%s", done.Healed)
	}
	x.out.Received.add(u.tally)
	return nil
}

// preview applies the change of a union, in a dry run, without writing it.
func (u *united) preview(ctx context.Context, with *union) error {
	if with.commit == "" || !with.in.DryRun {
		return nil
	}
	c, err := with.change(ctx)(u.snap)
	if err != nil {
		return err
	}
	for _, path := range c.Remove {
		delete(u.have, path)
	}
	maps.Copy(u.have, c.Take)
	for path, data := range c.Put {
		u.have[path], u.put[path] = with.w.Repo.Hash(data), data
	}
	with.out.Received.add(with.tally)
	return nil
}

// words returns a tally as text: "3 memories, 1 removed".
func (t *Tally) words() string {
	parts := []string{notices.Memories(len(t.Added) + len(t.Changed))}
	if n := len(t.Removed); n > 0 {
		parts = append(parts, fmt.Sprintf("%d removed", n))
	}
	return strings.Join(parts, ", ")
}

// add adds the counts of another tally.
func (t *Tally) add(more Tally) {
	t.Added = append(t.Added, more.Added...)
	t.Changed = append(t.Changed, more.Changed...)
	t.Removed = append(t.Removed, more.Removed...)
	t.Sessions += more.Sessions
	t.Other += more.Other
}

// tally compares two states.
func tally(before, after state) Tally {
	t := Tally{Added: []string{}, Changed: []string{}, Removed: []string{}}
	for _, path := range journalPaths(before, after) {
		old, now := before[path], after[path]
		if old == now {
			continue
		}
		switch kind, _, _ := strings.Cut(path, "/"); kind {
		case "received", "accepted":
		case "sessions":
			t.Sessions++
		case "pending":
			t.addPending(path, old, now)
		default:
			t.Other++
		}
	}
	return t
}

// addPending adds a pending memory that differs.
func (t *Tally) addPending(path string, old, now gitops.ObjectID) {
	switch {
	case old == "":
		t.Added = append(t.Added, path)
	case now == "":
		t.Removed = append(t.Removed, path)
	default:
		t.Changed = append(t.Changed, path)
	}
}
