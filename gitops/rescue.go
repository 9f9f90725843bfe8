package gitops

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/gitops/internal/remotes"
	"github.com/git-cortex/cortex/internal/lists"
)

// Where a state was found that the journal's log and its safe did not name.
const (
	fromObjects = "a state that no ref and no log names any more"
	fromRemotes = "what remotes were last seen to have"
)

// errUnsure is a search that was not finished: what it did not find may be there.
var errUnsure = errors.New("not everything could be looked through")

// rescue finds a state of a journal of which neither the ref nor the log nor the safe
// names a readable one: first among all commits of the repository, reachable or not, then
// in the journals of remotes as they were last seen. It reports where; "" is nowhere, and
// certain. An error says that it is not certain.
func (r *reading) rescue(ctx context.Context, depth int) (from string, err error) {
	states, err := r.dangling(ctx)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errUnsure, err)
	}
	if len(states) > 0 {
		err := r.goBack(ctx, states, depth)
		if err == nil || !errors.Is(err, ErrUnreadable) {
			return fromObjects, err
		}
	}
	return r.fromTracked(ctx)
}

// goBack shows the newest of states that is whole, with what the safe holds of it.
func (r *reading) goBack(ctx context.Context, states []ObjectID, depth int) error {
	id, c, back, lost, err := r.journal.newestReadable(ctx, states, depth)
	r.lost = append(r.lost, lost...)
	if err != nil {
		return err
	}
	maps.Copy(r.store.staged, back)
	r.restored = len(back)
	r.commit, r.base, r.root, r.when = id, c.Tree, c.Tree, c.When
	return nil
}

// dangling lists the commits of the repository that are states of a journal and no states
// of a remote's: those that no other one goes on from, by time, newest first, then those before.
func (r *reading) dangling(ctx context.Context) ([]ObjectID, error) {
	j := r.journal
	if missing := j.missingAlternate(); missing != "" {
		return nil, fmt.Errorf("%s is not there", missing)
	}
	theirs, err := j.git.Run(ctx, gitcmd.Command{Args: []string{"rev-list", "--glob=" + remotes.TrackingPrefix}})
	if err != nil && gitcmd.ExitCode(err) != 128 { // 128: an object is missing there too
		return nil, err
	}
	taken := lists.Set(gitobject.IDs(theirs))
	all, err := j.git.Run(ctx,
		gitcmd.Command{Args: []string{
			"cat-file", "--batch-all-objects", "--unordered",
			"--batch-check=%(objecttype) %(objectname)",
		}})
	if err != nil && len(all) == 0 {
		return nil, err
	}
	var commits []ObjectID
	for line := range bytes.Lines(all) {
		if id, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("commit ")); ok && isHexID(string(id)) &&
			!taken[ObjectID(id)] {
			commits = append(commits, ObjectID(id))
		}
	}
	return r.journals(ctx, commits)
}

// missingAlternate is a folder of objects that is not there, such as that of a disk which
// is not mounted; "" when all are.
func (j *Journal) missingAlternate() string {
	data, _ := os.ReadFile(filepath.Join(j.objects.dir, "info", "alternates"))
	for line := range strings.Lines(string(data)) {
		name := strings.TrimSpace(line)
		if name == "" || strings.HasPrefix(name, "#") {
			continue
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(j.objects.dir, name)
		}
		if !gitcmd.Exists(name) {
			return name
		}
	}
	return ""
}

// maxState bounds the text of a commit of the journal, in bytes.
const maxState = 1 << 20

// journals are those of commits that are states of a journal, in the order of [reading.dangling].
func (r *reading) journals(ctx context.Context, commits []ObjectID) ([]ObjectID, error) {
	states := make(map[ObjectID]gitobject.Commit)
	mark := []byte("\ncommitter " + r.journal.ident + " ")
	err := r.journal.git.Survey(ctx, commits, maxState, func(id ObjectID, a gitcmd.Answer) error {
		if a.Kind != "commit" || !bytes.Contains(a.Data, mark) {
			return nil
		}
		if c, err := gitobject.ParseCommit(a.Data); err == nil && r.isJournal(ctx, c.Tree) {
			states[id] = c
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	before := make(map[ObjectID]int) // 1 for a state that another goes on from
	for _, c := range states {
		before[c.Parent] = 1
	}
	ids := slices.Collect(maps.Keys(states))
	lists.Sort(ids, func(a, b ObjectID) int {
		return cmp.Or(before[a]-before[b], states[b].When.Compare(states[a].When), cmp.Compare(a, b))
	})
	return ids, nil
}

// isJournal reports whether a tree has folders of a journal and nothing else.
func (r *reading) isJournal(ctx context.Context, tree ObjectID) bool {
	entries, _ := r.store.tree(ctx, tree) // none where it cannot be read
	known := []string{formatFile}
	for _, f := range journalFolders {
		known = append(known, f.name)
	}
	return len(entries) > 0 && !slices.ContainsFunc(entries, func(e gitobject.Entry) bool {
		return !slices.Contains(known, e.Name)
	})
}

// fromTracked begins a journal from the journals of remotes as they were last seen. Who
// wrote what is there is not known any more, so all of it counts as received. From is
// [fromRemotes], or "" where nothing is there.
func (r *reading) fromTracked(ctx context.Context) (from string, err error) {
	refs, err := r.journal.git.Refs(ctx, "listing what was fetched", remotes.TrackingPrefix)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errUnsure, err)
	}
	c := Change{Message: "heal: from " + fromRemotes, Put: map[string][]byte{}, Take: map[string]ObjectID{}}
	for _, ref := range refs {
		entries, err := r.tracked(ctx, ref.ID)
		if err != nil {
			continue // it is damaged too
		}
		for _, e := range entries {
			if c.Take[e.Path] != "" {
				continue
			}
			c.Take[e.Path] = e.Blob
			if name := receivedName(e.Path); name != "" {
				c.Put["received/"+name] = []byte{}
			}
		}
		c.Merge = cmp.Or(c.Merge, ref.ID)
	}
	if len(c.Take) == 0 {
		return "", nil
	}
	r.commit, r.base, r.root, r.chain = "", "", "", ""
	if _, err := r.stageCommit(ctx, c); err != nil {
		return "", err
	}
	r.commit, r.base = r.chain, r.root
	return fromRemotes, nil
}

// tracked are the files of a remote's journal, verified.
func (r *reading) tracked(ctx context.Context, id ObjectID) ([]Entry, error) {
	disk := newStore(r.journal.objects)
	_, err := disk.verify(ctx, id)
	disk.close()
	if err != nil {
		return nil, err
	}
	s, err := r.journal.At(ctx, id)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	entries, _, err := s.Vet(ctx)
	return entries, err
}

// receivedName is the name of the mark that says that a file of the journal came from a
// remote: the end of a memory's file name, which is its id or the beginning of it, or the name
// of a session record; "" for what has no mark.
func receivedName(path string) string {
	family, _, _ := strings.Cut(path, "/")
	name := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
	switch family {
	case "pending":
		return name[strings.LastIndexByte(name, '-')+1:]
	case "sessions":
		return name
	}
	return ""
}
