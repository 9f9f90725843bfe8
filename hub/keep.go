package hub

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// claimPause is how long is waited for a repository that somebody works on, each time.
const claimPause = 200 * time.Millisecond

// hold waits until nobody works on a repository, and keeps others from it until release.
func (h *Hub) hold(ctx context.Context, key string) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, jobLimit)
	defer cancel()
	for {
		got, release, err := h.store.Claim([]string{key})
		if err != nil {
			return nil, err
		}
		if got == key {
			return release, h.reload() // what the last holder saved
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for a repository that is being read: %w", ctx.Err())
		case <-time.After(claimPause):
		}
	}
}

// Remove takes a repository out of the hub with all that was read of it, and its mirror.
func (h *Hub) Remove(ctx context.Context, key string) error {
	r, ok := h.repos()[key]
	if !ok {
		return fmt.Errorf("removing %s: there is no such repository", key)
	}
	release, err := h.hold(ctx, key)
	if err != nil {
		return fmt.Errorf("removing %s: %w", r.Name, err)
	}
	defer release()
	if err := h.store.Drop(ctx, r); err != nil {
		return fmt.Errorf("removing %s: %w", r.Name, err)
	}
	if err := h.mirror.Drop(ctx, r.URL); err != nil {
		return fmt.Errorf("removing the mirror of %s: %w", r.Name, err)
	}
	return h.reload()
}

// Difference is a file of which the hub holds something else than git.
type Difference struct {
	Path string
	Says string
}

// Differences compares what is held of a repository with its commit, in order of paths.
func (h *Hub) Differences(ctx context.Context, key string) ([]Difference, error) {
	r, ok := h.repos()[key]
	if !ok || r.OID == "" {
		return nil, nil
	}
	list, _, err := h.mirror.Changes(ctx, r.URL, "", r.OID)
	if err != nil {
		return nil, err
	}
	tombs, err := h.buried(ctx)
	if err != nil {
		return nil, err
	}
	var out []Difference
	inGit := map[string]bool{}
	for _, c := range list {
		inGit[c.Path] = true
		switch f, held := r.Files[c.Path]; {
		case tombs[TombBlob][c.Blob] && !held:
		case !held:
			out = append(out, Difference{c.Path, "is in git, and not in the hub"})
		case f.Blob != c.Blob:
			out = append(out, Difference{c.Path, "is another version in git: " + c.Blob + ", not " + f.Blob})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(r.Files)) {
		switch f := r.Files[path]; {
		case tombs.file(f):
			out = append(out, Difference{path, "was purged, and is in the hub"})
		case !inGit[path]:
			out = append(out, Difference{path, "is in the hub, and not in git"})
		}
	}
	return out, nil
}
