package changes

import (
	"cmp"
	"context"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Unreviewed is a memory file that a range has brought, and none of whose commits is by a reviewer.
type Unreviewed struct {
	Path   string `json:"path"`
	Author string `json:"author"` // the mail address that the newest of its commits names
}

// UnreviewedOf lists the memory files that are at the head of a range as its commits made them, of
// which none names a reviewer as its author or committer. Who is one, the settings of the branch say
// that the range is to go into; where they name nobody there are none.
func UnreviewedOf(ctx context.Context, w *workspace.Workspace, at Range) ([]Unreviewed, error) {
	out := []Unreviewed{}
	judge, err := PolicyAt(ctx, w, cmp.Or(at.Tip, at.Base))
	if len(judge.Reviewers) == 0 {
		return out, err
	}
	now, err := w.Repo.Tree(ctx, string(at.Head), workspace.MemoriesDir)
	if err != nil {
		return nil, err
	}
	others := []gitops.ObjectID{at.Base, cmp.Or(at.Tip, at.Base)}
	brought, err := w.Repo.History().BroughtSince(ctx, at.Head, others, workspace.MemoriesDir)
	by := map[gitops.Entry][]string{} // the addresses of who brought a file
	for _, b := range brought {
		file := gitops.Entry{Path: b.Path, Blob: b.Blob}
		by[file] = append(by[file], b.Author, b.Committer)
	}
	for _, file := range now {
		if addresses := by[file]; len(addresses) > 0 && !judge.Reviews(addresses...) {
			out = append(out, Unreviewed{file.Path, memory.OneLine(addresses[0])})
		}
	}
	return out, err
}
