package changes

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// state is the landed memories of a commit or of the working tree.
type state struct {
	w        *workspace.Workspace
	commit   gitops.ObjectID // "" for the working tree, and for no commit at all
	tree     workspace.Folder
	view     *workspace.View
	held     map[memory.ID]int // which item of the view
	order    []memory.ID
	statuses map[memory.ID]memory.Status
	nodes    []memory.Node
	broken   map[string]bool // paths of files that are not memories
}

// stateAt reads the memories of a commit; "" has none.
func stateAt(ctx context.Context, w *workspace.Workspace, commit gitops.ObjectID) (*state, error) {
	s := &state{w: w, commit: commit}
	if commit == "" {
		s.view = &workspace.View{}
		return s.read(), nil
	}
	var err error
	if s.view, err = w.View(ctx, workspace.ViewOptions{At: string(commit), Local: true}); err != nil {
		return nil, err
	}
	return s.read(), nil
}

// worktree reads the memories of the files that are checked out.
func worktree(ctx context.Context, w *workspace.Workspace) (*state, error) {
	s := &state{w: w}
	var err error
	if s.tree, err = w.Tree(); err != nil {
		return nil, err
	}
	if s.view, err = w.View(ctx, workspace.ViewOptions{Local: true, Unreviewed: true}); err != nil {
		return nil, err
	}
	return s.read(), nil
}

// read sorts what the view holds. Pending memories are no part of a state: they
// would not be in the pull request.
func (s *state) read() *state {
	s.held, s.broken = map[memory.ID]int{}, map[string]bool{}
	for i, it := range s.view.Items {
		if it.Stage != index.Landed {
			continue
		}
		id, facts := s.view.ID(i), s.view.Index.Facts(i)
		s.held[id] = i
		s.order = append(s.order, id)
		s.nodes = append(s.nodes, memory.Node{
			ID: id, Contested: facts.Contested, Supersedes: memory.Targets(facts.Links, memory.Supersedes),
		})
	}
	s.statuses = memory.Statuses(s.nodes)
	for _, p := range s.view.Problems {
		s.broken[p.Path] = true
	}
	return s
}

func (s *state) name() string {
	if s.tree.Root != "" {
		return Worktree
	}
	return string(s.commit)
}

func (s *state) item(id memory.ID) *index.Item { return &s.view.Items[s.held[id]] }

// entry is a memory of the state, whole.
func (s *state) entry(ctx context.Context, id memory.ID) (workspace.Entry, bool) {
	if _, ok := s.held[id]; !ok {
		return workspace.Entry{}, false
	}
	it := s.item(id)
	m, ok := s.w.Index.Catalog().MemoryOf(ctx, it)
	if !ok {
		return workspace.Entry{}, false
	}
	return s.dressed(workspace.Entry{Item: *it, Memory: m}), true
}

// entries are some memories of the state that can be read, whole.
func (s *state) entries(ctx context.Context, ids []memory.ID) (out []workspace.Entry) {
	items := lists.Map(ids, func(id memory.ID) index.Item { return *s.item(id) })
	for i, m := range s.w.Index.Catalog().Memories(ctx, items, true) {
		if m != nil {
			out = append(out, s.dressed(workspace.Entry{Item: items[i], Memory: m}))
		}
	}
	return out
}

// heads are the memories of the state without their texts, newest first.
func (s *state) heads(ctx context.Context) []workspace.Entry {
	return lists.Map(s.view.List(ctx, workspace.ListOptions{Stage: string(index.Landed), TextLess: true}), s.dressed)
}

// dressed is an entry with the status that it has among landed memories alone.
func (s *state) dressed(e workspace.Entry) workspace.Entry {
	if e.Status != memory.StatusArchived {
		e.Status = memory.StatusActive
	}
	e.Status = cmp.Or(s.statuses[e.Memory.ID], e.Status)
	return e
}

// against are the memories that made one superseded, or contested: those that
// supersede it, or that supersede what it supersedes.
func (s *state) against(ctx context.Context, id memory.ID, status memory.Status) []Ref {
	targets := []memory.ID{id}
	if status == memory.StatusContested {
		for _, n := range s.nodes {
			if n.ID == id {
				targets = append(targets, n.Supersedes...)
			}
		}
	}
	by := []Ref{}
	for _, n := range s.nodes {
		aims := slices.ContainsFunc(n.Supersedes, func(to memory.ID) bool { return slices.Contains(targets, to) })
		if n.ID == id || !aims {
			continue
		}
		if e, ok := s.entry(ctx, n.ID); ok {
			by = append(by, refTo(e))
		}
	}
	return by
}

// files are the ids of the blobs at paths; "" where there is no file.
func (s *state) files(ctx context.Context, paths []string) (map[string]string, error) {
	out := make(map[string]string, len(paths))
	if s.tree.Root != "" {
		for _, p := range paths {
			out[p], _ = s.tree.Blob(p)
		}
		return out, nil
	}
	at, err := s.w.Repo.PathsAt(ctx, string(s.commit), paths)
	for p, id := range at {
		out[p] = string(id)
	}
	return out, err
}

// isBlob reports whether an id is the one that an anchor gives, perhaps in short.
func isBlob(id, anchor string) bool { return id != "" && anchor != "" && strings.HasPrefix(id, anchor) }
