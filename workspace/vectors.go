package workspace

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/vector"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// Keys of the user's git configuration that turn vectors on. They name paths,
// addresses and variables, so they are never read from the repository's files.
const (
	embedKey      = "cortex.embed"      // static:FOLDER, or the URL of an OpenAI-compatible endpoint
	embedModelKey = "cortex.embedmodel" // the model's name at that endpoint
	embedKeyKey   = "cortex.embedkey"   // the environment variable that holds its key
	embedWaitKey  = "cortex.embedwait"  // how long a search waits for it
)

// How long an endpoint is waited for: by a hook, which must not be felt, and by a
// search, unless the user says otherwise.
const (
	hookWait    = 150 * time.Millisecond
	searchWait  = 200 * time.Millisecond
	longestWait = time.Minute
)

// vectors opens the embedder that the user configured, when it is first asked
// for. It is for any number of goroutines.
type vectors struct {
	repo    *gitops.Repo
	index   *index.Index
	notices *notices
	diary   *diary.Diary
	env     environ

	mu       sync.Mutex
	opened   *vector.Store   // nil before the first use, and without an embedder
	endpoint *diary.Endpoint // that it asks; nil without one
	wait     time.Duration   // of a search for it
}

// environ is the environment of the process, as from os.Environ.
type environ []string

// variable is the value of a variable; "" for an unset one, or for no name.
func (e environ) variable(name string) string {
	value := ""
	for _, kv := range e {
		if key, v, ok := strings.Cut(kv, "="); ok && key == name && name != "" {
			value = v
		}
	}
	return value
}

// open is nil without an embedder. What is wrong with one is an error, and
// search goes on by words alone.
func (v *vectors) open(ctx context.Context) (*vector.Store, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.opened != nil || !v.repo.ConfigMentions("embed") {
		return v.opened, nil
	}
	settings, err := v.repo.Settings(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", embedKey, err)
	}
	value := settings.Value(embedKey)
	if value == "" {
		return nil, nil
	}
	v.wait = v.patience(settings.Value(embedWaitKey))
	e, err := v.embedder(value, settings)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", embedKey, err)
	}
	v.opened = v.index.Vectors(e)
	return v.opened, nil
}

// patience is how long a search waits for the endpoint by a setting.
func (v *vectors) patience(value string) time.Duration {
	if value == "" {
		return searchWait
	}
	wait, err := time.ParseDuration(value)
	if err != nil || wait <= 0 || wait > longestWait {
		v.notices.add("cortex.embedWait: %q is no time between 1ms and %v, such as 400ms; searches wait %v", value, longestWait, searchWait)
		return searchWait
	}
	return max(wait, time.Millisecond)
}

func (v *vectors) embedder(value string, settings *gitops.Config) (embed.Model, error) {
	if folder, ok := strings.CutPrefix(value, "static:"); ok {
		if rest, ok := strings.CutPrefix(folder, "~/"); ok {
			folder = filepath.Join(v.env.variable("HOME"), rest)
		}
		if !filepath.IsAbs(folder) {
			return nil, fmt.Errorf("the folder %q is not an absolute path", folder)
		}
		m, err := embed.OpenStatic(folder)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
	if u, err := url.Parse(value); err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is neither static:FOLDER nor an http address", value)
	}
	name := settings.Value(embedKeyKey)
	v.endpoint = v.diary.Endpoint(value + " " + settings.Value(embedModelKey))
	m, err := embed.NewRemote(embed.RemoteOptions{
		URL: value, Name: settings.Value(embedModelKey), KeyName: name, Key: v.env.variable(name), Health: v.endpoint,
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// search returns the part of a search that vectors do; nil when there are none, or
// they are not wanted.
func (v *vectors) search(ctx context.Context, opt SearchOptions) *index.VectorSearch {
	if opt.WordsOnly {
		return nil
	}
	opened, err := v.open(ctx)
	if err != nil {
		v.notices.add("%v; searching by words alone", err)
		return nil
	}
	if opened == nil {
		return nil
	}
	wait := v.wait
	if opt.Hook {
		wait = min(wait, hookWait)
	}
	return &index.VectorSearch{Vectors: opened, Text: opt.Hyde, Alpha: opt.Alpha, Wait: wait}
}

// embed makes the vectors that a view lacks, and returns how many it made; 0
// without an embedder. Those of memories that are long gone are forgotten.
func (v *vectors) embed(ctx context.Context, view *View, progress func(done, total int)) (int, error) {
	opened, err := v.open(ctx)
	if err != nil || opened == nil {
		return 0, err
	}
	done, _, err := opened.Update(ctx, view.Index.Blobs(), 0, progress)
	if err != nil {
		return done, fmt.Errorf("embedding memories: %w", err)
	}
	if _, err := opened.Purge(view.Index.Blobs()); err != nil {
		return done, fmt.Errorf("forgetting vectors: %w", err)
	}
	return done, nil
}

// trouble returns the failure of the embedder when it was last asked, without asking
// it again; nil for none.
func (v *vectors) trouble() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.endpoint == nil {
		return nil
	}
	if err := v.endpoint.Trouble(); err != nil {
		return fmt.Errorf("%s: the endpoint failed when it was last asked: %w", embedKey, err)
	}
	return nil
}

// flush writes down what a search embedded on its way.
func (v *vectors) flush() {
	v.mu.Lock()
	opened := v.opened
	v.mu.Unlock()
	if opened == nil {
		return
	}
	if err := opened.Flush(); err != nil {
		v.notices.add("the vectors were not written: %v", err)
	}
}

func (v *vectors) close() error {
	v.flush()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.opened == nil {
		return nil
	}
	return v.opened.Close()
}
