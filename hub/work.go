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
	// Hold keeps another commit, in place of the one that it kept before; "" for none.
	Hold(ctx context.Context, url, oid string) error
	// Drop removes the copy. The next fetch makes it again.
	Drop(ctx context.Context, url string) error
	// Authors are the names and addresses of those who committed each memory file, in any version, by its path.
	Authors(ctx context.Context, url, oid string) (map[string][]string, error)
	// Held are those of some blobs that the copy has, without asking anybody.
	Held(ctx context.Context, url string, blobs []string) ([]string, error)
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
	// Tombs are all that were buried, by anybody.
	Tombs(ctx context.Context) ([]Tomb, error)
	// Bury adds tombs. Those that are there stay as they are.
	Bury(ctx context.Context, tombs []Tomb) error
	// Cleanse removes what was derived from texts that no repository holds any more. What it needs of those
	// that stay it may read from the mirrors.
	Cleanse(ctx context.Context, read Read) error
	// Record adds a line to the audit.
	Record(ctx context.Context, a Asked) error
	// Asked are the lines of the audit since a time, oldest first.
	Asked(ctx context.Context, since time.Time) ([]Asked, error)
	// Forget removes the lines of the audit from before a time, or before the day of it.
	Forget(ctx context.Context, before time.Time) error
	// Remains say where a purged text may still be that Cleanse does not reach.
	Remains() []string
	Finder
}

// Read hands blobs of a repository to yield, as [Mirror] does.
type Read func(ctx context.Context, url string, blobs []string, yield func(blob string, data []byte) error) error

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
	var pruned time.Time
	for {
		if now := h.opt.Now(); now.Sub(pruned) >= pruneEvery {
			pruned = now
			h.prune(ctx)
		}
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
	h.looked.Add(1)
	if err := h.update(ctx, key); err != nil {
		h.failed.Add(1)
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
	if err = errors.Join(err, h.save(&next)); err != nil {
		return err
	}
	if err := h.holdLost(ctx, r, &next); err != nil {
		return err
	}
	if next.OID != r.OID && next.OID != "" {
		return h.mirror.Keep(ctx, next.URL, next.OID)
	}
	return nil
}

// follow is the repository as its default branch is now.
func (h *Hub) follow(ctx context.Context, r Repo) (Repo, error) {
	ref, oid, err := h.mirror.Fetch(ctx, r.URL)
	if err != nil {
		return r, errGit{fmt.Errorf("fetching: %w", err)}
	}
	now := h.opt.Now()
	tombs, err := h.buried(ctx)
	if err != nil {
		return r, err
	}
	known := ref == r.Ref && r.Judged == judgement
	same := known && (oid == r.OID || r.isRestored(oid, now))
	if same && !tombs.any(r.Files) {
		return r.fresh(now), nil
	}
	from := r.OID
	if !known {
		from = "" // another default branch, or another version of the program: all is read
	}
	files, err := h.files(ctx, &r, tombs, from, oid)
	if err != nil {
		return r, err
	}
	if lost := r.lossTo(files, tombs, now); lost != nil {
		h.noteLoss(ctx, &r, lost)
	}
	r.Ref, r.OID, r.Files = ref, oid, files
	r.Moved, r.Judged, r.Restored = now, judgement, ""
	return r.fresh(now), nil
}

// files are the files of a repository at a commit, of which the store has learned what is new.
func (h *Hub) files(ctx context.Context, r *Repo, tombs Tombs, from, to string) (map[string]File, error) {
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
	l := &lesson{Hub: h, r: r, tombs: tombs, files: files, paths: fresh}
	if len(tombs[TombAuthor]) > 0 {
		if l.authors, err = h.mirror.Authors(ctx, r.URL, to); err != nil {
			return nil, errGit{fmt.Errorf("asking git who committed memories: %w", err)}
		}
	}
	if err := l.learn(ctx); err != nil {
		return nil, err
	}
	return bounded(files), nil
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
