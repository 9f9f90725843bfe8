// Package hub searches the memories of many repositories, for callers who may read some of them.
//
// Call [Open] first. Its repositories are bare mirrors of gitops/mirror, which [Hub.Run] brings up to
// date. [Hub.Search] answers a caller from the repositories that [Forge.Readable] grants them, and
// from nothing else.
// Git is the store: whatever the hub keeps can be deleted and is made again from the repositories.
//
// What the package promises:
//   - An answer depends on the granted repositories and the query alone. What a caller may not read
//     counts in no figure of it, and is told apart from what is not there by nothing.
//   - An error of git or of a forge is never a state: the last one is kept, called stale, and tried
//     again later.
//   - It knows neither HTTP nor the clock of the machine: both are handed in.
package hub

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Options hold the parts of a hub that come from outside. All are needed but Audit, Briefing and Log.
type Options struct {
	Forges   map[string]Forge // by the name of the instance; each keeps what it said, see forge.NewCache
	Now      func() time.Time
	Audit    Audit        // whether and how requests are written down
	Briefing []string     // names of the repositories whose memories may come into briefings of others; none by default
	Log      *slog.Logger // of what happened, for an operator; may be nil
}

// Hub searches many repositories. It is safe for concurrent use.
type Hub struct {
	store  Store
	mirror Mirror
	opt    Options
	woken  chan struct{}

	looked, failed atomic.Int64                       // jobs
	unreachable    atomic.Bool                        // the store did not answer when it was last read
	lookups        sync.Map                           // by *Repo
	stats          Views[[sha256.Size]byte, *Stats]   // by NameOf
	opposed        Views[[sha256.Size]byte, *Opposed] // by NameOf

	disk  sync.Mutex // held while repositories are loaded and saved
	mu    sync.Mutex
	known map[string]*Repo // by key; replaced, never changed
	rolls map[string]*roll // of known, by forge; made when they are needed
	held  holders          // of known
	busy  map[string]bool  // somebody here works on it
	asked map[string]bool  // to be looked at soon
}

// Open returns the hub of a store.
func Open(store Store, mirror Mirror, opt Options) (*Hub, error) {
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	h := &Hub{
		store: store, mirror: mirror, opt: opt, woken: make(chan struct{}, 1),
		busy: map[string]bool{}, asked: map[string]bool{},
	}
	return h, h.reload()
}

// Add puts a repository into the hub, where it is not there yet. It is read by [Hub.Run] or [Hub.Sweep].
func (h *Hub) Add(ref RepoRef) error {
	if _, ok := h.repos()[ref.Key()]; ok {
		return nil
	}
	return h.save(&Repo{RepoRef: ref, Added: h.opt.Now()})
}

// Rebuild forgets what is known of repositories, so that all of it is read again from git.
func (h *Hub) Rebuild(key string) error {
	r, ok := h.repos()[key]
	if !ok {
		return fmt.Errorf("rebuilding %s: there is no such repository", key)
	}
	return h.save(&Repo{RepoRef: r.RepoRef, Added: r.Added, Moved: r.Moved})
}

// Reachable reports whether the store answered when it was last read.
func (h *Hub) Reachable() bool { return !h.unreachable.Load() }

// Jobs count what this process did.
type Jobs struct{ Done, Failed int64 }

// Jobs are the looks at repositories since the hub was opened.
func (h *Hub) Jobs() Jobs { return Jobs{h.looked.Load(), h.failed.Load()} }

// Repos are all repositories by key, to be read and not to be changed.
func (h *Hub) Repos() map[string]*Repo { return h.repos() }

func (h *Hub) repos() map[string]*Repo {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.known
}

// reload reads what other processes saved.
func (h *Hub) reload() error {
	h.disk.Lock()
	defer h.disk.Unlock()
	all, err := h.store.Load()
	h.unreachable.Store(err != nil)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forget(h.known, all)
	h.know(all)
	return nil
}

func (h *Hub) save(r *Repo) error {
	h.disk.Lock()
	defer h.disk.Unlock()
	if err := h.store.Save(r); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	key := r.Key()
	h.lookups.Delete(h.known[key])
	all := maps.Clone(h.known)
	all[key] = r
	h.know(all)
	return nil
}

// know replaces what is known. The lock is held.
func (h *Hub) know(all map[string]*Repo) {
	h.held.follow(h.known, all)
	h.known, h.rolls = all, map[string]*roll{}
}

// While is the error of what was done, with the words for that before it; nil for none.
func While(err error, doing string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
}

// RepoRef names a repository at a forge.
type RepoRef struct {
	Forge string `json:"forge"`        // the instance, as the settings of the hub call it
	ID    string `json:"id,omitempty"` // what the forge itself calls it, which a rename keeps; "" if not known
	Name  string `json:"name"`         // its path at the forge: "acme/web"
	URL   string `json:"url"`          // where git fetches it
}

// Credentials are those of a caller. They live for one request and are written nowhere.
type Credentials struct {
	User   string // "" where the secret alone says who calls
	Secret string // a token or password
}

// String hides the secret from logs and messages.
func (c Credentials) String() string { return c.User + ":…" }

// ErrDenied says that a forge does not accept the caller's credentials (401 or 403).
var ErrDenied = errors.New("the forge does not accept these credentials")

// ErrForged says that an event was not signed with the secret of this hub, or that no secret is set.
var ErrForged = errors.New("the signature of the event is not that of the hub's secret")

// Forge is where repositories are kept, and who may read them is decided.
type Forge interface {
	// Readable returns those of ask that the caller may read. An error is never "none": it is
	// [ErrDenied] where the forge refused the credentials, and anything else where it was not
	// reached. The etag may be "".
	Readable(ctx context.Context, cred Credentials, ask []RepoRef) (granted []RepoRef, etag string, err error)
	// Event checks the signature of a webhook and returns the repository that it speaks of, by ID
	// or Name or URL, whichever it names. Nothing else of the body is believed. The header is
	// [net/http.Header.Get] of the request.
	Event(header func(name string) string, body, secret []byte) (RepoRef, error)
}
