package explore

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
)

// Coupled is a file that changed together with another one in most commits of that.
type Coupled struct {
	Path    string `json:"path"`
	Commits int    `json:"commits"` // that changed both
	Of      int    `json:"of"`      // commits of the other file that were looked at
}

// From when on files count as changed together, and what is looked at. A commit of many files
// says nothing of any two.
const (
	leastTogether = 4
	shareTogether = 0.6
	manyFiles     = 20
	mostTogether  = 5
	recentCommits = 200 // of a file
	mapSessions   = 200 // session records
)

// around finds what changed together with the place, and what sessions read that read in its
// folder, as far as it is there still.
func (s *search) around(ctx context.Context, w *workspace.Workspace, rev string) error {
	tree, err := w.Tree()
	if err != nil {
		return err
	}
	steps, err := w.Repo.History().Beside(ctx, rev, s.out.Place.Path, recentCommits)
	if err != nil {
		return err
	}
	gone := func(name string) bool { return !tree.Exists(name) }
	s.out.Together = coupled(steps, s.out.Place.Path)
	s.out.Together = lists.Without(s.out.Together, func(c *Coupled) bool { return gone(c.Path) })
	all := readingsOf(sittingsOf(w.Journal.SessionsAtHand(ctx, mapSessions)))
	for _, folder := range []string{s.out.Place.Path, path.Dir(s.out.Place.Path)} {
		m, _ := all.of(folder)
		m.Files = lists.Without(m.Files, func(f *MapFile) bool { return gone(f.Path) })
		if len(m.Files) >= leastRead && s.out.Map == nil {
			s.out.Map = &m
		}
	}
	return nil
}

// coupled are the files that most of the commits of a file changed too, the most often changed
// first.
func coupled(steps []gitops.Step, file string) []*Coupled {
	times := timesBeside(steps, file)
	var out []*Coupled
	for name, n := range times {
		c := &Coupled{Path: name, Commits: n, Of: times[file]}
		if name != file && c.isTelling() {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b *Coupled) int {
		return cmp.Or(cmp.Compare(b.Commits, a.Commits), cmp.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), mostTogether)]
}

// isTelling reports whether two files changed together often enough. Memories come with any
// commit.
func (c *Coupled) isTelling() bool {
	if strings.HasPrefix(c.Path, ".cortex/") {
		return false
	}
	return c.Commits >= leastTogether && float64(c.Commits) >= shareTogether*float64(c.Of)
}

// timesBeside counts how many of the commits that changed a file changed each other one, and
// the file itself.
func timesBeside(steps []gitops.Step, file string) map[string]int {
	times := map[string]int{}
	for _, step := range steps {
		changes := func(d gitops.Difference) bool { return d.Path == file }
		if len(step.Changes) > manyFiles || !slices.ContainsFunc(step.Changes, changes) {
			continue
		}
		for _, d := range step.Changes {
			times[d.Path]++
		}
	}
	return times
}
