package hub

import (
	"cmp"
	"container/list"
	"crypto/sha256"
	"fmt"
	"sync"
	"time"
)

// Bounds of what is kept of views.
const (
	maxViews = 1 << 30          // bytes
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

// Views are the last views that a store made, by what names a set of repositories at their commits, or what
// it found in them. The zero value holds none. They are safe for concurrent use.
type Views[N comparable, V any] struct {
	Max int // bytes; 0 is a gigabyte. The last one stays even where it is larger

	mu    sync.Mutex
	used  list.List // of *kept, the last used first
	known map[N]*list.Element
	size  int
}

// kept is a view with its name, how many bytes it has, and when it was made.
type kept[N comparable, V any] struct {
	name N
	view V
	size int
	made time.Time
}

// Get returns the view of a name, unless it was made too long ago.
func (v *Views[N, V]) Get(name N, now time.Time) (view V, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	at, ok := v.known[name]
	if !ok {
		return view, false
	}
	v.used.MoveToFront(at)
	k := at.Value.(*kept[N, V])
	return k.view, now.Sub(k.made) < viewTime
}

// Clear forgets all views.
func (v *Views[N, V]) Clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.used.Init()
	v.known, v.size = nil, 0
}

// Put keeps a view of so many bytes that was made now, in place of those that were not used for longest.
func (v *Views[N, V]) Put(name N, view V, size int, now time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known == nil {
		v.known = map[N]*list.Element{}
	}
	if was, ok := v.known[name]; ok {
		v.drop(was)
	}
	v.known[name] = v.used.PushFront(&kept[N, V]{name, view, size, now})
	v.size += size
	for v.size > cmp.Or(v.Max, maxViews) && v.used.Len() > 1 {
		v.drop(v.used.Back())
	}
}

func (v *Views[N, V]) drop(at *list.Element) {
	k := v.used.Remove(at).(*kept[N, V])
	delete(v.known, k.name)
	v.size -= k.size
}
