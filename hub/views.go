package hub

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"time"
)

// Bounds of what is kept of views.
const (
	maxViews = 32
	viewTime = 10 * time.Minute // after which confidence has faded on
)

// NameOf names what repositories hold now.
func NameOf(in []*Repo) [sha256.Size]byte {
	h := sha256.New()
	for _, r := range in {
		fmt.Fprintf(h, "%s %s %d %s\n", r.Key(), r.OID, r.Moved.UnixNano(), r.State) // a purge moves it too
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Views are the last views that a store made, by what names a set of repositories at their commits. The
// zero value holds none. They are safe for concurrent use.
type Views[N comparable, V any] struct {
	mu    sync.Mutex
	turn  int
	known map[N]*kept[V]
}

// kept is a view with when it was made and last used.
type kept[V any] struct {
	view V
	made time.Time
	used int
}

// Get returns the view of a name, unless it was made too long ago.
func (v *Views[N, V]) Get(name N, now time.Time) (view V, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	k := v.known[name]
	if k == nil || now.Sub(k.made) >= viewTime {
		return view, false
	}
	v.turn++
	k.used = v.turn
	return k.view, true
}

// Clear forgets all views.
func (v *Views[N, V]) Clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.known = nil
}

// Put keeps a view that was made now, in place of the one that was not used for longest.
func (v *Views[N, V]) Put(name N, view V, now time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known == nil {
		v.known = map[N]*kept[V]{}
	}
	v.turn++
	v.known[name] = &kept[V]{view, now, v.turn}
	if len(v.known) <= maxViews {
		return
	}
	oldest := name
	for other, k := range v.known {
		if k.used < v.known[oldest].used {
			oldest = other
		}
	}
	delete(v.known, oldest)
}
