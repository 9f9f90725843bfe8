package exchange

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/places"
)

// The union of two journals is a three-way merge of files by path (FORMAT.md,
// "Sync"). It depends on the three states alone and not on which side is called
// ours, so that clones that meet in any order end with the same files.

// state maps the paths of a journal to blobs.
type state map[string]gitops.ObjectID

func listing(ctx context.Context, snap *gitops.Snapshot) (state, error) {
	entries, err := snap.List(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	s := make(state, len(entries))
	for _, e := range entries {
		s[e.Path] = e.Blob
	}
	return s, nil
}

// journalPaths returns the paths of several states, sorted.
func journalPaths(states ...state) []string {
	var all []string
	for _, s := range states {
		all = slices.AppendSeq(all, maps.Keys(s))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// union is the work of bringing one state of a remote into our journal.
type union struct {
	*run
	commit gitops.ObjectID // theirs
	theirs *remoteJournal
	tally  Tally // of the change that was built last

	snap       *gitops.Snapshot
	ours, base state
	made       gitops.Change
	// what either side has dismissed
	refusedHere, refusedThere refusals
	moved                     map[string]bool // paths to which the change moves memories of ours
}

// change builds the journal's change for the newest state of ours.
func (u *union) change(ctx context.Context) func(*gitops.Snapshot) (gitops.Change, error) {
	return func(snap *gitops.Snapshot) (gitops.Change, error) {
		u.snap = snap
		u.moved = map[string]bool{}
		u.made = gitops.Change{When: u.w.Now(), Merge: u.commit, Put: map[string][]byte{}, Take: state{}}
		met, err := u.w.Repo.Journal().Met(ctx, snap.Commit(), u.commit)
		switch {
		case ctx.Err() != nil:
			return gitops.Change{}, fmt.Errorf("uniting both journals: %w", ctx.Err())
		case err != nil:
			u.w.Notice("%v; what landed or was forgotten elsewhere may be pending again", err)
		case met == u.commit:
			u.tally = Tally{}
			return gitops.Change{}, nil // ours has been there
		}
		if u.ours, err = listing(ctx, snap); err != nil {
			return gitops.Change{}, err
		}
		if u.base, err = stateAt(ctx, u.w.Repo, met); err != nil {
			return gitops.Change{}, err
		}
		u.refusedHere, u.refusedThere = u.ours.refusals(), u.theirs.have.refusals()
		for _, p := range journalPaths(u.ours, u.theirs.have) {
			if err := u.file(ctx, p); err != nil {
				return gitops.Change{}, err
			}
		}
		if err := u.fold(ctx); err != nil {
			return gitops.Change{}, err
		}
		if err := u.mark(ctx); err != nil {
			return gitops.Change{}, err
		}
		after := u.after()
		u.tally = tally(u.ours, after)
		u.made.Message = "sync: " + u.tally.words() + " from " + u.out.Remote
		// What the remote alone dismissed is no explanation: it could be anybody's.
		return u.made, u.guard(ctx, MassRemoval{
			From: "this clone", By: u.out.Remote, Paths: u.tally.Removed, Of: countPending(u.ours),
		}, explanation{refused: u.refusedHere, lost: u.ourFile, after: after, kept: u.current})
	}
}

// stateAt returns an earlier state of the journal; an empty one for "".
func stateAt(ctx context.Context, repo *gitops.Repo, commit gitops.ObjectID) (state, error) {
	if commit == "" {
		return nil, nil
	}
	snap, err := repo.Journal().At(ctx, commit)
	if err != nil {
		return nil, fmt.Errorf("reading what both journals come from: %w", err)
	}
	defer snap.Close()
	return listing(ctx, snap)
}

// file decides about one path.
func (u *union) file(ctx context.Context, p string) error {
	refused, err := u.refusedBy(ctx, p)
	if err != nil {
		return err
	}
	ours, theirs, base := u.sides(p)
	switch {
	case refused == byUs && ours == "":
		return nil // it does not come back
	case refused == byThem && theirs == "":
		u.remove(p)
		return nil
	}
	return u.unite(ctx, p, ours, theirs, base)
}

// sides are the contents of a path, as far as they count.
func (u *union) sides(p string) (ours, theirs, base gitops.ObjectID) {
	ours, theirs, base = u.ours[p], u.theirs.have[p], u.base[p]
	if u.theirs.blocked(p) {
		theirs = base // what cannot be used counts as unchanged
	}
	if familyOf(p) == "access" || journal.OwnMark(p) {
		base = "" // counters only grow, and marks are never taken
	}
	return ours, theirs, base
}

// familyOf is the first folder of a path of the journal.
func familyOf(p string) string {
	family, _, _ := strings.Cut(p, "/")
	return family
}

// unite makes one content of three.
func (u *union) unite(ctx context.Context, p string, ours, theirs, base gitops.ObjectID) error {
	switch {
	case ours == theirs, theirs == base:
		// They have what we have, or have changed nothing.
	case ours == base:
		return u.takeChange(ctx, p, theirs)
	case ours == "":
		u.take(p, theirs) // an edit outweighs a removal
	case theirs != "":
		return u.both(ctx, p)
	}
	return nil
}

// takeChange takes what they did to a file that we left as it was.
func (u *union) takeChange(ctx context.Context, p string, theirs gitops.ObjectID) error {
	_, pending := places.Short(p)
	switch {
	case theirs == "":
		u.remove(p)
	case pending && u.ours[p] != "":
		return u.replaced(ctx, p)
	default:
		u.take(p, theirs)
	}
	return nil
}

func (u *union) take(p string, theirs gitops.ObjectID) {
	u.made.Take[p] = theirs
	u.moved[p] = u.moved[p] && u.ours.has(theirs)
}

func (u *union) remove(p string) { u.made.Remove = append(u.made.Remove, p) }

// has reports whether a pending memory has this content.
func (s state) has(blob gitops.ObjectID) bool {
	for p, have := range s {
		if have == blob && strings.HasPrefix(p, "pending/") {
			return true
		}
	}
	return false
}

// refusals are the ids of what was dismissed, by their beginnings.
type refusals map[string][]memory.ID

func (s state) refusals() refusals {
	refused := refusals{}
	for p := range s {
		if id, ok := strings.CutPrefix(p, "dismissed/"); ok {
			short := memory.ID(id).Short()
			refused[short] = append(refused[short], memory.ID(id))
		}
	}
	return refused
}

// records are the paths of the session records by their names.
func (s state) records() map[string]string {
	out := map[string]string{}
	for p := range s {
		if strings.HasPrefix(p, "sessions/") {
			out[path.Base(p)] = p
		}
	}
	return out
}

// The sides that alone dismissed a memory.
const (
	byUs   = "us"
	byThem = "them"
)

// refusedBy returns the side that alone dismissed the memory at a path; "" for neither or both.
func (u *union) refusedBy(ctx context.Context, p string) (string, error) {
	here, errHere := u.refused(ctx, p, u.refusedHere)
	there, errThere := u.refused(ctx, p, u.refusedThere)
	err := errors.Join(errHere, errThere)
	switch {
	case here == there:
		return "", err
	case here:
		return byUs, err
	}
	return byThem, err
}

// refused reports whether the memory at a path is among refusals. Its file is read
// where its name begins like one of them.
func (u *union) refused(ctx context.Context, p string, all refusals) (bool, error) {
	short, ok := places.Short(p)
	alike := all[memory.ID(short).Short()]
	if !ok || len(alike) == 0 {
		return false, nil
	}
	read := u.ourFile
	if u.ours[p] == "" {
		read = u.theirFile
	}
	data, err := read(ctx, p)
	if err != nil {
		return false, err
	}
	return slices.Contains(alike, idIn(p, data)), nil
}

// idIn is the id of the memory in a file, "" for a file that cannot be read as one.
func idIn(p string, data []byte) memory.ID {
	m, err := memory.Parse(p, data)
	if err != nil {
		return ""
	}
	return m.ID
}

func (u *union) ourFile(ctx context.Context, p string) ([]byte, error) {
	return readEntry(ctx, u.snap, gitops.Entry{Path: p, Blob: u.ours[p]})
}

// readEntry reads one file of the journal.
func readEntry(ctx context.Context, snap *gitops.Snapshot, e gitops.Entry) (data []byte, err error) {
	err = snap.Read(ctx, []gitops.Entry{e}, func(_ gitops.Entry, content []byte) error {
		data = content
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", e.Path, err)
	}
	return data, nil
}

func (u *union) theirFile(ctx context.Context, p string) ([]byte, error) {
	return blob(ctx, u.w.Repo, p, u.theirs.have[p])
}

// blob reads the content that a path has.
func blob(ctx context.Context, repo *gitops.Repo, p string, id gitops.ObjectID) (data []byte, err error) {
	err = repo.Blobs(ctx, []gitops.ObjectID{id}, gitops.MaxFile, func(_ gitops.ObjectID, content []byte) error {
		data = content
		return nil
	})
	if err != nil {
		err = fmt.Errorf("reading %s: %w", p, err)
	}
	return data, err
}

// replaced takes their version of a pending memory that we left as it was, unless
// that is another memory.
func (u *union) replaced(ctx context.Context, p string) error {
	ours, err := u.ourFile(ctx, p)
	if err != nil {
		return err
	}
	theirs, err := u.theirFile(ctx, p)
	if err != nil {
		return err
	}
	if a, b, two := twoMemories(p, ours, theirs); two {
		u.apart(p, a, b)
		return nil
	}
	u.made.Take[p] = u.theirs.have[p]
	return nil
}

// twoMemories reports whether two files of one path are those of two memories.
func twoMemories(p string, ours, theirs []byte) (a, b *memory.Memory, two bool) {
	a, errA := memory.Parse(p, ours)
	b, errB := memory.Parse(p, theirs)
	return a, b, errA == nil && errB == nil && a.ID != b.ID
}

// apart keeps two memories of one path. The one that is greater in byte order has
// it on every side, and the other moves to a path of its own.
func (u *union) apart(p string, ours, theirs *memory.Memory) {
	a, b := memory.Format(ours), memory.Format(theirs)
	if bytes.Compare(a, b) > 0 {
		if to := places.Long(p, theirs.ID); u.theirs.have[to] == "" {
			u.made.Put[to] = b
		}
		return
	}
	u.made.Take[p] = u.theirs.have[p]
	to := places.Long(p, ours.ID)
	if u.moved[to] = true; u.theirs.have[to] == "" {
		u.made.Put[to] = a
	}
}

// both unites two versions of one file.
func (u *union) both(ctx context.Context, p string) error {
	ours, theirs, base, err := u.versions(ctx, p)
	if err != nil {
		return err
	}
	if a, b, two := twoMemories(p, ours, theirs); two && familyOf(p) == "pending" {
		u.apart(p, a, b)
		return nil
	}
	var merged []byte
	switch familyOf(p) {
	case "access":
		merged = uniteAccess(ours, theirs)
	case "sessions":
		merged = furtherRecord(ours, theirs)
	default:
		merged = uniteMemory(workspace.TextMerge(ctx, u.w.Repo), p, base, ours, theirs)
	}
	switch {
	case bytes.Equal(merged, ours):
	case bytes.Equal(merged, theirs):
		u.made.Take[p] = u.theirs.have[p]
	default:
		u.made.Put[p] = merged
	}
	return nil
}

// versions reads our version of a path, theirs and the common one, which may be
// missing. Ours may still be in the spool.
func (u *union) versions(ctx context.Context, p string) (ours, theirs, base []byte, err error) {
	ours, errOurs := u.ourFile(ctx, p)
	theirs, errTheirs := u.theirFile(ctx, p)
	if of := u.base[p]; of != "" {
		base, err = blob(ctx, u.w.Repo, p, of)
	}
	if ours == nil || theirs == nil {
		err = errors.Join(err, errors.New("a version of it cannot be read"))
	}
	if err = errors.Join(errOurs, errTheirs, err); err != nil {
		err = fmt.Errorf("uniting %s: %w", p, err)
	}
	return ours, theirs, base, err
}

// after is our state with the change in it.
func (u *union) after() state {
	s := maps.Clone(u.ours)
	for _, p := range u.made.Remove {
		delete(s, p)
	}
	maps.Copy(s, u.made.Take)
	for p, data := range u.made.Put {
		s[p] = u.w.Repo.Hash(data)
	}
	return s
}

// fold makes one file of a memory that is now pending for a branch under two
// names, because two clones learned it in different months or one changed its
// title.
func (u *union) fold(ctx context.Context) error {
	groups := map[string][]string{}
	fresh := map[string]bool{}
	for p := range u.after() {
		short, ok := places.Short(p)
		if !ok {
			continue
		}
		key := branchFolder(p) + memory.ID(short).Short()
		groups[key] = append(groups[key], p)
		_, taken := u.made.Take[p]
		fresh[key] = fresh[key] || taken
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		if paths := groups[key]; len(paths) > 1 && fresh[key] {
			slices.Sort(paths)
			if err := u.foldPaths(ctx, paths); err != nil {
				return err
			}
		}
	}
	return nil
}

// branchFolder is the folder of a pending memory's branch.
func branchFolder(p string) string {
	parts := strings.SplitN(p, "/", 3)
	return parts[0] + "/" + parts[1] + "/"
}

func (u *union) foldPaths(ctx context.Context, paths []string) error {
	one, err := u.joined(ctx, paths)
	if err != nil || one == nil {
		return err
	}
	dest := branchFolder(paths[0]) + one.Path()
	for _, p := range paths {
		delete(u.made.Take, p)
		delete(u.made.Put, p)
		if _, ours := u.ours[p]; ours && p != dest {
			u.remove(p)
		}
	}
	u.made.Put[dest] = memory.Format(one)
	return nil
}

// joined is the one memory that some files are versions of; nil where they are two that share a
// beginning, or one is none: then all stay.
func (u *union) joined(ctx context.Context, paths []string) (*memory.Memory, error) {
	var one *memory.Memory
	for _, p := range paths {
		data, err := u.current(ctx, p)
		if err != nil {
			return nil, err
		}
		m, err := memory.Parse(p, data)
		if err != nil {
			return nil, nil //nolint:nilerr,nilnil // see above
		}
		switch {
		case one == nil:
			one = m
			continue
		case m.ID != one.ID:
			return nil, nil //nolint:nilnil // see above
		}
		if one, err = memory.Merge(nil, one, m, workspace.TextMerge(ctx, u.w.Repo)); err != nil {
			return nil, fmt.Errorf("uniting %s: %w", p, err)
		}
	}
	return one, nil
}

// current reads a file as it will be.
func (u *union) current(ctx context.Context, p string) ([]byte, error) {
	if data, ok := u.made.Put[p]; ok {
		return data, nil
	}
	if id, ok := u.made.Take[p]; ok {
		return blob(ctx, u.w.Repo, p, id)
	}
	return u.ourFile(ctx, p)
}

// mark adds marks for what the change takes, and removes those of what is gone.
func (u *union) mark(ctx context.Context) error {
	after := u.after()
	wanted, err := u.marks(ctx, after)
	if err != nil {
		return err
	}
	for mark := range wanted {
		if _, had := u.ours[mark]; !had {
			u.made.Put[mark] = []byte{}
		}
	}
	for p := range after {
		if strings.HasPrefix(p, journal.ReceivedFolder) && !wanted[p] {
			u.remove(p)
		}
	}
	slices.Sort(u.made.Remove)
	return nil
}

// marks are those of what is taken in a state, and those that were there already.
func (u *union) marks(ctx context.Context, after state) (map[string]bool, error) {
	marked := u.marked()
	wanted := map[string]bool{}
	for p, blob := range after {
		taken := blob != u.ours[p] && !u.moved[p]
		if !taken && isUnmarked(p, marked) {
			continue // most are our own, and need not be read
		}
		id, err := u.idAt(ctx, p)
		if err != nil {
			return nil, err
		}
		mark := journal.MarkOf(p, id)
		if _, had := u.ours[mark]; taken || had {
			wanted[mark] = true
		}
	}
	delete(wanted, "") // of files that get none
	return wanted, nil
}

// isUnmarked reports whether the memory at a path has no mark; marked are those that have.
func isUnmarked(p string, marked map[string]bool) bool {
	short, pending := places.Short(p)
	return pending && !marked[memory.ID(short).Short()]
}

// marked are the beginnings of the ids that have marks in ours.
func (u *union) marked() map[string]bool {
	found := map[string]bool{}
	for p := range u.ours {
		if name, ok := strings.CutPrefix(p, journal.ReceivedFolder); ok {
			found[memory.ID(name).Short()] = true
		}
	}
	return found
}

// idAt is the id of a pending memory, by its name where its file cannot be read; "" of other files.
func (u *union) idAt(ctx context.Context, p string) (memory.ID, error) {
	short, pending := places.Short(p)
	if !pending {
		return "", nil
	}
	data, err := u.current(ctx, p)
	return cmp.Or(idIn(p, data), memory.ID(short)), err
}
