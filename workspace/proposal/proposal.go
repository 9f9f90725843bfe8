// Package proposal offers for review what no pull request brings: memories that were learned elsewhere than on
// a branch that is under way, or did not fit into theirs. Call [Make].
//
// A proposal is one branch with one commit on the default branch. It promises to leave HEAD, the index and the
// working tree alone, to offer no memory a second time unless its words have changed, whether it landed or was
// refused, and to take only what would land by itself if there were room.
package proposal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// most is how many memories a reviewer is given at once.
const most = 20

// Prefix begins the names of the branches; the date follows.
const Prefix = "cortex/memories-"

// Item is a memory that is proposed, and why.
type Item struct {
	workspace.Entry
	Reason string
}

// Proposal is the result of [Make].
type Proposal struct {
	Branch  string // "" where nothing was proposed
	Base    string // the default branch
	Commit  gitops.ObjectID
	Items   []Item // the best first
	Waiting int    // others, for the next proposal
	Settled int    // those that were proposed before and have the same words
	Next    string // the command to type next; "" for none
}

// ErrNoBase is that nothing can be proposed where no default branch has a commit.
var ErrNoBase = errors.New("no default branch with a commit is known here: git config cortex.defaultBranch NAME")

// maker makes one proposal.
type maker struct {
	w    *workspace.Workspace
	base gitops.ObjectID
	out  *Proposal
}

// Make proposes the best of the backlog as a new branch; with dry it only says which these are.
func Make(ctx context.Context, w *workspace.Workspace, dry bool) (*Proposal, error) {
	m := &maker{w: w, out: &Proposal{Base: view.DefaultBranch(ctx, w.Repo)}}
	if err := m.choose(ctx); err != nil {
		return nil, err
	}
	if dry || len(m.out.Items) == 0 {
		return m.out, nil
	}
	return m.out, m.commit(ctx)
}

// backlog are the memories that would land by themselves if there were room, and that no branch under way is going
// to bring: those that wait for the default branch, and of branches that are gone those that hold without their code.
func (m *maker) backlog(ctx context.Context) ([]workspace.Entry, error) {
	v, err := m.w.View(ctx, workspace.ViewOptions{Branch: m.out.Base, Local: true, Unreviewed: true})
	if err != nil {
		return nil, err
	}
	known, err := m.w.Views.KnownBranches(ctx)
	standard := m.w.Secrets.Branch(ctx, m.out.Base)
	return workspace.Landable(ctx, m.w, v, func(e *workspace.Entry) bool {
		return e.Branch == standard || !known[e.Branch] && e.Memory.Holds() != memory.ScopeBranch
	}), err
}

// choose takes the best of what was neither proposed before nor has landed.
func (m *maker) choose(ctx context.Context) error {
	var err error
	if m.base, err = view.Tip(ctx, m.w.Repo, m.out.Base); err != nil || m.base == "" {
		return cmp.Or(err, ErrNoBase)
	}
	found, err := m.backlog(ctx)
	if err != nil {
		return err
	}
	landed, there, err := m.atBase(ctx, found)
	if err != nil {
		return err
	}
	offered, err := m.offered(ctx, pathsOf(found))
	if err != nil {
		return err
	}
	found = lists.Without(found, func(e workspace.Entry) bool { return landed[fileOf(e)] != "" })
	fresh := lists.Without(found, func(e workspace.Entry) bool { return offered[wordsOf(e.Memory)] })
	m.out.Settled = len(found) - len(fresh)
	for _, e := range ranked(fresh, there) {
		said := func(i Item) bool { return view.Restates(i.Memory, e.Memory) }
		switch {
		case slices.ContainsFunc(m.out.Items, said):
		case len(m.out.Items) == most:
			m.out.Waiting++
		default:
			m.out.Items = append(m.out.Items, Item{e, reason(e.Memory, there)})
		}
	}
	return nil
}

// atBase finds which memories, and which of the files that they are about, the default branch has, by their paths.
func (m *maker) atBase(ctx context.Context, found []workspace.Entry) (landed, there map[string]gitops.ObjectID,
	err error,
) {
	var files []string
	for _, e := range found {
		files = append(files, e.Memory.Files...)
	}
	landed, err = m.w.Repo.PathsAt(ctx, string(m.base), pathsOf(found))
	if err == nil {
		there, err = m.w.Repo.PathsAt(ctx, string(m.base), files)
	}
	return landed, there, err
}

// offered are the words of the memories at these paths in all earlier proposals.
func (m *maker) offered(ctx context.Context, paths []string) (map[string]bool, error) {
	earlier, err := m.w.Repo.StagingArea().Proposals(ctx)
	names := map[gitops.ObjectID]string{}
	for _, p := range earlier {
		var blobs map[string]gitops.ObjectID
		blobs, err = m.w.Repo.PathsAt(ctx, string(p.Commit), paths)
		for path, blob := range blobs {
			names[blob] = path
		}
		if err != nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	offered := map[string]bool{}
	return offered, m.w.Repo.Blobs(ctx, slices.Collect(maps.Keys(names)), memory.MaxFile,
		func(blob gitops.ObjectID, data []byte) error {
			if old, err := memory.Parse(names[blob], data); err == nil {
				offered[wordsOf(old)] = true
			}
			return nil
		})
}

// wordsOf returns the id of a memory and what it says.
func wordsOf(m *memory.Memory) string { return string(m.ID) + "\n" + m.Title + "\n" + m.Text }

// commit makes the branch.
func (m *maker) commit(ctx context.Context) error {
	files := make([]gitops.File, len(m.out.Items))
	for i, item := range m.out.Items {
		files[i] = gitops.File{Path: fileOf(item.Entry), Data: workspace.LandedForm(item.Memory)}
	}
	name := Prefix + m.w.Now().UTC().Format("2006-01-02")
	made, err := m.w.Repo.StagingArea().Propose(ctx, m.base, name, files, m.message())
	if err != nil {
		return err
	}
	m.out.Branch, m.out.Commit, m.out.Next = made.Branch, made.Commit, m.next(ctx, made.Branch)
	return nil
}

// message returns the message of the commit. Memories are named by their files, in whose names nothing is a mention or
// closes an issue.
func (m *maker) message() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Add %s of earlier work\n\nTo refuse one, delete its file on this branch.\n\n",
		notices.Memories(len(m.out.Items)))
	plain := strings.NewReplacer("#", "", "@", "")
	for _, item := range m.out.Items {
		fmt.Fprintf(&b, "- %s: %s\n", strings.TrimPrefix(fileOf(item.Entry), workspace.MemoriesDir+"/"),
			plain.Replace(item.Reason))
	}
	return b.String()
}

// next is the command that brings a branch to its review: to a remote, or without one to the default branch.
func (m *maker) next(ctx context.Context, branch string) string {
	if settings, err := m.w.Repo.Settings(ctx); err == nil && len(settings.Remotes()) > 0 {
		remotes := settings.Remotes()
		remote := remotes[0]
		if slices.Contains(remotes, "origin") {
			remote = "origin"
		}
		return "git push -u " + workspace.Quote(remote) + " " + branch
	}
	return "git switch " + workspace.Quote(m.out.Base) + " && git merge " + branch
}

// fileOf is the path at which a pending memory lands.
func fileOf(e workspace.Entry) string { return view.MemoryPath(e.Memory.Path()) }

func pathsOf(entries []workspace.Entry) []string {
	paths := make([]string, len(entries))
	for i, e := range entries {
		paths[i] = fileOf(e)
	}
	return paths
}

// ranked are memories in the order in which they are proposed: what is about files that are there, and in each as a
// review shows them.
func ranked(found []workspace.Entry, there map[string]gitops.ObjectID) []workspace.Entry {
	out := slices.Clone(found)
	lists.Sort(out, func(a, b workspace.Entry) int {
		return cmp.Or(len(about(b.Memory, there))-len(about(a.Memory, there)), view.ByWorth(a.Memory, b.Memory))
	})
	return out
}

// about is the first file of a memory that is there; none where none is.
func about(m *memory.Memory, there map[string]gitops.ObjectID) []string {
	here := lists.Without(m.Files, func(f string) bool { return there[f] == "" })
	return here[:min(1, len(here))]
}

// reason says in a few words why a memory is proposed.
func reason(m *memory.Memory, there map[string]gitops.ObjectID) string {
	words := []string{m.OriginText(), "learned on " + cmp.Or(m.Source.Branch, "no branch")}
	for _, f := range about(m, there) {
		words = append(words, "about "+f)
	}
	return strings.Join(words, ", ")
}
