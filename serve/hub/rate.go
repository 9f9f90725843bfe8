package hub

import (
	"crypto/sha256"
	"net"
	"net/http"
	"sync"
	"time"
)

// Bounds of how often somebody asks.
const (
	perSecond = 10
	maxKnown  = 10_000
)

// rate counts what callers still may ask now. It is safe for concurrent use.
type rate struct {
	now func() time.Time

	mu    sync.Mutex
	known map[[sha256.Size]byte]allowance
}

type allowance struct {
	left float64
	at   time.Time
}

func newRate(now func() time.Time) *rate {
	return &rate{now: now, known: map[[sha256.Size]byte]allowance{}}
}

// allow reports whether a request may be answered. Who asks is told by the credentials, and by the
// address where there are none.
func (r *rate) allow(req *http.Request) bool {
	who := req.Header.Get("Authorization")
	if who == "" {
		who, _, _ = net.SplitHostPort(req.RemoteAddr)
	}
	id, now := sha256.Sum256([]byte(who)), r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= maxKnown {
		clear(r.known)
	}
	a, ok := r.known[id]
	if !ok {
		a = allowance{left: perSecond, at: now}
	}
	a.left = min(perSecond, a.left+now.Sub(a.at).Seconds()*perSecond)
	a.at = now
	allowed := a.left >= 1
	if allowed {
		a.left--
	}
	r.known[id] = a
	return allowed
}
