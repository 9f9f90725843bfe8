package view

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// How far the branch that a memory is pending for is from the branch of a view
// (docs/behaviour.md, "Views").
const (
	FarHere      int8 = iota // it is that branch
	FarBelongs               // it is another, and the memory belongs here too
	FarGone                  // there is no such branch any more
	FarElsewhere             // it is one that has not been merged here
)

// nearness says how far branches are from that of a view.
type nearness struct {
	branch   string          // of the view, as the journal names it
	gone     bool            // there is no such branch: it holds what is pending for it
	there    map[string]bool // the branches there are
	merged   map[string]bool // those that the view holds
	standard string          // the default branch; "" for none
	lacking  []string        // commits of the default branch that the view does not hold
	others   bool            // something is pending for another branch that is there
}

// maxLacking bounds how many commits are looked at in which the default branch is
// ahead of a view.
const maxLacking = 5000

// nearness asks git about the branches that memories are pending for. Where all of
// them are pending for the branch of the view, or hold everywhere on branches that
// are there, that costs next to nothing; else it costs a list of the branches, and
// more only where they moved since.
func (r *Reader) nearness(ctx context.Context, v *View, gone bool, pending []index.Item) (*nearness, error) {
	n := &nearness{branch: v.Branch, gone: gone}
	elsewhere := func(it index.Item) bool { return it.Branch != v.Branch }
	if gone || !slices.ContainsFunc(pending, elsewhere) {
		return n, nil
	}
	standard, there, err := r.branches(ctx)
	if err != nil {
		return nil, err
	}
	if n.there, err = r.thereFor(ctx, there, v.Branch, pending); err != nil {
		return nil, err
	}
	held, err := r.held(ctx, v, standard, there)
	if err != nil {
		return nil, err
	}
	n.merged = make(map[string]bool, len(held.merged))
	for _, name := range held.merged {
		n.merged[r.Secrets.Branch(ctx, name)] = !r.begun(v, there, name)
	}
	n.standard = r.Secrets.Branch(ctx, standard)
	if standard != "" && n.standard != v.Branch && !n.merged[n.standard] {
		n.lacking = held.lacking
	}
	return n, nil
}

// begun reports whether a branch has no commit of its own yet.
func (r *Reader) begun(v *View, there []gitops.Branch, name string) bool {
	return v.OfWorktree() && slices.ContainsFunc(there, func(b gitops.Branch) bool {
		return b.Name == name && string(b.Commit) == r.Repo.Head
	})
}

// thereFor are the branches there are, as the journal names them. Those of worktrees are asked for
// only where something is pending for a branch that is not among the others.
func (r *Reader) thereFor(ctx context.Context, there []gitops.Branch, here string, pending []index.Item,
) (map[string]bool, error) {
	names := lists.SetOf(there, func(b gitops.Branch) string { return r.Secrets.Branch(ctx, b.Name) })
	unknown := func(it index.Item) bool { return it.Branch != here && !names[it.Branch] }
	if slices.ContainsFunc(pending, unknown) {
		return r.knownOf(ctx, there)
	}
	return names, nil
}

// branches lists the branches, and finds the default one meanwhile.
func (r *Reader) branches(ctx context.Context) (standard string, there []gitops.Branch, err error) {
	listed := sync.OnceValues(func() ([]gitops.Branch, error) { return r.Repo.Branches(ctx) })
	var finding sync.WaitGroup
	finding.Go(func() { standard = defaultBranch(ctx, r.Repo, listed) })
	there, err = listed()
	finding.Wait()
	return standard, there, err
}

// held is which of the branches a commit contains.
type held struct {
	merged  []string // their names
	lacking []string // the newest commits of the default branch that it does not contain
}

// held asks git what the commit of a view contains of the branches there are, once
// for each state of all of them.
func (r *Reader) held(ctx context.Context, v *View, standard string, there []gitops.Branch) (held, error) {
	if !v.OfWorktree() {
		return r.askHeld(ctx, v.source.rev, standard)
	}
	if r.Repo.Head == "" {
		return r.askHeld(ctx, "HEAD", standard)
	}
	key := r.stateOfBranches(standard, there)
	if h, ok := parseHeld(facts.Read(r.Repo, facts.Merged), key); ok {
		return h, nil
	}
	h, err := r.askHeld(ctx, r.Repo.Head, standard)
	if err == nil {
		count := strconv.Itoa(len(h.merged))
		facts.Write(r.Repo, facts.Merged, slices.Concat([]string{key, count}, h.merged, h.lacking))
	}
	return h, err
}

// parseHeld reads what was noted under a key: it, how many branches are merged, these, and
// the commits that are lacking.
func parseHeld(words []string, key string) (held, bool) {
	if len(words) < 2 || words[0] != key {
		return held{}, false
	}
	n, err := strconv.ParseUint(words[1], 10, 31)
	words = words[2:]
	if err != nil || int(n) > len(words) {
		return held{}, false
	}
	return held{merged: words[:n], lacking: words[n:]}, true
}

func (r *Reader) askHeld(ctx context.Context, rev, standard string) (h held, err error) {
	if h.merged, err = r.Repo.History().Merged(ctx, rev); err != nil {
		return h, err
	}
	if standard != "" && !slices.Contains(h.merged, standard) {
		h.lacking, err = r.Repo.History().Lacking(ctx, rev, standard, maxLacking)
	}
	return h, err
}

// stateOfBranches names everything that [Reader.held] depends on: the commits of
// HEAD and of all branches, which branch is the default one, and where history is
// cut off.
func (r *Reader) stateOfBranches(standard string, there []gitops.Branch) string {
	sum := sha256.New()
	line := func(words ...string) { _, _ = io.WriteString(sum, strings.Join(words, " ")+"\n") }
	line(r.Repo.Head, standard)
	for _, b := range there {
		line(b.Name, string(b.Commit))
	}
	for _, name := range []string{"shallow", "info/grafts"} {
		info, err := os.Stat(filepath.Join(r.Repo.CommonDir, filepath.FromSlash(name)))
		if err == nil {
			line(name, fmt.Sprint(info.Size()), fmt.Sprint(info.ModTime().UnixNano()))
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// far is how far the branch of a pending memory is, as far as its path tells: settle
// says more.
func (n *nearness) far(it *index.Item) int8 {
	switch {
	case it.Branch == n.branch:
		return FarHere
	case n.gone:
		return FarElsewhere
	case !n.there[it.Branch]:
		return FarGone
	case n.merged[it.Branch], n.isStandard(it.Branch), typeIn(it.Path).Scope() == memory.ScopeRepository:
		return FarBelongs
	}
	return FarElsewhere
}

func (n *nearness) isStandard(branch string) bool { return n.standard != "" && branch == n.standard }

// typeIn is the type in the path of a pending memory.
func typeIn(p string) memory.Type { return memory.Type(path.Base(path.Dir(path.Dir(p)))) }

// measure sets of each pending memory how far its branch is.
func (n *nearness) measure(pending []index.Item) {
	for i := range pending {
		pending[i].Far = n.far(&pending[i])
		n.others = n.others || ofOther(&pending[i])
	}
}

// ofOther reports whether an item is pending for another branch that is there.
func ofOther(it *index.Item) bool {
	return it.Stage == index.Pending && (it.Far == FarBelongs || it.Far == FarElsewhere)
}

// settle leaves out the pending memories that do not belong to the view, or, with
// all, none. It reads the scope that a memory gives itself and, of one that is pending
// for the default branch, where it was learned: at a commit that the view holds?
func (n *nearness) settle(ctx context.Context, catalog *index.Catalog, items []index.Item, all bool) []index.Item {
	for i := range items {
		if it := &items[i]; n.isOpen(it) {
			n.place(ctx, catalog, it)
		}
	}
	if all {
		return items
	}
	return lists.Without(items, func(it index.Item) bool {
		return it.Stage == index.Pending && it.Far == FarElsewhere
	})
}

// isOpen reports whether the path of an item does not tell whether it belongs to the view.
func (n *nearness) isOpen(it *index.Item) bool { return ofOther(it) && !n.gone && !n.merged[it.Branch] }

// place sets how far an item is by what its memory says.
func (n *nearness) place(ctx context.Context, catalog *index.Catalog, it *index.Item) {
	m, ok := catalog.Head(ctx, it.Blob)
	switch {
	case !ok:
	case n.belongs(it.Branch, m):
		it.Far = FarBelongs
	default:
		it.Far = FarElsewhere
	}
}

// belongs reports whether a memory that is pending for another branch belongs to the view.
func (n *nearness) belongs(branch string, m *memory.Memory) bool {
	if m.Holds() != memory.ScopeBranch {
		return true
	}
	if branch != n.standard {
		return false
	}
	lacks := func(id string) bool { return strings.HasPrefix(id, m.Source.Commit) }
	return m.Source.Commit == "" || !slices.ContainsFunc(n.lacking, lacks)
}
