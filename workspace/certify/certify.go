// Package certify says whether a merge lost a memory. Call [Merge] with a merge
// commit, with revisions that were merged in some other way, or while a merge is
// under way. It compares what the merge holds with its sides and with what they
// came from, memory by memory and by id, so that moved files do not matter, and
// returns a [Certificate] with everything that is wrong. It reads git objects
// and the index, and writes nothing.
package certify

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
)

// Certificate says whether a merge holds the memories of all its sides, except
// those that a side removed. As JSON it is the answer of `cortex verify-merge`
// in docs/json.md.
type Certificate struct {
	Merge     string    `json:"merge"` // a commit id, or "index" for a merge under way
	Sides     []string  `json:"sides"` // commit ids
	Bases     []string  `json:"bases"` // what the sides came from; several after a criss-cross merge
	Certified bool      `json:"certified"`
	Memories  int       `json:"memories"` // in the merge
	Removed   []Finding `json:"removed"`  // by one side, and gone from the merge
	Problems  []Finding `json:"problems"`
	Notes     []Finding `json:"notes"` // not wrong, and worth a look
}

// Finding says what a merge did to one memory or page.
type Finding struct {
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

	Merge string `json:"-"` // of those of [Since]

	behind bool // a page that is missing, or as it was rendered for earlier memories
}

// ErrNoMerge is returned by [Merge] when it is not told what was merged and HEAD
// is not a merge commit.
var ErrNoMerge = errors.New("not a merge, and none is under way")

// ErrShallow is returned where the history that the answer depends on is not
// in this clone.
var ErrShallow = errors.New("this clone is shallow and lacks the commits that the sides came from")

// maxSides limits octopus merges: their sides are compared in pairs.
const maxSides = 16

// Merge certifies the merge commit named by merge, "" for HEAD. Sides are
// the revisions that were merged; none means the parents of that commit, or,
// with merge empty, the merge that is under way. It needs no working tree, no
// set-up and no network.
func Merge(ctx context.Context, w *workspace.Workspace, merge string, sides []string) (*Certificate, error) {
	c := newCertifier(w)
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
	c.out.Memories, c.out.Certified = len(c.merged.held), len(c.out.Problems) == 0
	return &c.out, nil
}

// certifier is one run of [Merge].
type certifier struct {
	w        *workspace.Workspace
	merged   *mergeState
	sides    []*mergeState
	bases    map[[2]int][]*mergeState // by the numbers of two sides, the smaller first
	allBases []*mergeState            // of any two sides
	states   map[gitops.ObjectID]*mergeState
	worktree map[gitops.ObjectID][]byte // files in conflict, by the blob they would be
	open     bool                       // the merge is under way
	out      Certificate
}

func newCertifier(w *workspace.Workspace) *certifier {
	return &certifier{
		w: w, bases: map[[2]int][]*mergeState{}, states: map[gitops.ObjectID]*mergeState{},
		worktree: map[gitops.ObjectID][]byte{},
		out:      Certificate{Bases: []string{}, Removed: []Finding{}, Problems: []Finding{}, Notes: []Finding{}},
	}
}

// choose reads the states that the question is about.
func (c *certifier) choose(ctx context.Context, merge string, sides []string) error {
	heads, err := c.w.Repo.MergeHeads()
	if err != nil {
		return err
	}
	if len(heads) > 0 && merge == "" && len(sides) == 0 {
		return c.chooseUnderWay(ctx, heads)
	}
	return c.chooseCommit(ctx, cmp.Or(merge, "HEAD"), sides)
}

// chooseCommit reads a merge commit and its sides; without any, these are its parents.
func (c *certifier) chooseCommit(ctx context.Context, rev string, sides []string) error {
	id, err := c.w.Repo.History().Commit(ctx, rev)
	if err != nil {
		return err
	}
	c.out.Merge = string(id)
	if c.merged, err = c.at(ctx, rev, id); err != nil {
		return err
	}
	if len(sides) == 0 {
		if sides, err = c.parents(ctx, rev, id); err != nil {
			return err
		}
	}
	return c.addSides(ctx, sides)
}

// chooseUnderWay reads the merge that is under way; heads are what it brings in.
func (c *certifier) chooseUnderWay(ctx context.Context, heads []gitops.ObjectID) (err error) {
	c.open, c.out.Merge = true, "index"
	if c.merged, err = c.underWay(ctx); err != nil {
		return err
	}
	sides := []string{"HEAD", "MERGE_HEAD"}
	others := heads[1:] // git's name is that of the first one alone
	return c.addSides(ctx, append(sides, lists.Map(others, func(h gitops.ObjectID) string { return string(h) })...))
}

// parents are the sides of a merge commit, as revisions.
func (c *certifier) parents(ctx context.Context, rev string, id gitops.ObjectID) (sides []string, err error) {
	parents, err := c.w.Repo.History().Parents(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(parents) < 2 {
		return nil, c.noMerge(rev)
	}
	for i := range parents {
		sides = append(sides, fmt.Sprintf("%s^%d", rev, i+1))
	}
	return sides, nil
}

// noMerge is the error of a commit that shows fewer than two parents. A shallow clone may hide them.
func (c *certifier) noMerge(rev string) error {
	if c.w.Repo.Shallow() {
		return ErrShallow
	}
	return fmt.Errorf("%s: %w", rev, ErrNoMerge)
}

func (c *certifier) addSides(ctx context.Context, revs []string) error {
	for _, rev := range revs {
		id, err := c.w.Repo.History().Commit(ctx, rev)
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
	for i, a := range c.sides {
		for j := i + 1; j < len(c.sides); j++ {
			bases, err := c.basesOf(ctx, a, c.sides[j])
			if err != nil {
				return err
			}
			c.bases[[2]int{i, j}] = bases
			c.allBases = append(c.allBases, bases...)
		}
	}
	for _, base := range c.allBases {
		if !slices.Contains(c.out.Bases, string(base.commit)) {
			c.out.Bases = append(c.out.Bases, string(base.commit))
		}
	}
	return nil
}

// basesOf reads what two sides came from.
func (c *certifier) basesOf(ctx context.Context, a, b *mergeState) ([]*mergeState, error) {
	ids, err := c.w.Repo.History().MergeBases(ctx, a.commit, b.commit)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 && c.w.Repo.Shallow() {
		return nil, ErrShallow
	}
	var bases []*mergeState
	for _, id := range ids {
		s, err := c.at(ctx, string(id), id)
		if err != nil {
			return nil, err
		}
		bases = append(bases, s)
	}
	return bases, nil
}

// between are the states that two sides came from; an empty one where they have nothing in common.
func (c *certifier) between(i, j int) []*mergeState {
	bases := c.bases[[2]int{min(i, j), max(i, j)}]
	if len(bases) == 0 {
		return []*mergeState{{}}
	}
	return bases
}

// judgeFiles reports the files of the merge that cannot be read as memories, and
// paths that git left unresolved.
func (c *certifier) judgeFiles() {
	for _, b := range c.merged.broken {
		f := Finding{
			Kind: "unreadable", Path: b.Path, Text: b.Problem.Error(), Hint: "cortex check",
			ID: cmp.Or(b.ids...),
		}
		switch {
		case b.markers:
			f.Kind, f.Hint = "markers", "cortex doctor --fix"
			if c.open {
				f.Hint = "edit " + b.Path + ", then git add " + gitops.Quote(b.Path)
			}
		case slices.ContainsFunc(c.sides, func(s *mergeState) bool { return s.hasBlob(b.Path, b.blob) }):
			continue // so it came; `cortex check` says it
		}
		c.problem(f)
	}
	for _, path := range c.merged.unmerged {
		word := gitops.Quote(path)
		f := Finding{Kind: "unresolved", Path: path, Text: "git left it unresolved", Hint: "git add " + word +
			", once it is right"}
		if slices.ContainsFunc(c.sides, func(s *mergeState) bool { return !s.paths[path] }) {
			f.Hint = "git add " + word + " keeps it, git rm " + word + " removes it"
		}
		c.problem(f)
	}
}

// judgePages compares the pages of the merge with a rendering of its memories. A
// difference is a problem where every branch keeps its pages up to date. Where
// only the default branch does, and before the commit is made, it is a note.
func (c *certifier) judgePages(ctx context.Context) error {
	mode, pages, err := c.pages(ctx)
	if err != nil || mode == "off" {
		return err
	}
	items := slices.Concat(slices.Collect(maps.Values(c.merged.held))...)
	landed, err := c.memories(ctx, c.w.Index.Fold(items))
	if err != nil {
		return err
	}
	for _, kind := range projection.Kinds() {
		path := workspace.Dir + "/" + kind.File()
		have, there := pages[path]
		if !there && len(landed) == 0 || slices.Contains(c.merged.unmerged, path) {
			continue
		}
		// A template that cannot be used is doctor's business.
		template := string(workspace.NormalEOL(pages[workspace.TemplatePath(kind)]))
		want, _ := projection.Render(kind, template, landed)
		if have = workspace.NormalEOL(have); !bytes.Equal(have, want) {
			c.judgePage(mode, Finding{
				Kind: "page", Path: path, Text: pageTrouble(have, there), Hint: "cortex project",
				behind: isBehind(kind, have, there),
			})
		}
	}
	return nil
}

// isBehind reports whether a page was rendered for earlier memories, or not yet.
func isBehind(kind projection.Kind, have []byte, there bool) bool {
	return !there || workspace.IsRendering(kind, have)
}

// judgePage reports a page that differs from the rendering.
func (c *certifier) judgePage(mode string, f Finding) {
	switch {
	case f.Text == pageDiffers && len(c.merged.broken) > 0:
		f.Text += "; compare it again once every memory can be read"
	case c.open:
		f.Text += "; the pre-commit hook will update it"
	case mode == "branch":
		c.problem(f)
		return
	default:
		f.Text += "; the next commit on the default branch updates it"
	}
	c.note(f)
}

const pageDiffers = "it does not match the memories of the merge"

// pageTrouble says what is wrong with a page.
func pageTrouble(have []byte, there bool) string {
	switch {
	case memory.Conflicted(have):
		return "it holds conflict markers"
	case !there:
		return "it is missing"
	}
	return pageDiffers
}

func (c *certifier) problem(f Finding) { c.out.Problems = append(c.out.Problems, f) }
func (c *certifier) note(f Finding)    { c.out.Notes = append(c.out.Notes, f) }
