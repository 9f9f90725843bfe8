package facts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
)

// TreeName names the state of a working tree by the tree object of its commit, with "+dirty"
// where the memory files are others. It is found out beside what else makes a view: call
// [NewTreeName], [TreeName.Ask], [TreeName.Of], and [TreeName.String], which waits until the
// name is known. It promises that a name is that of the memory files that were read, and that
// asking for it costs no git process while neither the commit nor they have changed. A nil
// one is "".
type TreeName struct {
	repo           *gitops.Repo
	folder         string
	note           treeNote // the last one of this working tree
	asking, naming sync.WaitGroup
	memories       gitops.ObjectID // the folder in the commit
	err            error
	name           string
}

// NewTreeName returns the name of the working tree of repo, which is found out from
// [TreeName.Ask] on. Memories is the folder of its memory files.
func NewTreeName(repo *gitops.Repo, memories string) *TreeName {
	note, _ := Kept[treeNote](repo, Tree, repo.Head)
	return &TreeName{repo: repo, folder: memories, note: note}
}

// Ask asks git what the tree of the commit that is checked out is called, unless
// that is known.
func (t *TreeName) Ask(ctx context.Context) {
	head := t.repo.Head
	if t.note.Tree != "" {
		return
	}
	if t.note = (treeNote{Tree: t.repo.EmptyTree(), Files: digest(nil)}); head == "" {
		return // before the first commit
	}
	t.asking.Go(func() { t.note.Tree, t.memories, t.err = t.repo.History().TreeIDs(ctx, head, t.folder) })
}

// Of names the state of the working tree, which holds files. State is that of
// [index.Tree], "" when there is none.
func (t *TreeName) Of(ctx context.Context, state string, files []index.Item) {
	if state != "" && t.note.State == state {
		t.name = t.note.name()
		return
	}
	here := make([]gitops.Entry, len(files)) // the caller goes on to change files
	for i, it := range files {
		here[i] = gitops.Entry{Path: it.Path, Blob: gitops.ObjectID(it.Blob)}
	}
	t.naming.Go(func() {
		t.asking.Wait()
		sum := digest(here)
		if t.err == nil && t.memories != "" {
			t.note.Files, t.err = t.committed(ctx, here, sum)
		}
		if t.err != nil {
			return // a state without a name is one all the same
		}
		before := t.note
		t.note.State, t.note.Dirty = state, sum != t.note.Files
		t.name = t.note.name()
		if t.note != before {
			Keep(t.repo, Tree, t.repo.Head, t.note)
		}
	})
}

// committed is the digest of the memory files in the commit. What else is in their
// folder does not count, but that is found out only where its id is not that of the
// files which are here.
func (t *TreeName) committed(ctx context.Context, here []gitops.Entry, sum string) (string, error) {
	if id, err := t.repo.FolderID(t.folder, here); err == nil && id == t.memories {
		return sum, nil
	}
	entries, err := t.repo.Tree(ctx, t.repo.Head, t.folder)
	if err != nil {
		return "", err
	}
	return digest(entries), nil
}

// Known is the name of a state that is found out elsewhere; "" where there is none.
func (t *TreeName) Known(name string) { t.name = name }

// Done waits until nothing is being found out any more.
func (t *TreeName) Done() { t.naming.Wait() }

// String waits for the name; it is "" where there is none.
func (t *TreeName) String() string {
	if t == nil {
		return ""
	}
	t.naming.Wait()
	return t.name
}

// Wait waits for git where nothing is to be named.
func (t *TreeName) Wait() {
	if t != nil {
		t.asking.Wait()
	}
}

// digest is a digest of the paths and blobs of those of entries that may be
// memories. It sorts them.
func digest(entries []gitops.Entry) string {
	byPath := func(a, b gitops.Entry) int { return strings.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(entries, byPath) {
		lists.Sort(entries, byPath)
	}
	sum := sha256.New()
	var line []byte
	for _, e := range entries {
		if strings.HasSuffix(e.Path, ".md") {
			line = append(append(append(append(line[:0], e.Path...), 0), e.Blob...), 0)
			sum.Write(line)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// treeNote is the note about a commit: which memory files it has, and whether those of the
// working tree were the same in a state that [index.Index.Scan] found. Both hold for good.
type treeNote struct {
	Tree  gitops.ObjectID // of the commit
	Files string          // digest of its memory files
	State string          // of the working tree; "" for none
	Dirty bool            // its memory files are not those of the commit
}

func (n *treeNote) name() string {
	if n.Dirty {
		return string(n.Tree) + "+dirty"
	}
	return string(n.Tree)
}
