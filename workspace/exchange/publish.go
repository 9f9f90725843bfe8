package exchange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/places"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// What is pushed is one commit on top of the remote's own. It holds the files
// that differ and none of the commits of this clone. So the history that others
// get does not have what was captured and forgotten again before it was ever
// sent, nor what once held a secret.

// publication is the part of our journal that the remote lacks.
type publication struct{ change gitops.Change }

func (p *publication) empty() bool { return len(p.change.Take)+len(p.change.Remove) == 0 }

// publication works out what to send, and holds back what looks like a secret.
func (x *run) publication(ctx context.Context, u *united, theirs *remoteJournal) (*publication, error) {
	p := &publication{gitops.Change{Take: state{}}}
	x.out.HeldBack = nil
	held := func(path, kind string) {
		x.out.HeldBack = append(x.out.HeldBack, HeldBack{x.withoutSecrets(ctx, path), kind})
	}
	var entries []gitops.Entry
	for _, path := range journalPaths(u.have) {
		blob := u.have[path]
		switch {
		case journal.OwnMark(path) || theirs.have[path] == blob, theirs.left[path]:
		case vetPath(path) != "":
			held(path, vetPath(path))
		case u.put[path] != nil: // of a dry run
			x.offer(ctx, p, path, blob, u.put[path], held)
		default:
			entries = append(entries, gitops.Entry{Path: path, Blob: blob})
		}
	}
	err := u.snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		x.offer(ctx, p, e.Path, e.Blob, data, held)
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("reading what is to be sent: %w", err)
	}
	after := maps.Clone(theirs.have)
	for path := range theirs.have {
		if _, ok := u.have[path]; !ok {
			delete(after, path)
			p.change.Remove = append(p.change.Remove, path)
		}
	}
	maps.Copy(after, p.change.Take)
	x.out.Sent = tally(theirs.have, after)
	lost := func(ctx context.Context, path string) ([]byte, error) {
		return blob(ctx, x.w.Repo, path, theirs.have[path])
	}
	err = x.guard(ctx, MassRemoval{
		From: x.out.Remote, By: "this clone", Paths: x.out.Sent.Removed, Of: countPending(theirs.have),
	}, explanation{refused: u.have.refusals(), records: u.have.records(), lost: lost, after: u.have, kept: u.file})
	if x.agreed(err) {
		err = nil
	}
	return p, err
}

// offer sends one file unless it holds a secret or is none of ours to send.
func (x *run) offer(ctx context.Context, p *publication, path string, blob gitops.ObjectID, data []byte,
	held func(path, kind string),
) {
	if reason := vetContent(path, data); reason != "" {
		held(path, reason)
		return
	}
	if kind := x.secretKind(ctx, path, data); kind != "" {
		held(path, kind)
		return
	}
	p.change.Take[path] = blob
}

// withoutSecrets returns s as it may be shown.
func (x *run) withoutSecrets(ctx context.Context, s string) string {
	s, _ = x.w.Secrets.Redactor(ctx).Redact(s)
	return s
}

// secretKind returns the kind of the first secret in a journal file or its path,
// by the rules of this program, which may know more than the capture did; "" when
// there is none.
func (x *run) secretKind(ctx context.Context, path string, data []byte) string {
	if _, found := x.w.Secrets.Redactor(ctx).Redact(path); len(found) > 0 {
		return found[0].Kind
	}
	if _, found := x.w.Secrets.Redactor(ctx).Redact(string(data)); len(found) > 0 {
		return found[0].Kind
	}
	if m, err := memory.Parse(path, data); err == nil { // as it reads, without the file's quoting
		if found := x.w.Secrets.Of(ctx, m); len(found) > 0 {
			return found[0].Kind
		}
	}
	return ""
}

// MassRemoval is the error of an exchange that would remove many memories without
// an explanation: this clone did not dismiss them, and no branch that it knows has
// them as files.
type MassRemoval struct {
	From  string   // whose journal would lose them
	By    string   // who removed them
	Paths []string // those without an explanation
	Of    int      // how many are pending there
}

// explanation finds the memories whose removal has a known reason: they were dismissed,
// folded into the record of their session, or are still pending, for another branch or
// under another name.
type explanation struct {
	refused refusals
	// session records that are believed: their paths by their names
	records map[string]string
	lost    func(ctx context.Context, path string) ([]byte, error) // reads what is removed
	after   state
	kept    func(ctx context.Context, path string) ([]byte, error) // reads what is in after
}

// of returns those of paths that are explained.
func (e *explanation) of(ctx context.Context, paths []string) (map[string]bool, error) {
	named := map[string][]string{}
	for p := range e.after {
		if short, ok := places.Short(p); ok {
			short = memory.ID(short).Short()
			named[short] = append(named[short], p)
		}
	}
	explained := map[string]bool{}
	for _, p := range paths {
		data, err := e.lost(ctx, p)
		if err != nil {
			return nil, err
		}
		m, err := memory.Parse(p, data)
		if err != nil {
			continue // it says of nothing that it is the same
		}
		if explained[p], err = e.explains(ctx, m, named[m.ID.Short()]); err != nil {
			return nil, err
		}
	}
	return explained, nil
}

// explains reports whether there is a reason for the removal of a memory; named are the paths of
// pending memories whose ids begin as its own.
func (e *explanation) explains(ctx context.Context, m *memory.Memory, named []string) (bool, error) {
	if slices.Contains(e.refused[m.ID.Short()], m.ID) {
		return true, nil
	}
	for _, p := range named {
		data, err := e.kept(ctx, p)
		if err != nil {
			return false, err
		}
		if idIn(p, data) == m.ID {
			return true, nil
		}
	}
	return e.folded(ctx, m)
}

// folded reports whether the record of its session says that a memory was folded into it.
func (e *explanation) folded(ctx context.Context, m *memory.Memory) (bool, error) {
	of := session.Session{Agent: m.Source.Agent, ID: m.Source.Session}
	record := e.records[path.Base(of.Path())]
	if record == "" {
		return false, nil
	}
	data, err := e.kept(ctx, record)
	if err != nil {
		return false, err
	}
	s, err := session.Parse(data)
	if err != nil {
		return false, nil //nolint:nilerr // it explains nothing
	}
	return s.HasFolded(m.ID), nil
}

func (e *MassRemoval) Error() string {
	return fmt.Sprintf("%s removed %d of the %d pending memories of %s, and nothing here explains why", e.By,
		len(e.Paths), e.Of, e.From)
}

// Unexplained removals are put to a person from removalLeast memories on, if they
// are more than one in removalShare of what is pending (docs/behaviour.md, "Sync").
const (
	removalShare = 5
	removalLeast = 5
)

func (e *MassRemoval) isMass() bool {
	return len(e.Paths) >= removalLeast && len(e.Paths)*removalShare > e.Of
}

func countPending(s state) int {
	n := 0
	for p := range s {
		if strings.HasPrefix(p, "pending/") {
			n++
		}
	}
	return n
}

// guard refuses to remove many memories, unless the user has agreed to it or
// there is an explanation for it.
func (x *run) guard(ctx context.Context, e MassRemoval, why explanation) error {
	if x.in.AcceptRemovals || !e.isMass() {
		return nil
	}
	landed, err := x.landed(ctx, e.Paths)
	if err != nil {
		return err
	}
	explained, err := why.of(ctx, e.Paths)
	if err != nil {
		return err
	}
	e.Paths = lists.Without(e.Paths, func(p string) bool { return landed[p] || explained[p] })
	switch {
	case !e.isMass():
		return nil
	case x.in.DryRun:
		x.out.Asks = e.Error()
		return nil
	}
	return &e
}

// landed returns those of the pending paths that are files in a commit that this
// clone knows: HEAD, the branch they were pending for, or either at the remote.
func (x *run) landed(ctx context.Context, paths []string) (map[string]bool, error) {
	found := map[string]bool{}
	revs := map[string][]string{}
	for _, p := range paths {
		parts := strings.SplitN(p, "/", 3)
		branch, _ := gitops.DecodeBranch(parts[1])
		revs["HEAD"] = append(revs["HEAD"], p)
		for _, rev := range []string{
			"refs/heads/" + branch, "refs/remotes/" + x.out.Remote + "/" + branch, "refs/remotes/" + x.out.Remote +
				"/HEAD",
		} {
			revs[rev] = append(revs[rev], p)
		}
	}
	for rev, pending := range revs {
		files := make([]string, len(pending))
		for i, p := range pending {
			files[i] = view.MemoryPath(strings.SplitN(p, "/", 3)[2])
		}
		at, err := x.w.Repo.PathsAt(ctx, rev, files)
		if err != nil {
			return nil, fmt.Errorf("looking for what has landed: %w", err)
		}
		for i, p := range pending {
			if _, ok := at[files[i]]; ok {
				found[p] = true
			}
		}
	}
	return found, nil
}

// agreed asks the person, if there is one, about a removal of many memories.
func (x *run) agreed(err error) bool {
	mass, ok := asMassRemoval(err)
	if !ok || x.in.Confirm == nil || !x.in.Confirm(mass) {
		return false
	}
	x.in.AcceptRemovals = true
	return true
}

func asMassRemoval(err error) (*MassRemoval, bool) {
	var mass *MassRemoval
	ok := errors.As(err, &mass)
	return mass, ok
}
