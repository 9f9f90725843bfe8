package hub

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// ErrUnavailable says that a forge could not be asked what the caller may read. It is no answer, and
// least of all an empty one.
var ErrUnavailable = errors.New("the forge cannot be asked now what you may read")

// Bounds of what is known of callers.
const (
	grantTime  = 5 * time.Minute
	maxCallers = 10_000
)

// Caller names a person or program by their own credentials at a forge.
type Caller struct {
	Forge string
	Credentials
}

// callerID stands for a caller, and says nothing of their credentials once the process ended.
type callerID [sha256.Size]byte

// grant lists the repositories that a caller may read, until it expires.
type grant struct {
	keys    []string // in order
	expires time.Time
}

// grants keeps what forges said of callers for grantTime. It is safe for concurrent use.
type grants struct {
	secret []byte

	mu    sync.Mutex
	known map[callerID]grant
}

func newGrants() *grants {
	secret := make([]byte, sha256.Size)
	_, _ = rand.Read(secret) // never fails
	return &grants{secret: secret, known: map[callerID]grant{}}
}

func (g *grants) id(c Caller) callerID {
	mac := hmac.New(sha256.New, g.secret)
	fmt.Fprintf(mac, "%q %q %q", c.Forge, c.User, c.Secret)
	return callerID(mac.Sum(nil))
}

func (g *grants) get(id callerID, now time.Time) ([]string, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	of, ok := g.known[id]
	if !ok || !now.Before(of.expires) {
		return nil, false
	}
	return of.keys, true
}

// put keeps a grant. Beyond the bound what has expired goes, or everything.
func (g *grants) put(id callerID, keys []string, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.known) >= maxCallers {
		maps.DeleteFunc(g.known, func(_ callerID, of grant) bool { return !now.Before(of.expires) })
	}
	if len(g.known) >= maxCallers {
		clear(g.known)
	}
	g.known[id] = grant{keys, now.Add(grantTime)}
}

func (g *grants) drop(id callerID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.known, id)
}

// granted are the repositories that a caller may read now, in order of their keys.
func (h *Hub) granted(ctx context.Context, c Caller) ([]*Repo, error) {
	forge, ok := h.opt.Forges[c.Forge]
	if !ok {
		return nil, ErrDenied // of no forge of this hub
	}
	now, id := h.opt.Now(), h.grants.id(c)
	keys, ok := h.grants.get(id, now)
	if !ok {
		var err error
		if keys, err = h.askForge(ctx, forge, c); err != nil {
			h.grants.drop(id)
			return nil, err
		}
		h.grants.put(id, keys, now)
	}
	repos := h.repos()
	var out []*Repo
	for _, key := range keys {
		if r := repos[key]; r != nil && r.Shown() {
			out = append(out, r)
		}
	}
	return out, nil
}

// askForge returns the keys of the repositories of a forge that it says the caller may read.
func (h *Hub) askForge(ctx context.Context, forge Forge, c Caller) ([]string, error) {
	var ask []RepoRef
	for _, r := range h.repos() {
		if r.Forge == c.Forge {
			ask = append(ask, r.RepoRef)
		}
	}
	readable, _, err := forge.Readable(ctx, c.Credentials, ask)
	switch {
	case errors.Is(err, ErrDenied):
		return nil, ErrDenied
	case err != nil:
		h.note("asking %s what a caller may read: %v", c.Forge, err)
		return nil, ErrUnavailable
	}
	var keys []string
	for _, ref := range readable {
		if slices.Contains(ask, ref) { // a forge grants what it was asked for, and nothing else
			keys = append(keys, ref.Key())
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}
