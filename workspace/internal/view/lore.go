package view

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
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
	paths map[string]bool // without those of cortex
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
	diff := sync.OnceValue(func() changed { return r.changed(ctx) })
	return &Lore{
		Whole:    r.Repo.Branch == "" || standard == "" || standard == r.Repo.Branch,
		branch:   r.Secrets.Branch(ctx, r.Repo.Topic),
		standard: r.Secrets.Branch(ctx, standard),
		sessions: sync.OnceValue(func() map[string]bool { return r.sessionsHere(ctx) }),
		changed:  diff,
		names:    sync.OnceValue(func() map[string]bool { return r.namesSince(ctx, diff().fork) }),
	}
}

// latestSessions is how many sessions are asked for the branch that they ended on.
const latestSessions = 50

func (r *Reader) sessionsHere(ctx context.Context) map[string]bool {
	here, branch := map[string]bool{}, r.Secrets.Branch(ctx, r.Repo.Topic)
	for _, s := range r.Journal.SessionsAtHand(ctx, latestSessions) {
		here[s.ID] = s.ID != "" && s.Branch == branch
	}
	return here
}

// changed asks git what the branch changes. What it cannot tell is no change.
func (r *Reader) changed(ctx context.Context) changed {
	out := changed{paths: map[string]bool{}}
	fork, err := Fork(ctx, r.Repo, gitops.ObjectID(r.Repo.Head))
	if err != nil || fork == "" {
		return out
	}
	out.fork = fork
	differ, _ := r.Repo.StagingArea().Differences(ctx, fork, ".")
	for _, d := range differ {
		if !strings.HasPrefix(d.Path, folder.Dir+"/") {
			out.paths[d.Path] = true
		}
	}
	return out
}

func (r *Reader) namesSince(ctx context.Context, fork gitops.ObjectID) map[string]bool {
	names := map[string]bool{}
	if fork == "" {
		return names
	}
	lines, _ := r.Repo.StagingArea().Lines(ctx, fork) // without them the paths tell
	for _, name := range identifier().FindAllString(lines, -1) {
		names[name] = true
	}
	return names
}

// identifier finds names that only code has: with an underscore or a capital inside, of five letters or more.
var identifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b[A-Za-z]\w*(?:_|[a-z][A-Z])\w{2,}\b`)
})

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

// touches reports whether a memory is about a file or a name that the branch changes.
func (b *Lore) touches(m *memory.Memory) bool {
	if slices.ContainsFunc(filesOf(m), b.changed().has) {
		return true
	}
	of := func(name string) bool { return b.names()[name] }
	return slices.ContainsFunc(identifier().FindAllString(m.Title+"\n"+m.Text, -1), of)
}

// filesOf are the files that a memory is about.
func filesOf(m *memory.Memory) []string {
	files := slices.Clone(m.Files)
	for _, a := range m.Anchors {
		files = append(files, a.Path)
	}
	return files
}

// has reports whether a file is changed, or a file in a folder.
func (c changed) has(file string) bool {
	if c.paths[file] {
		return true
	}
	folder := strings.TrimSuffix(file, "/") + "/"
	for path := range c.paths {
		if strings.HasPrefix(path, folder) {
			return true
		}
	}
	return false
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
	if isRetold(m) {
		return ""
	}
	words := sameness.Signature(m.Title, m.Text)
	for _, it := range r.Index.Alike(v.LandedItems(), [][]uint32{words}, sameness.Restated)[0] {
		landed, ok := r.Index.Catalog().Memory(ctx, it.Blob)
		if ok && restates(landed, m) {
			return "it says again what " + landed.ID.Short() + " says"
		}
	}
	return ""
}

// isRetold reports whether a memory is told again as work goes on, in much the same words.
func isRetold(m *memory.Memory) bool { return m.Type == memory.Plan || m.Type == memory.Progress }

// restates reports whether a memory says nothing that another one does not. One that replaces it does
// more than that.
func restates(said, m *memory.Memory) bool {
	toIt := func(link memory.Link) bool { return link.To == said.ID }
	return said.ID != m.ID && !slices.ContainsFunc(m.Links, toIt) &&
		sameness.Repeats(said.Title+"\n"+said.Text, m.Title+"\n"+m.Text)
}
