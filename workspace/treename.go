package workspace

import (
	"context"
	"maps"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
)

// treeName is found out beside what else makes a view. A nil one is "".
type treeName struct {
	asking, naming sync.WaitGroup
	tree, memories gitops.ObjectID // of HEAD
	err            error
	name           string
}

// ask asks git what the tree of HEAD is called.
func (t *treeName) ask(ctx context.Context, repo *gitops.Repo) {
	t.asking.Go(func() { t.tree, t.memories, t.err = repo.TreeIDs(ctx, "HEAD", MemoriesDir) })
}

// of names the state of the working tree, which holds files.
func (t *treeName) of(ctx context.Context, repo *gitops.Repo, files []index.Item) {
	here := make([]gitops.Entry, len(files)) // the caller goes on to change files
	for i, it := range files {
		here[i] = gitops.Entry{Path: it.Path, Blob: gitops.ObjectID(it.Blob)}
	}
	t.naming.Go(func() {
		t.asking.Wait()
		if t.err != nil {
			return // a state without a name is one all the same
		}
		t.name = string(t.tree)
		if t.tree == "" { // before the first commit
			t.name = string(repo.EmptyTree())
		}
		if differs(ctx, repo, t.memories, here) {
			t.name += "+dirty"
		}
	})
}

func (t *treeName) String() string {
	if t == nil {
		return ""
	}
	t.naming.Wait()
	return t.name
}

// wait waits for git where nothing is to be named.
func (t *treeName) wait() {
	if t != nil {
		t.asking.Wait()
	}
}

// differs reports whether files are other memory files than those of a folder in
// HEAD, "" if there is none. What else is in that folder does not count, but that
// is found out only where the ids differ.
func differs(ctx context.Context, repo *gitops.Repo, folder gitops.ObjectID, files []gitops.Entry) bool {
	if folder == "" {
		return len(files) > 0
	}
	if id, err := repo.FolderID(MemoriesDir, files); err == nil && id == folder {
		return false
	}
	entries, err := repo.Tree(ctx, "HEAD", MemoriesDir)
	return err != nil || !maps.Equal(memoryFiles(files), memoryFiles(entries))
}

// memoryFiles are those of entries that may be memories, by path.
func memoryFiles(entries []gitops.Entry) map[string]gitops.ObjectID {
	out := make(map[string]gitops.ObjectID, len(entries))
	for _, e := range entries {
		if strings.HasSuffix(e.Path, ".md") {
			out[e.Path] = e.Blob
		}
	}
	return out
}
