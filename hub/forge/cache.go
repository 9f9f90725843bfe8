package forge

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/git-cortex/cortex/hub"
)

// TTL is how long a forge is not asked again what a caller may read: the longest time for which
// a right that was taken away still holds.
const TTL = 5 * time.Minute

// maxCallers is how many callers are remembered.
const maxCallers = 10_000

// Cache is a forge that remembers for [TTL] what a caller may read. Within that time a forge
// that is down is not noticed; after it, nothing is known, and the error says so. Credentials
// that are refused are forgotten at once. No token is kept: a caller is known by a sum under a
// key that ends with the process. It is safe for concurrent use, and asks once for callers that
// come at the same time.
type Cache struct {
	forge  hub.Forge
	lister lister // nil for a forge without a list
	now    func() time.Time
	key    []byte

	flights singleflight.Group

	mu      sync.Mutex
	callers map[string]grants
}

// lister is a forge that tells all that a caller may read: [Host].
type lister interface {
	List(ctx context.Context, cred hub.Credentials, etag string) (List, error)
}

// grants hold the answers of a forge for one caller. They are never changed once made.
type grants struct {
	until time.Time
	list  List                 // of a lister
	asked map[hub.RepoRef]bool // else: the repositories that were asked for, and what came of it
}

// NewCache remembers the answers of a forge, by a clock.
func NewCache(f hub.Forge, now func() time.Time) *Cache {
	key := make([]byte, 32)
	rand.Read(key) // it ends the program rather than fail
	l, _ := f.(lister)
	return &Cache{forge: f, lister: l, now: now, key: key, callers: map[string]grants{}}
}

// Event is [hub.Forge]; nothing of it is remembered.
func (c *Cache) Event(header func(string) string, body, secret []byte) (hub.RepoRef, error) {
	return c.forge.Event(header, body, secret)
}

// Readable is [hub.Forge].
func (c *Cache) Readable(ctx context.Context, cred hub.Credentials, ask []hub.RepoRef) ([]hub.RepoRef, string, error) {
	caller := c.caller(cred)
	for range maxRounds {
		g := c.known(caller)
		missing := c.missing(g, ask)
		if len(missing) == 0 {
			return g.among(ask), g.list.ETag, nil
		}
		if err := c.askOnce(ctx, caller, cred, missing); err != nil {
			return nil, "", err
		}
	}
	return nil, "", fmt.Errorf("%w in time", ErrUnavailable)
}

// maxRounds is how often a forge is asked for one answer: what was known when it was asked may
// be too old when it has answered.
const maxRounds = 3

// askOnce has the forge asked, or waits for somebody who has it asked for the same. The forge is
// asked to the end also if this caller gives up.
func (c *Cache) askOnce(ctx context.Context, caller string, cred hub.Credentials, missing []hub.RepoRef) error {
	flight := c.flights.DoChan(caller+flightOf(missing), func() (any, error) {
		life, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		return nil, c.refresh(life, caller, cred, missing)
	})
	select {
	case <-ctx.Done():
		return ctx.Err()
	case landed := <-flight:
		return landed.Err
	}
}

// caller is the sum by which a caller is known.
func (c *Cache) caller(cred hub.Credentials) string {
	return hex.EncodeToString(sum(c.key, []byte(cred.User), []byte{0}, []byte(cred.Secret)))
}

// everything stands for all repositories of a forge that has a list.
func everything() []hub.RepoRef { return []hub.RepoRef{{}} }

// flightOf names what is asked for: two callers' goroutines wait for one answer only where
// they want the same.
func flightOf(refs []hub.RepoRef) string {
	var b strings.Builder
	for _, r := range refs {
		b.WriteString("\x00" + r.Forge + "\x00" + r.URL)
	}
	return b.String()
}

// known returns what is known of a caller, also when it is too old.
func (c *Cache) known(caller string) grants {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.callers[caller]
}

// isFresh reports whether grants still hold.
func (c *Cache) isFresh(g grants) bool { return c.now().Before(g.until) }

// missing are the repositories of which nothing is known that still holds.
func (c *Cache) missing(g grants, ask []hub.RepoRef) []hub.RepoRef {
	if c.lister != nil {
		if c.isFresh(g) {
			return nil
		}
		return everything()
	}
	if !c.isFresh(g) {
		return ask
	}
	return slices.DeleteFunc(slices.Clone(ask), func(r hub.RepoRef) bool { _, ok := g.asked[r]; return ok })
}

func (g grants) among(ask []hub.RepoRef) []hub.RepoRef {
	if g.asked == nil {
		return g.list.Among(ask)
	}
	return slices.DeleteFunc(slices.Clone(ask), func(r hub.RepoRef) bool { return !g.asked[r] })
}

// refresh asks the forge and remembers the answer. What was known stays as it is on an error,
// but for credentials that were refused.
func (c *Cache) refresh(ctx context.Context, caller string, cred hub.Credentials, missing []hub.RepoRef) error {
	var fresh grants
	var err error
	started := c.now() // a right that goes while the forge is asked holds no longer than TTL
	if c.lister != nil {
		fresh, err = c.relist(ctx, caller, cred)
	} else {
		fresh, err = c.askFor(ctx, cred, missing)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(err, hub.ErrDenied) {
		delete(c.callers, caller)
	}
	if err != nil {
		return err
	}
	fresh.until = started.Add(TTL)
	if old := c.callers[caller]; c.lister == nil && c.isFresh(old) {
		maps.Copy(fresh.asked, old.without(fresh.asked))
		fresh.until = old.until // what was known before grows no younger
	}
	c.makeRoom()
	c.callers[caller] = fresh
	return nil
}

// without returns what grants say of the repositories that are not in asked.
func (g grants) without(asked map[hub.RepoRef]bool) map[hub.RepoRef]bool {
	rest := maps.Clone(g.asked)
	maps.DeleteFunc(rest, func(r hub.RepoRef, _ bool) bool { _, ok := asked[r]; return ok })
	return rest
}

func (c *Cache) relist(ctx context.Context, caller string, cred hub.Credentials) (grants, error) {
	old := c.known(caller).list
	list, err := c.lister.List(ctx, cred, old.ETag)
	if err != nil {
		return grants{}, err
	}
	if list.Unchanged {
		list = old
	}
	return grants{list: list}, nil
}

func (c *Cache) askFor(ctx context.Context, cred hub.Credentials, refs []hub.RepoRef) (grants, error) {
	granted, _, err := c.forge.Readable(ctx, cred, refs)
	if err != nil {
		return grants{}, err
	}
	asked := map[hub.RepoRef]bool{}
	for _, r := range refs {
		asked[r] = false
	}
	for _, r := range granted {
		asked[r] = true
	}
	return grants{asked: asked}, nil
}

// makeRoom forgets callers where there are too many: those whose grants are too old, or else
// all of them, who are asked for again.
func (c *Cache) makeRoom() {
	if len(c.callers) < maxCallers {
		return
	}
	maps.DeleteFunc(c.callers, func(_ string, g grants) bool { return !c.isFresh(g) })
	if len(c.callers) >= maxCallers {
		clear(c.callers)
	}
}
