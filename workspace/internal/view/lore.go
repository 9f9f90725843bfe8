package view

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// Lore tells memories that a branch has taught from others: a pull request carries no others. A default
// branch, which nobody reviews as a whole, has taught all of them.
type Lore struct {
	Whole    bool // everything was taught here
	branch   string
	standard string
	sessions func() map[string]bool // those whose last branch is this one
	changed  func() changed
	names    func() map[string]bool // identifiers in lines that the branch adds or removes
}

// changed holds the files that a branch changes since it left the default branch, with what is staged.
type changed struct {
	fork  gitops.ObjectID // where it left it; "" where nobody knows
	paths []string        // without those of cortex
}

// Nearness of a memory to the branch that is checked out, the nearest first.
const (
	ownLore     = iota // captured on it, or in a session that went on here
	touchedLore        // about a file or a name that it changes
	begunLore          // learned on the default branch, at the commit where this one left it
	foreignLore
)

// Lore returns what the branch that is checked out has taught. Git is asked what it changes
// when that is first needed.
func (r *Reader) Lore(ctx context.Context) *Lore {
	standard := DefaultBranch(ctx, r.Repo)
	diff := lazy.Value(func() changed { return r.changed(ctx) })
	return &Lore{
		Whole:    r.Repo.Branch == "" || standard == "" || standard == r.Repo.Branch,
		branch:   r.Secrets.Branch(ctx, r.Repo.Topic),
		standard: r.Secrets.Branch(ctx, standard),
		sessions: lazy.Value(func() map[string]bool { return r.sessionsHere(ctx) }),
		changed:  diff,
		names:    lazy.Value(func() map[string]bool { return r.namesSince(ctx, diff().fork) }),
	}
}

// latestSessions is how many sessions are asked for the branch that they ended on.
const latestSessions = 50

func (r *Reader) sessionsHere(ctx context.Context) map[string]bool {
	branch := r.Secrets.Branch(ctx, r.Repo.Topic)
	here := lists.Where(r.Journal.SessionsAtHand(ctx, latestSessions), func(s *session.Session) bool {
		return s.ID != "" && s.Branch == branch
	})
	return lists.SetOf(here, func(s *session.Session) string { return s.ID })
}

// changed asks git what the branch changes. What it cannot tell is no change.
func (r *Reader) changed(ctx context.Context) changed {
	fork, err := Fork(ctx, r.Repo, gitops.ObjectID(r.Repo.Head))
	if err != nil || fork == "" {
		return changed{}
	}
	differ, _ := r.Repo.StagingArea().Differences(ctx, fork, ".")
	code := lists.Where(differ, func(d gitops.Difference) bool { return !strings.HasPrefix(d.Path, folder.Dir+"/") })
	return changed{fork, lists.Map(code, func(d gitops.Difference) string { return d.Path })}
}

func (r *Reader) namesSince(ctx context.Context, fork gitops.ObjectID) map[string]bool {
	if fork == "" {
		return nil
	}
	lines, _ := r.Repo.StagingArea().Lines(ctx, fork) // without them the paths tell
	return lists.Set(identifier().FindAllString(lines, -1))
}

// identifier finds names that only code has: with an underscore or a capital inside, of five letters or more.
var identifier = lazy.Pattern(`\b[A-Za-z]\w*(?:_|[a-z][A-Z])\w{2,}\b`)

// Files is how many files the branch changes, those of cortex aside.
func (b *Lore) Files() int { return len(b.changed().paths) }

// Of returns how near a memory is to the branch.
func (b *Lore) Of(m *memory.Memory) int {
	switch {
	case b.Taught(m):
		return ownLore
	case b.touches(m):
		return touchedLore
	case b.begun(m):
		return begunLore
	}
	return foreignLore
}

// Near reports whether a memory was captured on the branch, or is about a file or a name that it changes. On the
// default branch all are alike, and none is.
func (b *Lore) Near(m *memory.Memory) bool { return !b.Whole && b.Of(m) <= touchedLore }

// Taught reports whether a memory was captured on the branch, or in a session that began on the default
// branch and went on here.
func (b *Lore) Taught(m *memory.Memory) bool {
	if b.Whole || m.Source.Branch == b.branch {
		return true
	}
	return m.Source.Branch == b.standard && b.sessions()[m.Source.Session]
}

// begun reports whether a memory was learned on the default branch when that was where this branch left it.
func (b *Lore) begun(m *memory.Memory) bool {
	return m.Source.Branch == b.standard && m.Source.Commit != "" &&
		strings.HasPrefix(string(b.changed().fork), m.Source.Commit)
}

// touches reports whether a memory is about a file that the branch changes, or about names that it changes: at
// least half of those that the memory names. One among many proves little, since some stand in all of a project.
func (b *Lore) touches(m *memory.Memory) bool {
	if slices.ContainsFunc(filesOf(m), b.changed().has) {
		return true
	}
	said := m.Title + "\n" + m.Text
	all, sure := identifier().FindAllString(said, -1), named().FindAllString(said, -1)
	shared := lists.Where(lists.Unique(sure),
		func(name string) bool { return b.names()[strings.TrimPrefix(name, "`")] })
	return len(shared) > 0 && 2*len(shared) >= len(lists.Set(all))
}

// named finds the identifiers that are no names of products: with a first capital they stand in code.
var named = lazy.Pattern("`[A-Z]\\w*[a-z][A-Z]\\w{2,}\\b|" + `\b(?:[a-z]\w*[a-z][A-Z]|[A-Za-z]\w*_)\w{2,}\b`)

// filesOf are the files that a memory is about.
func filesOf(m *memory.Memory) []string {
	return slices.Concat(m.Files, lists.Map(m.Anchors, func(a memory.Anchor) string { return a.Path }))
}

// has reports whether a file is changed, or a file in a folder.
func (c changed) has(file string) bool {
	folder := strings.TrimSuffix(file, "/") + "/"
	in := func(path string) bool { return path == file || strings.HasPrefix(path, folder) }
	return slices.ContainsFunc(c.paths, in)
}

// Foreign says in a few words why a memory is not for the pull request of this branch; "" if it is.
func (b *Lore) Foreign(m *memory.Memory) string {
	if b.Of(m) != foreignLore {
		return ""
	}
	return "it was learned on " + cmp.Or(m.Source.Branch, "no branch") + ", and is not about what this branch changes"
}

// Outright reports whether somebody said a memory as such: a person, or an agent that was asked to.
func Outright(m *memory.Memory) bool {
	switch session.Layer(m.Source.Layer) {
	case session.LayerStructure, session.LayerPattern, session.LayerRecipe:
		return m.Source.Claimed() == memory.OriginPerson
	}
	return true
}

// Repeated says in a few words that a landed memory says the same as a pending one; "" where none does.
func (r *Reader) Repeated(ctx context.Context, v *View, m *memory.Memory) string {
	slug := "/" + strings.TrimSuffix(path.Base(m.Path()), m.ID.Short()+".md")
	items := lists.Where(v.LandedItems(), func(it index.Item) bool { return strings.Contains(it.Path, slug) })
	words := sameness.Signature(m.Title, m.Text)
	for _, near := range r.Index.Alike(v.LandedItems(), [][]uint32{words}, sameness.Restated)[0] {
		items = append(items, near.Item)
	}
	for _, it := range items {
		landed, ok := r.Index.Catalog().Memory(ctx, it.Blob)
		if ok && Restates(landed, m) {
			return "it says again what " + landed.ID.Short() + " says"
		}
	}
	return ""
}

// isRetold reports whether a memory is told again as work goes on, in much the same words.
func isRetold(m *memory.Memory) bool { return m.Type == memory.Plan || m.Type == memory.Progress }

// Restates reports whether a memory says nothing that another one does not, or was gathered under the same title from
// the same work. One that replaces it does more than that.
func Restates(said, m *memory.Memory) bool {
	toIt := func(link memory.Link) bool { return link.To == said.ID }
	if said.ID == m.ID || isRetold(m) || slices.ContainsFunc(m.Links, toIt) {
		return false
	}
	return retitled(said, m) || sameness.Repeats(said.Title+"\n"+said.Text, m.Title+"\n"+m.Text)
}

// pieceOfWork is how long one title names one thing: a commit, its pull request, the report on it.
const pieceOfWork = 7 * 24 * time.Hour

// retitled reports whether two texts were gathered under one title from one piece of work, such as the message of a
// commit and the description of its pull request.
func retitled(a, b *memory.Memory) bool {
	return !Outright(b) && a.Type == b.Type && a.Title == b.Title && a.Created.Sub(b.Created).Abs() < pieceOfWork
}
