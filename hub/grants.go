package hub

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/git-cortex/cortex/internal/lists"
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
		return nil, ErrDenied // of no forge of this hub
	}
	repos := h.repos()
	var ask []RepoRef
	asked := map[RepoRef]*Repo{}
	for _, key := range slices.Sorted(maps.Keys(repos)) {
		if r := repos[key]; r.Forge == c.Forge {
			ask = append(ask, r.RepoRef)
			asked[r.RepoRef] = r
		}
	}
	readable, _, err := forge.Readable(ctx, c.Credentials, ask)
	switch {
	case errors.Is(err, ErrDenied):
		return nil, ErrDenied
	case err != nil:
		h.opt.Log.Warn("the forge does not say what a caller may read", "forge", c.Forge, "error", err)
		return nil, ErrUnavailable
	}
	granted := lists.Set(readable)
	var out []*Repo
	for _, ref := range ask { // what a forge grants beyond that does not count
		if r := asked[ref]; granted[ref] && r.Shown() {
			out = append(out, r)
		}
	}
	return out, nil
}
