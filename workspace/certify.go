package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// Certificate says whether a merge holds the memories of all its sides, minus
// those that a side removed.
type Certificate struct {
	Merge     string         `json:"merge"` // a commit id, or "index" for a merge under way
	Sides     []string       `json:"sides"` // commit ids
	Bases     []string       `json:"bases"` // what the sides came from; several after a criss-cross merge
	Certified bool           `json:"certified"`
	Memories  int            `json:"memories"` // in the merge
	Removed   []MergeFinding `json:"removed"`  // by one side, and gone from the merge
	Problems  []MergeFinding `json:"problems"`
	Notes     []MergeFinding `json:"notes"` // not wrong, and worth a look
}

// MergeFinding is what a merge made of one memory or page.
type MergeFinding struct {
	// Kind is lost, resurrected, one-sided, duplicate-id, markers, unreadable,
	// unresolved or page; of a note edited, removed-edited, new or page; of a
	// removed memory removed.
	Kind   string    `json:"kind"`
	ID     memory.ID `json:"id,omitempty"`
	Title  string    `json:"title,omitempty"`
	Path   string    `json:"path"`
	Side   string    `json:"side,omitempty"`   // the side that is meant, as a revision
	Commit string    `json:"commit,omitempty"` // the newest one of that side that touched the path
	Text   string    `json:"text"`             // what is wrong, in words
	Hint   string    `json:"hint,omitempty"`   // what to type
}

// ErrNoMerge is returned by [Workspace.VerifyMerge] when it is not told what
// was merged and HEAD is no merge.
var ErrNoMerge = errors.New("HEAD is not a merge, and none is under way")

// ErrShallow is returned where the history that the answer depends on is not
// in this clone.
var ErrShallow = errors.New("this clone is shallow: what the sides came from is not in it")

// maxSides bounds an octopus, whose sides are compared in pairs.
const maxSides = 16

// VerifyMerge certifies the merge commit named by merge, "" for HEAD. Sides are
// the revisions that were merged; none means the parents of that commit, or,
// with merge empty, the merge that is under way. It needs no working tree, no
// set-up and no network.
func (w *Workspace) VerifyMerge(ctx context.Context, merge string, sides []string) (*Certificate, error) {
	c := &certifier{Workspace: w, states: map[gitops.ObjectID]*mergeState{}, worktree: map[gitops.ObjectID][]byte{}}
	if err := c.choose(ctx, merge, sides); err != nil {
		return nil, err
	}
	if len(c.sides) > maxSides {
		return nil, fmt.Errorf("%d sides are more than the %d that can be compared", len(c.sides), maxSides)
	}
	if err := c.findBases(ctx); err != nil {
		return nil, err
	}
	for _, id := range c.ids() {
		if err := c.judge(ctx, id); err != nil {
			return nil, err
		}
	}
	c.judgeFiles()
	if err := c.judgePages(ctx); err != nil {
		return nil, err
	}
	out := &c.out
	out.Memories, out.Certified = len(c.merged.held), len(out.Problems) == 0
	for _, list := range []*[]MergeFinding{&out.Removed, &out.Problems, &out.Notes} {
		if *list == nil {
			*list = []MergeFinding{}
		}
	}
	return out, nil
}

// certifier is one run of VerifyMerge.
type certifier struct {
	*Workspace
	merged   *mergeState
	sides    []*mergeState
	bases    map[[2]int][]*mergeState // by the numbers of two sides, the smaller first
	states   map[gitops.ObjectID]*mergeState
	worktree map[gitops.ObjectID][]byte // files in conflict, by the blob they would be
	open     bool                       // the merge is under way
	out      Certificate
}

// choose reads the states that the question is about.
func (c *certifier) choose(ctx context.Context, merge string, sides []string) error {
	heads, err := c.Repo.MergeHeads()
	if err != nil {
		return err
	}
	if merge == "" && len(sides) == 0 && len(heads) > 0 && c.Repo.Root != "" {
		c.open, c.out.Merge = true, "index"
		if c.merged, err = c.underWay(ctx); err != nil {
			return err
		}
		sides = []string{"HEAD"}
		for i, h := range heads {
			name := "MERGE_HEAD"
			if i > 0 {
				name = string(h) // git's name is that of the first one alone
			}
			sides = append(sides, name)
		}
		return c.addSides(ctx, sides)
	}
	rev := merge
	if rev == "" {
		rev = "HEAD"
	}
	id, err := c.Repo.History().Commit(ctx, rev)
	if err != nil {
		return err
	}
	c.out.Merge = string(id)
	if c.merged, err = c.at(ctx, rev, id); err != nil {
		return err
	}
	if len(sides) == 0 {
		parents, err := c.Repo.History().Parents(ctx, id)
		if err != nil {
			return err
		}
		if len(parents) < 2 && c.Repo.Shallow() {
			return ErrShallow
		}
		if len(parents) < 2 {
			return fmt.Errorf("%s: %w", rev, ErrNoMerge)
		}
		for i := range parents {
			sides = append(sides, fmt.Sprintf("%s^%d", rev, i+1))
		}
	}
	return c.addSides(ctx, sides)
}

func (c *certifier) addSides(ctx context.Context, revs []string) error {
	for _, rev := range revs {
		id, err := c.Repo.History().Commit(ctx, rev)
		if err != nil {
			return err
		}
		s, err := c.at(ctx, rev, id)
		if err != nil {
			return err
		}
		c.sides = append(c.sides, s)
		c.out.Sides = append(c.out.Sides, string(id))
	}
	return nil
}

// findBases reads what each two sides came from.
func (c *certifier) findBases(ctx context.Context) error {
	c.bases, c.out.Bases = map[[2]int][]*mergeState{}, []string{}
	for i, a := range c.sides {
		for j := i + 1; j < len(c.sides); j++ {
			bases, err := c.Repo.History().MergeBases(ctx, a.commit, c.sides[j].commit)
			if err != nil {
				return err
			}
			if len(bases) == 0 && c.Repo.Shallow() {
				return ErrShallow
			}
			for _, id := range bases {
				s, err := c.at(ctx, string(id), id)
				if err != nil {
					return err
				}
				c.bases[[2]int{i, j}] = append(c.bases[[2]int{i, j}], s)
				if !slices.Contains(c.out.Bases, string(id)) {
					c.out.Bases = append(c.out.Bases, string(id))
				}
			}
		}
	}
	return nil
}

func (c *certifier) between(i, j int) []*mergeState { return c.bases[[2]int{min(i, j), max(i, j)}] }

// judgeFiles looks at what is no memory in the merge.
func (c *certifier) judgeFiles() {
	for _, b := range c.merged.broken {
		f := MergeFinding{Kind: "unreadable", Path: b.Path, Text: b.Problem.Error(), Hint: "cortex check"}
		if len(b.ids) > 0 {
			f.ID = b.ids[0]
		}
		switch {
		case b.markers:
			f.Kind, f.Hint = "markers", "cortex doctor --fix"
			if c.open {
				f.Hint = "edit " + b.Path + ", then git add " + b.Path
			}
		case slices.ContainsFunc(c.sides, func(s *mergeState) bool { return s.hasBlob(b.Path, b.blob) }):
			continue // so it came; `cortex check` says it
		}
		c.problem(f)
	}
	for _, path := range c.merged.unmerged {
		c.problem(MergeFinding{Kind: "unresolved", Path: path, Text: "git asks what becomes of it", Hint: "git add " + path + ", once it is as it should be"})
	}
}

// judgePages holds the pages of the merge against a rendering of its memories,
// where every branch keeps them. Elsewhere, and before the commit is made,
// pages that lag behind are as it should be.
func (c *certifier) judgePages(ctx context.Context) error {
	mode, pages, err := c.pages(ctx)
	if err != nil || mode == "off" {
		return err
	}
	var items []index.Item
	for _, list := range c.merged.held {
		items = append(items, list...)
	}
	landed, err := c.memories(ctx, c.Index.Fold(items))
	if err != nil {
		return err
	}
	for _, kind := range projection.Kinds() {
		path := Dir + "/" + kind.File()
		have, there := pages[path]
		if !there && len(landed) == 0 || slices.Contains(c.merged.unmerged, path) {
			continue
		}
		if there && bytes.Equal(NormalEOL(have), projection.Render(kind, landed)) {
			continue
		}
		c.judgePage(mode, path, have, there)
	}
	return nil
}

// judgePage says what is wrong with a page that is not as it should be.
func (c *certifier) judgePage(mode, path string, have []byte, there bool) {
	f := MergeFinding{Kind: "page", Path: path, Text: "it does not say what the memories of the merge say", Hint: "cortex project"}
	_, err := memory.ParseConflict(have)
	marked := err == nil
	if marked {
		f.Text = "it holds conflict markers"
	} else if !there {
		f.Text = "it is missing"
	}
	switch {
	case there && !marked && len(c.merged.broken) > 0:
		f.Text += "; it can be held against them when all can be read"
		c.note(f)
	case mode == "branch" && !c.open:
		c.problem(f)
	case c.open:
		f.Text += "; the commit will mend that where its hook runs"
		c.note(f)
	default:
		f.Text += "; the next commit on the default branch mends that"
		c.note(f)
	}
}

func (c *certifier) problem(f MergeFinding) { c.out.Problems = append(c.out.Problems, f) }
func (c *certifier) note(f MergeFinding)    { c.out.Notes = append(c.out.Notes, f) }
