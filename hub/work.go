package hub

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Change is a memory file that differs between two commits.
type Change struct {
	Path string // below the root of the repository
	Blob string // its new blob; "" where it is gone
}

// Mirror has copies of the default branches of repositories, each by the address it is fetched from.
type Mirror interface {
	// Fetch brings the copy up to date and returns the branch and its commit, "" where it has none.
	Fetch(ctx context.Context, url string) (ref, oid string, err error)
	// Changes are the memory files that differ between two commits. All of them are listed where from
	// is "" or gone, and whole says so.
	Changes(ctx context.Context, url, from, to string) (list []Change, whole bool, err error)
	// Read hands each blob to yield, in any order; what cannot be had is left out.
	Read(ctx context.Context, url string, blobs []string, yield func(blob string, data []byte) error) error
	// Keep keeps a commit that was read, whatever the branch does.
	Keep(ctx context.Context, url, oid string) error
	// Drop removes the copy. The next fetch makes it again.
	Drop(ctx context.Context, url string) error
}

// Store keeps the repositories, and finds what they hold.
type Store interface {
	// Load returns all repositories as they were last saved, by anybody.
	Load() (map[string]*Repo, error)
	// Save replaces a repository, whole or not at all.
	Save(r *Repo) error
	// Drop removes a repository with all that was learned of it.
	Drop(ctx context.Context, r *Repo) error
	// Claim is the lease of a job: of some repositories that of the first that nobody has, "" for
	// none. Nobody else has it until release, or until the process has ended.
	Claim(keys []string) (key string, release func(), err error)
	// Learn takes in the texts of a repository that is about to be saved.
	Learn(ctx context.Context, r *Repo, texts map[string][]byte) error
	Finder
}

// Bounds of a job.
const (
	workers    = 4
	jobLimit   = 10 * time.Minute
	tick       = time.Second
	maxFiles   = 20_000 // memories of a repository
	batchBlobs = 500    // read at once
)

// Run looks at repositories when they are due, until ctx ends.
func (h *Hub) Run(ctx context.Context) {
	var group sync.WaitGroup
	group.Go(func() { h.reloadAgain(ctx) })
	for range workers {
		group.Go(func() {
			for ctx.Err() == nil {
				if !h.one(ctx) {
					h.rest(ctx)
				}
			}
		})
	}
	group.Wait()
}

// reloadAgain reads what other processes saved, again and again.
func (h *Hub) reloadAgain(ctx context.Context) {
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		if err := h.reload(); err != nil {
			h.opt.Log.Error("what other processes did cannot be read", "error", err)
		}
	}
}

// rest waits for a moment, or until there is something to do.
func (h *Hub) rest(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-h.woken:
	case <-time.After(tick):
	}
}

// Sweep looks at all repositories that are due, or at all there are, and returns when that is done.
func (h *Hub) Sweep(ctx context.Context, all bool) error {
	if err := h.reload(); err != nil {
		return err
	}
	if all {
		h.ask(slices.Sorted(maps.Keys(h.repos())))
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for ctx.Err() == nil && h.one(ctx) {
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// Nudge has the repository looked at that an event speaks of, and reports whether it is here. Many
// events are one look at the branch: what they say of it is not believed.
func (h *Hub) Nudge(ref RepoRef) bool {
	var keys []string
	for key, r := range h.repos() {
		if r.named(ref) {
			keys = append(keys, key)
		}
	}
	h.ask(keys)
	return len(keys) > 0
}

// ask has repositories looked at soon, parked ones too.
func (h *Hub) ask(keys []string) {
	h.mu.Lock()
	for _, key := range keys {
		h.asked[key] = true
	}
	h.mu.Unlock()
	select {
	case h.woken <- struct{}{}:
	default:
	}
}

// one does one job; false where there is none.
func (h *Hub) one(ctx context.Context) bool {
	due := h.due()
	if len(due) == 0 {
		return false
	}
	key, release, err := h.store.Claim(due)
	if err != nil {
		h.opt.Log.Error("no job can be claimed", "error", err)
	}
	if key == "" {
		return false
	}
	defer release()
	if !h.begin(key) {
		return true // somebody here has just done it
	}
	defer h.done(key)
	ctx, cancel := context.WithTimeout(ctx, jobLimit)
	defer cancel()
	name := h.repos()[key].Name
	if err := h.update(ctx, key); err != nil {
		h.opt.Log.Warn("a repository is not read", "repository", name, "error", err)
	}
	return true
}

// due are the repositories to look at that nobody here works on, first those that are due longest.
func (h *Hub) due() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.opt.Now()
	var keys []string
	for key, r := range h.known {
		if !h.busy[key] && h.isDue(key, r, now) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return h.known[a].Due.Compare(h.known[b].Due) })
	return keys
}

// begin notes that a claimed repository is worked on. It is false where that is not due any more.
func (h *Hub) begin(key string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r, ok := h.known[key]; !ok || !h.isDue(key, r, h.opt.Now()) {
		return false
	}
	h.busy[key] = true
	delete(h.asked, key)
	return true
}

func (h *Hub) isDue(key string, r *Repo, now time.Time) bool {
	return h.asked[key] || r.State != Parked && !r.Due.After(now)
}

func (h *Hub) done(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.busy, key)
}

// errGit marks a failure of git or of the forge, which says nothing of the branch.
type errGit struct{ error }

func (e errGit) Unwrap() error { return e.error }

// update brings a repository that is claimed up to date. A failure is kept with the repository and returned.
func (h *Hub) update(ctx context.Context, key string) error {
	r, ok := h.repos()[key]
	if !ok {
		return nil
	}
	next, err := h.follow(ctx, *r)
	if err != nil {
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil // the hub ends: nothing failed
		}
		var git errGit
		next = r.failed(h.opt.Now(), err, !errors.As(err, &git))
	}
	if err = errors.Join(err, h.save(&next)); err == nil && next.OID != r.OID && next.OID != "" {
		err = h.mirror.Keep(ctx, next.URL, next.OID)
	}
	return err
}

// follow is the repository as its default branch is now.
func (h *Hub) follow(ctx context.Context, r Repo) (Repo, error) {
	ref, oid, err := h.mirror.Fetch(ctx, r.URL)
	if err != nil {
		return r, errGit{fmt.Errorf("fetching: %w", err)}
	}
	now := h.opt.Now()
	if oid == r.OID && ref == r.Ref {
		return r.fresh(now), nil
	}
	from := r.OID
	if ref != r.Ref {
		from = "" // another default branch: all is compared
	}
	files, err := h.files(ctx, &r, from, oid)
	if err != nil {
		return r, err
	}
	r.Ref, r.OID, r.Files, r.Moved = ref, oid, files, now
	return r.fresh(now), nil
}

// files are the files of a repository at a commit, of which the store has learned what is new.
func (h *Hub) files(ctx context.Context, r *Repo, from, to string) (map[string]File, error) {
	if to == "" {
		return nil, nil // a branch without a commit
	}
	changes, whole, err := h.mirror.Changes(ctx, r.URL, from, to)
	if err != nil {
		return nil, errGit{fmt.Errorf("comparing: %w", err)}
	}
	files := map[string]File{}
	if !whole {
		maps.Copy(files, r.Files)
	}
	fresh := map[string][]string{} // paths by blob
	for _, c := range changes {
		delete(files, c.Path)
		if c.Blob != "" {
			fresh[c.Blob] = append(fresh[c.Blob], c.Path)
		}
	}
	if err := h.learn(ctx, r, fresh, files); err != nil {
		return nil, err
	}
	return bounded(files), nil
}

// learn reads blobs, notes them in files, and has the store learn them.
func (h *Hub) learn(ctx context.Context, r *Repo, paths map[string][]string, files map[string]File) error {
	for blobs := range slices.Chunk(slices.Sorted(maps.Keys(paths)), batchBlobs) {
		texts := map[string][]byte{}
		err := h.mirror.Read(ctx, r.URL, blobs, func(blob string, data []byte) error {
			texts[blob] = data
			for _, path := range paths[blob] {
				files[path] = judge(blob, path, data)
			}
			return nil
		})
		if err == nil && len(texts) < len(blobs) {
			err = fmt.Errorf("%d of %d files cannot be had", len(blobs)-len(texts), len(blobs))
		}
		if err != nil {
			return errGit{fmt.Errorf("reading memories: %w", err)}
		}
		if err := h.store.Learn(ctx, r, texts); err != nil {
			return err
		}
	}
	return nil
}

// bounded leaves out what is beyond the bound, the last in order of paths.
func bounded(files map[string]File) map[string]File {
	if len(files) <= maxFiles {
		return files
	}
	for _, path := range slices.Sorted(maps.Keys(files))[maxFiles:] {
		delete(files, path)
	}
	return files
}
