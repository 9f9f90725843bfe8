package hub

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// lookup finds what a repository holds without going over its files. It is not changed.
type lookup struct {
	paths map[memory.ID]string   // the first file of each memory, by path
	blobs map[string]memory.ID   // memories by their files
	ids   []memory.ID            // sorted
	traps map[string][]memory.ID // memories by the signature of the error that brings them back
}

func newLookup(r *Repo) *lookup {
	l := &lookup{
		paths: make(map[memory.ID]string, len(r.Files)), blobs: make(map[string]memory.ID, len(r.Files)),
		traps: map[string][]memory.ID{},
	}
	for path, f := range r.Files {
		if f.ID != "" {
			l.add(path, f)
		}
	}
	l.ids = slices.Sorted(maps.Keys(l.paths))
	return l
}

// add takes in the file of a memory.
func (l *lookup) add(path string, f File) {
	if first, ok := l.paths[f.ID]; !ok || path < first {
		l.paths[f.ID] = path
	}
	l.blobs[f.Blob] = f.ID
	for _, signature := range f.Errors {
		l.traps[signature] = append(l.traps[signature], f.ID)
	}
}

// lookup is the lookup of a repository, which is made when it is needed first.
func (h *Hub) lookup(r *Repo) *lookup {
	if l, ok := h.lookups.Load(r); ok {
		return l.(*lookup)
	}
	l := newLookup(r)
	h.lookups.Store(r, l)
	if h.repos()[r.Key()] != r { // replaced meanwhile: nobody else drops it
		h.lookups.Delete(r)
	}
	return l
}

// forget drops the lookups of repositories that were replaced.
func (h *Hub) forget(was, now map[string]*Repo) {
	for key, r := range was {
		if now[key] != r {
			h.lookups.Delete(r)
		}
	}
}

// file is the first file of a repository, by path, that holds one of ids.
func (h *Hub) file(r *Repo, ids []memory.ID) (path string, ok bool) {
	paths := h.lookup(r).paths
	for _, id := range ids {
		if at, has := paths[id]; has && (!ok || at < path) {
			path, ok = at, true
		}
	}
	return path, ok
}

// named is the memory that some repositories hold by its id, the beginning of it, or the blob of its file; ""
// for none.
func (h *Hub) named(in []*Repo, name string) (id memory.ID, err error) {
	if !memory.IsIDPrefix(name) {
		return h.ofBlob(in, name), nil
	}
	ids := h.beginning(in, name)
	if len(ids) > 1 {
		return "", fmt.Errorf("%w: %s is the beginning of several ids", ErrQuestion, name)
	}
	for id = range ids {
	}
	return id, nil
}

// beginning are the ids of some repositories that begin so.
func (h *Hub) beginning(in []*Repo, name string) map[memory.ID]bool {
	ids := map[memory.ID]bool{}
	for _, r := range in {
		all := h.lookup(r).ids
		from, _ := slices.BinarySearch(all, memory.ID(name))
		for _, id := range all[from:] {
			if !strings.HasPrefix(string(id), name) {
				break
			}
			ids[id] = true
		}
	}
	return ids
}

// ofBlob is the id of the memory whose file is a blob in one of the repositories; "" for none.
func (h *Hub) ofBlob(in []*Repo, blob string) memory.ID {
	for _, r := range in {
		if id, ok := h.lookup(r).blobs[blob]; ok {
			return id
		}
	}
	return ""
}
