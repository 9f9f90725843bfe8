package gitops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/lists"
)

// reading is one state of the journal: a [Snapshot] shows it, and [Journal.Update]
// builds on it. It is for one goroutine, and its store must be closed.
type reading struct {
	journal *Journal
	store   *store
	mark    journalMark // of the journal before it was read

	tip       tip        // what the ref says
	healed    string     // one line when the tip was unreadable; else ""
	healing   string     // what the log of the ref will say of it
	lost      []ObjectID // states of the log that were tried in healing, and are unreadable
	restored  int        // objects of the state that git had lost and the safe held
	depth     int        // how many states before each were tried with it
	commit    ObjectID   // that is shown; "" for none
	base      ObjectID   // the tree of commit
	root      ObjectID   // the tree with the spool laid over it
	when      time.Time
	fixed     bool     // one state, which is not the journal's newest: it cannot heal
	spooled   int      // changes that are laid over
	spoolSize int64    // their bytes
	chain     ObjectID // the last commit that drained the spool, staged; else commit
}

// read reads the newest state.
func (j *Journal) read(ctx context.Context) (*reading, error) {
	r := j.blank()
	r.mark = j.mark()
	if err := r.load(ctx); err != nil {
		r.store.close()
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	return r, nil
}

func (j *Journal) blank() *reading {
	return &reading{journal: j, store: newStore(j.objects)}
}

func (r *reading) load(ctx context.Context) error {
	t, err := r.journal.ref.tip(ctx, r.store)
	if err != nil {
		return err
	}
	r.tip = t
	switch {
	case t.broken:
		err = r.heal(ctx)
	case t.id != "":
		if err = r.adopt(ctx, t.id); errors.Is(err, errDamaged) {
			err = r.heal(ctx)
		}
	}
	if err == nil {
		err = r.overlay(ctx)
	}
	return r.reheal(ctx, err)
}

// adopt makes the commit id the state that is shown.
func (r *reading) adopt(ctx context.Context, id ObjectID) error {
	c, err := r.store.commit(ctx, id)
	if err != nil {
		return err
	}
	if _, err := r.store.tree(ctx, c.Tree); err != nil {
		return err
	}
	r.commit, r.base, r.root, r.when = id, c.Tree, c.Tree, c.When
	return nil
}

// heal shows the newest state that can be read, or put together again.
func (r *reading) heal(ctx context.Context) error {
	changes, _, err := r.journal.spool.read()
	if err != nil {
		return err
	}
	logged := r.journal.ref.states(ctx)
	_, kept := r.journal.safe.read(r.journal.objects.format)
	r.lost, r.depth, r.healing = nil, len(changes), "heal:"
	bad := r.bad(logged, kept)
	from := ""
	err = r.goBack(ctx, candidates(r.tip, logged, kept), r.depth)
	if errors.Is(err, ErrUnreadable) {
		if from, err = r.rescue(ctx, r.depth); errors.Is(err, errUnsure) {
			if err = fmt.Errorf("%w: %w", ErrUnreadable, err); r.spoolSuffices(ctx, logged, changes) {
				err = nil
			}
		}
	} else if err == nil {
		from = string(r.commit)
	}
	if err != nil {
		return err
	}
	if !r.tip.broken && r.tip.id != r.commit && !slices.Contains(logged, r.tip.id) {
		// The log does not know this state either: an entry that leads from it
		// to the next would be the first to name it.
		r.tip = tip{broken: true, raw: string(r.tip.id)}
	}
	r.tell(bad, from, len(changes))
	return nil
}

// candidates are the states that are tried: what the ref names, then those of its log and
// of the safe, newest first, each once.
func candidates(t tip, logged, kept []ObjectID) []ObjectID {
	all := slices.Concat(logged, kept)
	if !t.broken {
		all = slices.Insert(all, 0, t.id)
	}
	return once(all)
}

// bad names the newest state, which was lost.
func (r *reading) bad(logged, kept []ObjectID) string {
	states := slices.Concat(logged, kept)
	switch {
	case !r.tip.broken:
		return string(r.tip.id)
	case r.tip.raw != "" && !isHexID(r.tip.raw), len(states) == 0:
		return fmt.Sprintf("%q", r.tip.raw)
	}
	return string(states[0]) // what a packed ref says, git does not tell
}

// tell says in one line what was healed, for the user and for the log of the ref.
func (r *reading) tell(bad, from string, spooled int) {
	switch from {
	case "":
		r.commit, r.base, r.root = "", "", ""
		r.healing = "heal: a new journal from the spool, instead of " + bad
		r.healed = fmt.Sprintf("no state of the journal was readable (the newest was %s): "+
			"began a new one from the spool, which holds %s", bad, count(spooled, "change"))
	case fromObjects:
		r.healed = fmt.Sprintf("the journal's newest state (%s) was unreadable, and git's log of it did not help: "+
			"went back to %s, which git still had", bad, r.commit)
	case fromRemotes:
		r.healing = "heal: from " + fromRemotes + ", instead of " + bad
		r.healed = fmt.Sprintf("no state of the journal was readable (the newest was %s): began a new one from %s",
			bad, fromRemotes)
	case bad:
		r.healed = "the journal's ref was damaged: put it back, at " + bad
		if r.restored > 0 {
			r.healed = fmt.Sprintf("the journal's newest state (%s) was damaged: "+
				"put it back whole, with %s from the safe", bad, count(r.restored, "object"))
		}
	default:
		r.healed = fmt.Sprintf("the journal's newest state (%s) was unreadable: went back to %s", bad, r.commit)
	}
}

// count is a number of things, such as "1 object" and "2 objects".
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// spoolSuffices reports whether a new journal can begin from the spool, when none
// of the old one's states is readable: the changes in the spool lead to the very
// commit that was lost, or the log reaches back to the first state and names no
// more states than there are changes. The latter happens to a journal
// that was written while a gc was at work. A journal that had more is not given up.
func (r *reading) spoolSuffices(ctx context.Context, states []ObjectID, changes []Change) bool {
	if len(changes) == 0 ||
		slices.ContainsFunc(states, func(id ObjectID) bool { return !slices.Contains(r.lost, id) }) {
		return false
	}
	return r.journal.ref.logsNoMore(len(states), len(changes)) || r.journal.leads(ctx, changes, r.tip.id)
}

// leads reports whether a new journal comes to a commit by some of the first changes.
func (j *Journal) leads(ctx context.Context, changes []Change, to ObjectID) bool {
	again := j.blank()
	defer again.store.close()
	for _, c := range changes {
		if _, err := again.stageCommit(ctx, c); err != nil {
			return false
		}
		if again.chain == to {
			return true
		}
	}
	return false
}

// reheal recovers from damage that was met below the tip's root, once.
func (r *reading) reheal(ctx context.Context, err error) error {
	if !errors.Is(err, errDamaged) || r.healed != "" || r.fixed {
		return err
	}
	if herr := r.heal(ctx); herr != nil {
		return herr
	}
	return r.overlay(ctx)
}

// twice does what reads the state, and does it again if that healed damage.
func (r *reading) twice(ctx context.Context, do func() error) error {
	err := do()
	if err != nil {
		if err = r.reheal(ctx, err); err == nil {
			err = do()
		}
	}
	return err
}

// overlay lays what waits in the spool over the state, as staged trees and
// commits: Update writes them out, and reading sees them already.
func (r *reading) overlay(ctx context.Context) error {
	changes, lines, err := r.journal.spool.read()
	if err != nil {
		return err
	}
	r.spoolSize, r.spooled, r.chain, r.root = int64(len(lines)), len(changes), r.commit, r.base
	if len(changes) == 0 {
		return nil
	}
	// Usually the spool is a second copy that a gc made necessary: of files that it may have taken, in
	// folders of thousands.
	blobs := r.store.stageBlobs(fold(changes))
	state := string(r.root + " " + r.store.objects.format.ID("blob", lines))
	if r.journal.spool.idle(state) {
		return nil
	}
	root, err := r.store.stageTree(ctx, r.root, blobs)
	switch {
	case err != nil:
		return err
	case root == r.root:
		r.journal.spool.keepIdle(state)
		return nil
	}
	for _, c := range changes {
		if _, err := r.stageCommit(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// fold makes one change of several: the last word on a path counts, and a put after a removal.
func fold(changes []Change) Change {
	all := Change{Put: make(map[string][]byte)}
	for _, c := range changes {
		for _, path := range c.Remove {
			delete(all.Put, path)
		}
		all.Remove = append(all.Remove, c.Remove...)
		maps.Copy(all.Put, c.Put)
	}
	return all
}

// stageCommit stages c on top of root and chain, and moves both. It reports
// whether c changed anything.
func (r *reading) stageCommit(ctx context.Context, c Change) (bool, error) {
	root, err := r.store.stageChange(ctx, r.root, c)
	before := cmp.Or(r.root, r.store.objects.format.ID("tree", nil))
	if err != nil || root == before && c.Merge == "" {
		return false, err
	}
	if c.When.After(r.when) {
		r.when = c.When
	}
	if r.when.Unix() < 0 { // git has no time before 1970
		r.when = time.Unix(0, 0)
	}
	data := gitobject.FormatCommit(gitobject.Commit{
		Tree: root, Parent: r.chain, Merged: c.Merge, When: r.when, Ident: r.journal.ident, Message: c.text(),
	})
	r.root, r.chain = root, r.store.stage("commit", data)
	return true, nil
}

// list is the files below prefix, and what is there and is no file of ours.
func (r *reading) list(ctx context.Context, prefix string) (entries []Entry, skipped []string, err error) {
	prefix = strings.Trim(prefix, "/")
	e, err := r.find(ctx, prefix)
	if err != nil || e.Name == "" {
		return nil, nil, err
	}
	if !e.IsDir() {
		if e.IsFile() && validPath(prefix) {
			return []Entry{{Path: prefix, Blob: e.ID}}, nil, nil
		}
		return nil, nil, nil
	}
	if prefix != "" {
		prefix += "/"
	}
	r.store.visits = maxVisits
	in, is := "", namesIn("") // the folder of the file before: thousands may be in one
	err = r.store.walk(ctx, e.ID, prefix, func(path string, e gitobject.Entry) error {
		if dir := strings.TrimSuffix(path, e.Name); dir != in {
			in, is = dir, namesIn(dir)
		}
		if e.IsFile() && is(e.Name) {
			entries = append(entries, Entry{Path: path, Blob: e.ID})
		} else {
			skipped = append(skipped, path)
		}
		return nil
	})
	lists.Sort(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, skipped, err
}

// find is the tree entry at path, see [gitobject.Trees.Find].
func (r *reading) find(ctx context.Context, path string) (gitobject.Entry, error) {
	return gitobject.Trees(r.store.tree).Find(ctx, r.root, path)
}

func (r *reading) folders(ctx context.Context, prefix string) ([]string, error) {
	e, err := r.find(ctx, prefix)
	if err != nil || !e.IsDir() {
		return nil, err
	}
	entries, err := r.store.tree(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	entries = lists.Where(entries, func(e gitobject.Entry) bool { return e.IsDir() && gitobject.PlainName(e.Name) })
	names := lists.Map(entries, func(e gitobject.Entry) string { return e.Name })
	slices.Sort(names)
	return names, nil
}
