// Package projects holds the repositories that a process which lives on works in.
//
// It promises that each is opened once, is looked at anew for every call, and that a bounded
// number of them is open. [Collect] is how such a process collects garbage.
package projects

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
)

// most bounds how many repositories are open at once.
const most = 8

// Set is the repositories that calls are about, each opened once. It is for any
// number of goroutines.
type Set struct {
	Open func(ctx context.Context, dir string) (*workspace.Workspace, error)
	Note func(string) // tells a person; may be nil

	mu    sync.Mutex
	known []*project // the latest used last
}

// How a server collects garbage as it starts: seldom while it holds little, so that its first
// answer comes soon, and eagerly above a limit in bytes.
const (
	startGarbage = 400 // percent of what is in use
	startMemory  = 40 << 20
	starts       = time.Second
)

// Collect collects garbage as a server does, which is called when it starts. Unlike commands it lives on: what it
// holds of a large repository may be above any limit, so that after its start it collects by what is in use.
func Collect() {
	debug.SetGCPercent(startGarbage)
	debug.SetMemoryLimit(startMemory)
	time.AfterFunc(starts, func() {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
	})
}

// project is an open repository.
type project struct {
	dir   string
	users int // calls at work in it; only at none it is closed

	opened sync.Mutex // held for what follows
	w      *workspace.Workspace
}

// Use returns the repository of a folder as it is now, and what to call when the
// work with it is done.
func (p *Set) Use(ctx context.Context, dir string) (*workspace.Workspace, func(), error) {
	at := p.at(dir)
	done := func() { p.done(at) }
	w, err := p.ready(ctx, at, dir)
	if err != nil {
		done()
		return nil, nil, err
	}
	return w, done, nil
}

// at returns the project of a folder, new or known, and counts one more user.
func (p *Set) at(dir string) *project {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, at := range p.known {
		if at.dir == dir {
			p.known = append(append(p.known[:i:i], p.known[i+1:]...), at)
			at.users++
			return at
		}
	}
	at := &project{dir: dir, users: 1}
	p.known = append(p.known, at)
	return at
}

// ready opens a project if nobody has, and brings it up to date.
func (p *Set) ready(ctx context.Context, at *project, dir string) (*workspace.Workspace, error) {
	at.opened.Lock()
	defer at.opened.Unlock()
	if at.w == nil {
		w, err := p.Open(ctx, dir)
		if err != nil {
			return nil, err
		}
		at.w = w
	}
	w, err := at.w.Refresh(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking at the repository: %w", err)
	}
	return w, nil
}

// done counts one user less, passes on what a person should hear, and closes what
// was not used for longest when too much is open.
func (p *Set) done(at *project) {
	failed := p.takeNotes(at)
	p.mu.Lock()
	at.users--
	idle := p.takeIdle()
	if at.users == 0 && failed { // it could not be opened; the next call tries again
		p.known = lists.Without(p.known, func(k *project) bool { return k == at })
	}
	p.mu.Unlock()
	for _, old := range idle {
		if err := old.close(); err != nil && p.Note != nil {
			p.Note(fmt.Sprintf("the caches could not be written: %v", err))
		}
	}
}

// takeNotes passes on what a project has to say, and reports whether it could not be opened.
func (p *Set) takeNotes(at *project) (failed bool) {
	at.opened.Lock()
	defer at.opened.Unlock()
	if at.w == nil {
		return true
	}
	if p.Note != nil {
		for _, n := range at.w.TakeNotices() {
			p.Note(n)
		}
	}
	return false
}

// takeIdle takes out projects that nobody uses, the oldest first, while there are too many.
func (p *Set) takeIdle() []*project {
	var idle []*project
	surplus := len(p.known) - most
	p.known = lists.Without(p.known, func(k *project) bool {
		if k.users > 0 || len(idle) >= surplus {
			return false
		}
		idle = append(idle, k)
		return true
	})
	return idle
}

func (at *project) close() error {
	at.opened.Lock()
	defer at.opened.Unlock()
	if at.w == nil {
		return nil
	}
	return at.w.Close()
}

// Close closes all that is open. No call may be running.
func (p *Set) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	errs := lists.Map(p.known, func(at *project) error { return at.close() })
	p.known = nil
	return errors.Join(errs...)
}
