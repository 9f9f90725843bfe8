package workspace

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// lore tells memories that a branch has taught from others: those were captured on it, or are about files
// and names that it changes. A pull request carries no others. A default branch, which nobody reviews as a
// whole, has taught all of them. It is not safe for concurrent use.
type lore struct {
	whole    bool // everything was taught here
	branch   string
	standard string
	lander   *lander
	sessions map[string]bool // whose last branch is this one; nil until they are asked for
	changed  *changes        // nil until it is asked for
}

// changes holds the files and names that a branch changes, with those that are staged.
type changes struct {
	paths map[string]bool
	names map[string]bool // identifiers in lines that it adds or removes
}

// loreOf returns what the branch that is checked out has taught. Git is asked what it changes
// when that is first needed.
func (l *lander) loreOf(ctx context.Context) *lore {
	standard := view.DefaultBranch(ctx, l.repo)
	return &lore{
		whole:    l.repo.Branch == "" || standard == "" || standard == l.repo.Branch,
		branch:   l.secrets.Branch(ctx, l.repo.Topic),
		standard: l.secrets.Branch(ctx, standard),
		lander:   l,
	}
}

// latestSessions is how many sessions are asked for the branch that they ended on.
const latestSessions = 50

// sessionsHere are the sessions whose last branch is the one that is checked out.
func (l *lander) sessionsHere(ctx context.Context) map[string]bool {
	here := map[string]bool{}
	for _, s := range l.journal.SessionsAtHand(ctx, latestSessions) {
		here[s.ID] = s.ID != "" && s.Branch == l.secrets.Branch(ctx, l.repo.Topic)
	}
	return here
}

// changes asks git what the branch changes. What it cannot tell is no change.
func (l *lander) changes(ctx context.Context) *changes {
	out := &changes{paths: map[string]bool{}, names: map[string]bool{}}
	fork, err := view.Fork(ctx, l.repo, gitops.ObjectID(l.repo.Head))
	if err != nil || fork == "" {
		return out
	}
	differ, err := l.repo.StagingArea().Differences(ctx, fork, ".")
	if err != nil {
		return out
	}
	for _, d := range differ {
		if !strings.HasPrefix(d.Path, Dir+"/") {
			out.paths[d.Path] = true
		}
	}
	lines, _ := l.repo.StagingArea().Lines(ctx, fork) // without them the paths tell
	for _, name := range identifier().FindAllString(lines, -1) {
		out.names[name] = true
	}
	return out
}

// identifier finds names that only code has: with an underscore or a capital inside, of five letters or more.
var identifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b[A-Za-z]\w*(?:_|[a-z][A-Z])\w{2,}\b`)
})

// taught reports whether a memory was captured on the branch, or in a session that began on the default
// branch and went on here.
func (b *lore) taught(ctx context.Context, m *memory.Memory) bool {
	from := m.Source.Branch
	if b.whole || from == b.branch {
		return true
	}
	if from != b.standard {
		return false
	}
	if b.sessions == nil {
		b.sessions = b.lander.sessionsHere(ctx)
	}
	return b.sessions[m.Source.Session]
}

// touches reports whether a memory is about a file or a name that the branch changes.
func (b *lore) touches(ctx context.Context, m *memory.Memory) bool {
	if b.changed == nil {
		b.changed = b.lander.changes(ctx)
	}
	return b.changed.name(m) || slices.ContainsFunc(filesOf(m), b.changed.has)
}

// name reports whether one of the identifiers that are changed stands in a memory.
func (c *changes) name(m *memory.Memory) bool {
	for _, name := range identifier().FindAllString(m.Title+"\n"+m.Text, -1) {
		if c.names[name] {
			return true
		}
	}
	return false
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
func (c *changes) has(file string) bool {
	if c.paths[file] {
		return true
	}
	folder := strings.TrimSuffix(file, "/") + "/"
	for changed := range c.paths {
		if strings.HasPrefix(changed, folder) {
			return true
		}
	}
	return false
}

// foreign says in a few words why a memory is not for the pull request of this branch; "" if it is.
func (b *lore) foreign(ctx context.Context, m *memory.Memory) string {
	if b.taught(ctx, m) || b.touches(ctx, m) {
		return ""
	}
	return "it was learned on " + cmp.Or(m.Source.Branch, "no branch") + ", and is not about what this branch changes"
}

// repeated says in a few words that a landed memory says the same as a pending one; "" where none does.
func (l *lander) repeated(ctx context.Context, v *View, m *memory.Memory) string {
	words := sameness.Signature(m.Title, m.Text)
	for _, it := range l.views.Index.Alike(v.LandedItems(), [][]uint32{words}, sameness.Restated)[0] {
		landed, ok := l.views.Index.Catalog().Memory(ctx, it.Blob)
		if ok && restates(landed, m, words) {
			return "it says again what " + landed.ID.Short() + " says"
		}
	}
	return ""
}

// isRetold reports whether a memory is told again as work goes on, in much the same words.
func isRetold(m *memory.Memory) bool { return m.Type == memory.Plan || m.Type == memory.Progress }

// restates reports whether a memory says nothing that a landed one does not. One that replaces it does
// more than that.
func restates(landed, m *memory.Memory, words []uint32) bool {
	toIt := func(link memory.Link) bool { return link.To == landed.ID }
	if landed.ID == m.ID || isRetold(m) || slices.ContainsFunc(m.Links, toIt) {
		return false
	}
	said := landed.Title + "\n" + landed.Text
	return sameness.Jaccard(words, sameness.Signature(landed.Title, landed.Text)) >= sameness.Restated &&
		sameness.Covers(said, m.Title+"\n"+m.Text)
}
