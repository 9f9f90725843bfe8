// Package merging is what git's merge drivers do: [Page] merges a generated page, [Memory] a
// memory file. It promises that both work from the three versions that git hands over and
// from objects of the repository, since the working tree holds one side only at that time,
// and that nothing of either side is lost without a word. Merging an untouched side gives
// the other one.
//
// It implements the drivers of "Git rules" in docs/behaviour.md.
package merging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/pages"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Page is the merge driver of generated pages. The memory files that the sides name
// are read from the objects of the repository.
func Page(ctx context.Context, repo *gitops.Repo, path string, base, ours, theirs []byte) ([]byte, error) {
	kind, ok := projection.KindOf(path)
	if !ok {
		return nil, fmt.Errorf("%s is not a generated page", path)
	}
	return page(ctx, repo, kind, base, ours, theirs)
}

func page(ctx context.Context, repo *gitops.Repo, kind projection.Kind, base, ours, theirs []byte) ([]byte, error) {
	text, texts := workspace.TextMerge(ctx, repo), 0
	merged, err := projection.Merge(kind, base, ours, theirs, &projection.Store{
		Files: func(names []string) (map[string]projection.File, error) { return namedFiles(ctx, repo, names) },
		Blob:  func(data []byte) string { return string(repo.Hash(data)) },
		Text: func(base, ours, theirs string) (string, bool) {
			if texts++; texts > maxTexts {
				return "", false
			}
			return text(base, ours, theirs)
		},
	})
	if err == nil && texts > maxTexts {
		return nil, fmt.Errorf("more than %d memories of the page have texts to merge", maxTexts)
	}
	return merged, err
}

// maxTexts is how many texts a merge of pages has git merge, with a process for each.
const maxTexts = 1000

// maxNamed is how many bytes of memory files a merge of pages holds. Whoever makes a page
// says which those are: with more, the page is left to git.
const maxNamed = 64 << 20

// named are the memory files that pages name, by the first digits of their object ids.
type named struct {
	repo  *gitops.Repo
	files map[string]projection.File
	size  int
}

// namedFiles reads the memory files of some names.
func namedFiles(ctx context.Context, repo *gitops.Repo, names []string) (map[string]projection.File, error) {
	n := &named{repo: repo, files: make(map[string]projection.File, len(names))}
	ids := make([]gitops.ObjectID, len(names))
	for i, name := range names {
		ids[i] = gitops.ObjectID(name)
	}
	missing := map[string]bool{}
	err := repo.Blobs(ctx, ids, memory.MaxFile, func(id gitops.ObjectID, data []byte) error {
		if data == nil {
			missing[string(id)] = true
			return nil
		}
		return n.add(string(id), data)
	})
	if err == nil && len(missing) > 0 && repo.Root != "" {
		err = n.untracked(ctx, missing)
	}
	return n.files, err
}

// untracked adds those of the missing files that git does not track: a stash, also that of
// --autostash, takes the changes of a page away and leaves the new memories that it names.
func (n *named) untracked(ctx context.Context, missing map[string]bool) error {
	paths, err := n.repo.StagingArea().Untracked(ctx, workspace.MemoriesDir)
	if err != nil {
		return err
	}
	tree := workspace.Folder{Root: n.repo.Root}
	for _, path := range paths {
		data, _, _ := tree.ReadCapped(path, memory.MaxFile) // nil is no memory
		data = workspace.NormalEOL(data)
		if name := projection.Name(string(n.repo.Hash(data))); missing[name] {
			err = errors.Join(err, n.add(name, data))
		}
	}
	return err
}

func (n *named) add(name string, data []byte) error {
	if n.size += len(data); n.size > maxNamed {
		return fmt.Errorf("the memory files that the page names have more than %d bytes", maxNamed)
	}
	blob := string(n.repo.Hash(data))
	if !strings.HasPrefix(blob, name) {
		return nil // a branch or tag has this name
	}
	if m, err := memory.Parse(name+".md", data); err == nil {
		n.files[name] = projection.File{Memory: m, Blob: blob}
	}
	return nil
}

// Paired are two different memories that git took for versions of one file, so
// that a person must say what becomes of the one that is not kept there.
type Paired struct {
	Kept, Other *memory.Memory
	KeptPath    string          // where the kept one is: its own name where git renamed one file to both
	OtherBlob   gitops.ObjectID // the other one's bytes
	OtherPath   string          // where it belongs
	OtherOurs   bool            // it is of our side
}

// Memory is the merge driver of memory files, and of files with a surface. Paired is not nil when a
// person should look, although nothing is lost. Files that are not memories
// are an error, and left to git.
//
// Rename detection may pair two different memories. Then the one whose id the
// path carries is kept, and that is all there is to it when the other is, word
// for word, what both sides came from: it was removed on purpose. When it was
// edited, a person must look, as where git sees an edit meet a removal.
func Memory(ctx context.Context, repo *gitops.Repo, name string, base, ours, theirs []byte) (merged []byte,
	paired *Paired, err error,
) {
	if slices.Contains(pages.SurfaceFiles(), name) {
		merged, err = surface(ctx, repo, [3][]byte{base, ours, theirs})
		return merged, nil, err
	}
	a, err := memory.Parse(name, ours)
	if err != nil {
		return nil, nil, err
	}
	b, err := memory.Parse(name, theirs)
	if err != nil {
		return nil, nil, err
	}
	o, _ := memory.Parse(name, base) // nil where there is none
	if a.ID != b.ID {
		p := pair(name, o, a, b)
		// As they are, not formatted: when both sides replaced the memory git
		// gives this to both of their files, unless it is one side's own bytes.
		keep, gone := ours, theirs
		if p.OtherOurs {
			keep, gone = theirs, ours
		}
		if o != nil && bytes.Equal(memory.Format(o), memory.Format(p.Other)) {
			return keep, nil, nil
		}
		p.OtherBlob = repo.Hash(gone)
		return keep, p, nil
	}
	if o != nil && o.ID != a.ID {
		o = nil
	}
	m, err := memory.Merge(o, a, b, workspace.TextMerge(ctx, repo))
	if err != nil {
		return nil, nil, err
	}
	return memory.Format(m), nil, nil
}

// pair says which of two memories a path carries, and where both belong. Base may be nil.
func pair(name string, base, ours, theirs *memory.Memory) *Paired {
	p := &Paired{Kept: ours, Other: theirs, KeptPath: name}
	if carries(name, theirs) {
		p.Kept, p.Other, p.OtherOurs = theirs, ours, true
	}
	p.OtherPath = view.MemoryPath(p.Other.Path())
	third := base != nil && !slices.Contains([]memory.ID{ours.ID, theirs.ID}, base.ID)
	if third && carries(name, base) {
		p.KeptPath = view.MemoryPath(p.Kept.Path())
	}
	return p
}

// carries reports whether a path carries the id of a memory.
func carries(name string, m *memory.Memory) bool {
	return strings.HasSuffix(name, "-"+m.ID.Short()+".md")
}
