// Package embedder opens the model that turns memories into vectors, as the user's own
// settings name it.
//
// [Read] the settings, or take an [Embedder], which reads them when it is first asked.
// It promises that nothing in a repository can name a model, and that one that cannot
// be used stops nothing: a search goes on by words alone, and a notice says why.
package embedder

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/vector"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// hookWait is how long a hook, which must not be felt, waits for an endpoint.
const hookWait = 150 * time.Millisecond

// Embedder opens the model that the user configured, when it is first asked for. It
// is safe for concurrent use.
type Embedder struct {
	opt Options

	mu       sync.Mutex
	opened   *vector.Store   // nil before the first use, and without a model
	settings Settings        // of what is open
	endpoint *diary.Endpoint // that it asks; nil without one
}

// Options hold the parts of a workspace that an [Embedder] needs; all are required.
type Options struct {
	Repo    *gitops.Repo
	Index   *index.Index
	Diary   *diary.Diary
	Environ []string // as from os.Environ
	Notice  func(format string, args ...any)
}

// New returns an embedder. It reads nothing yet.
func New(opt Options) *Embedder { return &Embedder{opt: opt} }

// Open is nil without a model. What is wrong with one is an error, and search goes
// on by words alone.
func (v *Embedder) Open(ctx context.Context) (*vector.Store, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.opened != nil || !v.opt.Repo.ConfigMentions("embed") {
		return v.opened, nil
	}
	config, err := v.opt.Repo.Settings(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", ModelKey, err)
	}
	settings, wrong := Read(config)
	if settings.Model == "" {
		return nil, nil
	}
	for _, text := range wrong {
		v.opt.Notice("%s", text)
	}
	m, err := settings.Open(v.opt.Environ, v.health(settings))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ModelKey, err)
	}
	v.settings, v.opened = settings, v.opt.Index.Vectors(m)
	return v.opened, nil
}

// health remembers how the endpoint of settings answers. mu is held.
func (v *Embedder) health(s Settings) embed.Health {
	if !s.Remote() {
		return nil
	}
	v.endpoint = v.opt.Diary.Endpoint(s.Model + " " + s.Name)
	return v.endpoint
}

// Query asks for vectors in a search; the zero value leaves all of it to the settings.
type Query struct {
	Text  string  // compared instead of the words of the query; may be ""
	Alpha float64 // weight of the vectors, 0–1
	Hook  bool    // an agent waits: not long for vectors
}

// Search returns the part of a search that vectors do; nil when there are none.
func (v *Embedder) Search(ctx context.Context, q Query) *index.VectorSearch {
	opened, err := v.Open(ctx)
	if err != nil {
		v.opt.Notice("%v; searching by words alone", err)
		return nil
	}
	if opened == nil {
		return nil
	}
	out := &index.VectorSearch{
		Vectors: opened, Text: q.Text, Alpha: q.Alpha, Least: v.settings.Least, Wait: v.settings.Wait,
	}
	if q.Hook {
		out.Wait = min(out.Wait, hookWait)
	}
	out.Alpha = cmp.Or(out.Alpha, v.settings.Alpha)
	return out
}

// Embed makes the vectors that memories lack, by their blobs, and returns how many it
// made; 0 without a model. Those of memories that are long gone are forgotten.
func (v *Embedder) Embed(ctx context.Context, blobs []string, progress func(done, total int)) (int, error) {
	opened, err := v.Open(ctx)
	if err != nil || opened == nil {
		return 0, err
	}
	return Update(ctx, opened, blobs, progress)
}

// Update makes the vectors that memories lack in a store, and forgets those of memories
// that are long gone.
func Update(ctx context.Context, store *vector.Store, blobs []string, progress func(done, total int)) (int, error) {
	done, _, err := store.Update(ctx, blobs, 0, progress)
	if err != nil {
		return done, fmt.Errorf("embedding memories: %w", err)
	}
	if _, err := store.Purge(blobs); err != nil {
		return done, fmt.Errorf("forgetting vectors: %w", err)
	}
	return done, nil
}

// Trouble returns the failure of the model when it was last asked, without asking it
// again; nil for none.
func (v *Embedder) Trouble() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.endpoint == nil {
		return nil
	}
	if err := v.endpoint.Trouble(); err != nil {
		return fmt.Errorf("%s: the endpoint failed when it was last asked: %w", ModelKey, err)
	}
	return nil
}

// Flush writes down what a search embedded on its way.
func (v *Embedder) Flush() {
	v.mu.Lock()
	opened := v.opened
	v.mu.Unlock()
	if opened == nil {
		return
	}
	if err := opened.Flush(); err != nil {
		v.opt.Notice("the vectors were not written: %v", err)
	}
}

// Close writes down what is left and releases the files.
func (v *Embedder) Close() error {
	v.Flush()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.opened == nil {
		return nil
	}
	return v.opened.Close()
}
