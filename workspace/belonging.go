package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	standard string          // the default branch
	lacking  []string        // commits of the default branch that the view does not hold

	look func(context.Context) error // finds standard and lacking, once; nil for what is known without
}

// maxLacking bounds how many commits are looked at in which the default branch is
// ahead of a view.
const maxLacking = 5000

// nearness asks git about the branches that memories are pending for. Where all of
// them are pending for the branch of the view, or hold everywhere on branches that
// are there, that costs next to nothing; else it costs a list of the branches, and
// more only where they moved since.
func (r *viewer) nearness(ctx context.Context, v *View, gone bool, pending []index.Item) (*nearness, error) {
	n := &nearness{branch: v.Branch, gone: gone}
	if gone || !slices.ContainsFunc(pending, func(it index.Item) bool { return it.Branch != v.Branch }) {
		return n, nil
	}
	listed := sync.OnceValues(func() ([]gitops.Branch, error) { return r.repo.Branches(ctx) })
	var standard string
	var finding sync.WaitGroup
	finding.Go(func() { standard = defaultBranch(ctx, r.repo, listed) })
	there, err := listed()
	finding.Wait()
	if err != nil {
		return nil, err
	}
	n.there = make(map[string]bool, len(there))
	begun := map[string]bool{} // branches without a commit of their own yet
	for _, b := range there {
		n.there[r.secrets.branch(ctx, b.Name)] = true
		begun[b.Name] = v.rev == "" && string(b.Commit) == r.repo.Head
	}
	if slices.ContainsFunc(pending, func(it index.Item) bool { return !n.there[it.Branch] && it.Branch != v.Branch }) {
		b := &branches{repo: r.repo, journal: r.journal, secrets: r.secrets} // it may be that of a worktree
		if n.there, err = b.knownOf(ctx, there); err != nil {
			return nil, err
		}
	}
	held, err := r.held(ctx, v, standard, there)
	if err != nil {
		return nil, err
	}
	n.merged = make(map[string]bool, len(held.merged))
	for _, name := range held.merged {
		n.merged[r.secrets.branch(ctx, name)] = !begun[name]
	}
	n.look = func(ctx context.Context) error {
		n.look = nil
		n.standard = r.secrets.branch(ctx, standard)
		if standard != "" && n.standard != v.Branch && !n.merged[n.standard] {
			n.lacking = held.lacking
		}
		return nil
	}
	if slices.ContainsFunc(pending, func(it index.Item) bool { return n.far(&it) == FarElsewhere }) {
		err = n.look(ctx)
	}
	return n, err
}

// held is which of the branches a commit contains.
type held struct {
	merged  []string // their names
	lacking []string // the newest commits of the default branch that it does not contain
}

// held asks git what the commit of a view contains of the branches there are, once
// for each state of all of them.
func (r *viewer) held(ctx context.Context, v *View, standard string, there []gitops.Branch) (held, error) {
	rev, key := v.rev, ""
	if rev == "" && r.repo.Head != "" {
		rev, key = r.repo.Head, r.stateOfBranches(standard, there)
	}
	if rev == "" {
		rev = "HEAD"
	}
	if words := facts.Read(r.repo, facts.Merged); key != "" && len(words) > 1 && words[0] == key {
		if n, err := strconv.Atoi(words[1]); err == nil && n >= 0 && n <= len(words)-2 {
			return held{merged: words[2 : 2+n], lacking: words[2+n:]}, nil
		}
	}
	var h held
	var err error
	if h.merged, err = r.repo.History().Merged(ctx, rev); err != nil {
		return h, err
	}
	if standard != "" && !slices.Contains(h.merged, standard) {
		h.lacking, err = r.repo.History().Lacking(ctx, rev, standard, maxLacking)
	}
	if err == nil && key != "" {
		facts.Write(r.repo, facts.Merged, slices.Concat([]string{key, strconv.Itoa(len(h.merged))}, h.merged, h.lacking))
	}
	return h, err
}

// stateOfBranches names everything that [viewer.held] depends on: the commits of
// HEAD and of all branches, which branch is the default one, and where history is
// cut off.
func (r *viewer) stateOfBranches(standard string, there []gitops.Branch) string {
	sum := sha256.New()
	line := func(words ...string) { _, _ = io.WriteString(sum, strings.Join(words, " ")+"\n") }
	line(r.repo.Head, standard)
	for _, b := range there {
		line(b.Name, string(b.Commit))
	}
	for _, name := range []string{"shallow", "info/grafts"} {
		info, err := os.Stat(filepath.Join(r.repo.CommonDir, filepath.FromSlash(name)))
		if err == nil {
			line(name, strconv.FormatInt(info.Size(), 10), strconv.FormatInt(info.ModTime().UnixNano(), 10))
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
	case n.merged[it.Branch], typeIn(it.Path).Scope() == memory.ScopeRepository, it.Branch == n.standard && n.standard != "":
		return FarBelongs
	}
	return FarElsewhere
}

// typeIn is the type in the path of a pending memory.
func typeIn(p string) memory.Type { return memory.Type(path.Base(path.Dir(path.Dir(p)))) }

// measure sets of each pending memory how far its branch is, and reports whether any
// is of another one, so that settle has to look at it.
func (n *nearness) measure(pending []index.Item) (others bool) {
	for i := range pending {
		pending[i].Far = n.far(&pending[i])
		others = others || pending[i].Far == FarBelongs || pending[i].Far == FarElsewhere
	}
	return others
}

// settle leaves out the pending memories that do not belong to the view, or, with
// all, none. It reads the scope that a memory gives itself and, of one that is pending
// for the default branch, where it was learned: at a commit that the view holds?
func (n *nearness) settle(ctx context.Context, catalog *index.Catalog, items []index.Item, all bool) ([]index.Item, error) {
	out := items[:0]
	for _, it := range items {
		if it.Stage == index.Pending && (it.Far == FarBelongs || it.Far == FarElsewhere) && !n.gone && !n.merged[it.Branch] {
			if m, ok := catalog.Head(ctx, it.Blob); ok {
				belongs, err := n.belongs(ctx, &it, m)
				if err != nil {
					return nil, err
				}
				if it.Far = FarElsewhere; belongs {
					it.Far = FarBelongs
				}
			}
		}
		if all || it.Stage != index.Pending || it.Far != FarElsewhere {
			out = append(out, it)
		}
	}
	return out, nil
}

func (n *nearness) belongs(ctx context.Context, it *index.Item, m *memory.Memory) (bool, error) {
	if m.Holds() != memory.ScopeBranch {
		return true, nil
	}
	if n.look != nil {
		if err := n.look(ctx); err != nil {
			return false, err
		}
	}
	lacks := func(id string) bool { return strings.HasPrefix(id, m.Source.Commit) }
	return it.Branch == n.standard && (m.Source.Commit == "" || !slices.ContainsFunc(n.lacking, lacks)), nil
}
