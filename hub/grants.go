package hub

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ErrUnavailable says that a forge could not be asked what the caller may read. It is no answer, and
// least of all an empty one.
var ErrUnavailable = errors.New("the forge cannot be asked now what you may read")

// Caller names a person or program by their own credentials at a forge.
type Caller struct {
	Forge string
	Credentials
}

// granted are the repositories that a caller may read now, in order of their keys.
func (h *Hub) granted(ctx context.Context, c Caller) ([]*Repo, error) {
	forge, ok := h.opt.Forges[c.Forge]
	if !ok {
		return nil, fmt.Errorf("%w: the request names no forge of this hub", ErrDenied)
	}
	all := h.roll(c.Forge)
	readable, _, err := forge.Readable(ctx, c.Credentials, all.refs)
	switch {
	case errors.Is(err, ErrDenied):
		return nil, ErrDenied
	case err != nil:
		h.opt.Log.Warn("the forge does not say what a caller may read", "forge", c.Forge, "error", err)
		return nil, ErrUnavailable
	}
	granted := make([]bool, len(all.repos))
	for _, ref := range readable { // what a forge grants beyond that does not count
		if at, ok := all.at[ref]; ok {
			granted[at] = true
		}
	}
	var out []*Repo
	for i, r := range all.repos {
		if granted[i] && r.Shown() {
			out = append(out, r)
		}
	}
	return out, nil
}

// roll holds the repositories of a forge in order of their keys. It is not changed.
type roll struct {
	repos []*Repo
	refs  []RepoRef
	at    map[RepoRef]int
}

// roll is that of a forge.
func (h *Hub) roll(forge string) *roll {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rolls[forge] == nil {
		h.rolls[forge] = newRoll(forge, h.known)
	}
	return h.rolls[forge]
}

func newRoll(forge string, repos map[string]*Repo) *roll {
	out := &roll{at: map[RepoRef]int{}}
	for _, key := range slices.Sorted(maps.Keys(repos)) {
		if r := repos[key]; r.Forge == forge {
			out.at[r.RepoRef] = len(out.repos)
			out.repos, out.refs = append(out.repos, r), append(out.refs, r.RepoRef)
		}
	}
	return out
}
