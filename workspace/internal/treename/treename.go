// Package treename names the state of a working tree by the tree object of its commit,
// with "+dirty" where the memory files are others: [New], [Name.Ask], [Name.Of], and
// [Name.String], which waits until the name is known.
//
// The promise: a name is that of the memory files that were read, and asking for it costs
// no git process while neither the commit nor they have changed.
package treename

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// Name is found out beside what else makes a view. A nil one is "".
type Name struct {
	repo           *gitops.Repo
	note           treeNote // the last one of this working tree
	asking, naming sync.WaitGroup
	memories       gitops.ObjectID // the folder in the commit
	err            error
	name           string
}

// New returns the name of the working tree of repo, which is found out from [Name.Ask] on.
func New(repo *gitops.Repo) *Name { return &Name{repo: repo, note: readTreeNote(repo)} }

// Ask asks git what the tree of the commit that is checked out is called, unless
// that is known.
func (t *Name) Ask(ctx context.Context) {
	head := t.repo.Head
	if t.note.commit == head {
		return
	}
	if t.note = (treeNote{commit: head, tree: t.repo.EmptyTree(), files: digest(nil)}); head == "" {
		return // before the first commit
	}
	t.asking.Go(func() { t.note.tree, t.memories, t.err = t.repo.TreeIDs(ctx, head, hookstate.MemoriesDir) })
}

// Of names the state of the working tree, which holds files. State is that of
// [index.Tree], "" when there is none.
func (t *Name) Of(ctx context.Context, state string, files []index.Item) {
	if state != "" && t.note.state == state {
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
			t.note.files, t.err = t.committed(ctx, here, sum)
		}
		if t.err != nil {
			return // a state without a name is one all the same
		}
		before := t.note
		t.note.state, t.note.dirty = state, sum != t.note.files
		t.name = t.note.name()
		if t.note != before {
			t.note.write(t.repo)
		}
	})
}

// committed is the digest of the memory files in the commit. What else is in their
// folder does not count, but that is found out only where its id is not that of the
// files which are here.
func (t *Name) committed(ctx context.Context, here []gitops.Entry, sum string) (string, error) {
	if id, err := t.repo.FolderID(hookstate.MemoriesDir, here); err == nil && id == t.memories {
		return sum, nil
	}
	entries, err := t.repo.Tree(ctx, t.note.commit, hookstate.MemoriesDir)
	if err != nil {
		return "", err
	}
	return digest(entries), nil
}

// Known is the name of a state that is found out elsewhere; "" where there is none.
func (t *Name) Known(name string) { t.name = name }

// Done waits until nothing is being found out any more.
func (t *Name) Done() { t.naming.Wait() }

// String waits for the name; it is "" where there is none.
func (t *Name) String() string {
	if t == nil {
		return ""
	}
	t.naming.Wait()
	return t.name
}

// Wait waits for git where nothing is to be named.
func (t *Name) Wait() {
	if t != nil {
		t.asking.Wait()
	}
}

// digest is a digest of the paths and blobs of those of entries that may be
// memories. It sorts them.
func digest(entries []gitops.Entry) string {
	byPath := func(a, b gitops.Entry) int { return strings.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(entries, byPath) {
		slices.SortFunc(entries, byPath)
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

// treeNote is a record about a working tree, kept in a file of the cache:
// which memory files the commit that is checked out has, and whether those of the
// working tree were the same in a state that [index.Index.Scan] found. Both hold
// for good, so the note is asked for by its commit and state, and needs no age.
type treeNote struct {
	commit string
	tree   gitops.ObjectID // of the commit
	files  string          // digest of its memory files
	state  string          // of the working tree; "" for none
	dirty  bool            // its memory files are not those of the commit
}

func (n *treeNote) name() string {
	if n.dirty {
		return string(n.tree) + "+dirty"
	}
	return string(n.tree)
}

// fields returns the values of the note in the order in which they are written.
func (n *treeNote) fields() []string {
	dirty := ""
	if n.dirty {
		dirty = "+"
	}
	return []string{n.commit, string(n.tree), n.files, n.state, dirty}
}

// readTreeNote returns the note of a working tree; one that matches nothing if it
// is damaged or not there.
func readTreeNote(repo *gitops.Repo) treeNote {
	list := facts.Read(repo, facts.Tree)
	if len(list) != len((&treeNote{}).fields()) {
		return treeNote{commit: "none"}
	}
	return treeNote{commit: list[0], tree: gitops.ObjectID(list[1]), files: list[2], state: list[3], dirty: list[4] == "+"}
}

// write keeps the note. Where that is not possible, git is asked again.
func (n *treeNote) write(repo *gitops.Repo) { facts.Write(repo, facts.Tree, n.fields()) }
