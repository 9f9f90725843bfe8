package hub

import (
	"slices"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// holders say which repositories hold a memory, so that thousands need not be asked for each result. They are made when
// they are needed first. The lock of the hub is held.
type holders struct {
	repos map[memory.ID][]*Repo // nil: not made yet
}

// follow replaces repositories by what is known now.
func (h *holders) follow(was, now map[string]*Repo) {
	if h.repos == nil {
		return
	}
	for key, r := range was {
		if now[key] != r {
			h.drop(r)
		}
	}
	for key, r := range now {
		if was[key] != r {
			h.add(r)
		}
	}
}

func (h *holders) add(r *Repo) {
	for _, f := range r.Files {
		if f.ID != "" && !slices.Contains(h.repos[f.ID], r) {
			h.repos[f.ID] = append(h.repos[f.ID], r)
		}
	}
}

func (h *holders) drop(r *Repo) {
	for _, f := range r.Files {
		rest := lists.Without(h.repos[f.ID], func(other *Repo) bool { return other == r })
		if h.repos[f.ID] = rest; len(rest) == 0 {
			delete(h.repos, f.ID)
		}
	}
}

// holding are those of some repositories that may hold one of ids.
func (h *Hub) holding(in []*Repo, ids []memory.ID) []*Repo {
	h.mu.Lock()
	if h.held.repos == nil {
		h.held.repos = map[memory.ID][]*Repo{}
		h.held.follow(nil, h.known)
	}
	var all []*Repo
	for _, id := range ids {
		all = append(all, h.held.repos[id]...)
	}
	h.mu.Unlock()
	var out []*Repo
	for _, r := range all {
		at := slices.Index(in, r)
		if at < 0 { // not granted, or replaced meanwhile
			at = slices.IndexFunc(in, func(other *Repo) bool { return other.RepoRef == r.RepoRef })
		}
		if at >= 0 && !slices.Contains(out, in[at]) {
			out = append(out, in[at])
		}
	}
	if len(out) == 0 {
		return in // the memory went meanwhile
	}
	return out
}
